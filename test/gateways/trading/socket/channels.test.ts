import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { micros } from '../../../../src/platform/time.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import { openVenue } from '../../../server/kit.ts';
import { CREDENTIALS, Ear, marketBench } from './listener.ts';
import { Service, until } from './service.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const P = 'client:trading-v3.stream-public';

const MS = 1_700_000_000_123;
const T = micros(MS * 1_000);

const TRADE = `[{"t":${MS},"i":1872478761,"p":"21460.55","q":"0.00105","s":"buy"}]`;
const TRADE_READ = [
  { t: T, i: 1872478761, p: decimal('21460.55'), q: decimal('0.00105'), s: 'buy' },
];
const OHLC = '"o":"1.10","c":"2","h":"2.5","l":"1","v":"10.5","q":"21"';
const OHLC_READ = {
  o: decimal('1.1'),
  c: decimal('2'),
  h: decimal('2.5'),
  l: decimal('1'),
  v: decimal('10.5'),
  q: decimal('21'),
};
const CANDLE = `[{"t":${MS},${OHLC}}]`;
const CANDLE_READ = [{ t: T, ...OHLC_READ }];
const TICKER = `{"t":${MS},"a":"3","A":"0.5","b":"2.9","B":null,${OHLC},"p":"0.9","P":"81.8","L":2241659137}`;
const TICKER_READ = {
  t: T,
  a: decimal('3'),
  A: decimal('0.5'),
  b: decimal('2.9'),
  B: null,
  ...OHLC_READ,
  p: decimal('0.9'),
  P: decimal('81.8'),
  L: 2241659137,
};
const MINI = `{"t":${MS},${OHLC}}`;
const MINI_READ = { t: T, ...OHLC_READ };
const BOOK = `{"t":${MS},"s":27617207,"a":[["0.060506","1.2"],["0.060507","0"]],"b":[["0.060439","4.4095"]]}`;
const BOOK_READ = {
  t: T,
  s: 27617207,
  b: [[decimal('0.060439'), decimal('4.4095')]],
  a: [
    [decimal('0.060506'), decimal('1.2')],
    [decimal('0.060507'), decimal('0')],
  ],
};
const TOP = `{"t":${MS},"a":"3","A":"0.5","b":"2.9","B":"1"}`;
const TOP_READ = {
  t: T,
  a: decimal('3'),
  A: decimal('0.5'),
  b: decimal('2.9'),
  B: decimal('1'),
};
const RATE = `{"t":${MS},"r":"0.06"}`;
const RATE_READ = { t: T, r: decimal('0.06') };
const INFO = `{"contract_type":"perpetual","mark_price":"2000.5","index_price":"2000","open_interest":"1.5","timestamp":"2024-01-02T10:59:40.65Z"}`;
const INFO_READ = expect.objectContaining({
  contract_type: 'perpetual',
  mark_price: decimal('2000.5'),
  index_price: decimal('2000'),
});

interface Case {
  readonly rows: readonly string[];
  readonly ch: string;
  /** Beside the symbols. */
  readonly more?: { readonly limit?: number; readonly target_currency?: string };
  readonly parts: readonly string[];
  readonly payload: string;
  readonly read: unknown;
  readonly channel: object;
}

const DATA = ['data'] as const;
const CHANGES = ['snapshot', 'update'] as const;

const timed = (
  row: string,
  name: string,
  speeds: readonly string[],
  of: { readonly payload: string; readonly read: unknown; readonly channel: object },
): readonly Case[] =>
  speeds.flatMap((speed) =>
    [false, true].map((batch) => ({
      rows: [batch ? `${P}.${row}-batch` : `${P}.${row}`],
      ch: `${name}/${speed}${batch ? '/batch' : ''}`,
      parts: DATA,
      payload: of.payload,
      read: of.read,
      channel: { ...of.channel, speed, batch },
    })),
  );

const TICKS = ['1s', '3s'] as const;
const BOOKS = ['100ms', '500ms', '1000ms'] as const;
const PERIODS = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const;

