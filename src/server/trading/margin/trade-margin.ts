import type { MarginReport } from '../../../exchange/positions/report.ts';
import type { TradeMarginRecord, TradeRecord } from '../orders/order-record.ts';

/**
 * Effect of a margin order's trade on its position: read while the trade is reported, when the exchange has
 * just settled it (`Margin.latest`).
 */
export function tradeMargin(settled: MarginReport | undefined): TradeMarginRecord | undefined {
  const { mode, trade, position } = settled ?? {};
  if (mode === undefined || trade === undefined) return undefined;
  const { positionId, pnl, fee, end } = trade;
  const turnedId = position?.id === positionId ? undefined : position?.id;
  return {
    mode,
    positionId,
    turnedId,
    pnl,
    fee,
    liquidation: end === 'liquidated',
  };
}

/** The positions of a trade: two if it flips a position. */
export const positionsOf = ({ margin }: TradeRecord): readonly number[] =>
  [margin?.positionId, margin?.turnedId].filter((id) => id !== undefined);
