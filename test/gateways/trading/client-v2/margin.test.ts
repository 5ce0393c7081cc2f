import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import { openHarness, type MarginHarness } from '../../../server/margin/harness.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const MARGIN = '/api/2/margin';
const BITCOIN = { symbol: 'BTCUSDT' } as const;

/** A client with 10,000 on margin for BTCUSDT, which is shown at 49,999 to 50,000. */
async function funded(): Promise<SubscriptionsV2 & { readonly floor: MarginHarness }> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  const subscriptions = await openSubscriptionsV2(floor.venue);
  await subscriptions.rest.setMarginAccount({ ...BITCOIN, marginBalance: '10000' });
  return { ...subscriptions, floor };
}

const account = (marginBalance: string, more: object = {}) => ({
  symbol: 'BTCUSDT',
  leverage: d('25'),
  marginBalance: d(marginBalance),
  marginBalanceOrders: d('0'),
  marginBalanceRequired: d('0'),
  createdAt: OPENED,
  updatedAt: OPENED,
  ...more,
});

const buy = (clientOrderId: string, more: object = {}) => ({
  clientOrderId,
  ...BITCOIN,
  side: 'buy' as const,
  quantity: '0.1',
  price: '50000',
  ...more,
});

const sell = (clientOrderId: string) => ({
  ...buy(clientOrderId),
  side: 'sell' as const,
  price: '49999',
});

/** How a short of 0.1 is read when 50,099 to 50,101 are shown. */
const SHORT = {
  id: 1,
  symbol: 'BTCUSDT',
  quantity: d('-0.1'),
  pnl: d('-10.1'),
  priceEntry: d('49999'),
  priceMarginCall: d('145626.56'),
  priceLiquidation: d('146576.04'),
  createdAt: OPENED,
  updatedAt: OPENED,
};

/** How a long of 0.1 is read when it was closed at 49,999. */
const CLOSED = {
  ...SHORT,
  quantity: d('0'),
  pnl: d('-0.1'),
  priceEntry: d('50000'),
  priceMarginCall: d('0'),
  priceLiquidation: d('0'),
};

