import { DEFAULT_MARKET, type MarketParameters } from '../../feeds/synthetic/parameters.ts';
import type { Instrument } from '../../model/instrument.ts';

/** Parameters of a synthetic market besides its first price; defaults follow from that price. */
export type MarketShape = Partial<Omit<MarketParameters, 'startPrice' | 'delayUs' | 'jitterUs'>>;

/** A market that follows another strays from it by this fraction of its price. */
const STRAYING = 0.0002;

/** The default market, which all others are scaled from. */
const MODEL = { ticks: 6_200_000, lots: 100_000, price: 62_000 } as const;

/**
 * The parameters of any instrument's market: the default ones with distances in proportion to the price,
 * and sizes of equal value. `value` is the price in the currency in which sizes equal those of the default
 * market, whose quote currency is a dollar.
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
    // The venue itself receives without delay.
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
