import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { PERIODS } from '../../../src/model/period.ts';
import { decode, encode } from '../../../src/wire/trading/decoding.ts';
import {
  CHANNELS,
  hasSnapshot,
  readChannel,
  SPEED_MS,
  takesAll,
} from '../../../src/wire/trading/v3/streams/channels.ts';
import {
  marketFrame,
  marketFrameOf,
  marketRequestFrame,
  PAYLOADS,
  readMarketFrame,
  subscription,
} from '../../../src/wire/trading/v3/streams/market.ts';
import { timeOfMs } from '../../../src/wire/time.ts';
import { plain } from './arbitrary.ts';

/** The channels as the wire facts list them, section 1. */
const LISTED: readonly string[] = [
  'trades',
  'orderbook/full',
  'futures/info',
  ...PERIODS.flatMap((period) => [`candles/${period}`, `converted/candles/${period}`]),
  ...['', '/batch'].flatMap((batch) => [
    ...['1s', '3s'].flatMap((speed) => [
      `ticker/${speed}${batch}`,
      `ticker/price/${speed}${batch}`,
      `price/rate/${speed}${batch}`,
    ]),
    ...['100ms', '500ms', '1000ms'].flatMap((speed) => [
      `orderbook/top/${speed}${batch}`,
      ...['D5', 'D10', 'D20'].map((depth) => `orderbook/${depth}/${speed}${batch}`),
    ]),
  ]),
];

describe('channels', () => {
  test('are those that the facts list', () => {
    expect([...CHANNELS.keys()].sort()).toEqual([...LISTED].sort());
    expect(new Set([...CHANNELS.values()].map((channel) => JSON.stringify(channel))).size).toBe(
      LISTED.length,
    );
  });

  test.each([
    ['ticker/1s/batch', { feed: 'ticker', speed: '1s', batch: true }],
    ['ticker/price/3s', { feed: 'mini-ticker', speed: '3s', batch: false }],
    [
      'orderbook/D10/500ms/batch',
      { feed: 'partial-book', depth: 'D10', speed: '500ms', batch: true },
    ],
    ['candles/1M', { feed: 'candles', period: '1M' }],
  ])('%s means %j', (name, channel) => {
    expect(readChannel(name)).toEqual({ kind: 'ok', value: channel });
  });

  test.each([undefined, '', 'Trades', 'ticker', 'ticker/2s', 'orderbook/D7/100ms', 'candles/M2'])(
    '%s is none',
    (name) => {
      expect(readChannel(name)).toMatchObject({ fault: { code: 10001, member: 'ch' } });
    },
  );

  test('trades, candles and the full book begin with a snapshot; the rest can be had for all', () => {
    const feeds = [...new Set([...CHANNELS.values()].map(({ feed }) => feed))];
    expect(feeds.filter(hasSnapshot).sort()).toEqual([
      'book',
      'candles',
      'converted-candles',
      'trades',
    ]);
    expect(feeds.every((feed) => hasSnapshot(feed) !== takesAll(feed))).toBe(true);
    expect(SPEED_MS['500ms']).toBe(500);
  });
});

/** The frames that the wire facts show, as text. */
const SAMPLES: readonly (readonly [string, string, object])[] = [
  [
    '{"ch":"orderbook/full","snapshot":{"ETHBTC":{"t":1700000000123,"s":27617207,"a":[["0.060506","1.2"]],"b":[["0.060439","4.4095"]]}}}',
    'book',
    {
      ETHBTC: {
        t: 1_700_000_000_123_000,
        s: 27_617_207,
        a: [['decimal 0.060506', 'decimal 1.2']],
        b: [['decimal 0.060439', 'decimal 4.4095']],
      },
    },
  ],
  [
    '{"ch":"orderbook/full","update":{"ETHBTC":{"t":1700000000625,"s":27617208,"a":[["0.060506","0"]],"b":[]}}}',
    'book',
    {
      ETHBTC: {
        t: 1_700_000_000_625_000,
        s: 27_617_208,
        a: [['decimal 0.060506', 'decimal 0']],
        b: [],
      },
    },
  ],
  [
    '{"ch":"ticker/1s","data":{"BTCUSDT":{"t":1700000001000,"a":"29978.74","A":"0.02000","b":"29975.41","B":"0.00146","o":"29145.13","c":"29979.15","h":"29985.00","l":"29140.50","v":"1595.07192","q":"47056772.95","p":"834.02","P":"2.8616","L":2241659137}}}',
    'ticker',
    { BTCUSDT: expect.objectContaining({ A: 'decimal 0.02', L: 2_241_659_137 }) },
  ],
  [
    '{"ch":"trades","update":{"BTCUSDT":[{"t":1700000001001,"i":1872478761,"p":"21460.55","q":"0.00105","s":"buy"}]}}',
    'trades',
    {
      BTCUSDT: [
        {
          t: 1_700_000_001_001_000,
          i: 1_872_478_761,
          p: 'decimal 21460.55',
          q: 'decimal 0.00105',
          s: 'buy',
        },
      ],
    },
  ],
];

