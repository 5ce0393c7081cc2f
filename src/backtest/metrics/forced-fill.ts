import { Amount } from '../../model/amount.ts';
import type { MarginAccountReport, PositionEnd } from '../../model/margin-account.ts';
import type { Fill } from '../../model/report.ts';
import type { ForcedClose } from '../result.ts';

/** A fill, and how the venue came to it where no order of the strategy did. */
export interface MeasuredFill extends Fill {
  readonly forced?: ForcedClose;
}

const FORCED: Partial<Record<PositionEnd, ForcedClose>> = {
  liquidated: 'liquidated',
  deleveraged: 'deleveraged',
  settled: 'settled',
};

/** The fill in a report of a margin account that no order of the strategy made, where there is one. */
export function forcedFill(report: MarginAccountReport): MeasuredFill | undefined {
  const { at, forced, position, account, end } = report;
  if (forced === undefined || position === undefined) return undefined;
  const { id = 0, clientOrderId = '', side, ticks, lots, fee } = forced;
  const kind = (end === undefined ? undefined : FORCED[end]) ?? 'liquidated';
  return {
    id,
    clientOrderId,
    symbol: position.symbol,
    side,
    ticks,
    lots,
    fee: Amount.of(fee),
    // Nothing rests in a book for a position that is deleveraged or settled: it has no maker either.
    feeCurrency: account.currency,
    taker: true,
    at,
    margin: account.mode,
    forced: kind,
  };
}
