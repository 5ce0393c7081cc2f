import { describe, expect, test } from 'vitest';
import { algoOrders } from '../../../src/backtest/page/algo-orders.ts';
import { reportPage } from '../../../src/backtest/report.ts';
import type { AlgoOrderRow } from '../../../src/backtest/result.ts';
import { walkedResult } from '../../kit/backtest-result.ts';

const row = (change: Partial<AlgoOrderRow> = {}): AlgoOrderRow => ({
  id: 'work-0001',
  kind: 'twap',
  symbol: 'BTCUSDT',
  status: 'expired',
  side: 'sell',
  quantity: '0.03',
  bought: '0',
  sold: '0.01',
  soldPrice: '61000.123456789012',
  arrivalPrice: '61010.5',
  slippage: '10.376543210988',
  startedAt: '2024-08-08T00:00:00.000Z',
  endedAt: '2024-08-08T01:00:00.000Z',
  ...change,
});

/** The texts of the cells of each row of the table. */
const cellsOf = (rows: readonly AlgoOrderRow[]): string[][] =>
  [...algoOrders({ ...walkedResult(), algoOrders: rows }).matchAll(/<tr>(<td.*?)<\/tr>/g)].map(
    ([, cells = '']) => [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell),
  );

describe('the table of algo orders', () => {
  test('shows what was asked for, how much of it is done, and at which mean price', () => {
    expect(cellsOf([row()])).toEqual([
      [
        ...['2024-08-08 00:00:00', '2024-08-08 01:00:00', 'work-0001', 'twap', 'BTCUSDT', 'sell'],
        ...['expired', '0.03', '33.3%', '0', '–', '0.01', '61,000.123456789'],
        ...['61,010.5', '10.376543211'],
      ],
    ]);
  });

  test('shows of a grid both sides and no share, and of one at work no end', () => {
    const {
      quantity: _,
      side: __,
      ...both
    } = row({
      ...{ kind: 'grid', status: 'working', endedAt: null, margin: 'isolated' },
      ...{ bought: '0.02', boughtPrice: '60000' },
    });
    const [cells = []] = cellsOf([both]);
    expect(cells.slice(1, 11)).toEqual([
      ...['at work', 'work-0001', 'grid', 'BTCUSDT, isolated', 'both', 'working'],
      ...['–', '–', '0.02', '60,000'],
    ]);
  });

  test('is absent without algo orders, on the page with them, and says what it leaves out', () => {
    expect(reportPage(walkedResult())).not.toContain('Algo orders');
    const many = Array.from({ length: 501 }, (_, n) => row({ id: `work-<${n}>`, why: 'a & b' }));
    const page = reportPage({ ...walkedResult(), algoOrders: many });
    expect(page).toContain('<h2>Algo orders</h2>');
    expect(page).toContain('The first 500 of 501');
    expect(page).toContain('work-&lt;0&gt;');
    expect(page).toContain('expired: a &amp; b');
  });
});
