import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { US_PER_DAY, US_PER_MS, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/time.ts';
import { openVenue, OPENED, type TestSocket } from '../kit.ts';
import { MarketHarness, forget, receivedOn } from './harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const MS = OPENED / 1_000;

interface Stand {
  readonly floor: MarketHarness;
  readonly socket: TestSocket;
}

/** A socket at a venue with a book and a trade in BTCUSDT. */
async function open(): Promise<Stand> {
  const floor = new MarketHarness(await openVenue());
  floor.trade('BTCUSDT', 'buy', '100', '0.5');
  floor.rest('BTCUSDT', 'sell', '102', '2');
  floor.rest('BTCUSDT', 'buy', '98', '3');
  return { floor, socket: await floor.venue.socket('/api/3/ws/public') };
}

const subscribe = (socket: TestSocket, ch: string, params: object) =>
  socket.request('subscribe', params, { ch });

const TOP = { a: '102.00', A: '2.00000', b: '98.00', B: '3.00000' };
const MINI = { o: '100.00', c: '100.00', h: '100.00', l: '100.00', v: '0.50000', q: '50' };
const PARTIAL = { a: [['102.00', '2.00000']], b: [['98.00', '3.00000']] };

/** Of each channel what it tells of BTCUSDT at first, and its interval in milliseconds. */
const FIRST: readonly (readonly [row: string, ch: string, everyMs: number, first: object])[] = [
  ...(['1s', '3s'] as const).flatMap((speed) => {
    const ms = speed === '1s' ? 1_000 : 3_000;
    const ticker = { ...TOP, ...MINI, p: '0.00', P: '0', L: expect.any(Number) as number };
    return [
      ['ticker', `ticker/${speed}`, ms, ticker],
      ['ticker-price', `ticker/price/${speed}`, ms, MINI],
    ] as const;
  }),
  ...(['100ms', '500ms', '1000ms'] as const).flatMap((speed) => {
    const ms = Number.parseInt(speed, 10);
    const partial = { s: 4, ...PARTIAL };
    return [
      ['orderbook-top', `orderbook/top/${speed}`, ms, TOP],
      ['orderbook-partial', `orderbook/D5/${speed}`, ms, partial],
      ['orderbook-partial', `orderbook/D10/${speed}`, ms, partial],
      ['orderbook-partial', `orderbook/D20/${speed}`, ms, partial],
    ] as const;
  }),
];

describe('channels that look from time to time', () => {
  eachRow('server:trading-v3.stream-public.', FIRST)(
    '%s tells what there is, and what has changed every %d ms',
    async (ch, everyMs, first) => {
      const { floor, socket } = await open();
      floor.venue.pass(everyMs * US_PER_MS - 20 * US_PER_MS);
      await subscribe(socket, ch, { symbols: ['BTCUSDT'] });
      await socket.settle();
      const [, beginning] = socket.frames;
      expect(beginning).toEqual({
        ch,
        data: { BTCUSDT: { t: expect.any(Number) as number, ...first } },
      });
      floor.rest('BTCUSDT', 'sell', '101', '1');
      floor.trade('BTCUSDT', 'buy', '100.5', '0.1');
      floor.venue.pass(19 * US_PER_MS);
      await socket.settle();
      expect(receivedOn(socket, ch)).toHaveLength(1);
      floor.venue.pass(US_PER_MS);
      await socket.settle();
      expect(receivedOn(socket, ch)).toHaveLength(2);
      const [, changed] = receivedOn(socket, ch) as readonly { data: { BTCUSDT: object } }[];
      const members = Object.keys(changed?.data.BTCUSDT ?? {});
      expect(members.sort()).toEqual(['t', ...Object.keys(first)].sort());
      expect(changed?.data.BTCUSDT).not.toMatchObject(first);
      floor.venue.pass(3 * everyMs * US_PER_MS);
      await socket.settle();
      expect(receivedOn(socket, ch)).toHaveLength(2);
    },
  );

  const BATCHED = [
    ['ticker-batch', 'ticker/1s/batch'],
    ['ticker-batch', 'ticker/3s/batch'],
    ['ticker-price-batch', 'ticker/price/1s/batch'],
    ['ticker-price-batch', 'ticker/price/3s/batch'],
    ['orderbook-top-batch', 'orderbook/top/100ms/batch'],
    ['orderbook-top-batch', 'orderbook/top/500ms/batch'],
    ['orderbook-top-batch', 'orderbook/top/1000ms/batch'],
    ['orderbook-partial-batch', 'orderbook/D5/100ms/batch'],
    ['orderbook-partial-batch', 'orderbook/D10/500ms/batch'],
    ['orderbook-partial-batch', 'orderbook/D20/1000ms/batch'],
  ] as const;

  eachRow('server:trading-v3.stream-public.', BATCHED)(
    '%s tells of all symbols in one frame',
    async (ch) => {
      const { floor, socket } = await open();
      await subscribe(socket, ch, { symbols: ['BTCUSDT', 'ETHUSDT', 'ETHBTC'] });
      floor.trade('BTCUSDT', 'buy', '101', '0.1');
      floor.rest('BTCUSDT', 'buy', '99', '0.1');
      floor.trade('ETHBTC', 'buy', '0.05', '0.1');
      floor.rest('ETHBTC', 'buy', '0.04', '0.1');
      floor.venue.pass(3 * US_PER_SECOND);
      await socket.settle();
      const frames = receivedOn(socket, ch) as readonly { data: object }[];
      expect(frames.map(({ data }) => Object.keys(data))).toEqual([
        ['BTCUSDT', 'ETHUSDT', 'ETHBTC'],
        ['BTCUSDT', 'ETHBTC'],
      ]);
      const plain = ch.replace('/batch', '');
      await subscribe(socket, plain, { symbols: ['ETHBTC'] });
      await socket.settle();
      const [single] = receivedOn(socket, plain) as readonly { data: { ETHBTC: object } }[];
      // The sequence counts the messages of each channel.
      const { t: _t, s: _s, ...content } = single?.data.ETHBTC as { t: number; s: number };
      expect(frames[1]?.data).toMatchObject({ ETHBTC: content });
    },
  );

  test(
    'not in batches there is a frame for each symbol',
    { tags: ['server:trading-v3.stream-public.batch-framing'] },
    async () => {
      const { floor, socket } = await open();
      const symbols = (ch: string) =>
        (receivedOn(socket, ch) as readonly { data: object }[]).map(({ data }) =>
          Object.keys(data),
        );
      for (const ch of ['orderbook/top/100ms', 'orderbook/top/100ms/batch']) {
        await subscribe(socket, ch, { symbols: ['BTCUSDT', 'ETHBTC'] });
      }
      floor.rest('BTCUSDT', 'buy', '99', '0.1');
      floor.rest('ETHBTC', 'buy', '0.04', '0.1');
      floor.venue.pass(100 * US_PER_MS);
      await socket.settle();
      expect(symbols('orderbook/top/100ms')).toEqual([
        ['BTCUSDT'],
        ['ETHBTC'],
        ['BTCUSDT'],
        ['ETHBTC'],
      ]);
      expect(symbols('orderbook/top/100ms/batch')).toEqual([
        ['BTCUSDT', 'ETHBTC'],
        ['BTCUSDT', 'ETHBTC'],
      ]);
    },
  );

  test('a batch has only what a socket follows', async () => {
    const { floor, socket } = await open();
    const ch = 'orderbook/top/100ms/batch';
    const second = await floor.venue.socket('/api/3/ws/public');
    const third = await floor.venue.socket('/api/3/ws/public');
    await subscribe(socket, ch, { symbols: ['*'] });
    await subscribe(second, ch, { symbols: ['ETHBTC'] });
    await subscribe(third, ch, { symbols: ['ETHUSDT'] });
    forget(socket);
    forget(second);
    forget(third);
    floor.rest('BTCUSDT', 'buy', '99', '0.1');
    floor.rest('ETHBTC', 'buy', '0.04', '0.1');
    floor.venue.pass(100 * US_PER_MS);
    await Promise.all([socket.settle(), second.settle(), third.settle()]);
    expect(socket.frames).toMatchObject([{ data: { BTCUSDT: {}, ETHBTC: {} } }]);
    expect(second.frames).toMatchObject([{ data: { ETHBTC: {} } }]);
    expect(Object.keys(second.frames[0]?.['data'] as object)).toEqual(['ETHBTC']);
    expect(third.frames).toEqual([]);
  });

  test.each([
    ['ticker/1s', 4],
    ['ticker/price/3s/batch', 4],
    ['orderbook/top/100ms', 4],
    ['orderbook/D5/1000ms', 4],
    ['futures/info', 1],
  ])(
    '%s takes * for its %d symbols',
    { tags: ['server:trading-v3.stream-public.all-symbols'] },
    async (ch, count) => {
      const { socket } = await open();
      const { result } = await subscribe(socket, ch, { symbols: ['*'] });
      expect((result as { subscriptions: string[] }).subscriptions).toHaveLength(count);
      await socket.settle();
      const data = receivedOn(socket, ch).map((frame) => frame['data'] as object);
      expect(Object.keys(Object.assign({}, ...data) as object)).toHaveLength(count);
      expect(await socket.request('unsubscribe', { symbols: ['*'] }, { ch })).toMatchObject({
        result: { subscriptions: [] },
      });
    },
  );

  test('what is not known is null', async () => {
    const { socket } = await open();
    await subscribe(socket, 'ticker/1s', { symbols: ['ETHBTC'] });
    await socket.settle();
    const nothing = { a: null, A: null, b: null, B: null, c: null, o: null, h: null, l: null };
    expect(receivedOn(socket, 'ticker/1s')).toEqual([
      {
        ch: 'ticker/1s',
        data: { ETHBTC: { t: MS, ...nothing, v: '0.0000', q: '0', p: null, P: null, L: null } },
      },
    ]);
  });

  test('a ticker has the change in 24 hours, which changes with time alone', async () => {
    const { floor, socket } = await open();
    await floor.pass(US_PER_SECOND, socket);
    floor.trade('BTCUSDT', 'sell', '99', '0.5');
    floor.venue.pass(US_PER_DAY - 2 * US_PER_SECOND);
    const later = await floor.venue.socket('/api/3/ws/public');
    await subscribe(later, 'ticker/1s', { symbols: ['BTCUSDT'] });
    floor.venue.pass(US_PER_SECOND);
    floor.venue.pass(US_PER_SECOND);
    await later.settle();
    expect(receivedOn(later, 'ticker/1s')).toMatchObject([
      { data: { BTCUSDT: { o: '100.00', c: '99.00', p: '-1.00', P: '-1', v: '1.00000' } } },
      { data: { BTCUSDT: { h: '99.00', v: '0.50000', q: '49.5' } } },
      { data: { BTCUSDT: { o: '99.00', p: '0.00', P: '0', v: '0.00000', q: '0' } } },
    ]);
  });

  test('a level beyond the depth that is shown is no news', async () => {
    const { floor, socket } = await open();
    for (let i = 0; i < 5; i += 1) floor.rest('BTCUSDT', 'sell', String(103 + i), '1');
    await subscribe(socket, 'orderbook/D5/100ms', { symbols: ['BTCUSDT'] });
    floor.rest('BTCUSDT', 'sell', '107', '1');
    floor.venue.pass(100 * US_PER_MS);
    floor.rest('BTCUSDT', 'sell', '106', '1');
    floor.venue.pass(100 * US_PER_MS);
    await socket.settle();
    expect(receivedOn(socket, 'orderbook/D5/100ms')).toMatchObject([
      { data: { BTCUSDT: { s: 9, a: { length: 5 } } } },
      { data: { BTCUSDT: { s: 10, a: { length: 5, 4: ['106.00', '2.00000'] } } } },
    ]);
  });

  test('the sequence of a partial book rises by one with each message, for whoever joins when', async () => {
    const { floor, socket } = await open();
    const ch = 'orderbook/D5/100ms';
    const sequences = (one: TestSocket) =>
      (receivedOn(one, ch) as readonly { data: { BTCUSDT: { s: number } } }[]).map(
        ({ data }) => data.BTCUSDT.s,
      );
    const change = (look: number) => {
      for (let i = 0; i <= look; i += 1) floor.rest('BTCUSDT', 'buy', String(90 - look - i), '1');
      floor.venue.pass(100 * US_PER_MS);
    };
    await subscribe(socket, ch, { symbols: ['BTCUSDT'] });
    change(0);
    change(1);
    const second = await floor.venue.socket('/api/3/ws/public');
    floor.rest('BTCUSDT', 'buy', '91', '1');
    await subscribe(second, ch, { symbols: ['BTCUSDT'] });
    change(-1);
    change(2);
    await Promise.all([socket.settle(), second.settle()]);
    const [first = Number.NaN] = sequences(socket);
    expect(sequences(socket)).toEqual([0, 1, 2, 3, 4].map((step) => first + step));
    expect(sequences(second)).toEqual([2, 3, 4].map((step) => first + step));
  });

  test('a subscriber that joins between two updates gets the next one even where nothing changed', async () => {
    const { floor, socket } = await open();
    const ch = 'orderbook/top/1000ms';
    await subscribe(socket, ch, { symbols: ['BTCUSDT'] });
    const order = floor.rest('BTCUSDT', 'buy', '99', '1');
    const second = await floor.venue.socket('/api/3/ws/public');
    await subscribe(second, ch, { symbols: ['BTCUSDT'] });
    floor.cancel('demo', order);
    floor.venue.pass(US_PER_SECOND);
    await Promise.all([socket.settle(), second.settle()]);
    const bids = (one: TestSocket) =>
      (receivedOn(one, ch) as readonly { data: { BTCUSDT: { b: string } } }[]).map(
        ({ data }) => data.BTCUSDT.b,
      );
    expect(bids(second)).toEqual(['99.00', '98.00']);
    expect(bids(socket)).toEqual(['98.00', '98.00']);
  });
});

describe('rates', () => {
  async function rated(): Promise<Stand> {
    const stand = await open();
    stand.floor.rest('ETHUSDT', 'buy', '1999', '0.1');
    stand.floor.rest('ETHUSDT', 'sell', '2001', '0.1');
    return stand;
  }

  test.each(['1s', '3s'])(
    'of currencies come as price/rate/%s',
    { tags: ['server:trading-v3.stream-public.price-rate'] },
    async (speed) => {
      const { floor, socket } = await rated();
      const ch = `price/rate/${speed}`;
      const params = { currencies: ['ETH', 'BTC'], target_currency: 'USDT', speed };
      expect(await subscribe(socket, ch, params)).toMatchObject({
        result: { ch, subscriptions: ['ETH', 'BTC'] },
      });
      floor.rest('ETHUSDT', 'buy', '2000', '0.1');
      floor.venue.pass(3 * US_PER_SECOND);
      await socket.settle();
      const t = speed === '1s' ? MS + 1_000 : MS + 3_000;
      expect(receivedOn(socket, ch)).toEqual([
        { ch, data: { ETH: { t: MS, r: '2000' } } },
        { ch, data: { BTC: { t: MS, r: '100' } } },
        { ch, data: { ETH: { t, r: '2000.5' } } },
      ]);
    },
  );

  test.each(['1s', '3s'])(
    'of many currencies come in one frame as price/rate/%s/batch',
    { tags: ['server:trading-v3.stream-public.price-rate-batch'] },
    async (speed) => {
      const { floor, socket } = await rated();
      const ch = `price/rate/${speed}/batch`;
      const asked = { currencies: ['*'], target_currency: 'USDT' };
      // A currency in itself is always 1, and left out.
      expect(await subscribe(socket, ch, asked)).toMatchObject({
        result: { subscriptions: ['BTC', 'ETH'] },
      });
      floor.rest('ETHUSDT', 'buy', '2000', '0.1');
      floor.rest('BTCUSDT', 'buy', '99', '0.1');
      floor.venue.pass(3 * US_PER_SECOND);
      await socket.settle();
      expect(receivedOn(socket, ch)).toMatchObject([
        { data: { ETH: { r: '2000' }, BTC: { r: '100' } } },
        { data: { ETH: { r: '2000.5' }, BTC: { r: '100.5' } } },
      ]);
    },
  );

  test('another target currency on the same channel ends what was followed in the first', async () => {
    const { floor, socket } = await rated();
    const ch = 'price/rate/1s';
    await subscribe(socket, ch, { currencies: ['ETH', 'BTC'] });
    await subscribe(socket, ch, { currencies: ['ETH'], target_currency: 'BTC' });
    expect(await socket.request('subscriptions', {}, { ch })).toMatchObject({
      result: { subscriptions: ['ETH'] },
    });
    forget(socket);
    floor.rest('ETHUSDT', 'buy', '2000', '0.1');
    floor.rest('ETHBTC', 'buy', '0.04', '0.1');
    floor.rest('ETHBTC', 'sell', '0.06', '0.1');
    floor.venue.pass(2 * US_PER_SECOND);
    await socket.settle();
    expect(socket.frames).toMatchObject([{ ch, data: { ETH: { r: '0.05' } } }]);
  });

  test('a rate that is unknown is not sent before it is known', async () => {
    const { floor, socket } = await open();
    const ch = 'price/rate/1s';
    await subscribe(socket, ch, { currencies: ['ETH'] });
    floor.venue.pass(US_PER_SECOND);
    await socket.settle();
    expect(receivedOn(socket, ch)).toEqual([]);
    floor.rest('ETHUSDT', 'buy', '1999', '0.1');
    floor.rest('ETHUSDT', 'sell', '2001', '0.1');
    floor.venue.pass(US_PER_SECOND);
    await socket.settle();
    expect(receivedOn(socket, ch)).toMatchObject([{ data: { ETH: { r: '2000' } } }]);
  });
});

describe('futures', () => {
  test(
    'come as the record of REST, every second that something has changed',
    { tags: ['server:trading-v3.stream-public.futures-info'] },
    async () => {
      const { floor, socket } = await open();
      const { trading } = floor.venue;
      const ch = 'futures/info';
      const index = trading.exchange.instrument('ETHUSDT_PERP');
      trading.act((exchange, now) => {
        exchange.margin.index(index, decimal('2000'), now);
      });
      await subscribe(socket, ch, { symbols: ['ETHUSDT_PERP'] });
      await socket.settle();
      const record = await floor.get('/api/3/public/futures/info/ETHUSDT_PERP');
      expect(receivedOn(socket, ch)).toEqual([{ ch, data: { ETHUSDT_PERP: record } }]);
      trading.act((exchange, now) => {
        exchange.margin.index(index, decimal('2100'), now);
      });
      floor.venue.pass(US_PER_SECOND);
      await socket.settle();
      expect(receivedOn(socket, ch).slice(1)).toMatchObject([
        {
          data: {
            ETHUSDT_PERP: {
              index_price: '2100.000',
              timestamp: isoText((OPENED + US_PER_SECOND) as typeof OPENED),
            },
          },
        },
      ]);
    },
  );
});

describe('keeping alive', () => {
  test(
    'the venue pings within thirty seconds, and answers pings',
    { tags: ['server:trading-v3.stream-public.keepalive-ping'] },
    async () => {
      const { floor, socket } = await open();
      let pings = 0;
      socket.raw.on('ping', () => {
        pings += 1;
      });
      await floor.pass(30 * US_PER_SECOND, socket);
      expect(pings).toBe(1);
      await socket.settle();
      await floor.pass(30 * US_PER_SECOND, socket);
      expect(pings).toBe(2);
    },
  );

  test('a socket that closes leaves nothing behind: nobody follows the market any more', async () => {
    const { floor, socket } = await open();
    const { market } = floor.venue.trading.news;
    const { size } = market;
    const params = { symbols: ['BTCUSDT'], target_currency: 'USDT', currencies: ['BTC'] };
    for (const ch of ['trades', 'candles/M1', 'orderbook/full', 'ticker/1s', 'price/rate/1s']) {
      await subscribe(socket, ch, params);
    }
    await subscribe(socket, 'converted/candles/M1', params);
    expect(market.size).toBe(size + 1);
    expect(floor.venue.scheduler.nextAt).toBe(OPENED + US_PER_SECOND);
    socket.raw.close();
    await socket.closed;
    await expect.poll(() => market.size).toBe(size);
    floor.venue.pass(US_PER_SECOND);
    expect(floor.venue.scheduler.nextAt).toBeGreaterThan(OPENED + 5 * US_PER_SECOND);
  });
});
