import { describe, expect, test } from 'vitest';
import { US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { openVenue, OPENED, type TestSocket } from '../kit.ts';
import { MarketHarness, forget, receivedOn } from './harness.ts';

const MS = OPENED / 1_000;

interface Stand {
  readonly floor: MarketHarness;
  readonly socket: TestSocket;
}

async function open(): Promise<Stand> {
  const venue = await openVenue();
  return { floor: new MarketHarness(venue), socket: await venue.socket('/api/3/ws/public') };
}

const subscribe = (socket: TestSocket, ch: string, params: object) =>
  socket.request('subscribe', params, { ch });

describe('requests', () => {
  test(
    'name the channel beside their params, and need no id',
    { tags: ['server:trading-v3.stream-public.subscribe'] },
    async () => {
      const { floor, socket } = await open();
      socket.send({
        method: 'subscribe',
        ch: 'trades',
        params: { symbols: ['BTCUSDT'], limit: 5 },
      });
      await socket.settle();
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await socket.until((frame) => 'update' in frame);
      expect(socket.frames).toHaveLength(1);
      const inParams = await socket.request('subscribe', { ch: 'trades', symbols: ['BTCUSDT'] });
      expect(inParams).toMatchObject({ error: { code: 10001, description: 'ch is required' } });
    },
  );

  test('need no login', { tags: ['server:trading-v3.stream-public.no-auth'] }, async () => {
    const { socket } = await open();
    expect(await subscribe(socket, 'trades', { symbols: ['BTCUSDT'] })).toHaveProperty('result');
  });

  test(
    'are answered with channel and symbols, before anything is sent',
    { tags: ['server:trading-v3.stream-public.subscribe-reply'] },
    async () => {
      const { floor, socket } = await open();
      for (const symbol of ['ETHBTC', 'BTCUSDT']) floor.trade(symbol, 'buy', '1', '0.1');
      await subscribe(socket, 'trades', { symbols: ['ETHBTC', 'BTCUSDT'], limit: 1 });
      await socket.settle();
      expect(socket.frames[0]).toEqual({
        result: { ch: 'trades', subscriptions: ['ETHBTC', 'BTCUSDT'] },
        id: 1,
      });
      expect(socket.frames).toHaveLength(3);
    },
  );

  test.each([7, 'seven'])(
    'have their id %j echoed in its own type',
    { tags: ['server:trading-v3.stream-public.subscribe-id-type'] },
    async (id) => {
      const { socket } = await open();
      const request = { method: 'subscribe', id, ch: 'trades', params: { symbols: ['BTCUSDT'] } };
      socket.send(request);
      expect(await socket.until((frame) => 'result' in frame)).toMatchObject({ id });
    },
  );

  test(
    'end a feed, and are answered with what remains',
    { tags: ['server:trading-v3.stream-public.unsubscribe'] },
    async () => {
      const { floor, socket } = await open();
      await subscribe(socket, 'trades', { symbols: ['ETHBTC', 'BTCUSDT', 'ETHUSDT'] });
      expect(
        await socket.request('unsubscribe', { symbols: ['ETHBTC', 'X'] }, { ch: 'trades' }),
      ).toMatchObject({ result: { ch: 'trades', subscriptions: ['BTCUSDT', 'ETHUSDT'] } });
      forget(socket);
      floor.trade('ETHBTC', 'buy', '0.05', '1');
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await socket.settle();
      expect(socket.frames).toMatchObject([{ update: { BTCUSDT: [{}] } }]);
      expect(await socket.request('unsubscribe', {}, { ch: 'trades' })).toMatchObject({
        result: { subscriptions: [] },
      });
      expect(
        await socket.request('unsubscribe', { symbols: ['BTCUSDT'] }, { ch: 'candles/M1' }),
      ).toMatchObject({ result: { subscriptions: [] } });
      forget(socket);
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await socket.settle();
      expect(socket.frames).toEqual([]);
    },
  );

  test(
    'list what a channel is subscribed to',
    { tags: ['server:trading-v3.stream-public.subscriptions'] },
    async () => {
      const { socket } = await open();
      await subscribe(socket, 'orderbook/full', { symbols: ['ETHBTC'] });
      await subscribe(socket, 'orderbook/full', { symbols: ['BTCUSDT', 'ETHBTC'] });
      const listed = await socket.request('subscriptions', {}, { ch: 'orderbook/full' });
      expect(listed).toMatchObject({
        result: { ch: 'orderbook/full', subscriptions: ['ETHBTC', 'BTCUSDT'] },
      });
      expect(await socket.request('subscriptions', {}, { ch: 'trades' })).toMatchObject({
        result: { ch: 'trades', subscriptions: [] },
      });
    },
  );

  test(
    'unknown symbols are left out, and refused where none is known',
    { tags: ['server:trading-v3.stream-public.subscribe-error'] },
    async () => {
      const { socket } = await open();
      const code = (given: number) => ({ jsonrpc: '2.0', error: { code: given } });
      expect(await subscribe(socket, 'trades', { symbols: ['X', 'Y'] })).toMatchObject(code(2001));
      expect(await subscribe(socket, 'trades', { symbols: ['*'] })).toMatchObject(code(2001));
      expect(await subscribe(socket, 'trades', { symbols: ['X', 'BTCUSDT'] })).toMatchObject({
        result: { subscriptions: ['BTCUSDT'] },
      });
      expect(await subscribe(socket, 'futures/info', { symbols: ['BTCUSDT'] })).toMatchObject(
        code(2001),
      );
      expect(await subscribe(socket, 'price/rate/1s', { currencies: ['X'] })).toMatchObject(
        code(2002),
      );
    },
  );

  test.each([
    ['no symbols', 'trades', {}, 'symbols is required'],
    ['no currencies', 'price/rate/1s', { symbols: ['BTC'] }, 'currencies is required'],
    ['no target', 'converted/candles/M1', { symbols: ['BTCUSDT'] }, 'target_currency is required'],
    [
      'no channel of that name',
      'trades/1s',
      { symbols: ['BTCUSDT'] },
      'ch "trades/1s" is no channel',
    ],
    ['a limit beyond 1000', 'trades', { symbols: ['BTCUSDT'], limit: 1_001 }, 'limit must be'],
  ])('with %s are refused with 10001', async (_what, ch, params, description) => {
    const { socket } = await open();
    for (const method of ['subscribe']) {
      expect(await socket.request(method, params, { ch })).toMatchObject({
        error: { code: 10001, description: expect.stringContaining(description) as string },
      });
    }
  });

  test('an unknown channel is refused by every method, as an unknown target is', async () => {
    const { socket } = await open();
    for (const method of ['unsubscribe', 'subscriptions']) {
      expect(await socket.request(method, {}, { ch: 'x' })).toMatchObject({
        error: { code: 10001 },
      });
    }
    const converted = { symbols: ['BTCUSDT'], target_currency: 'X' };
    expect(await subscribe(socket, 'converted/candles/M1', converted)).toMatchObject({
      error: { code: 2002 },
    });
    expect(await socket.request('order', {}, { ch: 'trades' })).toMatchObject({
      error: { code: 10001 },
    });
  });
});

describe('frames', () => {
  test(
    'have the channel first and then one of snapshot, update and data',
    { tags: ['server:trading-v3.stream-public.envelope'] },
    async () => {
      const { floor, socket } = await open();
      const seen: string[] = [];
      socket.raw.on('message', (data: Buffer) => seen.push(data.toString()));
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await subscribe(socket, 'trades', { symbols: ['BTCUSDT'], limit: 1 });
      await subscribe(socket, 'ticker/1s', { symbols: ['ETHBTC'] });
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await socket.settle();
      const notices = seen.filter((text) => !text.includes('"result"'));
      expect(notices).toHaveLength(3);
      for (const [index, part] of ['snapshot', 'data', 'update'].entries()) {
        expect(notices[index]).toMatch(new RegExp(`^\\{"ch":"[a-z0-9/]+","${part}":\\{"[A-Z]+":`));
        expect(Object.keys(JSON.parse(notices[index] ?? '') as object)).toEqual(['ch', part]);
      }
    },
  );

  test(
    'of trades begin with as many as are asked for, oldest first, and go on with each',
    { tags: ['server:trading-v3.stream-public.trades'] },
    async () => {
      const { floor, socket } = await open();
      for (const price of ['100', '101', '102']) floor.trade('BTCUSDT', 'buy', price, '0.1');
      await subscribe(socket, 'trades', { symbols: ['BTCUSDT'], limit: 2 });
      floor.venue.pass(1_500);
      floor.trade('BTCUSDT', 'sell', '99', '0.5');
      await socket.settle();
      const trade = (p: string, s: string, q: string, t: number) => ({
        t,
        i: expect.any(Number) as number,
        p,
        q,
        s,
      });
      expect(receivedOn(socket, 'trades')).toEqual([
        {
          ch: 'trades',
          snapshot: {
            BTCUSDT: [trade('101.00', 'buy', '0.10000', MS), trade('102.00', 'buy', '0.10000', MS)],
          },
        },
        { ch: 'trades', update: { BTCUSDT: [trade('99.00', 'sell', '0.50000', MS + 1)] } },
      ]);
      forget(socket);
      await subscribe(socket, 'trades', { symbols: ['BTCUSDT'] });
      await socket.settle();
      expect(receivedOn(socket, 'trades')).toEqual([]);
    },
  );

  test.each(['trades', 'candles/M1', 'converted/candles/M1'])(
    '%s of a symbol without entries begin with the first entry and not with an empty list',
    async (ch) => {
      const { floor, socket } = await open();
      await subscribe(socket, ch, { symbols: ['BTCUSDT'], limit: 5, target_currency: 'USDT' });
      await socket.settle();
      expect(receivedOn(socket, ch)).toEqual([]);
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      floor.rest('BTCUSDT', 'buy', '99', '0.1');
      floor.rest('BTCUSDT', 'sell', '101', '0.1');
      floor.venue.pass(US_PER_SECOND);
      floor.venue.pass(US_PER_SECOND);
      await socket.settle();
      expect(receivedOn(socket, ch)[0]).toMatchObject({ update: { BTCUSDT: [{}] } });
    },
  );

  test('symbols and currencies are read in any letter case, and written as the service has them', async () => {
    const { floor, socket } = await open();
    const trades = await subscribe(socket, 'trades', { symbols: ['btcusdt', 'EthBtc'] });
    expect(trades).toMatchObject({ result: { subscriptions: ['BTCUSDT', 'ETHBTC'] } });
    const rates = { currencies: ['btc'], target_currency: 'usdt' };
    const rate = await subscribe(socket, 'price/rate/1s', rates);
    expect(rate).toMatchObject({ result: { subscriptions: ['BTC'] } });
    floor.trade('ETHBTC', 'buy', '0.05', '1');
    await socket.settle();
    expect(receivedOn(socket, 'trades')).toMatchObject([{ update: { ETHBTC: [{ q: '1.0000' }] } }]);
  });

  test('the trades of one order come in one frame', async () => {
    const { floor, socket } = await open();
    await subscribe(socket, 'trades', { symbols: ['BTCUSDT'] });
    for (const price of ['100', '101', '102']) floor.rest('BTCUSDT', 'sell', price, '0.1');
    floor.order('other', 'BTCUSDT', 'buy', '102', '0.3');
    await socket.settle();
    expect(receivedOn(socket, 'trades')).toMatchObject([
      { update: { BTCUSDT: [{ p: '100.00' }, { p: '101.00' }, { p: '102.00' }] } },
    ]);
  });

  test(
    'of candles begin with the latest, oldest first, and go on with those that change',
    { tags: ['server:trading-v3.stream-public.candles'] },
    async () => {
      const { floor, socket } = await open();
      for (const price of ['100', '101', '102']) {
        floor.trade('BTCUSDT', 'buy', price, '0.1');
        await floor.pass(US_PER_MINUTE, socket);
      }
      await subscribe(socket, 'candles/M1', { symbols: ['BTCUSDT'], limit: 2 });
      floor.trade('BTCUSDT', 'buy', '104', '0.1');
      await socket.settle();
      const candle = (minute: number, price: string, q: string) => ({
        t: MS + minute * 60_000,
        o: price,
        c: price,
        h: price,
        l: price,
        v: '0.10000',
        q,
      });
      expect(receivedOn(socket, 'candles/M1')).toEqual([
        {
          ch: 'candles/M1',
          snapshot: { BTCUSDT: [candle(1, '101.00', '10.1'), candle(2, '102.00', '10.2')] },
        },
        { ch: 'candles/M1', update: { BTCUSDT: [candle(3, '104.00', '10.4')] } },
      ]);
    },
  );

  test(
    'of candles send the open one again until the next begins',
    { tags: ['server:trading-v3.stream-public.candles-open-bar'] },
    async () => {
      const { floor, socket } = await open();
      await subscribe(socket, 'candles/M3', { symbols: ['BTCUSDT'] });
      for (const price of ['100', '98', '101', '99']) {
        floor.trade('BTCUSDT', 'buy', price, '0.1');
        await floor.pass(US_PER_MINUTE, socket);
      }
      await socket.settle();
      expect(receivedOn(socket, 'candles/M3')).toMatchObject([
        { update: { BTCUSDT: [{ t: MS, o: '100.00', c: '100.00' }] } },
        { update: { BTCUSDT: [{ t: MS, o: '100.00', c: '98.00', l: '98.00' }] } },
        { update: { BTCUSDT: [{ t: MS, o: '100.00', c: '101.00', h: '101.00', v: '0.30000' }] } },
        { update: { BTCUSDT: [{ t: MS + 180_000, o: '99.00', v: '0.10000' }] } },
      ]);
      for (const { update } of receivedOn(socket, 'candles/M3')) {
        expect((update as { BTCUSDT: unknown[] }).BTCUSDT).toHaveLength(1);
      }
    },
  );

  test('two candles that one deed changes come in one frame', async () => {
    const { floor, socket } = await open();
    floor.rest('BTCUSDT', 'sell', '100', '1');
    floor.order('other', 'BTCUSDT', 'buy', '100', '0.1');
    await subscribe(socket, 'candles/M1', { symbols: ['BTCUSDT'] });
    const account = floor.venue.trading.members.key('other')?.account ?? -1;
    floor.venue.trading.act((exchange, now) => {
      for (const [index, later] of [0, US_PER_MINUTE].entries()) {
        const order = {
          clientOrderId: `batched${index}`,
          symbol: 'BTCUSDT',
          side: 'buy',
          type: 'limit',
          timeInForce: 'GTC',
          postOnly: false,
          ticks: exchange.instruments[0].ticks(
            exchange.instruments[0].tickSize.times(10_000),
            'near',
          ),
          lots: exchange.instruments[0].lots(exchange.instruments[0].quantityIncrement, 'near'),
        } as const;
        exchange.place(account, order, (now + later) as typeof now);
      }
    });
    await socket.settle();
    expect(receivedOn(socket, 'candles/M1')).toMatchObject([
      {
        update: {
          BTCUSDT: [
            { t: MS, v: '0.10001' },
            { t: MS + 60_000, v: '0.00001' },
          ],
        },
      },
    ]);
  });

  test(
    'of converted candles begin with the past and go on every second with what has changed',
    { tags: ['server:trading-v3.stream-public.converted-candles'] },
    async () => {
      const { floor, socket } = await open();
      const ch = 'converted/candles/M1';
      const bid = floor.rest('BTCUSDT', 'buy', '39999', '0.001');
      const ask = floor.rest('BTCUSDT', 'sell', '40001', '0.001');
      floor.venue.pass(US_PER_SECOND);
      floor.trade('ETHBTC', 'buy', '0.05', '2');
      await subscribe(socket, ch, { symbols: ['ETHBTC'], target_currency: 'USDT', limit: 10 });
      floor.venue.pass(US_PER_SECOND);
      await socket.settle();
      const first = { t: MS, o: '2000', c: '2000', h: '2000', l: '2000', v: '2.0000', q: '4000' };
      expect(receivedOn(socket, ch)).toEqual([{ ch, snapshot: { ETHBTC: [first] } }]);
      floor.trade('ETHBTC', 'buy', '0.06', '1');
      floor.cancel('demo', bid);
      floor.cancel('demo', ask);
      floor.rest('BTCUSDT', 'buy', '49999', '0.001');
      floor.rest('BTCUSDT', 'sell', '50001', '0.001');
      floor.venue.pass(US_PER_SECOND);
      await socket.settle();
      expect(receivedOn(socket, ch).slice(1)).toEqual([
        {
          ch,
          update: {
            ETHBTC: [{ t: MS, o: '2500', c: '3000', h: '3000', l: '2500', v: '3.0000', q: '8000' }],
          },
        },
      ]);
    },
  );

  test(
    'of books begin with the whole book and go on with each change',
    { tags: ['server:trading-v3.stream-public.orderbook-full'] },
    async () => {
      const { floor, socket } = await open();
      const ch = 'orderbook/full';
      floor.rest('BTCUSDT', 'sell', '101', '1');
      floor.rest('BTCUSDT', 'buy', '99', '2');
      floor.venue.pass(2_000);
      await subscribe(socket, ch, { symbols: ['BTCUSDT', 'ETHBTC'] });
      floor.rest('BTCUSDT', 'sell', '101', '0.5');
      await socket.settle();
      expect(receivedOn(socket, ch)).toEqual([
        {
          ch,
          snapshot: {
            BTCUSDT: { t: MS, s: 2, a: [['101.00', '1.00000']], b: [['99.00', '2.00000']] },
          },
        },
        { ch, snapshot: { ETHBTC: { t: MS + 2, s: 0, a: [], b: [] } } },
        { ch, update: { BTCUSDT: { t: MS + 2, s: 3, a: [['101.00', '1.50000']], b: [] } } },
      ]);
    },
  );

  test(
    'of a book have numbers of their own that rise by one',
    { tags: ['server:trading-v3.stream-public.book-sequence'] },
    async () => {
      const { floor, socket } = await open();
      const ch = 'orderbook/full';
      floor.rest('ETHBTC', 'buy', '0.01', '1');
      await subscribe(socket, ch, { symbols: ['BTCUSDT', 'ETHBTC'] });
      for (let i = 1; i < 6; i += 1) {
        floor.rest('BTCUSDT', 'sell', String(100 + i), '0.1');
        if (i % 2 === 0) floor.rest('ETHBTC', 'buy', '0.01', '1');
      }
      floor.order('other', 'BTCUSDT', 'buy', '103', '0.3');
      await socket.settle();
      const sequences: Record<string, number[]> = { BTCUSDT: [], ETHBTC: [] };
      for (const { snapshot, update } of receivedOn(socket, ch)) {
        const books = Object.entries((snapshot ?? update) as Record<string, { s: number }>);
        for (const [symbol, { s }] of books) sequences[symbol]?.push(s);
      }
      expect(sequences).toEqual({ BTCUSDT: [0, 1, 2, 3, 4, 5, 6], ETHBTC: [1, 2, 3] });
    },
  );

  test(
    'of a book delete a level with 0 and replace it with anything else',
    { tags: ['server:trading-v3.stream-public.book-zero-deletes'] },
    async () => {
      const { floor, socket } = await open();
      const ch = 'orderbook/full';
      const order = floor.rest('BTCUSDT', 'sell', '101', '1');
      floor.rest('BTCUSDT', 'sell', '102', '1');
      await subscribe(socket, ch, { symbols: ['BTCUSDT'] });
      floor.order('other', 'BTCUSDT', 'buy', '101', '0.4');
      floor.cancel('demo', order);
      await socket.settle();
      const snapshots = receivedOn(socket, ch).filter((frame) => 'snapshot' in frame);
      expect(JSON.stringify(snapshots)).not.toContain('"0.00000"');
      expect(receivedOn(socket, ch).slice(1)).toMatchObject([
        { update: { BTCUSDT: { a: [['101.00', '0.60000']] } } },
        { update: { BTCUSDT: { a: [['101.00', '0.00000']] } } },
      ]);
    },
  );

  test(
    'of a book have asks rising and bids falling, as text',
    { tags: ['server:trading-v3.stream-public.book-order'] },
    async () => {
      const { floor, socket } = await open();
      const ch = 'orderbook/full';
      for (const price of ['103', '101', '102']) floor.rest('BTCUSDT', 'sell', price, '1');
      for (const price of ['97', '99', '98']) floor.rest('BTCUSDT', 'buy', price, '1');
      await subscribe(socket, ch, { symbols: ['BTCUSDT'] });
      floor.order('other', 'BTCUSDT', 'buy', '102', '2');
      floor.order('other', 'BTCUSDT', 'sell', '98', '2');
      await socket.settle();
      const [one, two, three] = ['1.00000', '0.00000', '0.00000'];
      expect(receivedOn(socket, ch)).toMatchObject([
        {
          snapshot: {
            BTCUSDT: {
              a: [
                ['101.00', one],
                ['102.00', one],
                ['103.00', one],
              ],
              b: [
                ['99.00', one],
                ['98.00', one],
                ['97.00', one],
              ],
            },
          },
        },
        {
          update: {
            BTCUSDT: {
              a: [
                ['101.00', two],
                ['102.00', three],
              ],
              b: [],
            },
          },
        },
        {
          update: {
            BTCUSDT: {
              a: [],
              b: [
                ['99.00', two],
                ['98.00', three],
              ],
            },
          },
        },
      ]);
    },
  );

  test(
    'have times, ids and sequences as numbers',
    { tags: ['server:trading-v3.conv.numeric-ids'] },
    async () => {
      const { floor, socket } = await open();
      await subscribe(socket, 'trades', { symbols: ['BTCUSDT'] });
      await subscribe(socket, 'orderbook/full', { symbols: ['BTCUSDT'] });
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await subscribe(socket, 'ticker/1s', { symbols: ['BTCUSDT'] });
      await socket.settle();
      const number = expect.any(Number) as number;
      const updates = socket.frames.filter((frame) => 'update' in frame || 'data' in frame);
      expect(updates).toMatchObject([
        { update: { BTCUSDT: { t: number, s: number } } },
        { update: { BTCUSDT: [{ t: number, i: number }] } },
        { update: { BTCUSDT: { t: number, s: number } } },
        { data: { BTCUSDT: { t: number, L: number } } },
      ]);
      const rest = await floor.get('/api/3/public/trades/BTCUSDT');
      expect(rest).toMatchObject([{ id: number }]);
    },
  );
});
