import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarketDataOptions } from '../../../src/exchange/market-data/market-data.ts';
import type { MarketData } from '../../../src/exchange/market-data/market-data.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { periodEnd, periodStart } from '../../../src/model/period.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { Floor, instrumentOf } from '../kit.ts';

const spot = (baseCurrency: string, quoteCurrency: string, tickSize = '1') =>
  instrumentOf({
    symbol: `${baseCurrency}${quoteCurrency}`,
    baseCurrency,
    quoteCurrency,
    feeCurrency: quoteCurrency,
    tickSize,
  });

function open(
  pairs: readonly (readonly [base: string, quote: string, tickSize?: string])[],
  marketData: MarketDataOptions = {},
): { floor: Floor; data: MarketData } {
  const floor = new Floor(
    pairs.map((pair) => spot(...pair)),
    { marketData },
  );
  const data = floor.exchange.marketData;
  if (data === undefined) throw new Error('There is no market data.');
  return { floor, data };
}

describe('a price rate', () => {
  test(
    'is the mean of best bid and best ask, exactly',
    { tags: ['server:trading-v3.public.price-rate-mean'] },
    () => {
      const { floor, data } = open([['ETH', 'USDT', '0.01']]);
      floor.quote([300_001, 5], [300_002, 7]);
      expect(data.rate('ETH', 'USDT')?.toFixed()).toBe('3000.015');
      expect(data.rate('ETH', 'ETH')?.toFixed()).toBe('1');
    },
  );

  test('is absent where a side is empty, and between currencies that nothing connects', () => {
    const { floor, data } = open([['ETH', 'USDT']]);
    floor.quote([3_000, 5], [3_001, 0]);
    expect(data.rate('ETH', 'USDT')).toBeUndefined();
    expect(data.rate('ETH', 'EUR')).toBeUndefined();
    floor.quote([3_000, 5], [3_001, 1]);
    expect(data.rate('ETH', 'USDT')?.toFixed()).toBe('3000.5');
    floor.quote([3_000, 0], [3_001, 1]);
    expect(data.rate('ETH', 'USDT')).toBeUndefined();
  });

  test('from the quote to the base is the quotient, at 18 decimals', () => {
    const { floor, data } = open([['BTC', 'USDT']]);
    floor.quote([59_999, 5], [60_001, 1]);
    expect(data.rate('USDT', 'BTC')?.toFixed()).toBe('0.000016666666666667');
  });

  test('without a symbol goes through USDT, which comes before BTC', () => {
    const { floor, data } = open([
      ['ETH', 'BTC', '0.001'],
      ['BTC', 'EUR'],
      ['ETH', 'USDT'],
      ['USDT', 'EUR', '0.01'],
    ]);
    floor.quote([49, 1], [51, 1], 0, 0);
    floor.quote([49_999, 1], [50_001, 1], 0, 1);
    floor.quote([3_000, 1], [3_002, 1], 0, 2);
    floor.quote([89, 1], [91, 1], 0, 3);
    expect(data.rate('ETH', 'EUR')?.toFixed()).toBe('2700.9');
  });

  test('goes through BTC where USDT has no symbol with both, and does not jump when a book runs empty', () => {
    const { floor, data } = open([
      ['ETH', 'BTC', '0.001'],
      ['BTC', 'EUR'],
      ['ETH', 'USDT'],
    ]);
    floor.quote([49, 1], [51, 1], 0, 0);
    floor.quote([50_000, 1], [50_002, 1], 0, 1);
    floor.quote([3_000, 1], [3_002, 1], 0, 2);
    expect(data.rate('ETH', 'EUR')?.toFixed()).toBe('2500.05');
    floor.quote([49, 0], [51, 1], 0, 0);
    expect(data.rate('ETH', 'EUR')).toBeUndefined();
  });

  test('takes the first of several symbols of its currencies, and none of futures', () => {
    const floor = new Floor(
      [
        instrumentOf({ symbol: 'BTCUSDT_PERP', type: 'futures' }),
        instrumentOf(),
        instrumentOf({ symbol: 'BTCUSDT2' }),
      ],
      { marketData: {} },
    );
    floor.quote([10, 1], [12, 1], 0, 0);
    floor.quote([20, 1], [22, 1], 0, 1);
    floor.quote([30, 1], [32, 1], 0, 2);
    expect(floor.exchange.marketData?.rate('BTC', 'USDT')?.toFixed()).toBe('21');
  });
});

