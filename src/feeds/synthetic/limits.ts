import type { BarParameters, MarketParameters, PerpetualParameters } from './parameters.ts';

/** What a number may be, both ends included. */
export interface Limits {
  readonly least: number;
  readonly most: number;
  readonly whole?: true;
}

type Numbers<P> = {
  readonly [K in keyof P as P[K] extends number ? K : never]: Limits;
};

/** Less than this is nothing to divide by. */
const ABOVE_ZERO = 1e-6;
const TICKS_MAX = 1e9;
/** Chance makes a size a few hundred times the median, which must stay a whole number. */
const LOTS_MAX = 1e12;
const SECONDS_MAX = 1e9;

/** Far beyond any market, and near enough that every number stays exact and every loop ends. */
export const MARKET_LIMITS: Numbers<MarketParameters> = {
  volatilityTicks: { least: 0, most: TICKS_MAX },
  driftTicks: { least: 0, most: TICKS_MAX },
  regimeSeconds: { least: ABOVE_ZERO, most: SECONDS_MAX },
  noiseTicks: { least: 0, most: TICKS_MAX },
  noiseSeconds: { least: ABOVE_ZERO, most: SECONDS_MAX },
  activitySigma: { least: 0, most: 5 },
  activitySeconds: { least: ABOVE_ZERO, most: SECONDS_MAX },
  tradesPerSecond: { least: ABOVE_ZERO, most: 10_000 },
  updatesPerSecond: { least: ABOVE_ZERO, most: 10_000 },
  levels: { least: 1, most: 1_000, whole: true },
  gapTicks: { least: ABOVE_ZERO, most: 1e6 },
  spreadTicks: { least: ABOVE_ZERO, most: 1e6 },
  levelLots: { least: ABOVE_ZERO, most: LOTS_MAX },
  tradeLots: { least: ABOVE_ZERO, most: LOTS_MAX },
  delayUs: { least: 0, most: 3.6e9, whole: true },
  jitterUs: { least: 0, most: 3.6e9 },
};

export const PERPETUAL_LIMITS: Numbers<PerpetualParameters> = {
  markSeconds: { least: 1, most: 86_400, whole: true },
  fundingHours: { least: 1, most: 24, whole: true },
  premiumSigma: { least: 0, most: 0.1 },
  premiumSeconds: { least: ABOVE_ZERO, most: SECONDS_MAX },
  openInterestLots: { least: 1, most: LOTS_MAX, whole: true },
  openInterestStepLots: { least: 0, most: LOTS_MAX },
};

export const BAR_LIMITS: Numbers<BarParameters> = {
  stepTicks: { least: 0, most: TICKS_MAX, whole: true },
  reachTicks: { least: 0, most: TICKS_MAX, whole: true },
  volumeLots: { least: 1, most: LOTS_MAX, whole: true },
};
