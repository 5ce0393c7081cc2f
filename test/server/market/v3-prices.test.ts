import { describe, expect, test } from 'vitest';
import {
  US_PER_DAY,
  US_PER_HOUR,
  US_PER_MINUTE,
  US_PER_SECOND,
} from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/trading/time.ts';
import { openVenue, OPENED } from '../kit.ts';
import { Floor } from './floor.ts';

const open = async (): Promise<Floor> => new Floor(await openVenue());

const at = (us: number): string => isoText((OPENED + us) as typeof OPENED);

/** A venue with four trades of BTCUSDT, a second after each other, and one of ETHBTC. */
async function traded(): Promise<Floor> {
  const floor = await open();
  for (const [side, price] of [
    ['buy', '100.00'],
    ['sell', '90.50'],
    ['buy', '110.25'],
    ['buy', '105.00'],
  ] as const) {
    floor.trade('BTCUSDT', side, price, '0.2');
    floor.venue.pass(US_PER_SECOND);
  }
  floor.trade('ETHBTC', 'sell', '0.060000', '1');
  return floor;
}

describe('tickers', () => {
  test('[server:trading-v3.public.get-tickers] are keyed by symbol, all or those that are named', async () => {
    const floor = await open();
    expect(Object.keys((await floor.get('/api/3/public/ticker')) as object)).toHaveLength(4);
    const some = (await floor.get('/api/3/public/ticker?symbols=ETHBTC,BTCUSDT')) as object;
    expect(Object.keys(some)).toEqual(['ETHBTC', 'BTCUSDT']);
  });

  test('[server:trading-v3.public.get-ticker][server:trading-v3.public.ticker-record] one has the prices and sums of 24 hours', async () => {
    const floor = await traded();
    floor.rest('BTCUSDT', 'sell', '106.00', '2');
    floor.rest('BTCUSDT', 'buy', '104.00', '3');
    expect(await floor.get('/api/3/public/ticker/BTCUSDT')).toEqual({
      ask: '106.00',
      bid: '104.00',
      last: '105.00',
      low: '90.50',
      high: '110.25',
      open: '100.00',
      volume: '0.80000',
      volume_quote: '81.15',
      timestamp: at(4 * US_PER_SECOND),
    });
    floor.venue.pass(US_PER_DAY);
    expect(await floor.get('/api/3/public/ticker/BTCUSDT')).toMatchObject({
      open: '105.00',
      low: '105.00',
      volume: '0.00000',
      volume_quote: '0',
    });
  });

  test('[server:trading-v3.public.ticker-nulls] what nothing is known of is null', async () => {
    const floor = await open();
    expect(await floor.get('/api/3/public/ticker/ETHBTC')).toEqual({
      ask: null,
      bid: null,
      last: null,
      low: null,
      high: null,
      open: null,
      volume: '0.0000',
      volume_quote: '0',
      timestamp: at(0),
    });
  });

  test('[server:trading-v3.conv.string-numbers] every number that is money is text', async () => {
    const floor = await traded();
    const ticker = (await floor.get('/api/3/public/ticker/BTCUSDT')) as Record<string, unknown>;
    for (const name of ['last', 'low', 'high', 'open', 'volume', 'volume_quote']) {
      expect(ticker[name]).toEqual(expect.stringMatching(/^\d+(\.\d+)?$/));
    }
  });

  test('[server:trading-v3.conv.padded-decimals] prices have the decimals of the tick, quantities those of the increment', async () => {
    const floor = await open();
    floor.trade('BTCUSDT', 'buy', '100', '0.1');
    expect(await floor.get('/api/3/public/trades/BTCUSDT')).toMatchObject([
      { price: '100.00', qty: '0.10000' },
    ]);
  });
});

describe('last prices', () => {
  test('[server:trading-v3.public.get-price-tickers] are keyed by symbol, with the time of the trade', async () => {
    const floor = await traded();
    expect(await floor.get('/api/3/public/price/ticker?symbols=BTCUSDT,ETHUSDT')).toEqual({
      BTCUSDT: { price: '105.00', timestamp: at(3 * US_PER_SECOND) },
      ETHUSDT: { price: null, timestamp: at(4 * US_PER_SECOND) },
    });
    expect(Object.keys((await floor.get('/api/3/public/price/ticker')) as object)).toHaveLength(4);
  });

  test('[server:trading-v3.public.get-price-ticker-symbol] one of a symbol', async () => {
    const floor = await traded();
    expect(await floor.get('/api/3/public/price/ticker/ETHBTC')).toEqual({
      price: '0.060000',
      timestamp: at(4 * US_PER_SECOND),
    });
  });
});

