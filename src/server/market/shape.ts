import { DEFAULT_MARKET, type MarketParameters } from '../../feeds/synthetic/parameters.ts';
import type { Instrument } from '../../model/instrument.ts';

/** What shapes a made-up market beside its first price; whatever is not said follows from that price. */
export type MarketShape = Partial<Omit<MarketParameters, 'startPrice' | 'delayUs' | 'jitterUs'>>;

/** A market that follows another strays from it by this fraction of its price. */
const STRAYING = 0.0002;

/** The default market, which all others are drawn after. */
const MODEL = { ticks: 6_200_000, lots: 100_000, price: 62_000 } as const;

/**
 * The parameters of a market of any instrument: the default one with its distances in proportion to
 * the price, and its sizes as large in money. `worth` is the price in the currency in which sizes are
 * to be as large as in the default market, whose quote currency is a dollar.
 */
export function shapeOf(
  instrument: Instrument,
  startTicks: number,
  value: number,
  shape: MarketShape = {},
): MarketParameters {
  const distance = startTicks / MODEL.ticks;
  const size = MODEL.price / MODEL.lots / (value * instrument.quantityIncrement.toNumber());
  const { volatilityTicks, driftTicks, noiseTicks, gapTicks, spreadTicks } = DEFAULT_MARKET;
  const { levelLots, tradeLots } = DEFAULT_MARKET;
  return {
    ...DEFAULT_MARKET,
    volatilityTicks: volatilityTicks * distance,
    driftTicks: driftTicks * distance,
    noiseTicks: noiseTicks * distance,
    gapTicks: gapTicks * distance,
    spreadTicks: spreadTicks * distance,
    levelLots: levelLots * size,
    tradeLots: tradeLots * size,
    ...shape,
    startPrice: instrument.tickSize.times(startTicks).toFixed(),
    // Who is behind the venue's doors is no receiver: everything is known when it happens.
    delayUs: 0,
    jitterUs: 0,
  };
}

/** The same for a market that follows another one. */
export function followingShape(
  instrument: Instrument,
  startTicks: number,
  value: number,
  shape: MarketShape = {},
): MarketParameters {
  const noiseTicks = STRAYING * startTicks;
  return shapeOf(instrument, startTicks, value, { noiseTicks, ...shape });
}
