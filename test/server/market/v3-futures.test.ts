import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/time.ts';
import { openVenue, OPENED } from '../kit.ts';
import { MarketHarness } from './harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const PERP = 'ETHUSDT_PERP';
const at = (us: number): string => isoText((OPENED + us) as typeof OPENED);
/** The venue opens at 10:00; fundings are at 00:00, 08:00 and 16:00. */
const FIRST_FUNDING = 6 * US_PER_HOUR;

interface Candle {
  readonly timestamp: string;
  readonly close: string;
}

/** A perpetual whose index is 2000, with a book around 2010, and a long position of 1.5 in it. */
async function opened(): Promise<MarketHarness> {
  const venue = await openVenue();
  const floor = new MarketHarness(venue);
  const { exchange } = venue.trading;
  const index = exchange.instrument(PERP);
  venue.trading.act((_, now) => {
    exchange.margin.index(index, decimal('2000'), now);
  });
  for (const name of ['demo', 'other']) {
    const account = venue.trading.members.key(name)?.account ?? -1;
    exchange.derivatives.deposit(account, 'USDT', decimal('100000'));
    const marginBalance = decimal('50000');
    const leverage = decimal('10');
    const setting = { mode: 'isolated', symbol: PERP, marginBalance, leverage } as const;
    expect(venue.trading.act((_, now) => exchange.margin.set(account, setting, now))).toBe(
      undefined,
    );
  }
  contract(floor, 'demo', 'sell', '2010.000', '1.5');
  contract(floor, 'other', 'buy', '2010.000', '1.5');
  contract(floor, 'demo', 'sell', '2010.000', '20');
  contract(floor, 'demo', 'buy', '2006.000', '20');
  return floor;
}

function contract(
  floor: MarketHarness,
  as: string,
  side: 'buy' | 'sell',
  price: string,
  quantity: string,
): void {
  const { trading } = floor.venue;
  const account = trading.members.key(as)?.account ?? -1;
  const order = { type: 'limit', price: decimal(price), quantity: decimal(quantity) } as const;
  const form = { ...order, side, symbol: PERP, margin: { mode: 'isolated' } as const };
  expect(trading.act((exchange, now) => exchange.forms.place(account, form, now))).toBe(undefined);
}

const setIndex = (floor: MarketHarness, price: string): void => {
  const { trading } = floor.venue;
  trading.act((exchange, now) => {
    exchange.margin.index(exchange.instrument(PERP), decimal(price), now);
  });
};

describe('futures info', () => {
  const INFO = {
    contract_type: 'perpetual',
    mark_price: '2000.150',
    index_price: '2000.000',
    funding_rate: '0.0001',
    open_interest: '1.500',
    next_funding_time: at(FIRST_FUNDING),
    indicative_funding_rate: '0.0025',
    premium_index: '0.003',
    avg_premium_index: '0',
    interest_rate: '0.0001',
    timestamp: at(US_PER_MINUTE),
  };

  test(
    'is keyed by contract, and has no spot symbol',
    { tags: ['server:trading-v3.public.get-futures-info'] },
    async () => {
      const floor = await opened();
      floor.venue.pass(US_PER_MINUTE);
      expect(await floor.get('/api/3/public/futures/info')).toEqual({ [PERP]: INFO });
      expect(await floor.get(`/api/3/public/futures/info?symbols=${PERP},BTCUSDT`)).toEqual({
        [PERP]: INFO,
      });
      expect(await floor.rejected('/api/3/public/futures/info?symbols=BTCUSDT')).toMatchObject({
        status: 400,
        code: 2001,
      });
    },
  );

  test(
    'one of a contract',
    { tags: ['server:trading-v3.public.get-futures-info-symbol'] },
    async () => {
      const floor = await opened();
      floor.venue.pass(US_PER_MINUTE);
      expect(await floor.get(`/api/3/public/futures/info/${PERP}`)).toEqual(INFO);
    },
  );

  test('before a price is known prices are null', async () => {
    const floor = new MarketHarness(await openVenue());
    expect(await floor.get(`/api/3/public/futures/info/${PERP}`)).toMatchObject({
      mark_price: null,
      index_price: null,
      open_interest: '0.000',
    });
  });
});

