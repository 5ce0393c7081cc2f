import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginReason, VenuePosition } from '../../model/margin-account.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { entryPrice } from './position-value.ts';
import { wholeQuotient } from './quotient.ts';

/** A position after a fill. */
export interface PositionAfterFill {
  readonly reason: MarginReason;
  /** The filled position: the one that it opened or changed, or the one that it ended. */
  readonly position: VenuePosition;
  /** The position still open after the fill. */
  readonly open: VenuePosition | undefined;
  /** PnL of the lots that it closed, before fees. */
  readonly pnl: Decimal;
  readonly closedLots: number;
}

/** A position without lots. */
export const emptyPosition = (symbol: string, id: number, at: Micros): VenuePosition => ({
  id,
  symbol,
  lots: 0,
  entryPrice: ZERO,
  entryValue: ZERO,
  realizedPnl: ZERO,
  fees: ZERO,
  carry: ZERO,
  createdAt: at,
  updatedAt: at,
});

/**
 * Applies a fill to a position by the rules of the exchange: opened lots add to the entry value,
 * closed lots take their part of it, and a flip ends one position and opens another, whose id
 * `newId` returns.
 */
export function positionAfterFill(
  heldPosition: VenuePosition | undefined,
  instrument: Instrument,
  fill: Pick<Fill, 'symbol' | 'side' | 'lots' | 'ticks' | 'at'>,
  { fee, newId }: { readonly fee: Decimal; readonly newId: () => number },
): PositionAfterFill {
  const { symbol, side, lots, ticks, at } = fill;
  const signedLots = (side === 'buy' ? 1 : -1) * lots;
  const value = (count: number): Decimal => instrument.value(ticks, count as Lots);
  if (heldPosition === undefined || heldPosition.lots > 0 === signedLots > 0) {
    const before = heldPosition ?? emptyPosition(symbol, newId(), at);
    const position = increased(before, instrument, signedLots, { value: value(lots), fee, at });
    return { reason: 'openTrade', position, open: position, pnl: ZERO, closedLots: 0 };
  }
  const closing = Math.min(Math.abs(heldPosition.lots), lots);
  const { pnl, rest } = closedPart(heldPosition, instrument, closing, value(closing));
  const after: VenuePosition = {
    ...heldPosition,
    ...rest,
    updatedAt: at,
    fees: heldPosition.fees.plus(fee),
    realizedPnl: heldPosition.realizedPnl.plus(pnl),
  };
  if (after.lots !== 0) {
    return { reason: 'closeTrade', position: after, open: after, pnl, closedLots: closing };
  }
  if (closing === lots) {
    return { reason: 'closed', position: after, open: undefined, pnl, closedLots: closing };
  }
  const left = lots - closing;
  const opened = emptyPosition(symbol, newId(), at);
  const addition = { value: value(left), fee: ZERO, at };
  const position = increased(opened, instrument, left * Math.sign(signedLots), addition);
  return { reason: 'flipTrade', position, open: position, pnl, closedLots: closing };
}

/**
 * Realized PnL of closing lots for `proceeds`, before fees; the entry value shrinks in proportion,
 * rounded as the exchange does.
 */
export function closedPart(
  position: VenuePosition,
  { tickValue }: Pick<Instrument, 'tickValue'>,
  closing: number,
  proceeds: Decimal,
): { readonly pnl: Decimal; readonly rest: Pick<VenuePosition, 'lots' | 'entryValue'> } {
  const heldLots = Math.abs(position.lots);
  const part =
    closing === heldLots
      ? position.entryValue
      : wholeQuotient(position.entryValue.times(closing), tickValue.times(heldLots), 'near').times(
          tickValue,
        );
  const pnl = position.lots > 0 ? proceeds.minus(part) : part.minus(proceeds);
  const lots = position.lots - Math.sign(position.lots) * closing;
  return { pnl, rest: { lots, entryValue: position.entryValue.minus(part) } };
}

function increased(
  position: VenuePosition,
  instrument: Instrument,
  signedLots: number,
  {
    value: addedValue,
    fee,
    at,
  }: { readonly value: Decimal; readonly fee: Decimal; readonly at: Micros },
): VenuePosition {
  const lots = position.lots + signedLots;
  const value = position.entryValue.plus(addedValue);
  const quantity = instrument.size(lots as Lots);
  return {
    ...position,
    lots,
    entryValue: value,
    fees: position.fees.plus(fee),
    updatedAt: at,
    entryPrice: entryPrice({ quantity, value }, instrument.tickSize),
    // Cleared: they applied to the position before.
    marginCallPrice: undefined,
    liquidationPrice: undefined,
  };
}
