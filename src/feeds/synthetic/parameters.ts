/**
 * What shapes a synthetic market. The defaults make something like BTC/USDT on a calm day: trends of
 * tens of minutes under noise of seconds, a trade and a message of the book about every second.
 */
export interface MarketParameters {
  /** Price at the beginning, as decimal text. */
  readonly startPrice: string;
  /** Random walk of the value, in ticks per square root of a second. */
  readonly volatilityTicks: number;
  /** Drift of a regime, in ticks per second: the standard deviation over regimes. */
  readonly driftTicks: number;
  /** Mean length of a regime. */
  readonly regimeSeconds: number;
  /** Noise that comes back to zero: its standard deviation in ticks. */
  readonly noiseTicks: number;
  /** Time in which the noise forgets to 1/e. */
  readonly noiseSeconds: number;
  /** Busy and quiet spells: the standard deviation of the logarithm of how fast everything goes. */
  readonly activitySigma: number;
  /** Time in which a spell is forgotten to 1/e. */
  readonly activitySeconds: number;
  /** Orders of takers, on average over spells. */
  readonly tradesPerSecond: number;
  /** Messages in which makers follow the value, on average over spells. */
  readonly updatesPerSecond: number;
  /** Levels that makers keep on each side. */
  readonly levels: number;
  /** Mean distance of neighbouring levels near the best; it grows with the depth. */
  readonly gapTicks: number;
  /** Mean of the quoted spread beyond one tick. */
  readonly spreadTicks: number;
  /** Median size of a level. */
  readonly levelLots: number;
  /** Median size of a taker's order. */
  readonly tradeLots: number;
  /** What every event takes from the venue to the receiver at least. */
  readonly delayUs: number;
  /** Mean of what comes on top, exponential. */
  readonly jitterUs: number;
  /** Whether top-of-book rows are written too. */
  readonly quotes: boolean;
}

export const DEFAULT_MARKET: MarketParameters = {
  startPrice: '62000',
  volatilityTicks: 380,
  driftTicks: 14,
  regimeSeconds: 2_400,
  noiseTicks: 450,
  noiseSeconds: 40,
  activitySigma: 0.5,
  activitySeconds: 900,
  tradesPerSecond: 1.5,
  updatesPerSecond: 1.8,
  levels: 12,
  gapTicks: 60,
  spreadTicks: 25,
  levelLots: 40_000,
  tradeLots: 2_500,
  delayUs: 9_000,
  jitterUs: 2_500,
  quotes: false,
};

/** What a perpetual has beside its market. */
export interface PerpetualParameters {
  /** Seconds between mark and index prices. */
  readonly markSeconds: number;
  /** Hours between two fundings, counted from midnight UTC. */
  readonly fundingHours: number;
  /** What the market pays over the index, as a share of it: its standard deviation in the long run. */
  readonly premiumSigma: number;
  /** Time in which the premium is forgotten to 1/e. */
  readonly premiumSeconds: number;
  /** What is open at the beginning. */
  readonly openInterestLots: number;
  /** How far it moves from one time to the next: the standard deviation. */
  readonly openInterestStepLots: number;
}

export const DEFAULT_PERPETUAL: PerpetualParameters = {
  markSeconds: 1,
  fundingHours: 8,
  premiumSigma: 0.0006,
  premiumSeconds: 3_600,
  openInterestLots: 800_000_000,
  openInterestStepLots: 20_000,
};

/** What shapes synthetic candles. Small steps make averages of closes meet exactly, again and again. */
export interface BarParameters {
  /** Price at the beginning, as decimal text. */
  readonly startPrice: string;
  /** A close differs from the one before by at most so many ticks. */
  readonly stepTicks: number;
  /** Closes stay within so many ticks of the first price. */
  readonly reachTicks: number;
  /** Largest volume of a candle. */
  readonly volumeLots: number;
}

export const DEFAULT_BARS: BarParameters = {
  startPrice: '62000',
  stepTicks: 1,
  reachTicks: 2_000,
  volumeLots: 100_000,
};
