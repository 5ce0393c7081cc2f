import { ZERO, type Decimal } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { WireTrade } from '../records.ts';
import { KnownPosition, type PositionTrade } from './known-position.ts';
import type { WireClearing, WirePosition } from './reading.ts';

/** The history of a position. */
export interface PositionLifecycle {
  /** When the position last changed, by its record before they were read. */
  readonly at: Micros;
  /** Its trades, oldest first, including the one that flipped another position into it. */
  readonly trades: readonly WireTrade[];
  /** Its payments, and those of others. */
  readonly clearings: readonly WireClearing[];
}

/**
 * An open position as its life makes it; `undefined` where that does not lead to what its record shows, as a
 * history is shorter than its life, or was read at another moment.
 *
 * The trade that turned another position around counts to that one, fee included; what it opened of this one is
 * what all other trades leave.
 */
export function lived(
  { id, quantity, price_entry: price, fee_cumulative: fees, updated_at: at }: WirePosition,
  { at: readAt, trades, clearings }: PositionLifecycle,
  instrument: Instrument,
): KnownPosition | undefined {
  const lots = instrument.lotsExactly(quantity);
  if (lots === undefined || at !== readAt) return undefined;
  const own = trades.filter(({ position_id: of }) => of === id);
  const settled = clearings.filter((one) => one.position_id === id && one.kind === 'settlement');
  const [turning, more] = trades.filter(({ position_id: of }) => of !== id);
  if (more !== undefined) return undefined;
  const known = new KnownPosition(id);
  if (turning !== undefined) {
    const gone = settled.reduce((sum, one) => sum + (lotsOf(one, instrument) ?? 0), 0);
    const opened = lots + gone - own.reduce((sum, one) => sum + signedLots(one, instrument), 0);
    const whole = signedLots(turning, instrument);
    const isPart = opened * whole > 0 && Math.abs(opened) <= Math.abs(whole);
    const ticks = instrument.ticksExactly(turning.price);
    if (!isPart || ticks === undefined) return undefined;
    known.trade({ ticks, lots: opened, fee: ZERO }, instrument);
  }
  for (const { change } of eventsOf(own, settled, instrument)) {
    // An event that ends a position is not in an open one's history.
    if (change === undefined || known.trade(change, instrument) !== 0) return undefined;
  }
  if (!known.fits(lots, price, instrument)) return undefined;
  // If the service reports PnL, its figures count.
  if (own.every(({ pnl }) => pnl !== undefined)) {
    const traded = own.reduce((sum, { pnl = ZERO }) => sum.plus(pnl), ZERO);
    known.realized = settled.reduce((sum, { amount }) => sum.plus(amount), traded);
  }
  if (fees !== undefined) known.fees = fees;
  known.carry = clearings
    .filter(({ position_id: of, kind }) => of === id && (kind === 'funding' || kind === 'interest'))
    .reduce((sum, { amount }) => sum.plus(amount), ZERO);
  known.isWhole = true;
  known.updatedAt = at;
  return known;
}

/** Off the grid it is nothing, which leads to another position than the reported one. */
const signedLots = ({ side, quantity }: WireTrade, instrument: Instrument): number =>
  (side === 'buy' ? 1 : -1) * (instrument.lotsExactly(quantity) ?? 0);

const lotsOf = ({ quantity }: WireClearing, instrument: Instrument): number | undefined =>
  instrument.lotsExactly(quantity);

/** Trades and settlements in order of time; an off-grid change is none. */
function eventsOf(
  trades: readonly WireTrade[],
  settled: readonly WireClearing[],
  instrument: Instrument,
): readonly { readonly at: Micros; readonly change: PositionTrade | undefined }[] {
  const changeOf = (
    price: Decimal | undefined,
    lots: number | undefined,
    fee: Decimal,
  ): PositionTrade | undefined => {
    const ticks = price === undefined ? undefined : instrument.ticksExactly(price);
    return ticks === undefined || lots === undefined ? undefined : { ticks, lots, fee };
  };
  return [
    ...trades.map((trade) => ({
      at: trade.timestamp,
      change: changeOf(trade.price, signedLots(trade, instrument), trade.fee),
    })),
    // The amount of a settled short is negative: it was bought.
    ...settled.map((one) => {
      const lots = lotsOf(one, instrument);
      return { at: one.timestamp, change: changeOf(one.price, lots && -lots, ZERO) };
    }),
  ].toSorted((one, other) => one.at - other.at);
}
