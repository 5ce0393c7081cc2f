import { describe, expect, test } from 'vitest';
import { chartData } from '../../../src/backtest/page/chart-data.ts';
import { chartKey } from '../../../src/backtest/page/chart-key.ts';
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
  takeRate: null,
  makeRate: null,
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
    expect(page).toContain('<tr id="order-walk-000003" data-list="walk-000001" class="odd">');
    expect(page).toContain('<a href="#order-walk-000001">OTOCO #1 · secondary 2</a>');
    expect(page).toContain('>waiting</td>');
    expect(page).toContain('data-key="60000">60,000.00</td>');
    expect(page).toContain('Orders <span>3</span>');
  });

  test('numbers the lists, names the role of each order, and shades every other list', () => {
    const of = (
      list: string,
      listIndex: number,
      contingencyType: OrderRow['contingencyType'],
    ): OrderRow => row(`${list}-${listIndex}`, { list, listIndex, contingencyType });
    const page = tables(
      withOrders([
        of('first', 0, 'oneTriggerOther'),
        row('alone'),
        of('second', 0, 'oneCancelOther'),
        of('first', 1, 'oneTriggerOther'),
        of('second', 1, 'oneCancelOther'),
        of('third', 0, 'allOrNone'),
      ]),
    );
    expect([...page.matchAll(/>([A-Z]+ #[^<]+)</g)].map(([, place]) => place)).toEqual([
      'OTO #1 · primary',
      'OCO #2 · leg 1',
      'OTO #1 · secondary 1',
      'OCO #2 · leg 2',
      'AON #3 · leg 1',
    ]);
    expect([...page.matchAll(/data-list="(\w+)" class="odd"/g)].map(([, list]) => list)).toEqual([
      'first',
      'first',
      'third',
    ]);
  });

  test('leaves out the day of a time where the order was sent on it', () => {
    const page = tables(
      withOrders([
        row('one', { endedAt: '2024-08-08T01:02:03.500Z' }),
        row('two', { endedAt: '2024-08-09T01:02:03Z' }),
      ]),
    );
    expect(page).toContain('data-key="2024-08-08T01:02:03.500Z">01:02:03</td>');
    expect(page).toContain('data-key="2024-08-09T01:02:03Z">2024-08-09 01:02:03</td>');
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

describe('what is held at the end', () => {
  const held = (end: string, value: string | null, unrealized: string): string => {
    const result = walkedResult({ minutes: 600 });
    const { metrics } = result;
    return tables({
      ...result,
      balances: [
        { currency: 'USDT', start: '10000', end: '9000', value: '9000' },
        { currency: 'BTC', start: '0', end, value },
      ],
      metrics: { ...metrics, trades: { ...metrics.trades, unrealized } },
    });
  };

  test('is named below the round trips, with its value and result', () => {
    const page = held('0.02', '1234.5', '-7.5');
    expect(page).toContain(
      'Held at the end: 0.02 BTC, worth 1,234.50 USDT. Open lots are at −7.50 USDT, their entry fees paid.',
    );
    expect(page).not.toContain('9,000');
  });

  test('has no value without a price, and no result where nothing of it was bought', () => {
    expect(held('0.02', null, '0')).toContain('Held at the end: 0.02 BTC.</p>');
  });

  test('is not mentioned where it is nothing', () => {
    expect(held('0', '0', '0')).not.toContain('Held at the end');
  });
});

test('the key of the chart explains the marks that are there, and no others', () => {
  const marks = (rows: readonly OrderRow[]): string =>
    chartKey(chartData(withOrders(rows))).replace(/[^▲▼●■]/g, '');
  expect(marks([])).toBe('▲▼');
  expect(marks(BRACKET)).toBe('▲▼●■');
  expect(marks(BRACKET.slice(0, 2))).toBe('▲▼●');
  const bare = { ...withOrders([]), fills: { total: 0, rows: [] } };
  expect(chartKey(chartData(bare))).not.toMatch(/[▲▼●■]/);
});

test('the chart marks exits of a list, at a profit and at a loss', () => {
  const exitKinds = ({ instruments }: ReturnType<typeof chartData>): unknown[] =>
    instruments[0].fills.slice(0, 3).map(([, side, , , , purpose]) => [side, purpose]);
  const [entry, profit, loss] = BRACKET;
  // The walk buys and sells in turn, with orders of these names.
  expect(exitKinds(chartData(withOrders([])))).toEqual([
    ['buy', 'plain'],
    ['sell', 'plain'],
    ['buy', 'plain'],
  ]);
  expect(exitKinds(chartData(withOrders([entry, profit, loss])))).toEqual([
    ['buy', 'plain'],
    ['sell', 'profit'],
    ['buy', 'loss'],
  ]);
  const leg = { ...loss, order: 'walk-000001', contingencyType: 'oneCancelOther' } as const;
  expect(exitKinds(chartData(withOrders([leg])))[0]).toEqual(['buy', 'loss']);
});
