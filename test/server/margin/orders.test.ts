import { describe, expect, test } from 'vitest';
import type { Right } from '../../../src/wire/trading/rights.ts';
import { ALL_RIGHTS, sharedVenue } from '../kit.ts';
import { openHarness, type Body, type MarginHarness } from './harness.ts';

/** A margin account of 10,000 for BTCUSDT, whose market shows 49,999 to 50,000. */
async function funded(): Promise<MarginHarness> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  await floor.fund('10000');
  return floor;
}

const resting = (client_order_id: string, price = '40000') => ({
  client_order_id,
  quantity: '0.1',
  price,
});

const named = (orders: readonly Body[]) => orders.map((order) => order['client_order_id']);

describe('a margin order', () => {
  test(
    'is made and returned, its trades in it',
    { tags: ['server:trading-v3.margin.post-order'] },
    async () => {
      const floor = await funded();
      expect(await floor.order(resting('resting-1'))).toMatchObject({
        client_order_id: 'resting-1',
        symbol: 'BTCUSDT',
        side: 'buy',
        status: 'new',
        type: 'limit',
        time_in_force: 'GTC',
        quantity: '0.10000',
        price: '40000.00',
      });
      const taking = await floor.order({ ...resting('taking-01', '50000') });
      expect(taking).toMatchObject({
        status: 'filled',
        quantity_cumulative: '0.10000',
        price_average: '50000.00',
        trades: [
          { quantity: '0.10000', price: '50000.00', fee: '12.500000000000', position_id: 1 },
        ],
      });
    },
  );

  test(
    'has reduce_only, margin_mode and close_position, and its position in the history',
    { tags: ['server:trading-v3.margin.order-extra-fields'] },
    async () => {
      const floor = await funded();
      await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '10000' });
      const isolated = await floor.order(resting('isolated'));
      expect(isolated).toMatchObject({
        reduce_only: false,
        margin_mode: 'isolated',
        close_position: false,
      });
      expect(isolated).not.toHaveProperty('position_id');
      const crossed = await floor.order({ ...resting('crossed-', '50000'), margin_mode: 'cross' });
      expect(crossed).toMatchObject({ margin_mode: 'cross', reduce_only: false });
      const reducing = await floor.order({
        side: 'sell',
        quantity: '0.05',
        price: '60000',
        reduce_only: true,
        margin_mode: 'cross',
      });
      expect(reducing).toMatchObject({ margin_mode: 'cross', reduce_only: true });
      const history = '/margin/history/order?client_order_id=crossed-';
      const [past] = await floor.done<readonly Body[]>('GET', history);
      expect(past).toMatchObject({ position_id: 1 });
    },
  );

  test(
    'is found by its client order id while it is active',
    { tags: ['server:trading-v3.margin.get-order'] },
    async () => {
      const floor = await funded();
      await floor.order(resting('resting-1'));
      expect(await floor.done('GET', '/margin/order/resting-1')).toMatchObject({
        client_order_id: 'resting-1',
        status: 'new',
        margin_mode: 'isolated',
      });
      await floor.done('DELETE', '/margin/order/resting-1');
      expect(await floor.rejected('GET', '/margin/order/resting-1')).toMatchObject({ code: 20002 });
    },
  );

  test(
    'is listed while it is active, of a symbol where one is named',
    { tags: ['server:trading-v3.margin.get-orders'] },
    async () => {
      const floor = await funded();
      await floor.fund('5000', 'ETHUSDT');
      await floor.order(resting('of-bitcoin'));
      await floor.order({ ...resting('of-ether-'), symbol: 'ETHUSDT', price: '1000' });
      await floor.order(resting('executed-', '50000'));
      await floor.venue.call('POST', '/api/3/spot/order', {
        as: 'demo',
        json: { symbol: 'BTCUSDT', side: 'buy', ...resting('of-spot--') },
      });
      const all = await floor.done<readonly Body[]>('GET', '/margin/order');
      expect(named(all)).toEqual(['of-bitcoin', 'of-ether-']);
      const some = await floor.done<readonly Body[]>('GET', '/margin/order?symbol=ETHUSDT');
      expect(named(some)).toEqual(['of-ether-']);
      expect(await floor.rejected('GET', '/margin/order?symbol=ETHUSDT_PERP')).toMatchObject({
        status: 400,
        code: 2001,
      });
    },
  );

  test(
    'is replaced by one with a new price, quantity, stop price and name',
    { tags: ['server:trading-v3.margin.patch-order'] },
    async () => {
      const floor = await funded();
      await floor.order(resting('resting-1'));
      const replaced = await floor.done('PATCH', '/margin/order/resting-1', {
        new_client_order_id: 'resting-2',
        quantity: '0.2',
        price: '41000.006',
        strict_validate: false,
      });
      expect(replaced).toMatchObject({
        client_order_id: 'resting-2',
        original_client_order_id: 'resting-1',
        status: 'new',
        quantity: '0.20000',
        price: '41000.01',
        margin_mode: 'isolated',
      });
      const strict = { quantity: '0.2', price: '42000.006', strict_validate: true };
      expect(await floor.rejected('PATCH', '/margin/order/resting-2', strict)).toMatchObject({
        code: 2022,
      });
      const stop = { ...resting('stopping-'), type: 'stopLimit', stop_price: '60000' };
      await floor.order({ ...stop, price: '60000', quantity: '0.1' });
      const moved = { quantity: '0.1', price: '61000', stop_price: '61000' };
      const after = await floor.done('PATCH', '/margin/order/stopping-', moved);
      expect(after).toMatchObject({ status: 'suspended', stop_price: '61000.00' });
      expect(after['client_order_id']).not.toBe('stopping-');
    },
  );

  test(
    'is canceled, and returned so',
    { tags: ['server:trading-v3.margin.delete-order'] },
    async () => {
      const floor = await funded();
      await floor.order(resting('resting-1'));
      expect(await floor.done('DELETE', '/margin/order/resting-1')).toMatchObject({
        client_order_id: 'resting-1',
        status: 'canceled',
      });
      expect(await floor.rejected('DELETE', '/margin/order/resting-1')).toMatchObject({
        status: 400,
        code: 20002,
      });
      expect(await floor.margin()).toMatchObject({ reserved_orders: '0' });
    },
  );

  test('is none of the spot or futures orders, and none of another member', async () => {
    const floor = await funded();
    await floor.order(resting('resting-1'));
    for (const market of ['spot', 'futures']) {
      expect(await floor.done('GET', `/${market}/order`)).toEqual([]);
      expect(await floor.done('DELETE', `/${market}/order`)).toEqual([]);
      expect(await floor.rejected('GET', `/${market}/order/resting-1`)).toHaveProperty(
        'code',
        20002,
      );
      const cancel = await floor.rejected('DELETE', `/${market}/order/resting-1`);
      expect(cancel).toHaveProperty('code', 20002);
    }
    floor.as = 'other';
    expect(await floor.done('GET', '/margin/order')).toEqual([]);
    floor.as = 'demo';
    expect(await floor.done('GET', '/margin/order')).toHaveLength(1);
  });
});

