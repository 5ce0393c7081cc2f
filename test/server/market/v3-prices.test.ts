import { describe, expect, test } from 'vitest';
import { US_PER_DAY, US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/time.ts';
import { openVenue, OPENED } from '../kit.ts';
import { MarketHarness } from './harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const open = async (): Promise<MarketHarness> => new MarketHarness(await openVenue());

const at = (us: number): string => isoText((OPENED + us) as typeof OPENED);

/** A venue with four trades of BTCUSDT, a second after each other, and one of ETHBTC. */
async function traded(): Promise<MarketHarness> {
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
  test(
    'are keyed by symbol, all or those that are named',
    { tags: ['server:trading-v3.public.get-tickers'] },
    async () => {
      const floor = await open();
      expect(Object.keys((await floor.get('/api/3/public/ticker')) as object)).toHaveLength(4);
      const some = (await floor.get('/api/3/public/ticker?symbols=ETHBTC,BTCUSDT')) as object;
      expect(Object.keys(some)).toEqual(['ETHBTC', 'BTCUSDT']);
    },
  );

  test(
    'one has the prices and sums of 24 hours',
    { tags: ['server:trading-v3.public.get-ticker', 'server:trading-v3.public.ticker-record'] },
    async () => {
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
    },
  );

  test(
    'what nothing is known of is null',
    { tags: ['server:trading-v3.public.ticker-nulls'] },
    async () => {
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
    },
  );

  test(
    'every number that is money is text',
    { tags: ['server:trading-v3.conv.string-numbers'] },
    async () => {
      const floor = await traded();
      const ticker = (await floor.get('/api/3/public/ticker/BTCUSDT')) as Record<string, unknown>;
      for (const name of ['last', 'low', 'high', 'open', 'volume', 'volume_quote']) {
        expect(ticker[name]).toEqual(expect.stringMatching(/^\d+(\.\d+)?$/));
      }
    },
  );

  test(
    'prices have the decimals of the tick, quantities those of the increment',
    { tags: ['server:trading-v3.conv.padded-decimals'] },
    async () => {
      const floor = await open();
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      expect(await floor.get('/api/3/public/trades/BTCUSDT')).toMatchObject([
        { price: '100.00', qty: '0.10000' },
      ]);
    },
  );
});

describe('last prices', () => {
  test(
    'are keyed by symbol, with the time of the trade',
    { tags: ['server:trading-v3.public.get-price-tickers'] },
    async () => {
      const floor = await traded();
      expect(await floor.get('/api/3/public/price/ticker?symbols=BTCUSDT,ETHUSDT')).toEqual({
        BTCUSDT: { price: '105.00', timestamp: at(3 * US_PER_SECOND) },
        ETHUSDT: { price: null, timestamp: at(4 * US_PER_SECOND) },
      });
      expect(Object.keys((await floor.get('/api/3/public/price/ticker')) as object)).toHaveLength(
        4,
      );
    },
  );

  test(
    'one of a symbol',
    { tags: ['server:trading-v3.public.get-price-ticker-symbol'] },
    async () => {
      const floor = await traded();
      expect(await floor.get('/api/3/public/price/ticker/ETHBTC')).toEqual({
        price: '0.060000',
        timestamp: at(4 * US_PER_SECOND),
      });
    },
  );
});

