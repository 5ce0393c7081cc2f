import { describe, expect, test } from 'vitest';
import type { MarginReport, PositionTrade } from '../../../src/exchange/positions/report.ts';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import { Clearings } from '../../../src/server/trading/margin/clearings.ts';
import { bitcoin } from './harness.ts';

const QUERY = { markets: ['margin'], symbols: [] } as const;
const PAGE = { by: 'id', from: -Infinity, till: Infinity, offset: 0 } as const;

/** A report of an account about a position of 2. */
const report = (trader: number, at: number, more: Partial<MarginReport>): MarginReport => ({
  type: 'updated',
  reason: 'updated',
  at,
  trader,
  mode: 'isolated',
  isContract: false,
  symbol: 'BTCUSDT',
  currency: 'USDT',
  leverage: undefined,
  createdAt: 0,
  marginBalance: ZERO,
  isCalled: false,
  position: {
    id: 7,
    symbol: 'BTCUSDT',
    quantity: new Decimal(2),
    priceEntry: new Decimal(100),
    entryValue: new Decimal(200),
    realizedPnl: ZERO,
    feeCumulative: ZERO,
    carry: ZERO,
    createdAt: 0,
    updatedAt: at,
  },
  trade: undefined,
  carry: undefined,
  ...more,
});

const interest = {
  kind: 'interest',
  amount: decimal('-1'),
  price: decimal('100'),
  rate: decimal('0.001'),
} as const;

const trade = (change: Partial<PositionTrade>): PositionTrade => ({
  id: 5,
  positionId: 7,
  clientOrderId: 'order-001',
  ticks: 10_000,
  lots: -200_000,
  pnl: decimal('3'),
  fee: decimal('1'),
  end: 'closed',
  ...change,
});

describe('clearings', () => {
  test('are kept ten thousand of each account at least, and never twice as many', () => {
    const clearings = new Clearings([bitcoin()]);
    for (let at = 1; at <= 45_000; at += 1) clearings.record(report(4, at, { carry: interest }));
    clearings.record(report(5, 1, { carry: interest }));
    const all = (sort: 'ASC' | 'DESC', limit: number) =>
      clearings.of(4, 'margin', { ...QUERY, page: { ...PAGE, sort, limit } });
    const kept = all('ASC', 100_000);
    expect(kept.length).toBeGreaterThanOrEqual(10_000);
    expect(kept.length).toBeLessThan(20_000);
    expect(all('DESC', 1)).toMatchObject([{ id: 45_000, at: 45_000 }]);
    const others = clearings.of(5, 'margin', {
      ...QUERY,
      page: { ...PAGE, sort: 'ASC', limit: 9 },
    });
    expect(others).toHaveLength(1);
  });

  test.each([
    ['a plain trade', trade({}), undefined],
    ['a liquidation', trade({ end: 'liquidated' }), ['liquidation', '2', '2']],
    ['of a short', trade({ end: 'liquidated', lots: 200_000 }), ['liquidation', '-2', '2']],
    ['a settlement', trade({ id: 0, end: 'settled', fee: ZERO }), ['settlement', '2', '3']],
    ['deleveraging', trade({ id: 0, end: 'deleveraged', fee: ZERO }), ['settlement', '2', '3']],
  ] as const)('of %s say what it was', (_, one, expected) => {
    const clearings = new Clearings([bitcoin()]);
    clearings.record(report(4, 1, { trade: one }));
    const page = { ...PAGE, sort: 'ASC', limit: 10 } as const;
    const found = clearings.of(4, 'margin', { ...QUERY, page });
    const reported = found.map(({ kind, quantity, amount }) => [
      kind,
      quantity.toFixed(),
      amount.toFixed(),
    ]);
    expect(reported).toEqual(expected === undefined ? [] : [expected]);
  });

  test('are none where funds were moved', () => {
    const clearings = new Clearings([bitcoin()]);
    clearings.record(report(4, 1, { reason: 'marginChanged', position: undefined }));
    const page = { ...PAGE, sort: 'ASC', limit: 10 } as const;
    expect(clearings.of(4, 'margin', { ...QUERY, page })).toEqual([]);
  });
});
