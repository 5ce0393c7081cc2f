import { describe, expect, test } from 'vitest';
import { Mark } from '../../../src/backtest/metrics/mark.ts';
import { Performance } from '../../../src/backtest/metrics/performance.ts';
import { Valuation } from '../../../src/backtest/metrics/valuation.ts';
import { chartData } from '../../../src/backtest/page/chart-data.ts';
import { everyRow, RowTable } from '../../../src/backtest/tables/row-table.ts';
import { Amount } from '../../../src/model/amount.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { eventColumns, TRADE } from '../../../src/model/events.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { walkedResult } from '../../kit/backtest-result.ts';
import { instrumentOf } from '../../kit/instruments.ts';

/** An account that buys and sells a lot by turns, a fill a second, of which two rows are shown. */
function traded(fills: number): Performance {
  const mark = new Mark(new InstrumentState(instrumentOf()));
  const columns = eventColumns(1);
  columns.kind[0] = TRADE;
  columns.price[0] = 100;
  mark.observe(columns, 0);
  const balances = new Map([['USDT', new Decimal(1_000)]]);
  const limits = { points: 2_000, rows: 2, plots: 1 };
  const performance = new Performance([mark], new Valuation([mark], 'USDT'), balances, limits);
  for (let id = 0; id < fills; id += 1) {
    const side = id % 2 === 0 ? 'buy' : 'sell';
    performance.fill({
      id,
      clientOrderId: `order-${id}`,
      symbol: 'BTCUSDT',
      side,
      ticks: ticks(100 + id),
      lots: lots(1),
      fee: Amount.units(-1, 20),
      feeCurrency: 'USDT',
      taker: id % 3 === 0,
      at: micros(id * US_PER_SECOND),
    });
  }
  performance.finish(micros(fills * US_PER_SECOND), 0, US_PER_SECOND);
  return performance;
}

describe('a table of a result', () => {
  test('shows its first rows, counts all of them and gives all of them one by one', () => {
    const { fills, trades } = traded(10);
    expect([fills.total, fills.rows.length]).toEqual([10, 2]);
    expect([trades.rows.total, trades.rows.rows.length]).toEqual([5, 2]);
    const all = [...everyRow(fills)];
    expect(all.slice(0, 2)).toEqual(fills.rows);
    expect(all[9]).toEqual({
      at: '1970-01-01T00:00:09.000Z',
      symbol: 'BTCUSDT',
      side: 'sell',
      price: '1.09',
      size: '0.00001',
      fee: '-0.00000000000000000001',
      feeCurrency: 'USDT',
      taker: true,
      order: 'order-9',
      id: 9,
    });
    expect(
      [...everyRow(trades.rows)].map(({ entryPrice, exitPrice }) => [entryPrice, exitPrice]),
    ).toEqual(
      [0, 2, 4, 6, 8].map((entry) => [String((100 + entry) / 100), String((101 + entry) / 100)]),
    );
  });

  test('is plain data where it is written or compared, and makes each row once', () => {
    let made = 0;
    const table = new RowTable(3, 2, (index) => ({ index, made: (made += 1) }));
    expect(made).toBe(0);
    expect(JSON.parse(JSON.stringify(table))).toEqual({
      total: 3,
      rows: [
        { index: 0, made: 1 },
        { index: 1, made: 2 },
      ],
    });
    expect(table.rows).toBe(table.rows);
    expect(made).toBe(2);
  });

  test('of data that was read again gives the rows that are there', () => {
    expect([...everyRow({ total: 9, rows: [1, 2] })]).toEqual([1, 2]);
  });
});

test('the chart draws every fill, those beyond the rows of the result too', () => {
  const { fills } = traded(1_000);
  const drawn = chartData({ ...walkedResult({ minutes: 20 }), fills });
  const marks = drawn.instruments[0].fills;
  expect(marks.reduce((sum, [, , count]) => sum + count, 0)).toBe(1_000);
  const few = chartData({ ...walkedResult({ minutes: 20 }), fills: { ...fills } });
  expect(few.instruments[0].fills.reduce((sum, [, , count]) => sum + count, 0)).toBe(2);
});
