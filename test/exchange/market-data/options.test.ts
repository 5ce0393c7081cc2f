import { describe, expect, test } from 'vitest';
import type { MarketDataOptions } from '../../../src/exchange/market-data/market-data.ts';
import { micros } from '../../../src/platform/time.ts';
import { Floor, instrumentOf } from '../kit.ts';

describe('what market data is asked to keep', () => {
  const open = (marketData: MarketDataOptions) => () => new Floor([instrumentOf()], { marketData });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('cannot be %d', (size) => {
    const code = { code: 'out-of-range' };
    expect(open({ tradesKept: size })).toThrow(
      expect.objectContaining({ ...code, field: 'tradesKept' }),
    );
    expect(open({ candlesKept: size })).toThrow(expect.objectContaining(code));
    expect(open({ bookChangesKept: size })).toThrow(expect.objectContaining(code));
    expect(open({ rates: { everyUs: size } })).toThrow(expect.objectContaining(code));
  });

  test('may be one of each', () => {
    const floor = open({ tradesKept: 1, candlesKept: 1, bookChangesKept: 1 })();
    const data = floor.exchange.marketData;
    floor.trade('buy', 100, 1);
    floor.trade('sell', 99, 2);
    expect(data?.trades(0, { by: 'id', sort: 'ASC', limit: 9 }).map((t) => t.id)).toEqual([2]);
    expect(data?.ticker(0, micros(0))).toMatchObject({ lastId: 2, highTicks: 100, lowTicks: 99 });
  });

  test('are no rates in a currency that no symbol has', () => {
    expect(open({ rates: { quotes: ['USDT', 'EUR'] } })).toThrow(
      expect.objectContaining({ code: 'currency-unknown', field: 'quotes' }),
    );
  });

  test('is nothing where it was not asked for', () => {
    expect(new Floor([instrumentOf()]).exchange.marketData).toBeUndefined();
  });
});
