import { describe, expect, test } from 'vitest';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/time.ts';
import { openVenue, OPENED } from '../kit.ts';
import { MarketHarness } from './harness.ts';

const open = async (): Promise<MarketHarness> => new MarketHarness(await openVenue());

const at = (us: number): string => isoText((OPENED + us) as typeof OPENED);

describe('candles', () => {
  type Candle = { timestamp: string; close: string };
  /** A trade in each of twelve half hours. */
  async function charted(): Promise<MarketHarness> {
    const floor = await open();
    for (let i = 0; i < 12; i += 1) {
      floor.trade('BTCUSDT', 'buy', String(100 + i), '0.1');
      floor.venue.pass(30 * US_PER_MINUTE);
    }
    return floor;
  }

  test(
    'are keyed by symbol, the latest ten first',
    { tags: ['server:trading-v3.public.get-candles'] },
    async () => {
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
    },
  );

  test(
    'of a symbol have an offset and a limit of 100',
    { tags: ['server:trading-v3.public.get-candles-symbol'] },
    async () => {
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
    },
  );

  test(
    'periods are the ten of the service and no other',
    { tags: ['server:trading-v3.public.period-values'] },
    async () => {
      const floor = await charted();
      const counts: Record<string, number> = {};
      for (const period of ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M']) {
        const candles = await floor.get(`/api/3/public/candles/BTCUSDT?period=${period}`);
        counts[period] = (candles as Candle[]).length;
      }
      const twelve = { M1: 12, M3: 12, M5: 12, M15: 12, M30: 12 };
      expect(counts).toEqual({ ...twelve, H1: 6, H4: 2, D1: 1, D7: 1, '1M': 1 });
      expect(await floor.rejected('/api/3/public/candles/BTCUSDT?period=M2')).toMatchObject({
        status: 400,
        code: 10001,
      });
    },
  );
});

describe('rates', () => {
  /** ETH at 2000 USDT, BTC at 40000 USDT and ETH at 0.051 BTC, in the middle. */
  async function rated(): Promise<MarketHarness> {
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

  test(
    'of every currency in another are keyed by the first',
    { tags: ['server:trading-v3.public.get-price-rate'] },
    async () => {
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
      expect(await floor.rejected('/api/3/public/price/rate?to=X')).toMatchObject({ code: 2002 });
      expect(await floor.rejected('/api/3/public/price/rate?from=X')).toMatchObject({ code: 2002 });
    },
  );

  test(
    'is the mean of best bid and best ask',
    { tags: ['server:trading-v3.public.price-rate-mean'] },
    async () => {
      const floor = await rated();
      floor.rest('ETHUSDT', 'buy', '2000.5', '0.001');
      expect(await floor.get('/api/3/public/price/rate?from=ETH&to=USDT')).toMatchObject({
        ETH: { price: '2000.75' },
      });
    },
  );

  test('a rate that cannot be said has no price', async () => {
    const floor = await open();
    expect(await floor.get('/api/3/public/price/rate?from=ETH&to=USDT')).toEqual({
      ETH: { currency: 'USDT', timestamp: at(0) },
    });
  });

  /** Rates of ETH: 2000 in the first half hour, 2100 in the second, 2200 in the third. */
  async function moved(): Promise<MarketHarness> {
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

  test(
    'is keyed by source currency',
    { tags: ['server:trading-v3.public.get-price-history'] },
    async () => {
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
      expect(await floor.rejected('/api/3/public/price/history?to=X')).toMatchObject({
        code: 2002,
      });
    },
  );

  test(
    'is one candle of thirty minutes, the latest first',
    { tags: ['server:trading-v3.public.price-history-bounds'] },
    async () => {
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
          await floor.rejected(`/api/3/public/price/history?from=ETH&limit=${limit}`),
        ).toMatchObject({ status: 400, code: 10001 });
      }
    },
  );

  /** Two trades of ETHBTC at 0.05, with BTC at 40000 USDT in the first half hour and 44000 after. */
  async function convertible(): Promise<MarketHarness> {
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

  test(
    'are candles in another currency, keyed by symbol',
    { tags: ['server:trading-v3.public.get-converted-candles'] },
    async () => {
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
      expect(await floor.rejected('/api/3/public/converted/candles')).toMatchObject({
        status: 400,
        code: 10001,
        description: 'target_currency is required',
      });
      expect(
        await floor.rejected('/api/3/public/converted/candles?target_currency=X'),
      ).toMatchObject({
        status: 400,
        code: 2002,
      });
    },
  );

  test(
    'of one symbol are a list',
    { tags: ['server:trading-v3.public.get-converted-candles-symbol'] },
    async () => {
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
      expect(await floor.rejected(path)).toMatchObject({ code: 10001 });
      expect(await floor.rejected(`${path}?target_currency=X`)).toMatchObject({ code: 2002 });
    },
  );
});
