import { ZERO } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { WireTrade } from '../records.ts';
import { KnownPosition } from './known-position.ts';
import type { WireClearing, WirePosition } from './reading.ts';

/** What the histories say of the life of a position. */
export interface PositionLife {
  /** When the position had changed last, as its record said before they were read. */
  readonly at: Micros;
  /** Its trades, oldest first, and the one by which it came of another that turned around. */
  readonly trades: readonly WireTrade[];
  /** What it paid and received, of others too. */
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
  { at: readAt, trades, clearings }: PositionLife,
  instrument: Instrument,
): KnownPosition | undefined {
  const lots = instrument.lotsExactly(quantity);
  if (lots === undefined || at !== readAt) return undefined;
  const own = trades.filter(({ position_id: of }) => of === id);
  const [turning, more] = trades.filter(({ position_id: of }) => of !== id);
  if (more !== undefined) return undefined;
  const known = new KnownPosition(id);
  if (turning !== undefined) {
    const opened = lots - own.reduce((sum, trade) => sum + signedLots(trade, instrument), 0);
    const whole = signedLots(turning, instrument);
    const isPart = opened * whole > 0 && Math.abs(opened) <= Math.abs(whole);
    const ticks = instrument.ticksExactly(turning.price);
    if (!isPart || ticks === undefined) return undefined;
    known.trade({ ticks, lots: opened, fee: ZERO }, instrument);
  }
  for (const trade of own) {
    const ticks = instrument.ticksExactly(trade.price);
    const change = { lots: signedLots(trade, instrument), fee: trade.fee };
    // It may close all of the position only with the trade that ends it, which is not open then.
    if (ticks === undefined || known.trade({ ...change, ticks }, instrument) !== 0)
      return undefined;
  }
  if (!known.fits(lots, price, instrument)) return undefined;
  // Where the service tells them, its own figures count.
  if (own.every(({ pnl }) => pnl !== undefined)) {
    known.realized = own.reduce((sum, { pnl = ZERO }) => sum.plus(pnl), ZERO);
  }
  if (fees !== undefined) known.fees = fees;
  known.carry = clearings
    .filter(({ position_id: of, kind }) => of === id && (kind === 'funding' || kind === 'interest'))
    .reduce((sum, { amount }) => sum.plus(amount), ZERO);
  known.isWhole = true;
  known.updatedAt = at;
  return known;
}

/** Off the grid it is nothing, which leads to another position than the one that is shown. */
const signedLots = ({ side, quantity }: WireTrade, instrument: Instrument): number =>
  (side === 'buy' ? 1 : -1) * (instrument.lotsExactly(quantity) ?? 0);
