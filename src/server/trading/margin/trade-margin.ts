import type { MarginReport } from '../../../exchange/margin/report.ts';
import type { TradeMarginRecord } from '../orders/order-record.ts';

/**
 * What a trade of a margin order was to its position: asked for while the trade is told, when the
 * exchange has just settled it (`Margin.latest`).
 */
export function tradeMargin(settled: MarginReport | undefined): TradeMarginRecord | undefined {
  const { mode, trade, position } = settled ?? {};
  if (mode === undefined || trade === undefined) return undefined;
  const { positionId, pnl, fee, end } = trade;
  const turnedId = position?.id === positionId ? undefined : position?.id;
  return {
    mode,
    positionId,
    ...(turnedId === undefined ? {} : { turnedId }),
    pnl,
    fee,
    liquidation: end === 'liquidated',
  };
}

/** True for a trade that belongs to the life of a position: one that turns it belongs to two. */
export const isOfPosition = (margin: TradeMarginRecord | undefined, id: number): boolean =>
  margin !== undefined && (margin.positionId === id || margin.turnedId === id);