const CASES: readonly Case[] = [
  {
    rows: [`${P}.trades`],
    ch: 'trades',
    more: { limit: 1_000 },
    parts: CHANGES,
    payload: TRADE,
    read: TRADE_READ,
    channel: { feed: 'trades' },
  },
  ...PERIODS.flatMap((period) => [
    {
      rows: [`${P}.candles`],
      ch: `candles/${period}`,
      more: { limit: 7 },
      parts: CHANGES,
      payload: CANDLE,
      read: CANDLE_READ,
      channel: { feed: 'candles', period },
    },
    {
      rows: [`${P}.converted-candles`],
      ch: `converted/candles/${period}`,
      parts: CHANGES,
      more: { limit: 7, target_currency: 'USDT' },
      payload: CANDLE,
      read: CANDLE_READ,
      channel: { feed: 'converted-candles', period },
    },
  ]),
  {
    rows: [`${P}.orderbook-full`],
    ch: 'orderbook/full',
    parts: CHANGES,
    payload: BOOK,
    read: BOOK_READ,
    channel: { feed: 'book' },
  },
  {
    rows: [`${P}.futures-info`],
    ch: 'futures/info',
    parts: DATA,
    payload: INFO,
    read: INFO_READ,
    channel: { feed: 'futures-info' },
  },
  ...timed('ticker', 'ticker', TICKS, {
    payload: TICKER,
    read: TICKER_READ,
    channel: { feed: 'ticker' },
  }),
  ...timed('ticker-price', 'ticker/price', TICKS, {
    payload: MINI,
    read: MINI_READ,
    channel: { feed: 'mini-ticker' },
  }),
  ...timed('price-rate', 'price/rate', TICKS, {
    payload: RATE,
    read: RATE_READ,
    channel: { feed: 'price-rate' },
  }),
  ...timed('orderbook-top', 'orderbook/top', BOOKS, {
    payload: TOP,
    read: TOP_READ,
    channel: { feed: 'top' },
  }),
  ...['D5', 'D10', 'D20'].flatMap((depth) =>
    timed('orderbook-partial', `orderbook/${depth}`, BOOKS, {
      payload: BOOK,
      read: BOOK_READ,
      channel: { feed: 'partial-book', depth },
    }),
  ),
];

const titled = CASES.map((one) => [one.rows.join(' '), one.ch, one] as const);

describe('a channel is followed and its frames read', () => {
  eachRow('', titled)('%s', async (_, { ch, more = {}, parts, payload, read, channel }) => {
    const service = await Service.open();
    const { socket, ear } = marketBench(service.url);
    await socket.open();
    const isRate = ch.startsWith('price/rate');
    const asked = isRate ? { currencies: ['BTC', 'ETH'] } : { symbols: ['BTC', 'ETH'] };
    const rate = isRate ? { target_currency: 'USDT' } : {};
    expect(await socket.subscribe(ch, { ...asked, ...rate, ...more })).toEqual(['BTC', 'ETH']);
    expect((await service.received('subscribe')).params).toEqual({ ...asked, ...rate, ...more });
    for (const part of parts) {
      service.peer.send(`{"ch":"${ch}","${part}":{"BTC":${payload},"ETH":${payload}}}`);
    }
    await until(() => {
      expect(ear.reported).toHaveLength(parts.length);
    });
    const { feed } = channel as { readonly feed: string };
    const bySymbol = { BTC: read, ETH: read };
    expect(ear.reported).toEqual(
      parts.map((part) => ({ kind: 'data', feed, ch, channel, part, bySymbol })),
    );
    expect(ear.failures).toEqual([]);
  });
});

