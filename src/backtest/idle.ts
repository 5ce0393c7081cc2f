import type { CandleCount } from '../engine/market/instrument-market.ts';
import { span } from './page/format.ts';
import type { OrderStatistics } from './result.ts';

/** Facts about a run without orders. */
export interface Idleness {
  readonly orders: Pick<OrderStatistics, 'sent' | 'rejections'>;
  readonly candles: readonly CandleCount[];
  /** With warm-up. */
  readonly replayedUs: number;
  readonly isFailed: boolean;
}

/**
 * Warns that no order was sent, so that 0 % is not read as a result, with the known reason:
 * rejected commands, a failed strategy, or few candles.
 */
export function idleWarning(run: Idleness): readonly string[] {
  const { orders, candles, replayedUs, isFailed } = run;
  if (orders.sent > 0) return [];
  const reasons: string[] = [];
  const rejections = Object.entries(orders.rejections).map(([code, count]) => `${count} ${code}`);
  if (rejections.length > 0)
    reasons.push(`What it asked for was refused: ${rejections.join(', ')}.`);
  if (isFailed) reasons.push('The strategy failed and was stopped.');
  if (candles.length > 0) {
    const received = candles.map(
      ({ symbol, period, emitted }) =>
        `${period} candles of ${symbol}, of which ${emitted === 0 ? 'none' : emitted} came`,
    );
    reasons.push(
      `The replay covers ${span(replayedUs)}, and the strategy asked for ${received.join(', and for ')}.`,
    );
  }
  return [['No order was ever sent.', ...reasons].join(' ')];
}
