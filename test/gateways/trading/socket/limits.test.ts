import { describe, expect, test } from 'vitest';
import { tradingLimiter } from '../../../../src/gateways/trading/socket/trading.ts';
import { US_PER_MS, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { nextTurn } from '../../../../src/platform/turn.ts';
import { openVenue, type TestVenue } from '../../../server/kit.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import { CREDENTIALS, Ear, STARTED, tradingBench } from './listener.ts';
import { Service, defaults } from './service.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '100' } as const;

/** A client and the clock that it shares with a venue that keeps its limits. */
async function limited(): Promise<{ venue: TestVenue; client: TradingClient }> {
  const venue = await openVenue({ limits: true });
  const settings = { url: venue.base, credentials: CREDENTIALS, scheduler: venue.scheduler };
  return { venue, client: new TradingClient(settings) };
}

/** Lets time pass until all of these are settled. */
async function settled(venue: TestVenue, asked: readonly Promise<unknown>[]): Promise<number> {
  let count = 0;
  const from = venue.scheduler.now();
  const counted = asked.map(async (one) => one.finally(() => (count += 1)));
  const all = Promise.all(counted);
  all.catch(() => undefined);
  let last = -1;
  while (count < asked.length) {
    // Time passes only when nothing more happens without it.
    for (let i = 0; i < 20; i += 1) await nextTurn();
    if (count === last) venue.pass(10 * US_PER_MS);
    last = count;
  }
  await all;
  return venue.scheduler.now() - from;
}

describe(
  'a venue that keeps its limits never refuses',
  { tags: ['client:trading-v3.limit.client-pacing'] },
  () => {
    test('readings, of which 30 pass in a second, by two sockets of one client', async () => {
      const { venue, client } = await limited();
      const sockets = [client.tradingSocket(new Ear()), client.tradingSocket(new Ear())];
      for (const socket of sockets) await socket.open();
      const asked = Array.from({ length: 100 }, async (_, i) =>
        sockets[i % 2].request('spot_balances'),
      );
      expect(await settled(venue, asked)).toBeGreaterThanOrEqual(3 * US_PER_SECOND);
      await client.close();
    });

    test('orders, of which 500 pass in a second', async () => {
      const { venue, client } = await limited();
      const socket = client.tradingSocket(new Ear());
      await socket.open();
      const asked = Array.from({ length: 1_200 }, async () =>
        socket.request('spot_new_order', ORDER, { timeoutUs: 60 * US_PER_SECOND }),
      );
      expect(await settled(venue, asked)).toBeGreaterThanOrEqual(2 * US_PER_SECOND);
      await client.close();
    });

    test('subscriptions, of which 5 pass in a second', async () => {
      const { venue, client } = await limited();
      const socket = client.tradingSocket(new Ear());
      await socket.open();
      const asked = Array.from({ length: 6 }, () => [
        socket.request('spot_subscribe'),
        socket.request('spot_unsubscribe'),
      ]).flat();
      expect(await settled(venue, asked)).toBeGreaterThanOrEqual(2 * US_PER_SECOND);
      await client.close();
    });

    test('the wallet', async () => {
      const { venue, client } = await limited();
      const socket = client.walletSocket(new Ear());
      await socket.open();
      const asked = Array.from({ length: 40 }, async () => socket.request('wallet_balances'));
      expect(await settled(venue, asked)).toBeGreaterThanOrEqual(2 * US_PER_SECOND);
      await client.close();
    });
  },
);

describe('what waits for its turn', () => {
  test('keeps its order and holds up no orders', async () => {
    const service = await Service.open({
      hears: (asked) => {
        if (asked.method === 'login') defaults(asked);
        else asked.peer.answer(asked, []);
      },
    });
    const { socket, pass } = tradingBench(service.url);
    await socket.open();
    const read = Array.from({ length: 40 }, async (_, i) =>
      socket.request('spot_get_orders', { symbol: `S${i}` }),
    );
    const order = socket.request('spot_cancel_orders');
    await service.received('spot_cancel_orders');
    expect(service.methods().filter((name) => name === 'spot_get_orders')).toHaveLength(30);
    await order;
    await Promise.all(read.slice(0, 30));
    pass(US_PER_SECOND);
    await Promise.all(read);
    const asked = service.asked.filter(({ method }) => method === 'spot_get_orders');
    expect(asked.map(({ params }) => params['symbol'])).toEqual(
      Array.from({ length: 40 }, (_, i) => `S${i}`),
    );
  });

  test('is given up at its timeout, and reported as never sent', async () => {
    const service = await Service.open({
      hears: (asked) => {
        if (asked.method === 'login') defaults(asked);
      },
    });
    const { socket, pass } = tradingBench(service.url);
    await socket.open();
    const asked = Array.from({ length: 31 }, async () =>
      socket.request('spot_balances', {}, { timeoutUs: 2 * US_PER_SECOND }),
    );
    const outcomes = Promise.allSettled(asked);
    await service.received('spot_balances', 30);
    pass(2 * US_PER_SECOND);
    const codes = (await outcomes).map(
      (outcome) => (outcome as { reason: { code: string } }).reason.code,
    );
    expect(codes).toEqual([...Array.from({ length: 30 }, () => 'outcome-unknown'), 'rate-limited']);
    pass(5 * US_PER_SECOND);
    await nextTurn();
    expect(service.methods()).toHaveLength(31);
  });

  test('is unreachable when the connection ends, and when the socket is closed', async () => {
    for (const end of ['lost', 'closed'] as const) {
      const service = await Service.open({
        hears: (asked) => {
          if (asked.method === 'login') defaults(asked);
        },
      });
      const { socket } = tradingBench(service.url);
      await socket.open();
      const asked = Array.from({ length: 31 }, async () => socket.request('spot_balances'));
      const outcomes = Promise.allSettled(asked);
      await service.received('spot_balances', 30);
      if (end === 'lost') service.peer.raw.terminate();
      else await socket.close();
      const codes = (await outcomes).map(
        (outcome) => (outcome as { reason: { code: string } }).reason.code,
      );
      expect(codes).toEqual([
        ...Array.from({ length: 30 }, () => 'outcome-unknown'),
        'unreachable',
      ]);
    }
  });

  test('waits a second where the service says that it comes too fast', async () => {
    const service = await Service.open({
      hears: (asked) => {
        if (asked.method === 'login') defaults(asked);
        else if (asked.id === 2) asked.peer.refuse(asked, 429, 'Too many requests');
        else asked.peer.answer(asked, []);
      },
    });
    const { socket, pass } = tradingBench(service.url);
    await socket.open();
    await expect(socket.request('spot_balances')).rejects.toMatchObject({ code: 'rate-limited' });
    const next = socket.request('spot_balances');
    pass(US_PER_SECOND - 1);
    await nextTurn();
    expect(service.methods()).toHaveLength(2);
    pass(1);
    await expect(next).resolves.toEqual([]);
  });
});

test('a client that is not to count sends at once', async () => {
  const venue = await openVenue();
  const settings = { url: venue.base, credentials: CREDENTIALS, scheduler: venue.scheduler };
  const client = new TradingClient({ ...settings, paced: false });
  const socket = client.tradingSocket(new Ear());
  await socket.open();
  const asked = Array.from({ length: 100 }, async () => socket.request('spot_balances'));
  expect(await Promise.all(asked)).toHaveLength(100);
  await client.close();
});

test('a request holds its place until a second after its answer', () => {
  const clock = new VirtualScheduler(STARTED);
  const limiter = tradingLimiter(clock);
  const limit = limiter.limitOf('spot_subscribe') ?? '';
  expect([limit, limiter.limitOf('login'), limiter.limitOf('gossip')]).toEqual([
    'trading-subscribe',
    'trading-subscribe',
    undefined,
  ]);
  for (let i = 0; i < 5; i += 1) expect(limiter.leave(limit)).toBe(true);
  expect(limiter.leave(limit)).toBe(false);
  clock.advanceTo((STARTED + 10 * US_PER_SECOND) as never);
  expect(limiter.leave(limit)).toBe(false);
  limiter.answered(limit);
  clock.advanceTo((STARTED + 11 * US_PER_SECOND - 1) as never);
  expect(limiter.leave(limit)).toBe(false);
  expect(limiter.freeAt(limit)).toBe(STARTED + 11 * US_PER_SECOND);
  clock.advanceTo((STARTED + 11 * US_PER_SECOND) as never);
  expect(limiter.leave(limit)).toBe(true);
});