describe('candles of contracts', () => {
  // The mark price is the index and the funding rate of 0.0001 for what is left of eight hours.
  const SERIES = [
    ['get-index-price-candles', 'index_price', '2000.000', '2100.000'],
    ['get-mark-price-candles', 'mark_price', '2000.138', '2100.144'],
    ['get-premium-index-candles-list', 'premium_index', '0.003', '-0.042857142857142857'],
    ['get-open-interest-candles', 'open_interest', '1.500', '1.500'],
  ] as const;

  /** Samples of two half hours, the index 2000 in the first and 2100 in the second. */
  async function sampled(): Promise<MarketHarness> {
    const floor = await opened();
    floor.venue.pass(30 * US_PER_MINUTE - US_PER_SECOND);
    setIndex(floor, '2100');
    floor.venue.pass(2 * US_PER_SECOND);
    return floor;
  }

  eachRow('server:trading-v3.public.', SERIES)(
    'of the %s are keyed by contract, without volumes',
    async (name, before, after) => {
      const floor = await sampled();
      const path = `/api/3/public/futures/candles/${name}`;
      const candles = (await floor.get(path)) as Record<string, Candle[]>;
      expect(Object.keys(candles)).toEqual([PERP]);
      const [latest, first] = candles[PERP] ?? [];
      expect(Object.keys(latest ?? {})).toEqual(['timestamp', 'open', 'close', 'min', 'max']);
      expect([latest?.timestamp, first?.timestamp]).toEqual([at(30 * US_PER_MINUTE), at(0)]);
      expect([first?.close, latest?.close]).toEqual([before, after]);
      expect(await floor.get(`${path}?symbols=${PERP}&limit=1&sort=ASC`)).toEqual({
        [PERP]: [first],
      });
      expect(await floor.rejected(`${path}?symbols=BTCUSDT`)).toMatchObject({ code: 2001 });
    },
  );

  eachRow('server:trading-v3.public.', [
    ['get-index-price-candles-symbol', 'index_price'],
    ['get-mark-price-candles-symbol', 'mark_price'],
    ['get-premium-index-candles', 'premium_index'],
    ['get-open-interest-candles-symbol', 'open_interest'],
  ])('of the %s of one contract are a list', async (name) => {
    const floor = await sampled();
    const path = `/api/3/public/futures/candles/${name}`;
    const all = (await floor.get(path)) as Record<string, Candle[]>;
    const one = (await floor.get(`${path}/${PERP}`)) as Candle[];
    expect(one).toHaveLength(2);
    expect(one).toEqual(all[PERP]);
    for (const candle of one) {
      expect(Object.keys(candle)).toEqual(['timestamp', 'open', 'close', 'min', 'max']);
    }
  });

  /** Candles of every minute of three hours. */
  async function long(): Promise<MarketHarness> {
    const floor = await opened();
    floor.venue.pass(3 * US_PER_HOUR + US_PER_SECOND);
    return floor;
  }

  eachRow('server:trading-v3.public.', [
    ['premium-index-bounds', 'premium_index'],
    ['open-interest-symbol-bounds', 'open_interest'],
  ])('of the %s of one contract are bounded', async (name) => {
    const floor = await long();
    const path = `/api/3/public/futures/candles/${name}/${PERP}`;
    const times = async (query: string): Promise<string[]> =>
      ((await floor.get(`${path}?${query}`)) as Candle[]).map(({ timestamp }) => timestamp);
    expect(await times('period=M1')).toHaveLength(100);
    expect(await times('period=M1&limit=1000')).toHaveLength(180);
    expect(await times('')).toEqual(
      [180, 150, 120, 90, 60, 30, 0].map((minutes) => at(minutes * US_PER_MINUTE)),
    );
    expect(await times('offset=5')).toEqual([at(30 * US_PER_MINUTE), at(0)]);
    expect(await times('sort=ASC&limit=1')).toEqual([at(0)]);
    expect(await times(`from=${at(US_PER_HOUR)}&till=${at(2 * US_PER_HOUR)}`)).toEqual(
      [120, 90, 60].map((minutes) => at(minutes * US_PER_MINUTE)),
    );
    expect(await times('offset=100000')).toEqual([]);
    for (const bad of ['limit=0', 'limit=1001', 'offset=100001', 'period=M2', 'sort=x', 'from=x']) {
      expect(await floor.rejected(`${path}?${bad}`)).toMatchObject({ status: 400, code: 10001 });
    }
  });

  test(
    'of the open interest of all contracts are ten, of thirty minutes, the latest first',
    { tags: ['server:trading-v3.public.open-interest-bounds'] },
    async () => {
      const floor = await long();
      const path = '/api/3/public/futures/candles/open_interest';
      const times = async (query: string): Promise<string[] | undefined> =>
        ((await floor.get(`${path}?${query}`)) as Record<string, Candle[]>)[PERP]?.map(
          ({ timestamp }) => timestamp,
        );
      expect(await times('period=M1')).toHaveLength(10);
      expect(await times('period=M1&limit=1000')).toHaveLength(180);
      expect(await times('')).toEqual(
        [180, 150, 120, 90, 60, 30, 0].map((minutes) => at(minutes * US_PER_MINUTE)),
      );
      expect(
        await times(`sort=ASC&from=${at(US_PER_HOUR)}&till=${at(90 * US_PER_MINUTE)}`),
      ).toEqual([at(US_PER_HOUR), at(90 * US_PER_MINUTE)]);
      for (const bad of ['limit=0', 'limit=1001', 'period=M2', 'sort=x', 'till=x']) {
        expect(await floor.rejected(`${path}?${bad}`)).toMatchObject({ status: 400, code: 10001 });
      }
    },
  );
});

