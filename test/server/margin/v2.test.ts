import { describe, expect, test } from 'vitest';
import { openHarness, type Body, type MarginHarness } from './harness.ts';

/** A floor whose calls are those of version 2, with 10,000 on margin for BTCUSDT. */
async function funded(): Promise<MarginHarness> {
  const floor = await openHarness();
  floor.version = 2;
  floor.quote('49999.00', '50000.00');
  await floor.done('PUT', '/margin/account/BTCUSDT', { marginBalance: '10000' });
  return floor;
}

const order = (clientOrderId: string, more: Body = {}) => ({
  clientOrderId,
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '0.1',
  price: '50000',
  ...more,
});
const names = (found: readonly Body[]) => found.map((one) => one['clientOrderId']);

describe('margin accounts of version 2', () => {
  test('are opened and funded', { tags: ['server:trading-v2.margin.put-account'] }, async () => {
    const floor = await openHarness();
    floor.version = 2;
    const asked = { marginBalance: '10000.0000000000005' };
    const strict = { ...asked, strictValidate: true };
    expect(await floor.rejected('PUT', '/margin/account/BTCUSDT', strict)).toMatchObject({
      status: 400,
      code: 10001,
    });
    expect(await floor.done('PUT', '/margin/account/btcusdt', asked)).toEqual({
      symbol: 'BTCUSDT',
      leverage: '25.00',
      marginBalance: '10000',
      marginBalanceOrders: '0',
      marginBalanceRequired: '0',
      createdAt: '2026-01-05T10:00:00Z',
      updatedAt: '2026-01-05T10:00:00Z',
    });
  });

  test(
    'are listed, and found by their symbol',
    { tags: ['server:trading-v2.margin.accounts', 'server:trading-v2.margin.account'] },
    async () => {
      const floor = await funded();
      await floor.done('PUT', '/margin/account/ETHUSDT', { marginBalance: '500' });
      await floor.done('POST', '/margin/order', order('order-001'));
      const all = await floor.done<readonly Body[]>('GET', '/margin/account');
      expect(all.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
      const one = await floor.done('GET', '/margin/account/BTCUSDT');
      expect(one).toEqual(all[0]);
      expect(one).toMatchObject({
        marginBalance: '9987.5',
        position: { id: 1, symbol: 'BTCUSDT', quantity: '0.10000', priceEntry: '50000.00' },
      });
      expect(await floor.rejected('GET', '/margin/account/ETHBTC')).toMatchObject({ code: 20032 });
      floor.version = 3;
      await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '100' });
      floor.version = 2;
      expect(await floor.done('GET', '/margin/account')).toHaveLength(2);
    },
  );

  test(
    'are closed by their symbol, and their funds go back',
    { tags: ['server:trading-v2.margin.delete-account'] },
    async () => {
      const floor = await funded();
      const closed = await floor.done('DELETE', '/margin/account/BTCUSDT');
      expect(closed).toMatchObject({ symbol: 'BTCUSDT', marginBalance: '0' });
      expect(await floor.done('GET', '/margin/account')).toEqual([]);
      const balances = await floor.done<readonly Body[]>('GET', '/trading/balance');
      expect(balances).toContainEqual({ currency: 'USDT', available: '1000000', reserved: '0' });
      const again = await floor.rejected('DELETE', '/margin/account/BTCUSDT');
      expect(again).toMatchObject({ status: 400, code: 20032 });
    },
  );

  test(
    'are all closed, or none where one has a position',
    { tags: ['server:trading-v2.margin.delete-accounts'] },
    async () => {
      const floor = await funded();
      await floor.done('PUT', '/margin/account/ETHUSDT', { marginBalance: '500' });
      floor.quote('2999.000', '3000.000', 'ETHUSDT');
      await floor.done(
        'POST',
        '/margin/order',
        order('order-001', { symbol: 'ETHUSDT', price: '3000' }),
      );
      expect(await floor.rejected('DELETE', '/margin/account')).toMatchObject({ code: 20001 });
      expect(await floor.done('GET', '/margin/account')).toHaveLength(2);
      await floor.done('DELETE', '/margin/position');
      const closed = await floor.done<readonly Body[]>('DELETE', '/margin/account');
      expect(closed.map(({ symbol }) => symbol).toSorted()).toEqual(['BTCUSDT', 'ETHUSDT']);
      expect(await floor.done('GET', '/margin/account')).toEqual([]);
    },
  );
});

