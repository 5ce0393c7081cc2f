import { describe, expect, test } from 'vitest';
import { US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/time.ts';
import { openVenue, OPENED, sharedVenue } from '../kit.ts';
import { CURRENCIES, MarketHarness } from './harness.ts';

const at = (us: number): string => isoText((OPENED + us) as typeof OPENED);

const shared = sharedVenue({ exchange: { currencies: CURRENCIES } });
const floor = (): MarketHarness => new MarketHarness(shared());

const ids = (records: unknown): string[] => (records as { id: string }[]).map(({ id }) => id);

describe('currencies and symbols of version 2', () => {
  test(
    'are a list of all or of those that are named, in any letter case',
    { tags: ['server:trading-v2.public.get-currencies'] },
    async () => {
      expect(ids(await floor().get('/api/2/public/currency')).sort()).toEqual([
        'BTC',
        'ETH',
        'USDT',
      ]);
      expect(ids(await floor().get('/api/2/public/currency?currencies=usdt,X,BTC'))).toEqual([
        'USDT',
        'BTC',
      ]);
      expect(await floor().rejected('/api/2/public/currency?currencies=X')).toMatchObject({
        status: 400,
        code: 2002,
      });
    },
  );

  test('one is a record', { tags: ['server:trading-v2.public.get-currency'] }, async () => {
    expect(await floor().get('/api/2/public/currency/eth')).toMatchObject({ id: 'ETH' });
    expect(await floor().rejected('/api/2/public/currency/X')).toMatchObject({ code: 2002 });
  });

  test(
    'has the terms of its default network, precisions as decimal places',
    { tags: ['server:trading-v2.public.currency-record'] },
    async () => {
      expect(await floor().get('/api/2/public/currency/USDT')).toEqual({
        id: 'USDT',
        fullName: 'Tether',
        crypto: true,
        payinEnabled: true,
        payinPaymentId: true,
        payinConfirmations: 20,
        payoutEnabled: false,
        payoutIsPaymentId: false,
        transferEnabled: true,
        delisted: false,
        payoutFee: '1.5',
        payoutMinimalAmount: '0.000001',
        precisionPayout: 6,
        precisionTransfer: 8,
        lowProcessingTime: '60',
        highProcessingTime: '3600',
        avgProcessingTime: '600.5',
      });
      const ether = await floor().get('/api/2/public/currency/ETH');
      expect(ether).toMatchObject({ crypto: false, delisted: true, precisionTransfer: 0 });
      expect(ether).not.toHaveProperty('lowProcessingTime');
    },
  );

  test(
    'are a list of spot symbols, all or those that are named',
    { tags: ['server:trading-v2.public.get-symbols'] },
    async () => {
      expect(ids(await floor().get('/api/2/public/symbol'))).toEqual([
        'BTCUSDT',
        'ETHUSDT',
        'ETHBTC',
      ]);
      expect(
        ids(await floor().get('/api/2/public/symbol?symbols=ethbtc,BTCUSDT,X,ETHBTC')),
      ).toEqual(['ETHBTC', 'BTCUSDT']);
      expect(await floor().rejected('/api/2/public/symbol?symbols=ETHUSDT_PERP')).toMatchObject({
        status: 400,
        code: 2001,
      });
    },
  );

  test(
    'one is a record, in any letter case',
    { tags: ['server:trading-v2.public.get-symbol'] },
    async () => {
      expect(await floor().get('/api/2/public/symbol/ethbtc')).toMatchObject({ id: 'ETHBTC' });
      expect(await floor().rejected('/api/2/public/symbol/ETHUSDT_PERP')).toMatchObject({
        code: 2001,
      });
    },
  );

  test(
    'has its members, the leverage where it is traded on margin',
    { tags: ['server:trading-v2.public.symbol-record'] },
    async () => {
      expect(await floor().get('/api/2/public/symbol?symbols=ETHBTC,ETHUSDT')).toEqual([
        {
          id: 'ETHBTC',
          baseCurrency: 'ETH',
          quoteCurrency: 'BTC',
          quantityIncrement: '0.0001',
          tickSize: '0.000001',
          takeLiquidityRate: '0.002',
          provideLiquidityRate: '0.001',
          feeCurrency: 'BTC',
          marginTrading: false,
        },
        {
          id: 'ETHUSDT',
          baseCurrency: 'ETH',
          quoteCurrency: 'USDT',
          quantityIncrement: '0.0001',
          tickSize: '0.001',
          takeLiquidityRate: '0.0025',
          provideLiquidityRate: '0.0012',
          feeCurrency: 'USDT',
          marginTrading: true,
          maxInitialLeverage: '20.00',
        },
      ]);
    },
  );
});

/** A venue with four trades of BTCUSDT, a second after each other, and one of ETHBTC. */
async function traded(): Promise<MarketHarness> {
  const own = new MarketHarness(await openVenue());
  for (const [side, price] of [
    ['buy', '100.00'],
    ['sell', '90.50'],
    ['buy', '110.25'],
    ['buy', '105.00'],
  ] as const) {
    own.trade('BTCUSDT', side, price, '0.2');
    own.venue.pass(US_PER_SECOND);
  }
  own.trade('ETHBTC', 'sell', '0.060000', '1');
  return own;
}

describe('tickers of version 2', () => {
  test(
    'are a list, all or those that are named',
    { tags: ['server:trading-v2.public.get-tickers'] },
    async () => {
      const own = await traded();
      const symbols = async (query: string) =>
        ((await own.get(`/api/2/public/ticker${query}`)) as { symbol: string }[]).map(
          ({ symbol }) => symbol,
        );
      expect(await symbols('')).toEqual(['BTCUSDT', 'ETHUSDT', 'ETHBTC']);
      expect(await symbols('?symbols=ethbtc')).toEqual(['ETHBTC']);
    },
  );

  test(
    'one is a record',
    { tags: ['server:trading-v2.public.get-ticker', 'server:trading-v2.public.ticker-record'] },
    async () => {
      const own = await traded();
      own.rest('BTCUSDT', 'sell', '106.00', '2');
      expect(await own.get('/api/2/public/ticker/btcusdt')).toEqual({
        ask: '106.00',
        bid: null,
        last: '105.00',
        open: '100.00',
        low: '90.50',
        high: '110.25',
        volume: '0.80000',
        volumeQuote: '81.15',
        timestamp: at(4 * US_PER_SECOND),
        symbol: 'BTCUSDT',
      });
      expect(await own.get('/api/2/public/ticker/ETHUSDT')).toMatchObject({
        open: null,
        last: null,
      });
      expect(await own.rejected('/api/2/public/ticker/X')).toMatchObject({ code: 2001 });
    },
  );
});

describe('trades of version 2', () => {
  type Trade = { id: number; price: string };
  const prices = async (own: MarketHarness, query: string): Promise<string[]> =>
    ((await own.get(`/api/2/public/trades/BTCUSDT${query}`)) as Trade[]).map(({ price }) => price);

  test(
    'are keyed by symbol, a hundred, the latest first',
    { tags: ['server:trading-v2.public.get-trades'] },
    async () => {
      const own = await traded();
      for (let i = 0; i < 97; i += 1) own.trade('BTCUSDT', 'buy', '105', '0.001');
      const get = async (query: string) =>
        (await own.get(`/api/2/public/trades${query}`)) as Record<string, Trade[]>;
      const all = await get('');
      expect(Object.keys(all)).toEqual(['BTCUSDT', 'ETHUSDT', 'ETHBTC']);
      expect(all['BTCUSDT']).toHaveLength(100);
      expect(all['ETHBTC']).toHaveLength(1);
      const some = await get('?symbols=btcusdt&limit=1000');
      expect(Object.keys(some)).toEqual(['BTCUSDT']);
      expect(some['BTCUSDT']).toHaveLength(101);
      const asked = async (query: string) =>
        (await get(`?symbols=BTCUSDT&${query}`))['BTCUSDT']?.map(({ price }) => price);
      expect(await asked('sort=ASC&limit=2')).toEqual(['100.00', '90.50']);
      expect(await asked('sort=ASC&limit=2&offset=1')).toEqual(['90.50', '110.25']);
      expect(await asked(`till=${at(US_PER_SECOND)}`)).toEqual(['90.50', '100.00']);
      expect(await asked(`sort=ASC&limit=1&from=${at(2 * US_PER_SECOND)}`)).toEqual(['110.25']);
      expect(await asked('limit=0')).toEqual([]);
      for (const bad of ['limit=1001', 'offset=100001', 'sort=x', 'from=x']) {
        expect(await own.rejected(`/api/2/public/trades?${bad}`)).toMatchObject({
          status: 400,
          code: 10001,
        });
      }
      expect(await asked('offset=100000')).toEqual([]);
    },
  );

  test(
    'of a symbol are a list, by time or by id',
    { tags: ['server:trading-v2.public.get-trades-symbol'] },
    async () => {
      const own = await traded();
      const [, second, third] = (
        (await own.get('/api/2/public/trades/btcusdt?sort=ASC')) as Trade[]
      ).map(({ id }) => id);
      expect(await prices(own, '')).toEqual(['105.00', '110.25', '90.50', '100.00']);
      expect(await prices(own, `?by=id&from=${second}&till=${third}`)).toEqual(['110.25', '90.50']);
      expect(await prices(own, `?from=${at(US_PER_SECOND)}&till=${at(2 * US_PER_SECOND)}`)).toEqual(
        ['110.25', '90.50'],
      );
      expect(await prices(own, '?offset=1&limit=2')).toEqual(['110.25', '90.50']);
      for (let i = 0; i < 97; i += 1) own.trade('BTCUSDT', 'buy', '105', '0.001');
      expect(await prices(own, '')).toHaveLength(100);
      expect(await prices(own, '?limit=1000')).toHaveLength(101);
      for (const bad of ['limit=1001', 'offset=100001', 'by=price', 'from=9000000000000000']) {
        expect(await own.rejected(`/api/2/public/trades/BTCUSDT?${bad}`)).toMatchObject({
          code: 10001,
        });
      }
      expect(await own.rejected('/api/2/public/trades/X')).toMatchObject({ code: 2001 });
    },
  );

  test(
    'a trade has its quantity in full letters',
    { tags: ['server:trading-v2.public.trade-record'] },
    async () => {
      const own = await traded();
      expect(await own.get('/api/2/public/trades/ETHBTC')).toEqual([
        {
          id: expect.any(Number) as number,
          price: '0.060000',
          quantity: '1.0000',
          side: 'sell',
          timestamp: at(4 * US_PER_SECOND),
        },
      ]);
    },
  );
});

describe('order books of version 2', () => {
  async function booked(): Promise<MarketHarness> {
    const own = new MarketHarness(await openVenue());
    for (let i = 0; i < 101; i += 1) own.rest('BTCUSDT', 'sell', String(101 + i), '0.01');
    own.venue.pass(1_500);
    own.rest('BTCUSDT', 'buy', '98', '2');
    own.rest('BTCUSDT', 'buy', '99', '1');
    own.venue.pass(US_PER_SECOND);
    return own;
  }
  type Book = { symbol: string; ask: unknown[] };

  test(
    'are keyed by symbol, which each has too',
    { tags: ['server:trading-v2.public.get-orderbooks'] },
    async () => {
      const own = await booked();
      const all = (await own.get('/api/2/public/orderbook')) as Record<string, Book>;
      expect(Object.entries(all).map(([key, { symbol }]) => [key, symbol])).toEqual([
        ['BTCUSDT', 'BTCUSDT'],
        ['ETHUSDT', 'ETHUSDT'],
        ['ETHBTC', 'ETHBTC'],
      ]);
      expect(all['BTCUSDT']?.ask).toHaveLength(100);
      const some = await own.get('/api/2/public/orderbook?symbols=btcusdt&limit=0');
      expect(Object.keys(some as object)).toEqual(['BTCUSDT']);
      expect((some as typeof all)['BTCUSDT']?.ask).toHaveLength(101);
      const two = await own.get('/api/2/public/orderbook?limit=2');
      expect((two as typeof all)['BTCUSDT']?.ask).toHaveLength(2);
    },
  );

  test(
    'one has levels of price and size',
    { tags: ['server:trading-v2.public.get-orderbook'] },
    async () => {
      const own = await booked();
      expect(await own.get('/api/2/public/orderbook/btcusdt?limit=2')).toEqual({
        symbol: 'BTCUSDT',
        timestamp: at(1_500),
        ask: [
          { price: '101.00', size: '0.01000' },
          { price: '102.00', size: '0.01000' },
        ],
        bid: [
          { price: '99.00', size: '1.00000' },
          { price: '98.00', size: '2.00000' },
        ],
      });
      const count = async (query: string) =>
        ((await own.get(`/api/2/public/orderbook/BTCUSDT${query}`)) as Book).ask.length;
      expect(await count('')).toBe(100);
      expect(await count('?limit=0')).toBe(101);
      expect(await own.rejected('/api/2/public/orderbook/X')).toMatchObject({ code: 2001 });
      expect(await own.get('/api/2/public/orderbook/ETHBTC')).toEqual({
        symbol: 'ETHBTC',
        timestamp: at(US_PER_SECOND + 1_500),
        ask: [],
        bid: [],
      });
    },
  );

  test(
    'by volume it goes as far as that, whatever the limit',
    { tags: ['server:trading-v2.public.orderbook-volume'] },
    async () => {
      const own = await booked();
      expect(await own.get('/api/2/public/orderbook/BTCUSDT?volume=0.02&limit=1')).toEqual({
        symbol: 'BTCUSDT',
        timestamp: at(1_500),
        ask: [
          { price: '101.00', size: '0.01000' },
          { price: '102.00', size: '0.01000' },
        ],
        bid: [{ price: '99.00', size: '1.00000' }],
        askAveragePrice: '101.50',
        bidAveragePrice: '99.00',
      });
      expect(await own.get('/api/2/public/orderbook/ETHBTC?volume=1')).toEqual({
        symbol: 'ETHBTC',
        timestamp: at(US_PER_SECOND + 1_500),
        ask: [],
        bid: [],
      });
      expect(await own.rejected('/api/2/public/orderbook/BTCUSDT?volume=0')).toMatchObject({
        code: 10001,
      });
    },
  );
});

describe('candles of version 2', () => {
  type Candle = { timestamp: string; close: string };
  async function charted(): Promise<MarketHarness> {
    const own = new MarketHarness(await openVenue());
    for (let i = 0; i < 103; i += 1) {
      own.trade('BTCUSDT', 'buy', String(100 + i), '0.1');
      own.venue.pass(15 * US_PER_MINUTE);
    }
    return own;
  }
  const bounds = async (get: (query: string) => Promise<Candle[]>): Promise<void> => {
    const closes = async (query: string) => (await get(query)).map(({ close }) => close);
    expect(await get('')).toHaveLength(52);
    expect((await closes('')).slice(0, 2)).toEqual(['101.00', '103.00']);
    expect(await get('period=M15')).toHaveLength(100);
    expect(await get('period=M15&limit=1000')).toHaveLength(103);
    expect(await closes('period=M15&offset=100')).toEqual(['200.00', '201.00', '202.00']);
    expect(await closes('sort=DESC&limit=1')).toEqual(['202.00']);
    const from = at(30 * US_PER_MINUTE);
    const till = at(60 * US_PER_MINUTE);
    expect(await closes(`from=${from}&till=${till}`)).toEqual(['103.00', '105.00']);
    expect(await get('limit=0')).toEqual([]);
    expect(await get('offset=100000')).toEqual([]);
  };
  const BAD = ['limit=1001', 'offset=100001', 'period=M2', 'sort=x', 'till=x'];

  test(
    'are keyed by symbol, a hundred of thirty minutes, the oldest first',
    { tags: ['server:trading-v2.public.get-candles'] },
    async () => {
      const own = await charted();
      const path = '/api/2/public/candles';
      expect(Object.keys((await own.get(path)) as object)).toHaveLength(3);
      await bounds(async (query) => {
        const found = await own.get(`${path}?symbols=btcusdt&${query}`);
        expect(Object.keys(found as object)).toEqual(['BTCUSDT']);
        return (found as { BTCUSDT: Candle[] }).BTCUSDT;
      });
      for (const bad of BAD) {
        expect(await own.rejected(`${path}?${bad}`)).toMatchObject({ status: 400, code: 10001 });
      }
    },
  );

  test(
    'of a symbol are a list with the same bounds',
    { tags: ['server:trading-v2.public.get-candles-symbol'] },
    async () => {
      const own = await charted();
      const path = '/api/2/public/candles/btcusdt';
      await bounds(async (query) => (await own.get(`${path}?${query}`)) as Candle[]);
      for (const bad of BAD) {
        expect(await own.rejected(`${path}?${bad}`)).toMatchObject({ status: 400, code: 10001 });
      }
      expect(await own.rejected('/api/2/public/candles/X')).toMatchObject({ code: 2001 });
    },
  );

  test(
    'periods are those of version 3',
    { tags: ['server:trading-v2.public.period-values'] },
    async () => {
      const own = await charted();
      const counts: Record<string, number> = {};
      for (const period of ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M']) {
        const found = await own.get(`/api/2/public/candles/BTCUSDT?period=${period}&limit=1000`);
        counts[period] = (found as Candle[]).length;
      }
      const many = { M1: 103, M3: 103, M5: 103, M15: 103, M30: 52, H1: 26 };
      expect(counts).toEqual({ ...many, H4: 7, D1: 2, D7: 1, '1M': 1 });
    },
  );

  test(
    'a candle has prices, volumes and the start of its period',
    { tags: ['server:trading-v2.public.candle-record'] },
    async () => {
      const own = new MarketHarness(await openVenue());
      for (const price of ['100', '102', '99', '101']) own.trade('BTCUSDT', 'buy', price, '0.1');
      expect(await own.get('/api/2/public/candles/BTCUSDT')).toEqual([
        {
          timestamp: at(0),
          open: '100.00',
          close: '101.00',
          min: '99.00',
          max: '102.00',
          volume: '0.40000',
          volumeQuote: '40.2',
        },
      ]);
    },
  );
});
