import { Amount } from '../../model/amount.ts';
import type { MarginAccountReport, PositionEnd } from '../../model/margin-account.ts';
import type { Fill } from '../../model/report.ts';
import type { ForcedClose } from '../result.ts';

/** A fill, and its cause if the venue forced it. */
export interface FillWithCause extends Fill {
  readonly forced?: ForcedClose;
}

const FORCED: Partial<Record<PositionEnd, ForcedClose>> = {
  liquidated: 'liquidated',
  deleveraged: 'deleveraged',
  settled: 'settled',
};

/** The fill of a margin account report without an order of the strategy, if there is one. */
export function forcedFill(report: MarginAccountReport): FillWithCause | undefined {
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
    // Forced trades count as taker trades: a deleveraged or settled position has no order in a
    // book.
    feeCurrency: account.currency,
    taker: true,
    at,
    margin: account.mode,
    forced: kind,
  };
}
