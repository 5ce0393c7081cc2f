import { Decimal, ZERO } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Rejection } from '../model/rejections.ts';
import { lots as asLots, type Lots, type Ticks } from '../model/units.ts';
import { fee, sellReserve } from './funds.ts';
import type { NewOrder, OwnRates } from '../model/order.ts';
import { raisedRates } from './own-rates.ts';

const ONE_LOT = asLots(1);

/** An order of a bracket with its own fee rates. */
type Rated = OwnRates & Pick<NewOrder, 'side' | 'lots'>;

/**
 * Most lots that an exit of a bracket can cover, by its entry: all of them, except for a buy with
 * its fee in the base currency. That buy leaves its fee less when the exits become active, and a
 * sell reserves its own fee besides its quantity. Both count with the higher of the two rates,
 * raised by the orders' own rates, and the rest is rounded down to a lot.
 */
export function bracketExitLots(instrument: Instrument, entry: Rated, exit: OwnRates): Lots {
  const { feeCurrency, baseCurrency } = instrument.terms;
  const { side, lots } = entry;
  if (side !== 'buy' || feeCurrency !== baseCurrency) return lots;
  const { takeRate, makeRate } = raisedRates(instrument, entry);
  const rate = Decimal.max(takeRate, makeRate, ZERO);
  const held = instrument.size(lots).minus(fee(instrument, 0 as Ticks, lots, rate));
  const most = held
    .div(sellReserve(instrument, ONE_LOT, raisedRates(instrument, exit)))
    .floor()
    .toNumber();
  return Math.max(0, Math.min(lots, most)) as Lots;
}

/** Rejects a bracket that buys too little: after the fees not a lot is left to sell. */
export function bracketSizeRejection(
  instrument: Instrument,
  [entry, ...exits]: readonly Rated[],
): Rejection | undefined {
  if (exits.every((exit) => bracketExitLots(instrument, entry, exit) > 0)) return undefined;
  const size = instrument.size(entry.lots).toFixed();
  return {
    code: 'quantity-below-minimum',
    field: 'orders[0].quantity',
    message: `The bracket buys ${size} ${instrument.baseCurrency}, of which the fees in ${instrument.baseCurrency} leave less than one lot (${instrument.quantityIncrement.toFixed()}) to sell; buy more.`,
    limit: instrument.quantityIncrement.toFixed(),
  };
}

/**
 * Compares the prices of a bracket (entry, take profit, stop loss, in this order): the take profit
 * is beyond the entry in the direction of the trade, the stop loss behind it. An order counts at
 * its stop price, else at its limit price. A market entry counts at `lastTicks`, the last known
 * price, which may be between two ticks; if that is NaN, only the exits are compared.
 */
export function bracketRejection(
  orders: readonly NewOrder[],
  instrument: Instrument,
  lastTicks: Ticks = Number.NaN as Ticks,
): Rejection | undefined {
  const [entry, profit, loss] = orders;
  const buys = entry.side === 'buy';
  const ownAt = level(entry);
  const at = ownAt ?? lastTicks;
  const start = ownAt === undefined ? 'last price' : 'entry';
  const profitAt = level(profit);
  const lossAt = level(loss);
  if (profitAt === undefined || lossAt === undefined) return undefined;
  const show = (ticks: Ticks): string => instrument.tickSize.times(ticks).toFixed();
  const isBeyond = (a: Ticks, b: Ticks): boolean => (buys ? a > b : a < b);
  const [beyond, behind] = buys ? ['above', 'below'] : ['below', 'above'];
  const turned = buys ? 'sell' : 'buy';
  const refuse = (index: 1 | 2, is: Ticks, side: string, than: Ticks, what: string): Rejection => ({
    code: 'bracket-prices-invalid',
    field: fieldOf(orders[index], index),
    message: `The ${index === 1 ? 'take profit' : 'stop loss'} is at ${show(is)} and must be ${side} the ${what} at ${show(than)}, as the entry is a ${entry.side}; move it there, or ${turned} to enter.`,
    limit: show(than),
  });
  if (Number.isNaN(at)) {
    if (isBeyond(profitAt, lossAt)) return undefined;
    return refuse(1, profitAt, beyond, lossAt, 'stop loss');
  }
  if (!isBeyond(profitAt, at)) return refuse(1, profitAt, beyond, at, start);
  if (!isBeyond(at, lossAt)) return refuse(2, lossAt, behind, at, start);
  return undefined;
}

const level = ({ stopTicks, ticks }: NewOrder): Ticks | undefined => stopTicks ?? ticks;

const fieldOf = ({ stopTicks }: NewOrder, index: number): string =>
  `orders[${index}].${stopTicks === undefined ? 'price' : 'stopPrice'}`;