describe('trades', () => {
  type Trade = { id: number; price: string };
  const prices = async (floor: Floor, query: string): Promise<string[]> =>
    ((await floor.get(`/api/3/public/trades/BTCUSDT${query}`)) as Trade[]).map(
      ({ price }) => price,
    );

  test('[server:trading-v3.public.get-trades] are keyed by symbol, the latest ten first', async () => {
    const floor = await traded();
    const all = (await floor.get('/api/3/public/trades')) as Record<string, Trade[]>;
    expect(Object.keys(all)).toHaveLength(4);
    expect(all['BTCUSDT']?.[0]).toEqual({
      id: expect.any(Number) as number,
      price: '105.00',
      qty: '0.20000',
      side: 'buy',
      timestamp: at(3 * US_PER_SECOND),
    });
    expect(all['ETHBTC']).toMatchObject([{ side: 'sell', qty: '1.0000' }]);
    for (let i = 0; i < 10; i += 1) floor.trade('BTCUSDT', 'buy', '105', '0.1');
    const some = (await floor.get('/api/3/public/trades?symbols=BTCUSDT')) as typeof all;
    expect(Object.keys(some)).toEqual(['BTCUSDT']);
    expect(some['BTCUSDT']).toHaveLength(10);
    const eleven = await floor.get('/api/3/public/trades?symbols=BTCUSDT&limit=11&sort=ASC');
    expect((eleven as typeof all)['BTCUSDT']).toHaveLength(11);
    expect((eleven as typeof all)['BTCUSDT']?.[0]?.price).toBe('100.00');
    expect(await floor.refused('/api/3/public/trades?limit=1001')).toMatchObject({ code: 10001 });
    expect(await floor.refused('/api/3/public/trades?limit=0')).toMatchObject({ code: 10001 });
  });

  test('[server:trading-v3.public.get-trades-symbol] of a symbol may begin further on', async () => {
    const floor = await traded();
    expect(await prices(floor, '')).toEqual(['105.00', '110.25', '90.50', '100.00']);
    expect(await prices(floor, '?offset=1&limit=2')).toEqual(['110.25', '90.50']);
    expect(await prices(floor, '?offset=1&limit=2&sort=ASC')).toEqual(['90.50', '110.25']);
    expect(await floor.refused('/api/3/public/trades/BTCUSDT?offset=100001')).toMatchObject({
      status: 400,
      code: 10001,
    });
  });

  test('[server:trading-v3.conv.from-till-type] bounds are times, or ids where they are asked for by id', async () => {
    const floor = await traded();
    const trades = (await floor.get('/api/3/public/trades/BTCUSDT?sort=ASC')) as Trade[];
    const [, second, third] = trades.map(({ id }) => id);
    expect(await prices(floor, `?by=id&from=${second}&till=${third}`)).toEqual(['110.25', '90.50']);
    expect(
      await prices(floor, `?by=timestamp&from=${at(US_PER_SECOND)}&till=${at(2 * US_PER_SECOND)}`),
    ).toEqual(['110.25', '90.50']);
    expect(await floor.refused(`/api/3/public/trades/BTCUSDT?by=id&from=${at(0)}`)).toMatchObject({
      status: 400,
      code: 10001,
      description: 'from must be a number when by is id',
    });
  });

  test('[server:trading-v3.conv.timestamp-iso] a bound may be ISO 8601', async () => {
    expect(await prices(await traded(), `?from=${at(2 * US_PER_SECOND)}`)).toEqual([
      '105.00',
      '110.25',
    ]);
  });

  test('[server:trading-v3.conv.timestamp-unix-ms] a bound may be Unix milliseconds', async () => {
    expect(await prices(await traded(), `?till=${(OPENED + US_PER_SECOND) / 1_000}`)).toEqual([
      '90.50',
      '100.00',
    ]);
  });

  test('[server:trading-v3.conv.from-till-both-forms] encoded ISO 8601 and milliseconds select the same', async () => {
    const floor = await traded();
    const ms = (OPENED + US_PER_SECOND) / 1_000;
    const iso = encodeURIComponent(new Date(ms).toISOString());
    expect(iso).toContain('%3A');
    expect(await prices(floor, `?from=${iso}`)).toEqual(['105.00', '110.25', '90.50']);
    expect(await prices(floor, `?from=${iso}`)).toEqual(await prices(floor, `?from=${ms}`));
  });

  test('[server:trading-v3.conv.date-only][server:trading-v3.conv.date-only-reading] a date alone is its midnight in UTC', async () => {
    const floor = await traded();
    expect(await prices(floor, '?from=2026-01-05')).toHaveLength(4);
    expect(await prices(floor, '?till=2026-01-05')).toHaveLength(0);
    floor.venue.pass(14 * US_PER_HOUR - 5 * US_PER_SECOND);
    floor.trade('BTCUSDT', 'buy', '77', '0.1');
    floor.venue.pass(US_PER_SECOND);
    floor.trade('BTCUSDT', 'buy', '78', '0.1');
    expect(await prices(floor, '?from=2026-01-06')).toEqual(['78.00']);
  });

  test('a time beyond the year 9999 is refused', async () => {
    const floor = await traded();
    expect(await floor.refused('/api/3/public/trades/BTCUSDT?from=9000000000000000')).toMatchObject(
      { code: 10001 },
    );
    expect(await floor.refused('/api/3/public/trades?from=9000000000000000')).toMatchObject({
      code: 10001,
    });
  });

  test.each([
    ['sort-values', 'sort', 'down'],
    ['by-values', 'by', 'price'],
  ])('[server:trading-v3.conv.%s] a %s of "%s" is refused', async (_row, name, value) => {
    const floor = await open();
    expect(await floor.refused(`/api/3/public/trades/BTCUSDT?${name}=${value}`)).toMatchObject({
      status: 400,
      code: 10001,
    });
    const good = name === 'sort' ? ['ASC', 'DESC'] : ['id', 'timestamp'];
    for (const one of good) {
      expect(await floor.get(`/api/3/public/trades/BTCUSDT?${name}=${one}`)).toEqual([]);
    }
  });

  test('[server:trading-v3.conv.unknown-params-ignored] a parameter that nobody knows does nothing', async () => {
    const floor = await traded();
    expect(await prices(floor, '?until=2020-01-01&speed=1')).toHaveLength(4);
  });

  test('[server:trading-v3.conv.get-params-in-query] parameters count where they are in the query', async () => {
    const floor = await traded();
    expect(await prices(floor, '?limit=1')).toEqual(['105.00']);
  });
});

