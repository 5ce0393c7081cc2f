import type { CandlesShown } from '../engine/market/instrument-market.ts';
import { span } from './page/format.ts';
import type { OrderStatistics } from './result.ts';

/** What a run without orders is explained by. */
export interface Idleness {
  readonly orders: Pick<OrderStatistics, 'sent' | 'rejections'>;
  readonly candles: readonly CandlesShown[];
  /** Warm-up included. */
  readonly replayedUs: number;
  readonly isFailed: boolean;
}

/**
 * Says that no order was ever sent, so that 0 % is not read as a result, and as much of the reason as is
 * known: the commands were refused, the strategy failed, or few candles came.
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
      ({ symbol, period, shown }) =>
        `${period} candles of ${symbol}, of which ${shown === 0 ? 'none' : shown} came`,
    );
    reasons.push(
      `The replay covers ${span(replayedUs)}, and the strategy asked for ${received.join(', and for ')}.`,
    );
  }
  return [['No order was ever sent.', ...reasons].join(' ')];
}