describe('a request to the market data socket', () => {
  test(
    'names its channel beside the params, and gives the symbols that were taken',
    { tags: [`${P}.subscribe`, `${P}.subscribe-reply`] },
    async () => {
      const service = await Service.open({
        hears: ({ peer, id }) => {
          peer.send(`{"result":{"ch":"trades","subscriptions":["ETHBTC"]},"id":${id}}`);
        },
      });
      const { socket } = marketBench(service.url);
      await socket.open();
      const taken = await socket.subscribe('trades', { symbols: ['ETHBTC', 'NOPE'], limit: 3 });
      expect(taken).toEqual(['ETHBTC']);
      expect((await service.received('subscribe')).text).toBe(
        '{"method":"subscribe","ch":"trades","params":{"symbols":["ETHBTC","NOPE"],"limit":3},"id":1}',
      );
    },
  );

  test(
    'takes a reply only where its id is the number that was sent',
    { tags: [`${P}.subscribe-id-type`] },
    async () => {
      const service = await Service.open({
        hears: ({ peer, id }) => {
          peer.send(`{"result":{"ch":"trades","subscriptions":["OTHER"]},"id":"${id}"}`);
          peer.send(`{"result":{"ch":"trades","subscriptions":["BTCUSDT"]},"id":${id}}`);
        },
      });
      const { socket, ear } = marketBench(service.url);
      await socket.open();
      expect(await socket.subscribe('trades', { symbols: ['BTCUSDT'] })).toEqual(['BTCUSDT']);
      expect(ear.failures).toMatchObject([{ code: 'answer-invalid' }]);
    },
  );

  test(
    'ends what is followed, and lists it',
    { tags: [`${P}.unsubscribe`, `${P}.subscriptions`] },
    async () => {
      const service = await Service.open({
        hears: ({ peer, id, ch }) => {
          peer.send({ result: { ch, subscriptions: ['LEFT'] }, id });
        },
      });
      const { socket } = marketBench(service.url);
      await socket.open();
      expect(await socket.unsubscribe('trades', { symbols: ['ETHBTC'] })).toEqual(['LEFT']);
      expect(await socket.subscriptions('trades')).toEqual(['LEFT']);
      expect(service.asked.map(({ text }) => text)).toEqual([
        '{"method":"unsubscribe","ch":"trades","params":{"symbols":["ETHBTC"]},"id":1}',
        '{"method":"subscriptions","ch":"trades","params":{},"id":2}',
      ]);
    },
  );

  test('that is rejected is reported with its code', async () => {
    const service = await Service.open({
      hears: (asked) => {
        asked.peer.refuse(asked, 2001, 'Symbol not found', 'NOPE is not traded');
      },
    });
    const { socket } = marketBench(service.url);
    await socket.open();
    await expect(socket.subscribe('trades', { symbols: ['NOPE'] })).rejects.toMatchObject({
      code: 'service-refused',
      serviceCode: 2001,
      description: 'NOPE is not traded',
    });
  });

  test('that does not fit is not sent, and not remembered', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    const wrong = { symbols: ['BTCUSDT'], limit: 5_000 };
    const invalid = { code: 'request-invalid', field: 'limit' };
    await expect(socket.subscribe('trades', wrong)).rejects.toMatchObject(invalid);
    await expect(socket.unsubscribe('trades', wrong)).rejects.toMatchObject(invalid);
    service.peer.raw.terminate();
    await ear.hears('lost');
    pass(1_000_000);
    await ear.hears('live', 2);
    expect([service.asked, ear.failures]).toEqual([[], []]);
  });

  test('may be about every symbol', { tags: [`${P}.all-symbols`] }, async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    await socket.subscribe('ticker/1s', { symbols: ['*'] });
    service.peer.raw.terminate();
    await ear.hears('lost');
    pass(1_000_000);
    await ear.hears('live', 2);
    for (const { params } of service.asked) expect(params).toEqual({ symbols: ['*'] });
    expect(service.asked).toHaveLength(2);
  });

  test('needs no login', { tags: [`${P}.no-auth`] }, async () => {
    const venue = await openVenue();
    const { socket } = marketBench(venue.base.replace('http', 'ws'));
    await socket.open();
    expect(await socket.subscribe('trades', { symbols: ['BTCUSDT'] })).toEqual(['BTCUSDT']);
  });
});