describe('order books', () => {
  /** 120 asks from 101 up and three bids from 99 down, in BTCUSDT. */
  async function booked(): Promise<Floor> {
    const floor = await open();
    for (let i = 0; i < 120; i += 1) floor.rest('BTCUSDT', 'sell', String(101 + i), '0.01');
    floor.venue.pass(1_500);
    floor.rest('BTCUSDT', 'buy', '98', '2');
    floor.rest('BTCUSDT', 'buy', '99', '1');
    floor.rest('BTCUSDT', 'buy', '97', '3');
    floor.venue.pass(US_PER_SECOND);
    return floor;
  }
  type Book = { timestamp: string; ask: [string, string][]; bid: [string, string][] };

  test('[server:trading-v3.public.get-orderbooks] are keyed by symbol, to a depth of 100, or whole', async () => {
    const floor = await booked();
    const all = (await floor.get('/api/3/public/orderbook')) as Record<string, Book>;
    expect(Object.keys(all)).toHaveLength(4);
    expect(all['BTCUSDT']?.ask).toHaveLength(100);
    expect(all['ETHBTC']).toEqual({ timestamp: at(US_PER_SECOND + 1_500), ask: [], bid: [] });
    const some = (await floor.get('/api/3/public/orderbook?symbols=BTCUSDT&depth=0')) as typeof all;
    expect(Object.keys(some)).toEqual(['BTCUSDT']);
    expect(some['BTCUSDT']?.ask).toHaveLength(120);
    expect(some['BTCUSDT']?.timestamp).toBe(at(1_500));
  });

  test('[server:trading-v3.public.get-orderbook] one has asks ascending and bids descending', async () => {
    const floor = await booked();
    expect(await floor.get('/api/3/public/orderbook/BTCUSDT?depth=2')).toEqual({
      timestamp: at(1_500),
      ask: [
        ['101.00', '0.01000'],
        ['102.00', '0.01000'],
      ],
      bid: [
        ['99.00', '1.00000'],
        ['98.00', '2.00000'],
      ],
    });
    const whole = (await floor.get('/api/3/public/orderbook/BTCUSDT?depth=0')) as Book;
    expect([whole.ask.length, whole.bid.length]).toEqual([120, 3]);
    expect(await floor.refused('/api/3/public/orderbook/BTCUSDT?depth=-1')).toMatchObject({
      code: 10001,
    });
  });

  test('[server:trading-v3.public.orderbook-volume] by volume it goes as far as that, whatever the depth, and has average prices', async () => {
    const floor = await booked();
    expect(await floor.get('/api/3/public/orderbook/BTCUSDT?volume=1.5&depth=1')).toEqual({
      timestamp: at(1_500),
      ask: expect.objectContaining({ length: 120 }) as unknown,
      bid: [
        ['99.00', '1.00000'],
        ['98.00', '2.00000'],
      ],
      ask_average_price: '160.50',
      bid_average_price: '98.67',
    });
    expect(await floor.get('/api/3/public/orderbook/BTCUSDT?volume=0.010001')).toMatchObject({
      ask: [
        ['101.00', '0.01000'],
        ['102.00', '0.01000'],
      ],
      bid_average_price: '99.00',
    });
  });

  test('a volume of zero is refused, and one beyond everything is all there is', async () => {
    const floor = await booked();
    expect(await floor.refused('/api/3/public/orderbook/BTCUSDT?volume=0')).toEqual({
      status: 400,
      code: 10001,
      description: 'volume must be above zero',
    });
    const all = await floor.get(`/api/3/public/orderbook/BTCUSDT?volume=1${'0'.repeat(30)}`);
    expect((all as Book).bid).toHaveLength(3);
    const empty = await floor.get('/api/3/public/orderbook/ETHBTC?volume=1');
    expect(empty).toEqual({ timestamp: at(US_PER_SECOND + 1_500), ask: [], bid: [] });
  });
});