describe('positions of version 2', () => {
  test(
    'are listed, and found by their symbol',
    { tags: ['server:trading-v2.margin.positions', 'server:trading-v2.margin.position'] },
    async () => {
      const floor = await funded();
      expect(await floor.done('GET', '/margin/position')).toEqual([]);
      const none = await floor.rejected('GET', '/margin/position/BTCUSDT');
      expect(none).toMatchObject({ status: 400, code: 20032 });
      expect(await floor.rejected('GET', '/margin/position/ETHUSDT')).toMatchObject({
        code: 20032,
      });
      await floor.done(
        'POST',
        '/margin/order',
        order('order-001', { side: 'sell', price: '49999' }),
      );
      floor.quote('50099.00', '50101.00');
      const position = await floor.done('GET', '/margin/position/btcusdt');
      expect(position).toEqual({
        id: 1,
        symbol: 'BTCUSDT',
        quantity: '-0.10000',
        pnl: '-10.1',
        priceEntry: '49999.00',
        priceMarginCall: '145626.56',
        priceLiquidation: '146576.04',
        createdAt: '2026-01-05T10:00:00Z',
        updatedAt: '2026-01-05T10:00:00Z',
      });
      expect(await floor.done('GET', '/margin/position')).toEqual([position]);
    },
  );

  test(
    'are closed by their symbol, at the market or at a price',
    { tags: ['server:trading-v2.margin.delete-position'] },
    async () => {
      const floor = await funded();
      await floor.done('POST', '/margin/order', order('order-001'));
      const waiting = await floor.done('DELETE', '/margin/position/BTCUSDT?price=51000');
      expect(waiting).toMatchObject({ id: 1, quantity: '0.10000' });
      const orders = await floor.done<readonly Body[]>('GET', '/margin/order');
      expect(orders).toMatchObject([{ side: 'sell', price: '51000.00', reduceOnly: true }]);
      const closed = await floor.done('DELETE', '/margin/position/btcusdt');
      expect(closed).toMatchObject({ id: 1, quantity: '0.00000', pnl: '-0.1' });
      expect(await floor.done('GET', '/margin/order')).toEqual([]);
    },
  );

  test('are closed together', { tags: ['server:trading-v2.margin.delete-positions'] }, async () => {
    const floor = await funded();
    await floor.done('POST', '/margin/order', order('order-001'));
    floor.version = 3;
    await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '10000' });
    await floor.order({ quantity: '0.1', price: '50000', margin_mode: 'cross' });
    floor.version = 2;
    const closed = await floor.done<readonly Body[]>('DELETE', '/margin/position');
    expect(closed).toMatchObject([{ id: 1, symbol: 'BTCUSDT', quantity: '0.00000' }]);
    floor.version = 3;
    expect(await floor.done('GET', '/margin/account/cross/USDT')).toMatchObject({
      positions: [{ id: 2 }],
    });
  });
});

describe('margin orders of version 2', () => {
  test(
    'are placed, found, replaced and canceled below /margin',
    { tags: ['server:trading-v2.margin.orders'] },
    async () => {
      const floor = await funded();
      const placed = await floor.done(
        'POST',
        '/margin/order',
        order('order-001', { price: '40000' }),
      );
      expect(placed).toMatchObject({
        clientOrderId: 'order-001',
        status: 'new',
        reduceOnly: false,
      });
      const { clientOrderId: _, ...unnamed } = order('');
      const put = await floor.done('PUT', '/margin/order/order-002', {
        ...unnamed,
        price: '41000',
      });
      expect(put).toMatchObject({ clientOrderId: 'order-002', status: 'new' });
      expect(names(await floor.done('GET', '/margin/order'))).toEqual(['order-001', 'order-002']);
      expect(names(await floor.done('GET', '/margin/order?symbol=ethusdt'))).toEqual([]);
      expect(await floor.done('GET', '/margin/order/order-001')).toMatchObject({
        price: '40000.00',
      });
      const change = { quantity: '0.2', price: '42000', requestClientId: 'order-003' };
      expect(await floor.done('PATCH', '/margin/order/order-001', change)).toMatchObject({
        clientOrderId: 'order-003',
        quantity: '0.20000',
      });
      const canceled = await floor.done('DELETE', '/margin/order/order-003');
      expect(canceled).toMatchObject({ status: 'canceled' });
      expect(names(await floor.done('DELETE', '/margin/order'))).toEqual(['order-002']);
      expect(await floor.done('GET', '/order')).toEqual([]);
      const filled = await floor.done('POST', '/margin/order', order('order-004'));
      expect(filled).toMatchObject({ status: 'filled', positionId: 1, tradesReport: [{}] });
      const history = '/history/trades?margin=only';
      expect(await floor.done('GET', history)).toMatchObject([
        { clientOrderId: 'order-004', liquidation: false },
      ]);
    },
  );
});
