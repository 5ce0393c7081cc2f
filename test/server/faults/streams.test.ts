import { describe, expect, test } from 'vitest';
import { NO_FAULTS } from '../../../src/server/faults/plan.ts';
import {
  openVenue,
  type Frame,
  type TestSocket,
  type TestVenue,
  type VenueOptions,
} from '../kit.ts';
import { ask, BUY } from '../streams/trading-markets.ts';

type Plan = NonNullable<VenueOptions['faults']>;

const SOCKET = '/api/3/ws/trading';
const TOPIC = 'spot_order';

/** What a follower hears of so many orders while a plan is played, by their client order ids. */
async function received(
  rules: Plan['streams'],
  orders: number,
): Promise<{ ids: unknown[]; venue: TestVenue; follower: TestSocket }> {
  const venue = await openVenue({ faults: { streams: rules, seed: 5 } });
  const follower = await venue.tradingSocket('demo');
  await ask(follower, 'spot_subscribe');
  for (let i = 0; i < orders; i += 1) {
    const order = { ...BUY, symbol: 'BTCUSDT', client_order_id: `order-000${i}` };
    follower.send({ method: 'spot_new_order', params: order });
  }
  await follower.settle();
  return { ids: idsOf(follower), venue, follower };
}

const idsOf = (socket: TestSocket): unknown[] =>
  socket
    .received(TOPIC)
    .map(({ params }) => String((params as Frame)['client_order_id']).slice(-1));

describe('faults of a plan befall frames', () => {
  test('nothing happens by a plan without rules', async () => {
    expect((await received([], 4)).ids).toEqual(['0', '1', '2', '3']);
  });

  test('drop', async () => {
    const drop = { topic: TOPIC, skip: 1, count: 2, fault: { kind: 'drop' } } as const;
    expect((await received([drop], 5)).ids).toEqual(['0', '3', '4']);
  });

  test('duplicate', async () => {
    const twice = { topic: TOPIC, skip: 1, count: 1, fault: { kind: 'duplicate' } } as const;
    expect((await received([twice], 3)).ids).toEqual(['0', '1', '1', '2']);
  });

  test('reorder', async () => {
    const swap = { topic: TOPIC, skip: 1, count: 1, fault: { kind: 'reorder' } } as const;
    expect((await received([swap], 4)).ids).toEqual(['0', '2', '1', '3']);
  });

  test('two in a row that are reordered change places', async () => {
    const swap = { topic: TOPIC, skip: 1, count: 2, fault: { kind: 'reorder' } } as const;
    expect((await received([swap], 4)).ids).toEqual(['0', '2', '1', '3']);
  });

  test('delay', async () => {
    const late = { topic: TOPIC, count: 1, fault: { kind: 'delay', delayMs: 300 } } as const;
    const { ids, venue, follower } = await received([late], 3);
    expect(ids).toEqual(['1', '2']);
    venue.pass(299_000);
    await follower.settle();
    expect(idsOf(follower)).toEqual(['1', '2']);
    venue.pass(1_000);
    await follower.settle();
    expect(idsOf(follower)).toEqual(['1', '2', '0']);
  });

  test('close', async () => {
    const venue = await openVenue({
      faults: { streams: [{ topic: TOPIC, skip: 1, fault: { kind: 'close', code: 1013 } }] },
    });
    const socket = await venue.tradingSocket('demo');
    await ask(socket, 'spot_subscribe');
    for (let i = 0; i < 3; i += 1) {
      socket.send({ method: 'spot_new_order', params: { ...BUY, symbol: 'BTCUSDT' } });
    }
    expect(await socket.closed).toMatchObject({ code: 1013 });
    expect(socket.received(TOPIC)).toHaveLength(1);
  });

  test('an order is accepted and its reply lost', async () => {
    const venue = await openVenue({ faults: {} });
    const socket = await venue.tradingSocket('demo');
    venue.faults?.play({
      ...NO_FAULTS,
      streams: [
        {
          socket: SOCKET,
          topic: 'reply',
          skip: 0,
          count: 1,
          probability: 1,
          fault: { kind: 'drop' },
        },
      ],
    });
    socket.send({ method: 'spot_new_order', params: { ...BUY, symbol: 'BTCUSDT' }, id: 'lost' });
    expect(await ask(socket, 'spot_get_orders')).toHaveLength(1);
    expect(socket.frames.some(({ id }) => id === 'lost')).toBe(false);
  });

  test('a rule for another socket or topic touches nothing', async () => {
    const rules: Plan['streams'] = [
      { socket: '/api/3/ws/public', fault: { kind: 'drop' } },
      { topic: 'spot_balance', fault: { kind: 'drop' } },
    ];
    expect((await received(rules, 3)).ids).toEqual(['0', '1', '2']);
  });

  test('the same seed strikes the same frames', async () => {
    const rules: Plan['streams'] = [{ topic: TOPIC, probability: 0.5, fault: { kind: 'drop' } }];
    const { ids } = await received(rules, 10);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(10);
    expect((await received(rules, 10)).ids).toEqual(ids);
  });
});

