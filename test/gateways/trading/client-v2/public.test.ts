import { describe, expect, test } from 'vitest';
import { US_PER_MINUTE, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { CURRENCIES, MarketHarness } from '../../../server/market/harness.ts';
import { OPENED, openVenue } from '../../../server/kit.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const PATH = '/api/2/public';

/** A client without a key on a market of its own. */
async function open(): Promise<SubscriptionsV2 & { readonly floor: MarketHarness }> {
  const venue = await openVenue({ exchange: { currencies: CURRENCIES } });
  const subscriptions = await openSubscriptionsV2(venue, 'demo', { credentials: undefined });
  return { ...subscriptions, floor: new MarketHarness(venue) };
}

const NOW = '2026-01-05T10%3A00%3A00Z';
const LATER = '2026-01-05T10%3A00%3A02Z';
const later = (us: number) => (OPENED + us) as typeof OPENED;

describe('currencies and symbols', () => {
  const USDT = {
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
    payoutFee: d('1.5'),
    payoutMinimalAmount: d('0.000001'),
    precisionPayout: 6,
    precisionTransfer: 8,
    lowProcessingTime: d('60'),
    highProcessingTime: d('3600'),
    avgProcessingTime: d('600.5'),
  };

  test(
    'are listed, all or some',
    { tags: ['client:trading-v2.public.get-currencies'] },
    async () => {
      const { rest, relay } = await open();
      const all = await rest.getCurrencies();
      expect(relay.sent).toEqual([`GET ${PATH}/currency`]);
      expect(all.map(({ id }) => id).sort()).toEqual(['BTC', 'ETH', 'USDT']);
      const some = await rest.getCurrencies({ currencies: ['USDT', 'BTC'] });
      expect(relay.sent).toEqual([`GET ${PATH}/currency?currencies=USDT%2CBTC`]);
      expect(some.map(({ id }) => id)).toEqual(['USDT', 'BTC']);
      expect(some[0]).toEqual(USDT);
    },
  );

  test(
    'are asked for one by one, processing times and all',
    { tags: ['client:trading-v2.public.get-currency', 'client:trading-v2.public.currency-record'] },
    async () => {
      const { rest, relay } = await open();
      expect(await rest.getCurrency({ currency: 'USDT' })).toEqual(USDT);
      expect(relay.sent).toEqual([`GET ${PATH}/currency/USDT`]);
      const {
        lowProcessingTime: _,
        highProcessingTime: __,
        avgProcessingTime: ___,
        ...bare
      } = USDT;
      const wire = {
        ...bare,
        payoutFee: '1.500',
        payoutMinimalAmount: 0.000001,
        precisionPayout: '6',
      };
      relay.answer({ ...wire, lowProcessingTime: null, highProcessingTime: null });
      expect(await rest.getCurrency({ currency: 'USDT' })).toEqual(bare);
    },
  );

  const ETHBTC = {
    id: 'ETHBTC',
    baseCurrency: 'ETH',
    quoteCurrency: 'BTC',
    quantityIncrement: d('0.0001'),
    tickSize: d('0.000001'),
    takeLiquidityRate: d('0.002'),
    provideLiquidityRate: d('0.001'),
    feeCurrency: 'BTC',
    marginTrading: false,
  };

  test(
    'of symbols are listed, all or some',
    { tags: ['client:trading-v2.public.get-symbols', 'client:trading-v2.public.symbol-record'] },
    async () => {
      const { rest, relay } = await open();
      const all = await rest.getSymbols();
      expect(all.map(({ id }) => id)).toEqual(['BTCUSDT', 'ETHUSDT', 'ETHBTC']);
      expect(relay.sent).toEqual([`GET ${PATH}/symbol`]);
      expect(await rest.getSymbols({ symbols: ['ETHBTC', 'ETHUSDT'] })).toEqual([
        ETHBTC,
        {
          id: 'ETHUSDT',
          baseCurrency: 'ETH',
          quoteCurrency: 'USDT',
          quantityIncrement: d('0.0001'),
          tickSize: d('0.001'),
          takeLiquidityRate: d('0.0025'),
          provideLiquidityRate: d('0.0012'),
          feeCurrency: 'USDT',
          marginTrading: true,
          maxInitialLeverage: d('20'),
        },
      ]);
      expect(relay.sent).toEqual([`GET ${PATH}/symbol?symbols=ETHBTC%2CETHUSDT`]);
    },
  );

  test(
    'are asked for one by one, where margin may be left out and makers paid',
    { tags: ['client:trading-v2.public.get-symbol', 'client:trading-v2.public.symbol-record'] },
    async () => {
      const { rest, relay } = await open();
      expect(await rest.getSymbol({ symbol: 'ETHBTC' })).toEqual(ETHBTC);
      expect(relay.sent).toEqual([`GET ${PATH}/symbol/ETHBTC`]);
      const { marginTrading: _, ...bare } = ETHBTC;
      relay.answer({ ...bare, provideLiquidityRate: '-0.0001', tickSize: '0.00000100' });
      expect(await rest.getSymbol({ symbol: 'ETHBTC' })).toEqual({
        ...bare,
        provideLiquidityRate: d('-0.0001'),
      });
    },
  );
});

/** Four trades of BTCUSDT, a second after each other, and one of ETHBTC. */
async function traded(): Promise<SubscriptionsV2 & { readonly floor: MarketHarness }> {
  const subscriptions = await open();
  for (const [side, price] of [
    ['buy', '100.00'],
    ['sell', '90.50'],
    ['buy', '110.25'],
    ['buy', '105.00'],
  ] as const) {
    subscriptions.floor.trade('BTCUSDT', side, price, '0.2');
    subscriptions.floor.venue.pass(US_PER_SECOND);
  }
  subscriptions.floor.trade('ETHBTC', 'sell', '0.060000', '1');
  return subscriptions;
}

describe('tickers', () => {
  test('are listed, all or some', { tags: ['client:trading-v2.public.get-tickers'] }, async () => {
    const { rest, relay } = await traded();
    const all = await rest.getTickers();
    expect(all.map(({ symbol, last }) => [symbol, last])).toEqual([
      ['BTCUSDT', d('105')],
      ['ETHUSDT', null],
      ['ETHBTC', d('0.06')],
    ]);
    expect(relay.sent).toEqual([`GET ${PATH}/ticker`]);
    const some = await rest.getTickers({ symbols: ['ETHBTC', 'BTCUSDT'] });
    expect(some.map(({ symbol }) => symbol)).toEqual(['ETHBTC', 'BTCUSDT']);
    expect(relay.sent).toEqual([`GET ${PATH}/ticker?symbols=ETHBTC%2CBTCUSDT`]);
  });

  test(
    'are asked for one by one, null where nothing is known',
    { tags: ['client:trading-v2.public.get-ticker', 'client:trading-v2.public.ticker-record'] },
    async () => {
      const { rest, relay, floor } = await traded();
      floor.rest('BTCUSDT', 'sell', '106.00', '2');
      expect(await rest.getTicker({ symbol: 'BTCUSDT' })).toEqual({
        ask: d('106'),
        bid: null,
        last: d('105'),
        open: d('100'),
        low: d('90.5'),
        high: d('110.25'),
        volume: d('0.8'),
        volumeQuote: d('81.15'),
        timestamp: later(4 * US_PER_SECOND),
        symbol: 'BTCUSDT',
      });
      expect(relay.sent).toEqual([`GET ${PATH}/ticker/BTCUSDT`]);
      expect(await rest.getTicker({ symbol: 'ETHUSDT' })).toMatchObject({ open: null, ask: null });
    },
  );
});

describe('public trades', () => {
  const page = { sort: 'ASC', limit: 2, offset: 1 } as const;

  test(
    'are keyed by symbol, by the parameters that are given',
    { tags: ['client:trading-v2.public.get-trades'] },
    async () => {
      const { rest, relay } = await traded();
      const all = await rest.getTrades();
      expect(Object.entries(all).map(([symbol, trades]) => [symbol, trades.length])).toEqual([
        ['BTCUSDT', 4],
        ['ETHUSDT', 0],
        ['ETHBTC', 1],
      ]);
      expect(relay.sent).toEqual([`GET ${PATH}/trades`]);
      const bounds = { from: OPENED, till: later(2 * US_PER_SECOND) };
      const some = await rest.getTrades({ symbols: ['BTCUSDT'], ...page, ...bounds });
      expect(some['BTCUSDT']?.map(({ price }) => price)).toEqual([d('90.5'), d('110.25')]);
      expect(relay.sent).toEqual([
        `GET ${PATH}/trades?symbols=BTCUSDT&sort=ASC&from=${NOW}&till=${LATER}&limit=2&offset=1`,
      ]);
    },
  );

  test(
    'of a symbol are a list, by time or by id',
    { tags: ['client:trading-v2.public.get-trades-symbol'] },
    async () => {
      const { rest, relay } = await traded();
      const asked = { symbol: 'BTCUSDT', by: 'timestamp', ...page } as const;
      const bounds = {
        from: { kind: 'time', at: OPENED },
        till: { kind: 'time', at: later(2 * US_PER_SECOND) },
      } as const;
      const trades = await rest.getTradesOfSymbol({ ...asked, ...bounds });
      expect(trades.map(({ price }) => price)).toEqual([d('90.5'), d('110.25')]);
      const { searchParams, pathname } = new URL(`http://x${String(relay.sent[0]).slice(4)}`);
      expect([pathname, Object.fromEntries(searchParams)]).toEqual([
        `${PATH}/trades/BTCUSDT`,
        {
          by: 'timestamp',
          sort: 'ASC',
          limit: '2',
          offset: '1',
          from: '2026-01-05T10:00:00Z',
          till: '2026-01-05T10:00:02Z',
        },
      ]);
      const first = { kind: 'number', value: trades[0]?.id ?? 0 } as const;
      const byId = await rest.getTradesOfSymbol({ symbol: 'BTCUSDT', by: 'id', till: first });
      expect(byId.map(({ price }) => price)).toEqual([d('90.5'), d('100')]);
      expect(relay.sent).toEqual([`GET ${PATH}/trades/BTCUSDT?by=id&till=${first.value}`]);
    },
  );

  test(
    'have id, price, quantity, side and time',
    { tags: ['client:trading-v2.public.trade-record'] },
    async () => {
      const { rest } = await traded();
      expect(await rest.getTradesOfSymbol({ symbol: 'ETHBTC' })).toEqual([
        {
          id: expect.any(Number) as number,
          price: d('0.06'),
          quantity: d('1'),
          side: 'sell',
          timestamp: later(4 * US_PER_SECOND),
        },
      ]);
    },
  );
});

describe('order books', () => {
  async function booked(): Promise<SubscriptionsV2> {
    const subscriptions = await open();
    for (let i = 0; i < 3; i += 1)
      subscriptions.floor.rest('BTCUSDT', 'sell', String(101 + i), '0.01');
    subscriptions.floor.rest('BTCUSDT', 'buy', '99', '1');
    return subscriptions;
  }
  const ask = (price: string) => ({ price: d(price), size: d('0.01') });
  const bid = [{ price: d('99'), size: d('1') }];
  const book = {
    symbol: 'BTCUSDT',
    timestamp: OPENED,
    ask: [ask('101'), ask('102'), ask('103')],
    bid,
  };

  test(
    'are keyed by symbol, which each has too',
    { tags: ['client:trading-v2.public.get-orderbooks'] },
    async () => {
      const { rest, relay } = await booked();
      const all = await rest.getOrderBooks();
      expect(relay.sent).toEqual([`GET ${PATH}/orderbook`]);
      expect(Object.entries(all).map(([key, { symbol }]) => [key, symbol])).toEqual([
        ['BTCUSDT', 'BTCUSDT'],
        ['ETHUSDT', 'ETHUSDT'],
        ['ETHBTC', 'ETHBTC'],
      ]);
      expect(await rest.getOrderBooks({ symbols: ['BTCUSDT'], limit: 0 })).toEqual({
        BTCUSDT: book,
      });
      expect(relay.sent).toEqual([`GET ${PATH}/orderbook?symbols=BTCUSDT&limit=0`]);
    },
  );

  test(
    'are asked for one by one, to a depth where one is given',
    { tags: ['client:trading-v2.public.get-orderbook'] },
    async () => {
      const { rest, relay } = await booked();
      expect(await rest.getOrderBook({ symbol: 'BTCUSDT' })).toEqual(book);
      expect(relay.sent).toEqual([`GET ${PATH}/orderbook/BTCUSDT`]);
      const two = await rest.getOrderBook({ symbol: 'BTCUSDT', limit: 2 });
      expect(two).toEqual({ ...book, ask: [ask('101'), ask('102')] });
      expect(relay.sent).toEqual([`GET ${PATH}/orderbook/BTCUSDT?limit=2`]);
      const { symbol: _, ...bare } = book;
      const levels = { ask: [{ price: '101.000', size: '0.0100' }], bid: [] };
      relay.answer({ ...levels, timestamp: '2026-01-05T10:00:00.123456789Z' });
      expect(await rest.getOrderBook({ symbol: 'BTCUSDT' })).toEqual({
        ...bare,
        ask: [ask('101')],
        bid: [],
        timestamp: OPENED + 123_456,
      });
    },
  );

  test(
    'go to a volume where one is given, and have the average prices',
    { tags: ['client:trading-v2.public.orderbook-volume'] },
    async () => {
      const { rest, relay } = await booked();
      const asked = { symbol: 'BTCUSDT', volume: '0.02', limit: 1 };
      expect(await rest.getOrderBook(asked)).toEqual({
        ...book,
        ask: [ask('101'), ask('102')],
        askAveragePrice: d('101.5'),
        bidAveragePrice: d('99'),
      });
      expect(relay.sent).toEqual([`GET ${PATH}/orderbook/BTCUSDT?limit=1&volume=0.02`]);
    },
  );
});

describe('candles', () => {
  async function charted(): Promise<SubscriptionsV2> {
    const subscriptions = await open();
    for (let i = 0; i < 4; i += 1) {
      subscriptions.floor.trade('BTCUSDT', 'buy', String(100 + i), '0.1');
      subscriptions.floor.venue.pass(15 * US_PER_MINUTE);
    }
    return subscriptions;
  }
  const candle = (minute: number, price: string, volumeQuote: string) => ({
    timestamp: later(minute * US_PER_MINUTE),
    open: d(price),
    close: d(price),
    min: d(price),
    max: d(price),
    volume: d('0.1'),
    volumeQuote: d(volumeQuote),
  });
  const page = { period: 'M15', sort: 'DESC', limit: 2, offset: 1 } as const;
  const bounds = { from: OPENED, till: later(30 * US_PER_MINUTE) };
  const QUERY = `period=M15&sort=DESC&from=${NOW}&till=2026-01-05T10%3A30%3A00Z&limit=2&offset=1`;
  const SOME = [candle(15, '101', '10.1'), candle(0, '100', '10')];

  test(
    'are keyed by symbol, by the parameters that are given',
    { tags: ['client:trading-v2.public.get-candles'] },
    async () => {
      const { rest, relay } = await charted();
      const all = await rest.getCandles();
      expect(relay.sent).toEqual([`GET ${PATH}/candles`]);
      expect(Object.keys(all)).toEqual(['BTCUSDT', 'ETHUSDT', 'ETHBTC']);
      expect(await rest.getCandles({ symbols: ['BTCUSDT'], ...page, ...bounds })).toEqual({
        BTCUSDT: SOME,
      });
      expect(relay.sent).toEqual([`GET ${PATH}/candles?symbols=BTCUSDT&${QUERY}`]);
    },
  );

  test(
    'of a symbol are a list',
    {
      tags: [
        'client:trading-v2.public.get-candles-symbol',
        'client:trading-v2.public.candle-record',
      ],
    },
    async () => {
      const { rest, relay } = await charted();
      const symbol = 'BTCUSDT';
      expect(await rest.getCandlesOfSymbol({ symbol, ...page, ...bounds })).toEqual(SOME);
      expect(relay.sent).toEqual([`GET ${PATH}/candles/BTCUSDT?${QUERY}`]);
      const [half] = await rest.getCandlesOfSymbol({ symbol });
      expect(half).toEqual({
        timestamp: OPENED,
        open: d('100'),
        close: d('101'),
        min: d('100'),
        max: d('101'),
        volume: d('0.2'),
        volumeQuote: d('20.1'),
      });
    },
  );

  test.each(['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const)(
    'may be of %s',
    { tags: ['client:trading-v2.public.period-values'] },
    async (period) => {
      const { rest, relay } = await charted();
      const found = await rest.getCandlesOfSymbol({ symbol: 'BTCUSDT', period });
      expect(relay.sent).toEqual([`GET ${PATH}/candles/BTCUSDT?period=${period}`]);
      const counts: Record<string, number> = { M1: 4, M3: 4, M5: 4, M15: 4, M30: 2 };
      expect(found).toHaveLength(counts[period] ?? 1);
    },
  );

  test('are of no other period', { tags: ['client:trading-v2.public.period-values'] }, async () => {
    const { rest, relay } = await open();
    // @ts-expect-error there is no such period
    const odd = rest.getCandlesOfSymbol({ symbol: 'BTCUSDT', period: 'M2' });
    await expect(odd).rejects.toMatchObject({ code: 'request-invalid', field: 'period' });
    expect(relay.received).toHaveLength(0);
  });
});