describe('candles in another currency', () => {
  const page = { sort: 'ASC', limit: 10 } as const;

  test('have their prices at the rate with which their period ended', () => {
    const { floor, data } = open([
      ['ETH', 'BTC', '0.01'],
      ['BTC', 'USDT'],
    ]);
    floor.trade('buy', 5, 3, 0);
    floor.at = US_PER_MINUTE;
    floor.trade('buy', 4, 2, 0);
    floor.trade('buy', 6, 4, 0);
    floor.quote([9, 1], [11, 1], 0, 1);
    floor.at += 30 * US_PER_SECOND;
    floor.quote([19, 1], [21, 1], 0, 1);
    floor.at += 60 * US_PER_SECOND;
    floor.trade('buy', 5, 1, 0);
    const found = data
      .convertedCandles(0, 'USDT', 'M1', page)
      .map((c) => [
        c.openedAt / US_PER_MINUTE,
        ...[c.open, c.max, c.min, c.close, c.volume, c.volumeQuote].map((v) => v.toFixed()),
      ]);
    // In the first minute there was no rate.
    expect(found).toEqual([
      [1, '0.8', '1.2', '0.8', '1.2', '6', '6.4'],
      [2, '1', '1', '1', '1', '1', '1'],
    ]);
  });

  test('are those of the symbol in its own quote, and none in a currency that nothing connects', () => {
    const { floor, data } = open([['BTC', 'USDT']]);
    floor.trade('buy', 5, 3);
    expect(data.convertedCandles(0, 'USDT', 'H1', page)[0].volumeQuote.toFixed()).toBe('15');
    expect(data.convertedCandles(0, 'EUR', 'H1', page)).toEqual([]);
  });
});