/** The sequence numbers of a book as a subscriber hears them. */
async function sequences(rule: NonNullable<Plan['streams']>[number]): Promise<number[]> {
  const venue = await openVenue({ faults: { streams: [rule] } });
  const follower = await venue.socket('/api/3/ws/public');
  follower.send({
    method: 'subscribe',
    ch: 'orderbook/full',
    params: { symbols: ['BTCUSDT', 'ETHUSDT'] },
    id: 1,
  });
  await follower.settle();
  const trader = await venue.tradingSocket('demo');
  for (let i = 0; i < 4; i += 1) {
    await ask(trader, 'spot_new_order', { ...BUY, symbol: 'BTCUSDT', price: String(100 + i) });
    await ask(trader, 'spot_new_order', { ...BUY, symbol: 'ETHUSDT', price: String(100 + i) });
    venue.pass(1_000_000);
    await follower.settle();
  }
  return follower.frames
    .filter(({ ch }) => ch === 'orderbook/full')
    .flatMap(({ snapshot, update }) => [snapshot ?? update])
    .flatMap((books) => {
      const book = (books as Readonly<Record<string, { s: number }>>)['BTCUSDT'];
      return book === undefined ? [] : [book.s];
    });
}

test('a sequence number is left out, and all that follow are higher by one', async () => {
  const rule = { topic: 'orderbook/full', skip: 4, count: 1 } as const;
  const plain = await sequences({ topic: 'nothing', fault: { kind: 'drop' } });
  const gapped = await sequences({ ...rule, fault: { kind: 'skip' } });
  expect(plain).toHaveLength(5);
  const steps = (list: readonly number[]) => list.slice(1).map((one, i) => one - list[i]);
  expect(steps(plain)).toEqual([1, 1, 1, 1]);
  expect(steps(gapped).toSorted()).toEqual([1, 1, 1, 2]);
  expect(gapped.at(-1)).toBe(Number(plain.at(-1)) + 1);
});

test('frames that are late go with their socket', async () => {
  const late = { topic: TOPIC, fault: { kind: 'delay', delayMs: 300 } } as const;
  const { venue, follower } = await received([late], 3);
  follower.raw.close();
  await follower.closed;
  const other = await venue.tradingSocket('demo');
  await other.settle();
  const { nextAt } = venue.scheduler;
  expect(nextAt - venue.scheduler.now()).not.toBe(300_000);
});

test('a sequence number is left out in version 2 too, of the symbol that was struck alone', async () => {
  const rule = { topic: 'updateOrderbook', skip: 1, count: 1, fault: { kind: 'skip' } } as const;
  const venue = await openVenue({ faults: { streams: [rule] } });
  const follower = await venue.socket('/api/2/ws/public');
  const trader = await venue.tradingSocket('demo');
  for (const symbol of ['BTCUSDT', 'ETHUSDT'])
    await ask(follower, 'subscribeOrderbook', { symbol });
  for (let i = 0; i < 3; i += 1) {
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      await ask(trader, 'spot_new_order', { ...BUY, symbol, price: String(100 + i) });
    }
  }
  venue.pass(1_000_000);
  await follower.settle();
  const of = (symbol: string): number[] =>
    follower
      .received('updateOrderbook')
      .map(({ params }) => params as Frame)
      .filter((book) => book['symbol'] === symbol)
      .map((book) => Number(book['sequence']));
  const gaps = (list: readonly number[]): number[] => list.slice(1).map((one, i) => one - list[i]);
  expect(gaps(of('BTCUSDT'))).toEqual([1, 1]);
  expect(of('ETHUSDT')[0]).toBe(of('BTCUSDT')[0] + 1);
  expect(gaps(of('ETHUSDT'))).toEqual([1, 1]);
});
