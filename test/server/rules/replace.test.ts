import { describe, expect, test } from 'vitest';
import { idOf, openMarket, type Body } from '../spot/harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const ID = 'order-0001';
const STOP = { type: 'stopLimit', side: 'sell', stop_price: '0.04', price: '0.039' } as const;

describe('a replacement', () => {
  eachRow<[row: string, what: string, order: Body, change: Body, code: number]>(
    'server:trading-v3.rule.replace-',
    [
      ['price-required', 'of a limit order without a price', {}, { quantity: '2' }, 10001],
      [
        'price-required',
        'of a stopLimit order without a price',
        STOP,
        { quantity: '2', stop_price: '0.041' },
        10001,
      ],
      [
        'price-required',
        'of a takeProfitLimit order without a price',
        { ...STOP, type: 'takeProfitLimit' },
        { quantity: '2' },
        10001,
      ],
      ['quantity-required', 'without a quantity', {}, { price: '0.051' }, 10001],
      ['insufficient', 'beyond the funds', {}, { price: '0.05', quantity: '1999' }, 20001],
      [
        'unchanged',
        'with the price and quantity there are',
        {},
        { price: '0.05', quantity: '1' },
        20009,
      ],
      [
        'strict-validate',
        'off the tick with strict_validate',
        {},
        { price: '0.0511115', quantity: '1', strict_validate: true },
        2022,
      ],
      [
        'strict-validate',
        'off the increment with strict_validate',
        {},
        { price: '0.051', quantity: '1.00005', strict_validate: true },
        2012,
      ],
    ],
  )('%s is refused', async (_what, order, change, code) => {
    const { demo } = await openMarket();
    await demo.order({ client_order_id: ID, ...order });
    expect(await demo.replaceRejected(ID, change)).toMatchObject({ status: 400, code });
  });

  test(
    'that is refused leaves the order active and as it was',
    { tags: ['server:trading-v3.rule.replace-refused-keeps-original'] },
    async () => {
      const { demo } = await openMarket();
      const order = await demo.order({ client_order_id: ID });
      await demo.replaceRejected(ID, { price: '0.05', quantity: '1999' });
      await demo.replaceRejected(ID, { price: 'cheap', quantity: '1' });
      expect(await demo.active()).toEqual([order]);
      expect(await demo.balance('BTC')).toMatchObject({ reserved: '0.0501' });
    },
  );

  test(
    'has the quantity that is given',
    { tags: ['server:trading-v3.rule.replace-quantity-required'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      const next = await demo.replace(ID, { quantity: '3.25', price: '0.05' });
      expect(next['quantity']).toBe('3.2500');
    },
  );

  test(
    'has the new client order id where one is given',
    { tags: ['server:trading-v3.rule.replace-new-client-id'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      const change = { quantity: '2', price: '0.05', new_client_order_id: idOf('new') };
      expect(await demo.replace(ID, change)).toMatchObject({ client_order_id: idOf('new') });
      expect(await demo.done('GET', `/spot/order/${idOf('new')}`)).toMatchObject({ status: 'new' });
    },
  );

  test(
    'has one that is made where none is given',
    {
      tags: [
        'server:trading-v3.spot.patch-order-generated-id',
        'server:trading-v3.rule.replace-new-client-id',
      ],
    },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      const next = await demo.replace(ID, { quantity: '2', price: '0.05' });
      expect(next['client_order_id']).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(await demo.active()).toEqual([next]);
    },
  );

  test(
    'has the client order id of the order that it replaced',
    { tags: ['server:trading-v3.rule.replace-original-id'] },
    async () => {
      const { demo } = await openMarket();
      const order = await demo.order({ client_order_id: ID });
      expect(order).not.toHaveProperty('original_client_order_id');
      const next = await demo.replace(ID, { quantity: '2', price: '0.05' });
      expect(next['original_client_order_id']).toBe(ID);
    },
  );

  test(
    'has the stop price that is given, and waits for it',
    { tags: ['server:trading-v3.rule.replace-stop-price'] },
    async () => {
      const { demo, print } = await openMarket();
      await demo.order({ ...STOP, client_order_id: ID });
      const change = { quantity: '1', price: '0.039', stop_price: '0.0395' };
      const next = await demo.replace(ID, { ...change, new_client_order_id: idOf('next') });
      expect(next).toMatchObject({ stop_price: '0.039500', status: 'suspended' });
      await print('0.04');
      expect(await demo.active()).toMatchObject([{ status: 'suspended' }]);
      await print('0.0395');
      expect(await demo.active()).toMatchObject([{ status: 'new' }]);
    },
  );

  test(
    'keeps the stop price where none is given',
    { tags: ['server:trading-v3.rule.replace-stop-price'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ ...STOP, client_order_id: ID });
      const next = await demo.replace(ID, { quantity: '2', price: '0.039' });
      expect(next['stop_price']).toBe('0.040000');
    },
  );

  test(
    'goes to the grid without strict_validate, an exact half down',
    { tags: ['server:trading-v3.rule.replace-strict-validate'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      const change = { quantity: '2.00005', price: '0.0460165', strict_validate: false };
      expect(await demo.replace(ID, change)).toMatchObject({
        quantity: '2.0000',
        price: '0.046016',
      });
    },
  );

  test(
    'counts what is executed: the quantity is the total',
    { tags: ['server:trading-v3.rule.replace-executed-part'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ client_order_id: ID });
      await other.order({ side: 'sell', quantity: '0.4' });
      expect(await demo.replaceRejected(ID, { quantity: '0.4', price: '0.05' })).toMatchObject({
        code: 2012,
      });
      const next = await demo.replace(ID, { quantity: '1.5', price: '0.05' });
      expect(next).toMatchObject({ quantity: '1.5000', quantity_cumulative: '0.4000' });
      // 1.1 is left: × 0.05 × 1.002.
      expect(await demo.balance('BTC')).toMatchObject({ reserved: '0.05511' });
    },
  );

  test.each([
    ['unknown', async () => undefined],
    ['canceled', (cancel: () => Promise<unknown>) => cancel()],
  ])(
    'of an order that is %s is refused with 20002',
    { tags: ['server:trading-v3.rule.replace-not-found'] },
    async (what, end) => {
      const { demo } = await openMarket();
      if (what === 'canceled') await demo.order({ client_order_id: ID });
      await end(() => demo.cancel(ID));
      expect(await demo.replaceRejected(ID, { quantity: '2', price: '0.05' })).toMatchObject({
        status: 400,
        code: 20002,
      });
    },
  );

  test('of an order on another’s account or another market is refused as unknown', async () => {
    const { demo, other } = await openMarket();
    await demo.done('PUT', '/margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
    const margin = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '50' };
    await demo.done('POST', '/margin/order', { ...margin, client_order_id: 'margin-001' });
    await demo.order({ client_order_id: ID });
    const change = { quantity: '2', price: '0.05' };
    expect(await other.replaceRejected(ID, change)).toMatchObject({ code: 20002 });
    expect(await demo.replaceRejected('margin-001', change)).toMatchObject({ code: 20002 });
    expect(await demo.rejected('DELETE', '/spot/order/margin-001')).toMatchObject({ code: 20002 });
    expect(await demo.active()).toMatchObject([{ client_order_id: ID }]);
  });
});