describe('a frame of market data', () => {
  test(
    'is offered to a fast reader first, as it came and when',
    { tags: [`${P}.envelope`] },
    async () => {
      const service = await Service.open();
      const { socket, ear, clock } = marketBench(service.url);
      const raw: unknown[][] = [];
      Object.assign(ear, {
        raw: (frame: string, receivedAt: number) => {
          raw.push([frame, receivedAt]);
          return frame.includes('update');
        },
      });
      await socket.open();
      const frames = ['snapshot', 'update', 'update'].map(
        (part) => `{"ch":"trades","${part}":{"BTCUSDT":${TRADE}}}`,
      );
      for (const frame of frames) service.peer.send(frame);
      await socket.subscribe('trades', { symbols: ['BTCUSDT'] });
      expect(raw).toEqual(frames.map((frame) => [frame, clock.now()]));
      expect(ear.reported).toMatchObject([{ part: 'snapshot', bySymbol: { BTCUSDT: TRADE_READ } }]);
    },
  );

  test.each([
    ['of a channel that nobody knows', '{"ch":"gossip","data":{}}', /"gossip" is no channel/],
    ['without a part', '{"ch":"trades","BTCUSDT":[]}', /snapshot, update or data/],
    ['with a trade that is none', '{"ch":"trades","update":{"BTCUSDT":[{}]}}', /BTCUSDT\[0\]\.t/],
  ])('%s is reported and breaks nothing', async (_, frame, reported) => {
    const service = await Service.open();
    const { socket, ear } = marketBench(service.url);
    await socket.open();
    service.peer.send(frame);
    await socket.subscribe('trades', { symbols: ['BTCUSDT'] });
    expect(ear.failures).toMatchObject([
      { code: 'answer-invalid', message: expect.stringMatching(reported) },
    ]);
  });

  test(
    'has the levels of a book in their order, as exact numbers',
    { tags: [`${P}.book-order`] },
    async () => {
      const service = await Service.open();
      const { socket, ear } = marketBench(service.url);
      await socket.open();
      const asks = '[["100.10","1"],["100.20","2"]]';
      const bids = '[["100.05","3"],["99.90","4"]]';
      const book = `{"t":${MS},"s":7,"a":${asks},"b":${bids}}`;
      service.peer.send(`{"ch":"orderbook/full","snapshot":{"BTCUSDT":${book}}}`);
      await socket.subscribe('orderbook/full', { symbols: ['BTCUSDT'] });
      const levels = (...given: readonly (readonly [string, string])[]) =>
        given.map(([price, quantity]) => [decimal(price), decimal(quantity)]);
      const a = levels(['100.1', '1'], ['100.2', '2']);
      const b = levels(['100.05', '3'], ['99.9', '4']);
      expect(ear.reported).toMatchObject([{ bySymbol: { BTCUSDT: { t: T, s: 7, a, b } } }]);
    },
  );

  test(
    'emits the open candle again at each change',
    { tags: [`${P}.candles-open-bar`] },
    async () => {
      const service = await Service.open();
      const { socket, ear } = marketBench(service.url);
      await socket.open();
      for (const close of ['2', '2.1']) {
        const bar = CANDLE.replace('"c":"2"', `"c":"${close}"`);
        service.peer.send(`{"ch":"candles/M1","update":{"BTCUSDT":${bar}}}`);
      }
      await socket.subscribe('candles/M1', { symbols: ['BTCUSDT'] });
      expect(ear.reported).toMatchObject([
        { bySymbol: { BTCUSDT: [{ t: T, c: decimal('2') }] } },
        { bySymbol: { BTCUSDT: [{ t: T, c: decimal('2.1') }] } },
      ]);
    },
  );
});

test(
  'a client knows the addresses of the sockets',
  { tags: ['client:trading-v3.conv.stream-addresses'] },
  async () => {
    const service = await Service.open();
    const url = service.url.replace('ws', 'http');
    const client = new TradingClient({ url, credentials: CREDENTIALS });
    await client.marketSocket(new Ear()).open();
    await client.tradingSocket(new Ear()).open();
    await client.walletSocket(new Ear()).open();
    expect(service.peers.map(({ path }) => path)).toEqual([
      '/api/3/ws/public',
      '/api/3/ws/trading',
      '/api/3/ws/wallet',
    ]);
    await client.close();
  },
);
