import { describe, expect, test } from 'vitest';
import { chartData } from '../../../src/backtest/page/chart-data.ts';
import { tables } from '../../../src/backtest/page/tables.ts';
import type { BacktestResult, OrderRow } from '../../../src/backtest/result.ts';
import { walkedResult } from '../../kit/backtest-result.ts';

const row = (order: string, change: Partial<OrderRow> = {}): OrderRow => ({
  sentAt: '2024-08-08T00:00:00.000Z',
  triggeredAt: null,
  endedAt: null,
  symbol: 'BTCUSDT',
  order,
  replaces: null,
  list: null,
  contingencyType: null,
  listIndex: null,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  price: '61000',
  stopPrice: null,
  size: '0.01',
  filled: '0',
  status: 'new',
  ...change,
});

const listed = (order: string, listIndex: number, change: Partial<OrderRow>): OrderRow =>
  row(order, {
    list: 'walk-000001',
    contingencyType: 'oneTriggerOneCancelOther',
    listIndex,
    ...change,
  });

const BRACKET = [
  listed('walk-000001', 0, { type: 'stopLimit', stopPrice: '60900' }),
  listed('walk-000002', 1, { side: 'sell', status: 'suspended' }),
  listed('walk-000003', 2, { side: 'sell', type: 'stopMarket', price: null, stopPrice: '60000' }),
];

const withOrders = (rows: readonly OrderRow[]): BacktestResult => ({
  ...walkedResult({ minutes: 600 }),
  orderHistory: { total: rows.length, rows },
});

describe('the table of orders', () => {
  test('ties the orders of a list together and leads to the first of them', () => {
    const page = tables(withOrders(BRACKET));
    expect(page).toContain('<tr id="order-walk-000003" data-list="walk-000001">');
    expect(page).toContain('<a href="#order-walk-000001">OTOCO 3</a>');
    expect(page).toContain('>waiting</td>');
    expect(page).toContain('data-key="60000">60,000.00</td>');
    expect(page).toContain('Orders <span>3</span>');
  });

  test('a fill leads to its order', () => {
    expect(tables(withOrders(BRACKET))).toContain('<a href="#order-walk-000002">walk-000002</a>');
  });

  test('a run without lists and stop orders has no columns for them', () => {
    const page = tables(withOrders([row('walk-000001')]));
    expect(page).toContain('<tr id="order-walk-000001">');
    for (const title of ['List', 'Stop', 'Triggered']) expect(page).not.toContain(`>${title}</b`);
    expect(tables(withOrders([]))).toContain('No order was sent.');
  });
});

test('the chart tells exits of a list from other fills, at a profit and at a loss', () => {
  const purposes = ({ instruments }: ReturnType<typeof chartData>): unknown[] =>
    instruments[0].fills.slice(0, 3).map(([, side, , , , purpose]) => [side, purpose]);
  const [entry, profit, loss] = BRACKET;
  // The walk buys and sells in turn, with orders of these names.
  expect(purposes(chartData(withOrders([])))).toEqual([
    ['buy', 'plain'],
    ['sell', 'plain'],
    ['buy', 'plain'],
  ]);
  expect(purposes(chartData(withOrders([entry, profit, loss])))).toEqual([
    ['buy', 'plain'],
    ['sell', 'profit'],
    ['buy', 'loss'],
  ]);
  const leg = { ...loss, order: 'walk-000001', contingencyType: 'oneCancelOther' } as const;
  expect(purposes(chartData(withOrders([leg])))[0]).toEqual(['buy', 'loss']);
});