describe('the history of a price rate', () => {
  const ALL = { sort: 'ASC', limit: 1_000 } as const;

  test('is sampled at every whole second before what happens then, and holds in between', () => {
    const { floor, data } = open([['BTC', 'USDT']]);
    floor.at = 60 * US_PER_SECOND;
    floor.quote([100, 1], [102, 1]);
    floor.at = 60.4 * US_PER_SECOND;
    floor.quote([200, 1], [202, 1]);
    floor.at = 60.9 * US_PER_SECOND;
    floor.quote([300, 1], [302, 1]);
    floor.at = 61 * US_PER_SECOND;
    floor.quote([400, 1], [402, 1]);
    // While a side is empty the rate before holds.
    floor.at = 130 * US_PER_SECOND;
    floor.quote([400, 0], [402, 1]);
    floor.pass(120 * US_PER_SECOND);
    const candles = data.rateHistory('BTC', 'USDT', 'M1', ALL);
    expect(
      candles.map((c) => [c.openedAt / US_PER_MINUTE, +c.open, +c.max, +c.min, +c.close]),
    ).toEqual([
      [1, 301, 401, 301, 401],
      [2, 401, 401, 401, 401],
      [3, 401, 401, 401, 401],
      [4, 401, 401, 401, 401],
    ]);
  });

  test('knows that an order has expired between two of its samples', () => {
    const { floor, data } = open([['BTC', 'USDT']]);
    const account = floor.account({ USDT: '5000' });
    floor.quote([100, 1], [110, 1]);
    const order = { side: 'buy', ticks: 108, lots: 1, timeInForce: 'GTD' } as const;
    floor.place(account, 'a', { ...order, expireAt: 1.5 * US_PER_SECOND });
    floor.place(account, 'b', { ...order, ticks: 104, expireAt: 59 * US_PER_SECOND });
    floor.pass(US_PER_MINUTE);
    const [candle] = data.rateHistory('BTC', 'USDT', 'M1', ALL);
    expect([candle.open, candle.max, candle.min, candle.close].map(Number)).toEqual([
      109, 109, 107, 107,
    ]);
    floor.pass(US_PER_MINUTE);
    expect(data.rateHistory('BTC', 'USDT', 'M1', ALL)[1].close.toFixed()).toBe('105');
  });

  test('is kept in the quote currencies of the symbols, or in those that are asked for', () => {
    const pairs = [
      ['ETH', 'BTC'],
      ['BTC', 'USDT'],
    ] as const;
    const own = open(pairs);
    const asked = open(pairs, { rates: { quotes: ['ETH'] } });
    for (const { floor } of [own, asked]) {
      floor.quote([9, 1], [11, 1], 0, 0);
      floor.quote([10, 1], [12, 1], 0, 1);
      floor.pass(US_PER_MINUTE);
    }
    const page = { sort: 'DESC', limit: 1 } as const;
    const last = (data: MarketData, from: string, to: string): string | undefined =>
      data.rateHistory(from, to, 'M1', page).at(0)?.close.toFixed();
    expect(last(own.data, 'ETH', 'USDT')).toBe('110');
    expect(last(own.data, 'USDT', 'BTC')).toBe('0.090909090909090909');
    expect(last(own.data, 'BTC', 'ETH')).toBeUndefined();
    expect(last(asked.data, 'USDT', 'ETH')).toBe('0.009090909090909091');
    expect(last(asked.data, 'ETH', 'USDT')).toBeUndefined();
  });

  test('is what the rate was at each whole span of time, whenever quotes came', () => {
    const quote = fc.tuple(
      fc.constantFrom(0, 1, 2_500, 10_000, 25_000, 60_000_000),
      fc.integer({ min: 5, max: 7 }),
      fc.integer({ min: 1, max: 2 }),
      fc.constantFrom(0, 1, 1, 1),
      fc.constantFrom(0, 1, 1, 1),
    );
    const everyUs = 10_000;
    fc.assert(
      fc.property(fc.array(quote, { maxLength: 25 }), (quotes) => {
        const { floor, data } = open([['BTC', 'USDT']], { rates: { everyUs } });
        floor.at = 1_790_000_000_000_000;
        const changes: { at: number; value: Decimal | undefined }[] = [];
        for (const [us, bid, spread, bidLots, askLots] of quotes) {
          floor.at += us;
          floor.quote([bid, bidLots], [bid + spread, askLots]);
          changes.push({ at: floor.at, value: data.rate('BTC', 'USDT') });
        }
        floor.pass(70_000_000);
        const samples = changes.flatMap(({ at, value }, index) => {
          const due = (Math.floor(at / everyUs) + 1) * everyUs;
          const next = changes.at(index + 1)?.at ?? floor.at;
          return value === undefined || due > next ? [] : [{ at: due, value }];
        });
        const naive: string[] = [];
        let start = periodStart('M1', micros(samples.at(0)?.at ?? Infinity));
        for (; start <= floor.at; start = periodEnd('M1', start)) {
          const end = periodEnd('M1', start);
          const before = samples.filter((s) => s.at <= start).at(-1);
          const after = samples.filter((s) => s.at > start && s.at < end).map((s) => s.value);
          const values = before === undefined ? after : [before.value, ...after];
          const [max, min] = [Decimal.max(...values), Decimal.min(...values)];
          naive.push([start, values[0], max, min, values.at(-1)].join(' '));
        }
        const found = data.rateHistory('BTC', 'USDT', 'M1', ALL);
        expect(found.map((c) => [c.openedAt, c.open, c.max, c.min, c.close].join(' '))).toEqual(
          naive,
        );
      }),
      { numRuns: 150 },
    );
  });
});