describe('all margin orders', () => {
  test(
    'are canceled together and returned',
    { tags: ['server:trading-v3.margin.delete-orders'] },
    async () => {
      const floor = await funded();
      await floor.order(resting('resting-1'));
      await floor.order(resting('resting-2', '41000'));
      const canceled = await floor.done<readonly Body[]>('DELETE', '/margin/order');
      expect(named(canceled)).toEqual(['resting-1', 'resting-2']);
      expect(canceled.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
      expect(await floor.done('GET', '/margin/order')).toEqual([]);
    },
  );

  test(
    'of a symbol are canceled, those of others stay',
    { tags: ['server:trading-v3.rule.delete-all-symbol-filter'] },
    async () => {
      const floor = await funded();
      await floor.fund('5000', 'ETHUSDT');
      await floor.order(resting('of-bitcoin'));
      await floor.order({ ...resting('of-ether-'), symbol: 'ETHUSDT', price: '1000' });
      const canceled = await floor.done<readonly Body[]>('DELETE', '/margin/order?symbol=ETHUSDT');
      expect(named(canceled)).toEqual(['of-ether-']);
      expect(named(await floor.done('GET', '/margin/order'))).toEqual(['of-bitcoin']);
    },
  );
});

describe('a list of margin orders', () => {
  const leg = (more: Body) => ({ symbol: 'BTCUSDT', side: 'sell', quantity: '0.1', ...more });

  test(
    'is made whole and returns its orders',
    { tags: ['server:trading-v3.margin.post-order-list'] },
    async () => {
      const floor = await funded();
      await floor.order(resting('opening--', '50000'));
      const orders = await floor.done<readonly Body[]>('POST', '/margin/order/list', {
        contingency_type: 'oneCancelOther',
        order_list_id: 'profit---',
        orders: [
          leg({ client_order_id: 'profit---', price: '60000' }),
          leg({
            client_order_id: 'stopping-',
            type: 'stopMarket',
            stop_price: '45000',
            reduce_only: true,
          }),
        ],
      });
      expect(orders).toMatchObject([
        {
          client_order_id: 'profit---',
          status: 'new',
          order_list_id: 'profit---',
          contingency_type: 'oneCancelOther',
          margin_mode: 'isolated',
        },
        { client_order_id: 'stopping-', status: 'suspended', reduce_only: true },
      ]);
      floor.quote('60000.00', '60001.00');
      expect(await floor.done('GET', '/margin/order')).toEqual([]);
      const account = await floor.done('GET', '/margin/account/isolated/BTCUSDT');
      expect(account['positions']).toBeNull();
    },
  );

  test(
    'that trades all or none is refused on margin and taken on spot',
    { tags: ['server:trading-v3.list.aon-spot-only'] },
    async () => {
      const floor = await funded();
      const of = (symbol: string, price: string) => ({
        symbol,
        side: 'buy',
        quantity: '0.01',
        price,
        time_in_force: 'FOK',
      });
      const list = {
        contingency_type: 'allOrNone',
        orders: [of('BTCUSDT', '50000'), of('ETHUSDT', '3000')],
      };
      floor.quote('2999.000', '3000.000', 'ETHUSDT');
      await floor.fund('5000', 'ETHUSDT');
      const rejection = await floor.rejected('POST', '/margin/order/list', list);
      expect(rejection).toMatchObject({ status: 400, code: 10001 });
      expect(await floor.done('GET', '/margin/history/order')).toEqual([]);
      const taken = await floor.done<readonly Body[]>('POST', '/spot/order/list', list);
      expect(taken.map(({ status }) => status)).toEqual(['filled', 'filled']);
    },
  );
});

describe('a key without the right', () => {
  const shared = sharedVenue();
  const READING = [
    ['server:trading-v3.margin.get-orders', 'GET', '/margin/order'],
    ['server:trading-v3.margin.get-order', 'GET', '/margin/order/resting-1'],
    ['server:trading-v3.margin.get-config', 'GET', '/margin/config'],
    ['server:trading-v3.margin.get-history-orders', 'GET', '/margin/history/order'],
    ['server:trading-v3.margin.get-history-trades', 'GET', '/margin/history/trade'],
    ['', 'GET', '/margin/account'],
    ['', 'GET', '/margin/account/isolated/BTCUSDT'],
    ['', 'GET', '/margin/account/cross/USDT'],
    ['', 'GET', '/margin/history/positions'],
    ['', 'GET', '/margin/history/clearing'],
    ['', 'GET', '/futures/order'],
    ['', 'GET', '/futures/account'],
    ['', 'GET', '/futures/balance'],
  ] as const;
  const TRADING = [
    ['server:trading-v3.margin.post-order', 'POST', '/margin/order'],
    ['server:trading-v3.margin.post-order-list', 'POST', '/margin/order/list'],
    ['server:trading-v3.margin.patch-order', 'PATCH', '/margin/order/resting-1'],
    ['server:trading-v3.margin.delete-orders', 'DELETE', '/margin/order'],
    ['server:trading-v3.margin.delete-order', 'DELETE', '/margin/order/resting-1'],
    ['', 'PUT', '/margin/account/isolated/BTCUSDT'],
    ['', 'PUT', '/margin/account/cross/USDT'],
    ['', 'DELETE', '/margin/position'],
    ['', 'DELETE', '/margin/position/isolated/BTCUSDT'],
    ['', 'POST', '/futures/order'],
    ['', 'DELETE', '/futures/position/cross/ETHUSDT_PERP'],
  ] as const;
  const all = [
    ...READING.map((row) => [...row, 'read'] as const),
    ...TRADING.map((row) => [...row, 'trade'] as const),
  ];

  test.each(all)('%s is refused %s %s (%s)', async (_, method, path, right: Right) => {
    const venue = shared();
    const rights = ALL_RIGHTS.filter((one) => one !== right);
    if (venue.trading.members.key(`not-${right}`) === undefined) {
      venue.join(`not-${right}`, { rights });
    }
    const { status, body } = await venue.call(method, `/api/3${path}`, { as: `not-${right}` });
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: { code: 1003 } });
  });
});
