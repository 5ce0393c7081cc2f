import { describe, expect, test } from 'vitest';
import { US_PER_MS, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { marketBench, tradingBench } from './listener.ts';
import { Service, until, defaults } from './service.ts';

const symbols = (...given: string[]) => ({ symbols: given });

describe('after a reconnect', () => {
  test(
    'what was followed is asked for again, in its order, before the socket is live',
    { tags: ['client:trading-v3.stream-public.reconnect'] },
    async () => {
      const service = await Service.open();
      const { socket, ear, pass } = marketBench(service.url);
      await socket.open();
      await socket.subscribe('trades', { symbols: ['BTCUSDT', 'ETHBTC'], limit: 5 });
      await socket.subscribe('orderbook/full', symbols('BTCUSDT'));
      await socket.subscribe('price/rate/1s', { currencies: ['BTC'], target_currency: 'USDT' });
      await socket.unsubscribe('trades', symbols('ETHBTC'));
      await socket.subscribe('orderbook/full', symbols('BTCUSDT'));
      service.peer.raw.close(1012, 'maintenance');
      await ear.hears('lost');
      expect(ear.whys[0]?.message).toMatch(/closed by the service with 1012 \(maintenance\)/);
      let states: readonly string[] = [];
      service.hears = (asked) => {
        states = [...ear.states];
        defaults(asked);
      };
      pass(US_PER_SECOND);
      await ear.hears('live', 2);
      expect(states.at(-1)).toBe('connecting');
      const again = service.asked.filter(({ connection }) => connection === 1);
      expect(again.map(({ method, ch, params }) => [method, ch, params])).toEqual([
        ['subscribe', 'trades', { symbols: ['BTCUSDT'], limit: 5 }],
        ['subscribe', 'price/rate/1s', { currencies: ['BTC'], target_currency: 'USDT' }],
        ['subscribe', 'orderbook/full', { symbols: ['BTCUSDT'] }],
      ]);
    },
  );

  test('an account follows what it followed, after its login', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = tradingBench(service.url);
    await socket.open();
    await socket.request('spot_balance_subscribe', { mode: 'batches' });
    await socket.request('spot_subscribe');
    await socket.request('margin_subscribe');
    await socket.request('margin_unsubscribe');
    pass(2 * US_PER_SECOND);
    await socket.request('spot_balance_subscribe', { mode: 'updates' });
    service.peer.raw.terminate();
    await ear.hears('lost');
    pass(5 * US_PER_SECOND);
    await ear.hears('live', 2);
    expect(service.methods(1)).toEqual(['login', 'spot_subscribe', 'spot_balance_subscribe']);
    expect(service.asked.at(-1)?.params).toEqual({ mode: 'updates' });
  });

  test('notifications come as they are sent, also before the socket is live', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = tradingBench(service.url);
    await socket.open();
    await socket.request('spot_subscribe');
    service.peer.raw.terminate();
    await ear.hears('lost');
    service.hears = (asked) => {
      if (asked.method === 'login') defaults(asked);
      else asked.peer.send({ jsonrpc: '2.0', method: 'spot_orders', params: [] });
    };
    pass(5 * US_PER_SECOND);
    await until(() => {
      expect(ear.reported).toEqual([['spot_orders', []]]);
    });
    expect(socket.state).toBe('connecting');
    service.peer.answer(await service.received('spot_subscribe', 2), true);
    await ear.hears('live', 2);
  });

  test('a subscription that is rejected then is reported and not requested again', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    await socket.subscribe('trades', symbols('BTCUSDT'));
    await socket.subscribe('ticker/1s', symbols('GONE'));
    service.hears = (asked) => {
      if (asked.ch === 'trades') defaults(asked);
      else asked.peer.refuse(asked, 2001, 'Symbol not found');
    };
    for (const times of [2, 3]) {
      service.peer.raw.close(1001);
      await ear.hears('lost', times - 1);
      pass(5 * US_PER_SECOND);
      await ear.hears('live', times);
    }
    expect(ear.failures).toMatchObject([{ code: 'service-refused', serviceCode: 2001 }]);
    expect(service.methods(1)).toEqual(['subscribe', 'subscribe']);
    expect(service.methods(2)).toEqual(['subscribe']);
  });

  test.each([
    [429, 'Too many requests'],
    [503, 'Service Unavailable'],
    [500, 'Internal Server Error'],
  ])('what cannot be had then (%i) is asked for on another connection', async (code, message) => {
    const service = await Service.open();
    const { socket, ear, pass } = tradingBench(service.url);
    await socket.open();
    await socket.request('spot_subscribe');
    service.peer.raw.close(1001);
    await ear.hears('lost');
    service.hears = (asked) => {
      if (asked.method === 'login' || asked.connection > 1) defaults(asked);
      else asked.peer.refuse(asked, code, message);
    };
    pass(5 * US_PER_SECOND);
    await ear.hears('lost', 2);
    expect(ear.whys.at(-1)).toMatchObject({ serviceCode: code });
    pass(5 * US_PER_SECOND);
    await ear.hears('live', 2);
    expect(service.methods(2)).toEqual(['login', 'spot_subscribe']);
  });

  test('a reply that is missing then ends the connection', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    await socket.subscribe('trades', symbols('BTCUSDT'));
    service.peer.raw.close(1001);
    await ear.hears('lost');
    service.hears = () => undefined;
    pass(US_PER_SECOND);
    await service.received('subscribe', 2);
    // It answers pings, so that nothing but the reply is missing.
    for (let second = 0; second < 9; second += 1) {
      service.peer.send({ ch: 'trades', update: {} });
      await until(() => {
        expect(ear.reported).toHaveLength(second + 1);
      });
      pass(US_PER_SECOND);
    }
    expect(socket.state).toBe('connecting');
    service.hears = defaults;
    pass(US_PER_SECOND);
    await ear.hears('lost', 2);
    pass(US_PER_SECOND);
    await ear.hears('live', 2);
  });
});