describe('candles', () => {
  type Candle = { timestamp: string; close: string };
  /** A trade in each of twelve half hours. */
  async function charted(): Promise<Floor> {
    const floor = await open();
    for (let i = 0; i < 12; i += 1) {
      floor.trade('BTCUSDT', 'buy', String(100 + i), '0.1');
      floor.venue.pass(30 * US_PER_MINUTE);
    }
    return floor;
  }

  test('[server:trading-v3.public.get-candles] are keyed by symbol, the latest ten first', async () => {
    const floor = await charted();
    const all = (await floor.get('/api/3/public/candles')) as Record<string, Candle[]>;
    expect(Object.keys(all)).toHaveLength(4);
    expect(all['BTCUSDT']).toHaveLength(10);
    expect(all['BTCUSDT']?.[0]).toEqual({
      timestamp: at(11 * 30 * US_PER_MINUTE),
      open: '111.00',
      close: '111.00',
      min: '111.00',
      max: '111.00',
      volume: '0.10000',
      volume_quote: '11.1',
    });
    const some = await floor.get('/api/3/public/candles?symbols=BTCUSDT&sort=ASC&limit=12');
    expect(Object.keys(some as object)).toEqual(['BTCUSDT']);
    expect((some as typeof all)['BTCUSDT']?.map(({ close }) => close).slice(0, 2)).toEqual([
      '100.00',
      '101.00',
    ]);
  });

  test('[server:trading-v3.public.get-candles-symbol] of a symbol have an offset and a limit of 100', async () => {
    const floor = await charted();
    for (let i = 0; i < 100; i += 1) {
      floor.trade('BTCUSDT', 'buy', '200', '0.001');
      floor.venue.pass(US_PER_MINUTE);
    }
    const closes = async (query: string) =>
      ((await floor.get(`/api/3/public/candles/BTCUSDT?${query}`)) as Candle[]).map(
        ({ close }) => close,
      );
    expect(await closes('period=M1')).toHaveLength(100);
    expect(await closes('period=M1&limit=112')).toHaveLength(112);
    expect(await closes('period=M1&offset=110&limit=2')).toEqual(['101.00', '100.00']);
    expect(await closes(`from=${at(30 * US_PER_MINUTE)}&till=${at(US_PER_HOUR)}`)).toEqual([
      '102.00',
      '101.00',
    ]);
    expect(await closes('sort=ASC&limit=1')).toEqual(['100.00']);
  });

  test('[server:trading-v3.public.period-values] periods are the ten of the service and no other', async () => {
    const floor = await charted();
    const counts: Record<string, number> = {};
    for (const period of ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M']) {
      const candles = await floor.get(`/api/3/public/candles/BTCUSDT?period=${period}`);
      counts[period] = (candles as Candle[]).length;
    }
    const twelve = { M1: 12, M3: 12, M5: 12, M15: 12, M30: 12 };
    expect(counts).toEqual({ ...twelve, H1: 6, H4: 2, D1: 1, D7: 1, '1M': 1 });
    expect(await floor.refused('/api/3/public/candles/BTCUSDT?period=M2')).toMatchObject({
      status: 400,
      code: 10001,
    });
  });
});

