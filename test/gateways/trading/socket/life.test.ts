import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nextTurn } from '../../../../src/platform/turn.ts';
import { US_PER_SECOND } from '../../../../src/platform/time.ts';
import { MarketSocket } from '../../../../src/gateways/trading/socket/market.ts';
import { TradingSocket } from '../../../../src/gateways/trading/socket/trading.ts';
import { Random } from '../../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { CREDENTIALS, marketBench, STARTED, tradingBench } from './listener.ts';
import { Service, until } from './service.ts';

describe('a socket', () => {
  test('connects, logs in and is live', async () => {
    const service = await Service.open();
    const { socket, ear } = tradingBench(service.url);
    expect(socket.state).toBe('idle');
    await Promise.all([socket.open(), socket.open()]);
    await socket.open();
    expect(socket.state).toBe('live');
    expect(ear.states).toEqual(['connecting', 'live']);
    expect(service.methods()).toEqual(['login']);
    expect(service.tried).toBe(1);
  });

  test('that is closed reports that to its owner and nothing more, and closes with 1000', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = tradingBench(service.url);
    await socket.open();
    const closed = socket.close();
    expect(ear.states).toEqual(['connecting', 'live', 'closed']);
    service.peer.send({ jsonrpc: '2.0', method: 'spot_orders', params: [] });
    service.peer.send('no frame at all');
    await closed;
    await socket.close();
    pass(600 * US_PER_SECOND);
    expect([ear.reported, ear.failures, ear.whys]).toEqual([[], [], []]);
    expect(ear.states).toHaveLength(3);
    expect(service.tried).toBe(1);
    await until(() => {
      expect(service.peer.closed).toBe(1000);
    });
    const gone = { code: 'unreachable', message: expect.stringMatching(/is closed/) };
    await expect(socket.open()).rejects.toMatchObject(gone);
    await expect(socket.request('spot_balances')).rejects.toMatchObject(gone);
    await expect(socket.request('spot_subscribe')).rejects.toMatchObject(gone);
  });

  test('that the service does not agree to close is ended when its time is over', async () => {
    const service = await Service.open();
    const { socket, pass } = marketBench(service.url);
    await socket.open();
    service.peer.raw.pause();
    let isClosed = false;
    const closed = socket.close().then(() => (isClosed = true));
    pass(US_PER_SECOND - 1);
    await nextTurn();
    expect(isClosed).toBe(false);
    pass(1);
    await closed;
  });

  test('that is closed before it was opened, or while it connects, is closed', async () => {
    const service = await Service.open();
    const idle = marketBench(service.url);
    await idle.socket.close();
    await expect(idle.socket.open()).rejects.toMatchObject({ code: 'unreachable' });
    const { socket } = marketBench(service.url);
    const opened = socket.open();
    const rejected = expect(opened).rejects.toMatchObject({ code: 'unreachable' });
    await socket.close();
    await rejected;
    expect(socket.state).toBe('closed');
  });

  test('whose replies are under way when it is closed still gets them', async () => {
    const service = await Service.open({
      hears: ({ peer, ...asked }) => {
        if (asked.method === 'login') peer.answer({ peer, ...asked }, true);
      },
    });
    const { socket } = tradingBench(service.url);
    await socket.open();
    const asked = socket.request('spot_balances');
    const request = await service.received('spot_balances');
    const closed = socket.close();
    service.peer.answer(request, []);
    await expect(asked).resolves.toEqual([]);
    await closed;
  });

  test('needs an address of a socket, and that of an account credentials', () => {
    const made = { scheduler: new VirtualScheduler(STARTED), random: new Random(1), listener: {} };
    for (const url of ['http://127.0.0.1', 'nowhere', '']) {
      expect(() => new MarketSocket({ ...made, url })).toThrow(
        expect.objectContaining({ code: 'config-invalid', field: 'url' }),
      );
    }
    expect(() => new TradingSocket({ ...made, url: 'ws://127.0.0.1' })).toThrow(
      expect.objectContaining({ code: 'config-invalid', field: 'credentials' }),
    );
  });
});