describe('a subscription', () => {
  test('that is asked for before the socket is live waits for it', async () => {
    const service = await Service.open();
    const { socket } = marketBench(service.url);
    const early = socket.subscribe('trades', symbols('BTCUSDT'));
    await socket.open();
    await expect(early).resolves.toEqual(['BTCUSDT']);
  });

  test('whose reply is lost with the connection is answered by the next one', async () => {
    const service = await Service.open({ hears: () => undefined });
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    const asked = socket.subscribe('trades', symbols('BTCUSDT'));
    await service.received('subscribe');
    service.hears = defaults;
    service.peer.raw.terminate();
    await ear.hears('lost');
    pass(US_PER_SECOND);
    await expect(asked).resolves.toEqual(['BTCUSDT']);
  });

  test('that is refused is not remembered', async () => {
    const service = await Service.open({
      hears: (asked) => {
        asked.peer.refuse(asked, 2001, 'Symbol not found', 'NOPE');
      },
    });
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    const asked = socket.subscribe('trades', symbols('NOPE'));
    await expect(asked).rejects.toMatchObject({ code: 'service-refused', serviceCode: 2001 });
    service.peer.raw.terminate();
    await ear.hears('lost');
    pass(US_PER_SECOND);
    await ear.hears('live', 2);
    expect([service.methods(1), ear.failures]).toEqual([[], []]);
  });

  test('remembers only what the service took', async () => {
    const service = await Service.open({
      hears: ({ ch, id, peer }) => {
        peer.send({ result: { ch, subscriptions: ['BTCUSDT'] }, id });
      },
    });
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    await socket.subscribe('trades', symbols('BTCUSDT', 'NOPE'));
    service.peer.raw.terminate();
    await ear.hears('lost');
    pass(US_PER_SECOND);
    await ear.hears('live', 2);
    expect(service.asked.at(-1)?.params).toEqual({ symbols: ['BTCUSDT'] });
  });

  test('can be taken back while there is no connection', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    await socket.subscribe('trades', symbols('BTCUSDT', 'ETHBTC'));
    await socket.subscribe('ticker/1s', symbols('*'));
    service.peer.raw.terminate();
    await ear.hears('lost');
    await expect(socket.unsubscribe('trades', symbols('BTCUSDT'))).resolves.toEqual(['ETHBTC']);
    await expect(socket.unsubscribe('ticker/1s')).resolves.toEqual([]);
    pass(US_PER_SECOND);
    await ear.hears('live', 2);
    expect(service.asked.slice(2).map(({ params }) => params)).toEqual([{ symbols: ['ETHBTC'] }]);
  });
});

describe('a service that closes again and again', () => {
  test('is tried at ever longer intervals, up to a bound, and never at once', async () => {
    const service = await Service.open();
    const { socket, ear, pass, clock } = marketBench(service.url);
    await socket.open();
    const waits: number[] = [];
    for (let i = 1; i <= 14; i += 1) {
      service.peer.raw.close(1013);
      await ear.hears('lost', i);
      const lostAt = clock.now();
      while (ear.states.at(-1) === 'lost') pass(US_PER_MS);
      waits.push(clock.now() - lostAt);
      await ear.hears('live', i + 1);
    }
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(Math.min(30_000_000, 250_000 * 2 ** i) + 100_000);
    }
    const early = waits.slice(0, 5).reduce((sum, wait) => sum + wait);
    const late = waits.slice(-5).reduce((sum, wait) => sum + wait);
    expect(late).toBeGreaterThan(20 * early);
    expect(Math.max(...waits)).toBeGreaterThan(15_000_000);
  });

  test('and then stays is tried soon again when it is lost later', async () => {
    const service = await Service.open();
    const { socket, ear, pass, clock } = marketBench(service.url, { backoffUs: 100_000 });
    await socket.open();
    for (let i = 1; i <= 8; i += 1) {
      service.peer.raw.close(1013);
      await ear.hears('lost', i);
      pass(60 * US_PER_SECOND);
      await ear.hears('live', i + 1);
    }
    // Heard of now and then, so that it lives.
    for (let i = 0; i < 3; i += 1) {
      pass(4 * US_PER_SECOND);
      service.peer.send({ ch: 'trades', update: {} });
      await until(() => {
        expect(ear.reported).toHaveLength(i + 1);
      });
    }
    service.peer.raw.close(1013);
    await ear.hears('lost', 9);
    const lostAt = clock.now();
    while (ear.states.at(-1) === 'lost') pass(US_PER_MS);
    expect(clock.now() - lostAt).toBeLessThanOrEqual(101_000);
  });

  test('is not connected to more than ten times a second, by all sockets together', async () => {
    const service = await Service.open({ status: () => 503 });
    const { socket, ear, pass } = marketBench(service.url, { backoffUs: 1, backoffMaxUs: 1 });
    socket.open().catch(() => undefined);
    for (let ms = 0; ms < 3_000; ms += 10) {
      pass(10 * US_PER_MS);
      if (ear.states.at(-1) === 'connecting') {
        const { length } = ear.states;
        await until(() => {
          expect(ear.states.length).toBeGreaterThan(length);
        });
      }
    }
    expect(service.tried).toBeGreaterThan(20);
    expect(service.tried).toBeLessThanOrEqual(40);
  });
});