describe('past fundings', () => {
  /** Three fundings. */
  async function funded(): Promise<MarketHarness> {
    const floor = await opened();
    floor.venue.pass(FIRST_FUNDING + 16 * US_PER_HOUR + US_PER_SECOND);
    return floor;
  }
  const SECOND = {
    timestamp: at(FIRST_FUNDING + 8 * US_PER_HOUR),
    funding_rate: '0.0025',
    avg_premium_index: '0.003',
    next_funding_time: at(FIRST_FUNDING + 16 * US_PER_HOUR),
    interest_rate: '0.0001',
  };

  test(
    'are keyed by contract, with the rate that was paid',
    { tags: ['server:trading-v3.public.get-funding-history'] },
    async () => {
      const floor = await funded();
      const all = (await floor.get('/api/3/public/futures/history/funding')) as Record<
        string,
        { timestamp: string; funding_rate: string }[]
      >;
      expect(Object.keys(all)).toEqual([PERP]);
      expect(all[PERP]).toHaveLength(3);
      expect(all[PERP]?.[1]).toEqual(SECOND);
      expect(all[PERP]?.[2]).toMatchObject({
        timestamp: at(FIRST_FUNDING),
        funding_rate: '0.0001',
      });
      expect(
        await floor.get(`/api/3/public/futures/history/funding?symbols=${PERP}&limit=1&offset=1`),
      ).toEqual({ [PERP]: [SECOND] });
    },
  );

  test(
    'of one contract are a list that can be bounded',
    { tags: ['server:trading-v3.public.get-funding-history-symbol'] },
    async () => {
      const floor = await funded();
      const path = `/api/3/public/futures/history/funding/${PERP}`;
      const times = async (query: string): Promise<string[]> =>
        ((await floor.get(`${path}?${query}`)) as Candle[]).map(({ timestamp }) => timestamp);
      const [first, second, third] = [0, 8, 16].map((hours) =>
        at(FIRST_FUNDING + hours * US_PER_HOUR),
      );
      expect(await times('')).toEqual([third, second, first]);
      expect(await times('sort=ASC')).toEqual([first, second, third]);
      expect(await times('limit=1')).toEqual([third]);
      expect(await times('offset=2')).toEqual([first]);
      expect(await times(`from=${second}`)).toEqual([third, second]);
      expect(await times(`till=${second}`)).toEqual([second, first]);
      expect(await floor.rejected(`${path}?limit=1001`)).toMatchObject({ code: 10001 });
    },
  );
});