describe('an opening', () => {
  test('that comes to nothing goes on until its time is over, and says what was wrong', async () => {
    const { socket, ear, pass } = marketBench('ws://127.0.0.1:9');
    const opened = socket.open({ timeoutUs: 20 * US_PER_SECOND });
    await ear.hears('lost');
    expect(ear.whys[0]).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/127\.0\.0\.1:9.*failed/),
    });
    pass(20 * US_PER_SECOND);
    await expect(opened).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/not live within 20 s/),
    });
    expect(socket.state).toBe('closed');
  });

  test('that takes too long is given up and tried again', async () => {
    // It takes the connection and never says a word.
    const mute = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      mute.close();
    });
    await new Promise((resolve) => mute.once('listening', resolve));
    const url = `ws://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const { socket, ear, pass } = marketBench(url, { connectUs: 3 * US_PER_SECOND });
    socket.open().catch(() => undefined);
    await new Promise((resolve) => mute.once('connection', resolve));
    pass(3 * US_PER_SECOND - 1);
    expect(ear.states).toEqual(['connecting']);
    pass(1);
    await ear.hears('lost');
    expect(ear.whys[0]).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/did not open within 3 s/),
    });
    const again = new Promise((resolve) => mute.once('connection', resolve));
    pass(US_PER_SECOND);
    await again;
  });

  test.each([
    [429, 'rate-limited'],
    [503, 'service-unavailable'],
    [404, 'unreachable'],
  ])('that is rejected with HTTP status %i is reported as %s', async (status, code) => {
    const service = await Service.open({ status: () => status });
    const { socket, ear } = marketBench(service.url);
    socket.open().catch(() => undefined);
    await ear.hears('lost');
    expect(ear.whys[0]).toMatchObject({
      code,
      message: expect.stringMatching(`HTTP status ${status}`),
    });
  });
});

describe('a listener that throws', () => {
  test('breaks nothing and gets an error', async () => {
    const service = await Service.open();
    const failures: unknown[] = [];
    let count = 0;
    const socket = new TradingSocket({
      url: service.url,
      credentials: CREDENTIALS,
      random: new Random(1),
      scheduler: new VirtualScheduler(STARTED),
      listener: {
        state: () => {
          throw new Error('of the state');
        },
        notification: () => {
          count += 1;
          throw new Error('of a notification');
        },
        failed: (error) => failures.push(error.message),
      },
    });
    await socket.open();
    service.peer.send({ jsonrpc: '2.0', method: 'spot_orders', params: [] });
    service.peer.send({ jsonrpc: '2.0', method: 'spot_orders', params: [] });
    await socket.request('spot_subscribe');
    expect(count).toBe(2);
    expect(failures).toEqual(
      ['the state', 'the state', 'a notification', 'a notification'].map(
        (what) => `A listener of a socket threw: of ${what}`,
      ),
    );
    await socket.close();
  });
});

describe('frames that are none', () => {
  test.each([
    ['text', 'nothing like JSON', /must be a JSON object/],
    [
      'a notification that nobody knows',
      { method: 'gossip', params: 1 },
      /no notification "gossip"/,
    ],
    [
      'a notification with a name of every object',
      { method: 'constructor', params: {} },
      /no notification "constructor"/,
    ],
    ['a notification that does not fit', { method: 'spot_order', params: {} }, /of spot_order, id/],
    ['a reply to nothing', { result: true, id: 999 }, /was not made/],
    ['a reply to an id that is text', { result: true, id: '1' }, /was not made/],
  ])('%s', async (_, frame, reported) => {
    const service = await Service.open();
    const { socket, ear } = tradingBench(service.url);
    await socket.open();
    service.peer.send(typeof frame === 'string' ? frame : { jsonrpc: '2.0', ...frame });
    await until(() => {
      expect(ear.failures).toEqual([
        expect.objectContaining({
          code: 'answer-invalid',
          message: expect.stringMatching(reported),
        }),
      ]);
    });
    expect(socket.state).toBe('live');
  });

  test('a frame that is too long ends the connection', async () => {
    const service = await Service.open();
    const { socket, ear } = marketBench(service.url, { frameBytesMax: 1_000 });
    await socket.open();
    service.peer.send('x'.repeat(1_001));
    await ear.hears('lost');
    expect(ear.whys[0]?.message).toMatch(/Max payload size exceeded/);
  });
});
