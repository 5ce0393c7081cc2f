import { brief, Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import { hasStopPrice, type OrderType, type Side, type TrailedPrice } from '../model/order.ts';
import { isRejection, type Rejection } from '../model/rejections.ts';
import type { Ticks } from '../model/units.ts';
import { priceOnGrid } from './grid.ts';
import { RATE_PLACES } from './own-rates.ts';

/** A strategy's description of how a stop price trails; each member is valid by itself. */
interface TrailDraft {
  readonly ticks?: number | undefined;
  readonly rate?: Decimal | undefined;
  readonly activation?: Decimal | undefined;
  readonly activationTicks?: number | undefined;
  readonly by?: TrailedPrice | undefined;
  readonly step?: number | undefined;
}

/** How a stop price trails, in whole ticks; plain data for the journal. */
export interface Trail {
  /** Distance from the market, in ticks or as a fraction of the price in decimal text. */
  readonly offset: number | string;
  /** Price from which on it trails. */
  readonly activationTicks?: number | undefined;
  readonly by: TrailedPrice;
  /** Least move of the stop price. */
  readonly step: number;
}

/** Why a fraction of the price is not a valid offset. */
export function trailRateRejection(rate: Decimal): Rejection | undefined {
  const isFraction = rate.isFinite() && rate.greaterThan(0) && rate.lessThan(1);
  if (isFraction && rate.decimalPlaces() <= RATE_PLACES) return undefined;
  return {
    code: 'stop-price-invalid',
    field: 'rate',
    message: `The trail has a rate of ${brief(rate)}; it is a fraction above 0 and below 1 with at most ${RATE_PLACES} decimals, such as 0.01.`,
  };
}

/** The trail of an order, on the grid of its instrument, or why the order cannot trail. */
export function trailOf(
  instrument: Instrument,
  type: OrderType,
  draft: TrailDraft,
): Trail | Rejection {
  if (!hasStopPrice(type) || type.startsWith('takeProfit')) {
    return {
      code: 'type-invalid',
      field: 'trail',
      message: `An order of the type ${type} cannot trail; stopMarket and stopLimit can.`,
    };
  }
  const { activation, by = 'last', step = 1 } = draft;
  const activationTicks =
    activation === undefined
      ? draft.activationTicks
      : priceOnGrid(instrument, activation, 'strict');
  if (isRejection(activationTicks)) return { ...activationTicks, field: 'trail.activation' };
  const offset = draft.ticks ?? draft.rate?.toFixed();
  if (offset === undefined) throw new RangeError('a trail has ticks or a rate');
  return { offset, by, step, activationTicks };
}

/**
 * The stop price after the market was at `extreme`: the highest price for a sell, the lowest for a
 * buy. A fraction is rounded to the tick away from the market, so that the stop is never nearer
 * than requested. `undefined` before the activation price, and if no tick is left.
 *
 * Whether the activation price was reached needs no memory: a stop price only moves at a new
 * extreme, and every new extreme after the activation is beyond that price too.
 */
export function trailedTicks(side: Side, extreme: number, trail: Trail): Ticks | undefined {
  const { offset, activationTicks } = trail;
  const isSell = side === 'sell';
  if (activationTicks !== undefined) {
    if (isSell ? extreme < activationTicks : extreme > activationTicks) return undefined;
  }
  const ticks = typeof offset === 'number' ? extreme + (isSell ? -offset : offset) : moved();
  return Number.isSafeInteger(ticks) && ticks >= 1 ? (ticks as Ticks) : undefined;

  function moved(): number {
    const rate = new Decimal(offset);
    const exact = new Decimal(1).plus(isSell ? rate.negated() : rate).times(extreme);
    return (isSell ? exact.floor() : exact.ceil()).toNumber();
  }
}