describe('trades', () => {
  type Trade = { id: number; price: string };
  const prices = async (floor: MarketHarness, query: string): Promise<string[]> =>
    ((await floor.get(`/api/3/public/trades/BTCUSDT${query}`)) as Trade[]).map(
      ({ price }) => price,
    );

  test(
    'are keyed by symbol, the latest ten first',
    { tags: ['server:trading-v3.public.get-trades'] },
    async () => {
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
      expect(await floor.rejected('/api/3/public/trades?limit=1001')).toMatchObject({
        code: 10001,
      });
      expect(await floor.rejected('/api/3/public/trades?limit=0')).toMatchObject({ code: 10001 });
    },
  );

  test(
    'of a symbol may begin further on',
    { tags: ['server:trading-v3.public.get-trades-symbol'] },
    async () => {
      const floor = await traded();
      expect(await prices(floor, '')).toEqual(['105.00', '110.25', '90.50', '100.00']);
      expect(await prices(floor, '?offset=1&limit=2')).toEqual(['110.25', '90.50']);
      expect(await prices(floor, '?offset=1&limit=2&sort=ASC')).toEqual(['90.50', '110.25']);
      expect(await floor.rejected('/api/3/public/trades/BTCUSDT?offset=100001')).toMatchObject({
        status: 400,
        code: 10001,
      });
    },
  );

  test(
    'bounds are times, or ids where they are asked for by id',
    { tags: ['server:trading-v3.conv.from-till-type'] },
    async () => {
      const floor = await traded();
      const trades = (await floor.get('/api/3/public/trades/BTCUSDT?sort=ASC')) as Trade[];
      const [, second, third] = trades.map(({ id }) => id);
      expect(await prices(floor, `?by=id&from=${second}&till=${third}`)).toEqual([
        '110.25',
        '90.50',
      ]);
      expect(
        await prices(
          floor,
          `?by=timestamp&from=${at(US_PER_SECOND)}&till=${at(2 * US_PER_SECOND)}`,
        ),
      ).toEqual(['110.25', '90.50']);
      expect(
        await floor.rejected(`/api/3/public/trades/BTCUSDT?by=id&from=${at(0)}`),
      ).toMatchObject({
        status: 400,
        code: 10001,
        description: 'from must be a number when by is id',
      });
    },
  );

  test('a bound may be ISO 8601', { tags: ['server:trading-v3.conv.timestamp-iso'] }, async () => {
    expect(await prices(await traded(), `?from=${at(2 * US_PER_SECOND)}`)).toEqual([
      '105.00',
      '110.25',
    ]);
  });

  test(
    'a bound may be Unix milliseconds',
    { tags: ['server:trading-v3.conv.timestamp-unix-ms'] },
    async () => {
      expect(await prices(await traded(), `?till=${(OPENED + US_PER_SECOND) / 1_000}`)).toEqual([
        '90.50',
        '100.00',
      ]);
    },
  );

  test(
    'encoded ISO 8601 and milliseconds select the same',
    { tags: ['server:trading-v3.conv.from-till-both-forms'] },
    async () => {
      const floor = await traded();
      const ms = (OPENED + US_PER_SECOND) / 1_000;
      const iso = encodeURIComponent(new Date(ms).toISOString());
      expect(iso).toContain('%3A');
      expect(await prices(floor, `?from=${iso}`)).toEqual(['105.00', '110.25', '90.50']);
      expect(await prices(floor, `?from=${iso}`)).toEqual(await prices(floor, `?from=${ms}`));
    },
  );

  test(
    'a date alone is its midnight in UTC',
    { tags: ['server:trading-v3.conv.date-only', 'server:trading-v3.conv.date-only-reading'] },
    async () => {
      const floor = await traded();
      expect(await prices(floor, '?from=2026-01-05')).toHaveLength(4);
      expect(await prices(floor, '?till=2026-01-05')).toHaveLength(0);
      floor.venue.pass(14 * US_PER_HOUR - 5 * US_PER_SECOND);
      floor.trade('BTCUSDT', 'buy', '77', '0.1');
      floor.venue.pass(US_PER_SECOND);
      floor.trade('BTCUSDT', 'buy', '78', '0.1');
      expect(await prices(floor, '?from=2026-01-06')).toEqual(['78.00']);
    },
  );

  test('a time beyond the year 9999 is refused', async () => {
    const floor = await traded();
    expect(
      await floor.rejected('/api/3/public/trades/BTCUSDT?from=9000000000000000'),
    ).toMatchObject({ code: 10001 });
    expect(await floor.rejected('/api/3/public/trades?from=9000000000000000')).toMatchObject({
      code: 10001,
    });
  });

  eachRow('server:trading-v3.conv.', [
    ['sort-values', 'sort', 'down'],
    ['by-values', 'by', 'price'],
  ])('a %s of "%s" is refused', async (name, value) => {
    const floor = await open();
    expect(await floor.rejected(`/api/3/public/trades/BTCUSDT?${name}=${value}`)).toMatchObject({
      status: 400,
      code: 10001,
    });
    const good = name === 'sort' ? ['ASC', 'DESC'] : ['id', 'timestamp'];
    for (const one of good) {
      expect(await floor.get(`/api/3/public/trades/BTCUSDT?${name}=${one}`)).toEqual([]);
    }
  });

  test(
    'a parameter that nobody knows does nothing',
    { tags: ['server:trading-v3.conv.unknown-params-ignored'] },
    async () => {
      const floor = await traded();
      expect(await prices(floor, '?until=2020-01-01&speed=1')).toHaveLength(4);
    },
  );

  test(
    'parameters count where they are in the query',
    { tags: ['server:trading-v3.conv.get-params-in-query'] },
    async () => {
      const floor = await traded();
      expect(await prices(floor, '?limit=1')).toEqual(['105.00']);
    },
  );
});

describe('order books', () => {
  /** 120 asks from 101 up and three bids from 99 down, in BTCUSDT. */
  async function booked(): Promise<MarketHarness> {
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

  test(
    'are keyed by symbol, to a depth of 100, or whole',
    { tags: ['server:trading-v3.public.get-orderbooks'] },
    async () => {
      const floor = await booked();
      const all = (await floor.get('/api/3/public/orderbook')) as Record<string, Book>;
      expect(Object.keys(all)).toHaveLength(4);
      expect(all['BTCUSDT']?.ask).toHaveLength(100);
      expect(all['ETHBTC']).toEqual({ timestamp: at(US_PER_SECOND + 1_500), ask: [], bid: [] });
      const some = (await floor.get(
        '/api/3/public/orderbook?symbols=BTCUSDT&depth=0',
      )) as typeof all;
      expect(Object.keys(some)).toEqual(['BTCUSDT']);
      expect(some['BTCUSDT']?.ask).toHaveLength(120);
      expect(some['BTCUSDT']?.timestamp).toBe(at(1_500));
    },
  );

  test(
    'one has asks ascending and bids descending',
    { tags: ['server:trading-v3.public.get-orderbook'] },
    async () => {
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
      expect(await floor.rejected('/api/3/public/orderbook/BTCUSDT?depth=-1')).toMatchObject({
        code: 10001,
      });
    },
  );

  test(
    'by volume it goes as far as that, whatever the depth, and has average prices',
    { tags: ['server:trading-v3.public.orderbook-volume'] },
    async () => {
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
    },
  );

  test('a volume of zero is refused, and one beyond everything is all there is', async () => {
    const floor = await booked();
    expect(await floor.rejected('/api/3/public/orderbook/BTCUSDT?volume=0')).toEqual({
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
