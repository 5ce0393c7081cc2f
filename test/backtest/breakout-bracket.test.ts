import { beforeAll, describe, expect, test } from 'vitest';
import type { BacktestResult, OrderRow } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import breakoutBracket from '../../strategies/breakout-bracket.ts';

describe('breakout-bracket on the sample', () => {
  let result: BacktestResult;
  let lists: (readonly OrderRow[])[] = [];

  beforeAll(async () => {
    result = await runBacktest({
      strategy: breakoutBracket,
      parameters: { period: 'M1' },
      recordings: ['config/sample/BTCUSDT.arrow'],
      balances: { USDT: '100000' },
    });
    lists = [...Map.groupBy(result.orderHistory.rows, ({ list }) => list ?? 'alone').values()];
  });

  test('trades, takes profits and gives up, always by the orders of its brackets', () => {
    const doers = result.fills.rows.map(({ order }) =>
      result.orderHistory.rows.find((row) => row.order === order),
    );
    expect(new Set(doers.map((row) => row?.type))).toEqual(
      new Set(['stopLimit', 'limit', 'stopMarket']),
    );
    expect(result.trades.total).toBeGreaterThan(5);
    expect(result.orders).toMatchObject({ rejected: 0, refused: 0 });
    expect(result.failure).toBeUndefined();
  });

  test('never has two brackets at a time', () => {
    expect(lists.length).toBeGreaterThan(20);
    let free = '';
    for (const [entry, profit, loss] of lists) {
      expect(entry.sentAt >= free, `${entry.order} sent at ${entry.sentAt}`).toBe(true);
      // The last of its orders to end; one that stands at the end of the run is the last bracket.
      free =
        [entry, profit, loss]
          .map(({ endedAt }) => endedAt ?? '9')
          .sort()
          .at(-1) ?? '';
    }
  });

  test('executes one exit of a bracket at most, and none before the whole entry', () => {
    for (const [entry, profit, loss] of lists) {
      const exits = [profit, loss].filter(({ filled }) => filled !== '0');
      expect(exits.length).toBeLessThan(2);
      if (exits.length > 0) expect(entry.filled).toBe(entry.size);
    }
  });
});