describe('rates', () => {
  /** ETH at 2000 USDT, BTC at 40000 USDT and ETH at 0.051 BTC, in the middle. */
  async function rated(): Promise<Floor> {
    const floor = await open();
    for (const [symbol, bid, ask] of [
      ['ETHUSDT', '1999', '2001'],
      ['BTCUSDT', '39990', '40010'],
      ['ETHBTC', '0.05', '0.052'],
    ] as const) {
      floor.rest(symbol, 'buy', bid, '0.001');
      floor.rest(symbol, 'sell', ask, '0.001');
    }
    return floor;
  }

  test('[server:trading-v3.public.get-price-rate] of every currency in another are keyed by the first', async () => {
    const floor = await rated();
    const timestamp = at(0);
    expect(await floor.get('/api/3/public/price/rate?to=USDT')).toEqual({
      BTC: { currency: 'USDT', price: '40000', timestamp },
      ETH: { currency: 'USDT', price: '2000', timestamp },
    });
    expect(await floor.get('/api/3/public/price/rate')).toEqual(
      await floor.get('/api/3/public/price/rate?to=USDT'),
    );
    expect(await floor.get('/api/3/public/price/rate?from=ETH&to=BTC')).toEqual({
      ETH: { currency: 'BTC', price: '0.051', timestamp },
    });
    expect(await floor.get('/api/3/public/price/rate?from=USDT&to=USDT')).toMatchObject({
      USDT: { price: '1' },
    });
    expect(await floor.refused('/api/3/public/price/rate?to=X')).toMatchObject({ code: 2002 });
    expect(await floor.refused('/api/3/public/price/rate?from=X')).toMatchObject({ code: 2002 });
  });

  test('[server:trading-v3.public.price-rate-mean] is the mean of best bid and best ask', async () => {
    const floor = await rated();
    floor.rest('ETHUSDT', 'buy', '2000.5', '0.001');
    expect(await floor.get('/api/3/public/price/rate?from=ETH&to=USDT')).toMatchObject({
      ETH: { price: '2000.75' },
    });
  });

  test('a rate that cannot be said has no price', async () => {
    const floor = await open();
    expect(await floor.get('/api/3/public/price/rate?from=ETH&to=USDT')).toEqual({
      ETH: { currency: 'USDT', timestamp: at(0) },
    });
  });

  /** Rates of ETH: 2000 in the first half hour, 2100 in the second, 2200 in the third. */
  async function moved(): Promise<Floor> {
    const floor = await open();
    for (const middle of [2_000, 2_100, 2_200]) {
      const bid = floor.rest('ETHUSDT', 'buy', String(middle - 1), '0.001');
      const ask = floor.rest('ETHUSDT', 'sell', String(middle + 1), '0.001');
      floor.venue.pass(30 * US_PER_MINUTE - 2 * US_PER_SECOND);
      floor.cancel('demo', bid);
      floor.cancel('demo', ask);
      floor.venue.pass(2 * US_PER_SECOND);
    }
    return floor;
  }

  test('[server:trading-v3.public.get-price-history] is keyed by source currency', async () => {
    const floor = await moved();
    expect(
      await floor.get(
        `/api/3/public/price/history?from=ETH&to=USDT&limit=10&since=${at(US_PER_MINUTE)}&until=${at(US_PER_HOUR)}`,
      ),
    ).toEqual({
      ETH: {
        currency: 'USDT',
        history: [
          { timestamp: at(US_PER_HOUR), open: '2100', close: '2200', min: '2100', max: '2200' },
          {
            timestamp: at(30 * US_PER_MINUTE),
            open: '2000',
            close: '2100',
            min: '2000',
            max: '2100',
          },
        ],
      },
    });
    expect(Object.keys((await floor.get('/api/3/public/price/history')) as object)).toEqual([
      'BTC',
      'ETH',
    ]);
    expect(await floor.refused('/api/3/public/price/history?to=X')).toMatchObject({ code: 2002 });
  });

  test('[server:trading-v3.public.price-history-bounds] is one candle of thirty minutes, the latest first', async () => {
    const floor = await moved();
    const history = async (query: string) => {
      const found = await floor.get(`/api/3/public/price/history?from=ETH&to=USDT${query}`);
      const { ETH } = found as { ETH: { history: { timestamp: string }[] } };
      return ETH.history.map(({ timestamp }) => timestamp);
    };
    const latest = at(90 * US_PER_MINUTE);
    expect(await history('')).toEqual([latest]);
    expect(await history('&limit=2')).toEqual([latest, at(US_PER_HOUR)]);
    expect(await history('&sort=ASC')).toEqual([at(0)]);
    expect(await history('&period=H1&limit=1000')).toEqual([at(US_PER_HOUR), at(0)]);
    for (const limit of [0, 1_001]) {
      expect(
        await floor.refused(`/api/3/public/price/history?from=ETH&limit=${limit}`),
      ).toMatchObject({ status: 400, code: 10001 });
    }
  });

  /** Two trades of ETHBTC at 0.05, with BTC at 40000 USDT in the first half hour and 44000 after. */
  async function convertible(): Promise<Floor> {
    const floor = await open();
    for (const middle of [40_000, 44_000]) {
      const bid = floor.rest('BTCUSDT', 'buy', String(middle - 1), '0.001');
      const ask = floor.rest('BTCUSDT', 'sell', String(middle + 1), '0.001');
      floor.venue.pass(US_PER_SECOND);
      floor.trade('ETHBTC', 'buy', '0.05', '2');
      floor.venue.pass(30 * US_PER_MINUTE - US_PER_SECOND);
      floor.cancel('demo', bid);
      floor.cancel('demo', ask);
    }
    return floor;
  }
  const FIRST = {
    timestamp: at(0),
    open: '2000',
    close: '2000',
    min: '2000',
    max: '2000',
    volume: '2.0000',
    volume_quote: '4000',
  };

  test('[server:trading-v3.public.get-converted-candles] are candles in another currency, keyed by symbol', async () => {
    const floor = await convertible();
    expect(
      await floor.get(
        '/api/3/public/converted/candles?target_currency=USDT&symbols=ETHBTC,ETHUSDT',
      ),
    ).toEqual({
      target_currency: 'USDT',
      data: {
        ETHBTC: [
          {
            ...FIRST,
            timestamp: at(30 * US_PER_MINUTE),
            open: '2200',
            close: '2200',
            min: '2200',
            max: '2200',
            volume_quote: '4400',
          },
          FIRST,
        ],
        ETHUSDT: [],
      },
    });
    expect(await floor.refused('/api/3/public/converted/candles')).toMatchObject({
      status: 400,
      code: 10001,
      description: 'target_currency is required',
    });
    expect(await floor.refused('/api/3/public/converted/candles?target_currency=X')).toMatchObject({
      status: 400,
      code: 2002,
    });
  });

  test('[server:trading-v3.public.get-converted-candles-symbol] of one symbol are a list', async () => {
    const floor = await convertible();
    const path = '/api/3/public/converted/candles/ETHBTC';
    expect(await floor.get(`${path}?target_currency=USDT&sort=ASC&limit=1`)).toEqual({
      target_currency: 'USDT',
      data: [FIRST],
    });
    expect(await floor.get(`${path}?target_currency=BTC&offset=1`)).toMatchObject({
      target_currency: 'BTC',
      data: [{ close: '0.05' }],
    });
    expect(await floor.refused(path)).toMatchObject({ code: 10001 });
    expect(await floor.refused(`${path}?target_currency=X`)).toMatchObject({ code: 2002 });
  });
});