describe('market data', () => {
  test.each(SAMPLES)('%s is read', (frame, feed, bySymbol) => {
    const read = readMarketFrame(frame);
    expect(read).toMatchObject({ kind: 'data', feed });
    expect(read.kind === 'data' ? plain(read.bySymbol) : read).toEqual(bySymbol);
  });

  test('is written as it is shown: ch first, one payload second, text at its scale', () => {
    const t = timeOfMs(1_700_000_000_123);
    if (t === undefined) throw new Error('it is a time');
    const book = { t, s: 27_617_207, a: [['0.060506', decimal('1.2')]] as const, b: [] };
    expect(marketFrame('orderbook/full', 'snapshot', { ETHBTC: encode(PAYLOADS.book, book) })).toBe(
      '{"ch":"orderbook/full","snapshot":{"ETHBTC":{"t":1700000000123,"s":27617207,"a":[["0.060506","1.2"]],"b":[]}}}',
    );
  });

  test('is written from text too, of many symbols in one frame', () => {
    const records = [
      ['BTCUSDT', '{"t":1}'],
      ['A"B', '{"t":2}'],
    ] as const;
    expect(marketFrameOf('ticker/1s/batch', 'data', records)).toBe(
      '{"ch":"ticker/1s/batch","data":{"BTCUSDT":{"t":1},"A\\"B":{"t":2}}}',
    );
  });

  test('of rates and the short ticker too', () => {
    const rate = readMarketFrame('{"ch":"price/rate/1s/batch","data":{"BTC":{"t":1,"r":"3.50"}}}');
    expect(rate).toMatchObject({ feed: 'price-rate', part: 'data' });
    const mini = readMarketFrame(
      '{"ch":"ticker/price/1s","data":{"BTCUSDT":{"t":1,"o":null,"c":"1","h":"1","l":"1","v":"0"}}}',
    );
    expect(mini.kind === 'data' ? plain(mini.bySymbol) : mini).toEqual({
      BTCUSDT: {
        t: 1_000,
        o: null,
        c: 'decimal 1',
        h: 'decimal 1',
        l: 'decimal 1',
        v: 'decimal 0',
      },
    });
  });

  test.each([
    ['{', ''],
    ['[]', ''],
    ['{"ch":"nowhere","data":{}}', 'ch'],
    ['{"ch":5,"data":{}}', 'ch'],
    ['{"ch":"trades"}', 'ch'],
    [
      '{"ch":"trades","update":{"BTCUSDT":[{"t":1,"i":1,"p":"x","q":"1","s":"buy"}]}}',
      'BTCUSDT[0].p',
    ],
    ['{"ch":"orderbook/full","update":{"A":{"t":1,"s":-1,"a":[],"b":[]}}}', 'A.s'],
    ['{"jsonrpc":"2.0","method":"spot_order","params":{}}', 'ch'],
    ['{"result":{"ch":"trades"},"id":1}', 'subscriptions'],
  ])('%s is none, for its %s', (frame, member) => {
    const read = readMarketFrame(frame);
    expect(read).toMatchObject({ kind: 'unknown', fault: { code: 10001 } });
    if (member !== '') expect(read).toMatchObject({ fault: { member } });
  });
});

describe('subscriptions', () => {
  test('are asked for with ch beside the params', () => {
    const params = { symbols: ['ETHBTC', 'BTCUSDT'], limit: 3 };
    expect(marketRequestFrame('subscribe', 'trades', params, 123)).toBe(
      '{"method":"subscribe","ch":"trades","params":{"symbols":["ETHBTC","BTCUSDT"],"limit":3},"id":123}',
    );
  });

  test('are answered with what is subscribed, without jsonrpc', () => {
    const frame = '{"result":{"ch":"trades","subscriptions":["ETHBTC","BTCUSDT"]},"id":123}';
    expect(readMarketFrame(frame)).toEqual({
      kind: 'subscriptions',
      ch: 'trades',
      subscriptions: ['ETHBTC', 'BTCUSDT'],
      id: 123,
    });
    expect(readMarketFrame('{"result":{"ch":"trades","subscriptions":[]}}')).toEqual({
      kind: 'subscriptions',
      ch: 'trades',
      subscriptions: [],
    });
  });

  test('are refused by an error', () => {
    const frame =
      '{"jsonrpc":"2.0","error":{"code":2001,"message":"Symbol not found","description":"..."},"id":123}';
    expect(readMarketFrame(frame)).toMatchObject({
      kind: 'error',
      error: { code: 2001, message: 'Symbol not found' },
      id: 123,
    });
  });

  test.each([
    [0, true],
    [1_000, true],
    [1_001, false],
    [-1, false],
  ])('a history of %i entries may be asked for: %s', (limit, passes) => {
    expect(decode(subscription, { symbols: ['*'], limit }).kind === 'ok').toBe(passes);
  });

  test('have no history unless asked for, and ignore what they do not know', () => {
    expect(
      decode(subscription, { currencies: ['*'], target_currency: 'BTC', speed: '1s' }),
    ).toEqual({ kind: 'ok', value: { currencies: ['*'], target_currency: 'BTC', limit: 0 } });
  });
});