describe('a margin account of version 2', () => {
  test(
    'is set to a balance, strictly where that is said',
    { tags: ['client:trading-v2.margin.put-account'] },
    async () => {
      const { rest, relay } = await funded();
      const asked = { marginBalance: '5000.5', strictValidate: true };
      expect(await rest.setMarginAccount({ ...BITCOIN, ...asked })).toEqual(account('5000.5'));
      expect(relay.sent).toEqual([`PUT ${MARGIN}/account/BTCUSDT`, asked]);
    },
  );

  test(
    'is asked for by its symbol, and listed',
    { tags: ['client:trading-v2.margin.account', 'client:trading-v2.margin.accounts'] },
    async () => {
      const { rest, relay, floor } = await funded();
      await rest.createMarginOrder(sell('order-001'));
      floor.quote('50099.00', '50101.00');
      const shown = account('9987.50025', {
        // 4,999.90/25, a loss of 10.1, and fees of 0.0025 × (4,999.90 + 210.096).
        marginBalanceRequired: d('223.12099'),
        position: SHORT,
      });
      expect(await rest.getMarginAccount(BITCOIN)).toEqual(shown);
      expect(relay.sent).toEqual([`GET ${MARGIN}/account/BTCUSDT`]);
      await rest.setMarginAccount({ symbol: 'ETHUSDT', marginBalance: '500' });
      const ether = account('500', { symbol: 'ETHUSDT', leverage: d('20') });
      expect(await rest.getMarginAccounts()).toEqual([shown, ether]);
      expect(relay.sent).toEqual([`GET ${MARGIN}/account`]);
      relay.answer([
        {
          ...account('0'),
          ...WIRE_TIMES,
          leverage: '25.00',
          marginBalance: 1.5,
          position: null,
          marginBalanceOrders: '0',
          marginBalanceRequired: '0.00',
        },
      ]);
      expect(await rest.getMarginAccounts()).toEqual([account('1.5')]);
    },
  );

  test(
    'is closed by its symbol',
    { tags: ['client:trading-v2.margin.delete-account'] },
    async () => {
      const { rest, relay } = await funded();
      expect(await rest.closeMarginAccount(BITCOIN)).toEqual(account('0'));
      expect(relay.sent).toEqual([`DELETE ${MARGIN}/account/BTCUSDT`]);
      expect(await rest.getMarginAccounts()).toEqual([]);
    },
  );

  test(
    'is closed with all others',
    { tags: ['client:trading-v2.margin.delete-accounts'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.setMarginAccount({ symbol: 'ETHUSDT', marginBalance: '500' });
      const closed = await rest.closeMarginAccounts();
      expect(relay.sent).toEqual([`DELETE ${MARGIN}/account`]);
      expect(closed.toSorted((a, b) => a.symbol.localeCompare(b.symbol))).toEqual([
        account('0'),
        account('0', { symbol: 'ETHUSDT', leverage: d('20') }),
      ]);
      expect(await rest.getMarginAccounts()).toEqual([]);
    },
  );
});

const WIRE_TIMES = { createdAt: '2026-01-05T10:00:00Z', updatedAt: '2026-01-05T10:00:00.0Z' };

describe('a position of version 2', () => {
  test(
    'is asked for by its symbol, and listed',
    { tags: ['client:trading-v2.margin.position', 'client:trading-v2.margin.positions'] },
    async () => {
      const { rest, relay, floor } = await funded();
      expect(await rest.getPositions()).toEqual([]);
      expect(relay.sent).toEqual([`GET ${MARGIN}/position`]);
      await rest.createMarginOrder(sell('order-001'));
      floor.quote('50099.00', '50101.00');
      expect(await rest.getPosition(BITCOIN)).toEqual(SHORT);
      expect(relay.sent).toEqual([`GET ${MARGIN}/position/BTCUSDT`]);
      expect(await rest.getPositions()).toEqual([SHORT]);
    },
  );

  test(
    'is closed at the market, or at a price',
    { tags: ['client:trading-v2.margin.delete-position'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(buy('order-001'));
      const waiting = await rest.closePosition({ ...BITCOIN, price: '51000' });
      expect(waiting).toMatchObject({ id: 1, quantity: d('0.1') });
      expect(relay.sent).toEqual([`DELETE ${MARGIN}/position/BTCUSDT?price=51000`]);
      const [order] = await rest.getMarginOrders();
      expect(order).toMatchObject({ side: 'sell', price: d('51000'), reduceOnly: true });
      expect(await rest.closePosition(BITCOIN)).toEqual(CLOSED);
      expect(relay.sent).toEqual([`DELETE ${MARGIN}/position/BTCUSDT`]);
    },
  );

  test(
    'is closed with all others',
    { tags: ['client:trading-v2.margin.delete-positions'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(buy('order-001'));
      expect(await rest.closePositions()).toEqual([CLOSED]);
      expect(relay.sent).toEqual([`DELETE ${MARGIN}/position`]);
    },
  );
});

describe('margin orders of version 2', () => {
  const PATH = `${MARGIN}/order`;
  const read = (clientOrderId: string, more: object = {}) => ({
    id: expect.any(Number) as number,
    clientOrderId,
    symbol: 'BTCUSDT',
    side: 'buy',
    status: 'new',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: d('0.1'),
    price: d('40000'),
    cumQuantity: d('0'),
    postOnly: false,
    reduceOnly: false,
    createdAt: OPENED,
    updatedAt: OPENED,
    ...more,
  });
  const resting = (clientOrderId: string) => buy(clientOrderId, { price: '40000' });

  test(
    'are placed and found below /margin',
    { tags: ['client:trading-v2.margin.orders'] },
    async () => {
      const { rest, relay } = await funded();
      expect(await rest.createMarginOrder(resting('order-001'))).toEqual(read('order-001'));
      expect(relay.sent).toEqual([`POST ${PATH}`, resting('order-001')]);
      const { clientOrderId: _, ...unnamed } = resting('');
      const put = { clientOrderId: 'order-002', ...unnamed };
      expect(await rest.createMarginOrderAtId(put)).toEqual(read('order-002'));
      expect(relay.sent).toEqual([`PUT ${PATH}/order-002`, unnamed]);
      expect(await rest.getMarginOrders()).toEqual([read('order-001'), read('order-002')]);
      expect(relay.sent).toEqual([`GET ${PATH}`]);
      expect(await rest.getMarginOrders({ symbol: 'ETHUSDT' })).toEqual([]);
      expect(relay.sent).toEqual([`GET ${PATH}?symbol=ETHUSDT`]);
      expect(await rest.getMarginOrder({ clientOrderId: 'order-001' })).toEqual(read('order-001'));
      expect(relay.sent).toEqual([`GET ${PATH}/order-001`]);
      const filled = await rest.createMarginOrder(buy('order-003'));
      const trade = { quantity: d('0.1'), price: d('50000'), fee: d('12.5'), timestamp: OPENED };
      expect(filled).toEqual(
        read('order-003', {
          status: 'filled',
          price: d('50000'),
          cumQuantity: d('0.1'),
          positionId: 1,
          tradesReport: [{ id: expect.any(Number) as number, ...trade }],
        }),
      );
    },
  );

  test(
    'take every parameter of an order',
    { tags: ['client:trading-v2.margin.orders'] },
    async () => {
      const { rest, relay } = await funded();
      const full = {
        ...resting('order-001'),
        type: 'stopLimit',
        timeInForce: 'GTD',
        expireTime: OPENED + 60_000_000,
        stopPrice: '60000',
        strictValidate: true,
        postOnly: true,
      } as const;
      const expireTime = (OPENED + 60_000_000) as typeof OPENED;
      const shown = { type: 'stopLimit', timeInForce: 'GTD', expireTime, stopPrice: d('60000') };
      const suspended = { ...shown, status: 'suspended', postOnly: true };
      expect(await rest.createMarginOrder({ ...full, expireTime })).toEqual(
        read('order-001', suspended),
      );
      const sent = { ...full, expireTime: '2026-01-05T10:01:00Z' };
      expect(relay.sent).toEqual([`POST ${PATH}`, sent]);
      const put = { ...full, clientOrderId: 'order-002', expireTime };
      expect(await rest.createMarginOrderAtId(put)).toEqual(read('order-002', suspended));
      const { clientOrderId: _, ...unnamed } = sent;
      expect(relay.sent).toEqual([`PUT ${PATH}/order-002`, unnamed]);
      const change = { quantity: '0.1', price: '40000', stopPrice: '61000', strictValidate: true };
      const moved = await rest.replaceMarginOrder({ clientOrderId: 'order-002', ...change });
      expect(moved).toMatchObject({ status: 'suspended', stopPrice: d('61000') });
      expect(relay.sent).toEqual([`PATCH ${PATH}/order-002`, change]);
      const waiting = await rest.getMarginOrder({ clientOrderId: 'order-001', wait: 0 });
      expect(waiting).toEqual(read('order-001', suspended));
      expect(relay.sent).toEqual([`GET ${PATH}/order-001?wait=0`]);
    },
  );

  test(
    'are replaced and canceled below /margin',
    { tags: ['client:trading-v2.margin.orders'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(resting('order-001'));
      await rest.createMarginOrder(resting('order-002'));
      const change = { quantity: '0.2', price: '42000', requestClientId: 'order-003' };
      expect(await rest.replaceMarginOrder({ clientOrderId: 'order-001', ...change })).toEqual(
        read('order-003', { quantity: d('0.2'), price: d('42000') }),
      );
      expect(relay.sent).toEqual([`PATCH ${PATH}/order-001`, change]);
      const canceled = await rest.cancelMarginOrder({ clientOrderId: 'order-003' });
      expect(canceled).toMatchObject({ clientOrderId: 'order-003', status: 'canceled' });
      expect(relay.sent).toEqual([`DELETE ${PATH}/order-003`]);
      expect(await rest.cancelMarginOrders({ symbol: 'ETHUSDT' })).toEqual([]);
      expect(relay.sent).toEqual([`DELETE ${PATH}?symbol=ETHUSDT`]);
      expect(await rest.cancelMarginOrders()).toEqual([read('order-002', { status: 'canceled' })]);
      expect(relay.sent).toEqual([`DELETE ${PATH}`]);
    },
  );
});
