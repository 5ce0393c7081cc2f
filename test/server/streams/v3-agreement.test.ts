import { expect, test } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import { openVenue, type Frame } from '../kit.ts';
import { ask, BUY, SELL, reported } from './trading-markets.ts';

const ROW = 'server:trading-v3.stream-trading';

test(
  'orders over REST and over the socket bring the same reports',
  { tags: [`${ROW}.rest-and-stream-agree`] },
  async () => {
    const kinds = [];
    for (const way of ['rest', 'socket'] as const) {
      const venue = await openVenue();
      const follower = await venue.tradingSocket('demo');
      const other = await venue.tradingSocket('other');
      await ask(follower, 'spot_subscribe');
      const order = { ...BUY, symbol: 'BTCUSDT', client_order_id: 'order-0001' };
      const change = { new_client_order_id: 'order-0002', quantity: '0.4', price: '2001' };
      const path = '/api/3/spot/order';
      if (way === 'rest') {
        await venue.call('POST', path, { as: 'demo', json: order });
        await venue.call('PATCH', `${path}/order-0001`, { as: 'demo', json: change });
      } else {
        await ask(follower, 'spot_new_order', order);
        await ask(follower, 'spot_replace_order', { client_order_id: 'order-0001', ...change });
      }
      await ask(other, 'spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
      if (way === 'rest') await venue.call('DELETE', `${path}/order-0002`, { as: 'demo' });
      else await ask(follower, 'spot_cancel_order', { client_order_id: 'order-0002' });
      await follower.settle();
      const { body } = await venue.call('GET', '/api/3/spot/order', { as: 'demo' });
      expect(body).toEqual([]);
      kinds.push(reported(follower, 'spot_order'));
    }
    expect(kinds[0]).toHaveLength(4);
    expect(kinds[0]).toEqual(kinds[1]);
  },
);

/** Active orders, traded quantity and balances as a client keeps them who only listens. */
function replayed(frames: readonly Frame[]) {
  const orders = new Map<unknown, unknown>();
  const trades: unknown[] = [];
  const balances = new Map<unknown, unknown>();
  for (const { method, params } of frames) {
    if (method === 'spot_balance') {
      for (const one of params as readonly Frame[]) balances.set(one['currency'], one);
    }
    const reports = method === 'spot_orders' ? params : method === 'spot_order' ? [params] : [];
    for (const report of reports as readonly Frame[]) {
      if (report['report_type'] === 'trade') trades.push(report['trade_id']);
      orders.delete(report['original_client_order_id']);
      const isActive = ['new', 'suspended', 'partiallyFilled'].includes(String(report['status']));
      if (isActive) orders.set(report['client_order_id'], report['quantity_cumulative']);
      else orders.delete(report['client_order_id']);
    }
  }
  return { orders, trades, balances };
}

test(
  'what a client keeps from the stream alone equals what REST reports',
  { tags: [`${ROW}.track-account-state`] },
  async () => {
    const venue = await openVenue();
    const random = new Random(41);
    const sockets = [await venue.tradingSocket('demo'), await venue.tradingSocket('other')];
    for (const socket of sockets) {
      await ask(socket, 'spot_subscribe');
      await ask(socket, 'spot_balance_subscribe', { mode: 'updates' });
    }
    for (let step = 0; step < 400; step += 1) {
      const socket = sockets[random.integer(0, 1)];
      const symbol = random.chance(0.5) ? 'BTCUSDT' : 'ETHUSDT';
      const side = random.chance(0.5) ? 'buy' : 'sell';
      const price = String(random.integer(1_990, 2_010));
      const quantity = (random.integer(1, 300) / 100).toFixed(2);
      const stop = random.chance(0.1) ? { type: 'stopLimit', stop_price: '2005' } : {};
      const name = `order-${String(step).padStart(4, '0')}`;
      const before = `order-${String(random.integer(0, step)).padStart(4, '0')}`;
      const draw = random.integer(0, 9);
      if (draw < 7) {
        const order = { symbol, side, price, quantity, client_order_id: name, ...stop };
        socket.send({ method: 'spot_new_order', params: order });
      } else if (draw < 8) {
        socket.send({ method: 'spot_cancel_order', params: { client_order_id: before } });
      } else {
        const change = { client_order_id: before, new_client_order_id: name, quantity, price };
        socket.send({ method: 'spot_replace_order', params: change });
      }
      if (step % 40 === 0) venue.pass(1_000_000);
    }
    for (const socket of sockets) await socket.settle();
    for (const socket of sockets) await socket.settle();
    for (const [index, as] of (['demo', 'other'] as const).entries()) {
      const kept = replayed(sockets[index].frames);
      const get = async (path: string) =>
        (await venue.call('GET', `/api/3${path}`, { as })).body as readonly Frame[];
      const orders = await get('/spot/order');
      const trades = await get('/spot/history/trade?limit=1000&sort=ASC&by=id');
      const balances = await get('/spot/balance');
      expect(orders.length).toBeGreaterThan(10);
      expect(trades.length).toBeGreaterThan(50);
      const active = orders.map((one) => [one['client_order_id'], one['quantity_cumulative']]);
      expect([...kept.orders].sort()).toEqual(active.sort());
      expect(kept.trades).toEqual(trades.map(({ id }) => id));
      expect([...kept.balances.values()]).toEqual(
        expect.arrayContaining([...balances.filter((one) => kept.balances.has(one['currency']))]),
      );
      expect(kept.balances.size).toBe(balances.length);
    }
  },
);
