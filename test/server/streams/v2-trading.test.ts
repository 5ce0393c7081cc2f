import { describe, expect, test } from 'vitest';
import { openVenue } from '../kit.ts';
import { ask, askOne, rejection, reported } from './trading-markets.ts';

const ROW = 'server:trading-v2.stream-trading';
const PATH = '/api/2/ws/trading';
const order = { symbol: 'ethusdt', side: 'buy', quantity: '0.5', price: '2000' } as const;
const sell = { ...order, side: 'sell', quantity: '0.2' } as const;
const id = (n: number) => ({ clientOrderId: `order-000${n}` });

describe('the trading socket of version 2', () => {
  test(
    'active orders are sent, then each event',
    { tags: [`${ROW}.subscribe-reports`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo', PATH);
      await ask(socket, 'newOrder', { ...order, ...id(1) });
      expect(await ask(socket, 'subscribeReports', {})).toBe(true);
      await socket.settle();
      expect(socket.received('activeOrders').map(({ params }) => params)).toMatchObject([
        [{ ...id(1), reportType: 'status', symbol: 'ETHUSDT' }],
      ]);
      await ask(socket, 'cancelOrder', id(1));
      expect(reported(socket, 'report')).toMatchObject([{ ...id(1), reportType: 'canceled' }]);
      expect(await ask(socket, 'unsubscribeReports')).toBe(true);
      await ask(socket, 'newOrder', { ...order, ...id(2) });
      expect(reported(socket, 'report')).toHaveLength(1);
    },
  );

  test(
    'an order must name itself, and is answered behind its report',
    { tags: [`${ROW}.new-order`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo', PATH);
      await ask(socket, 'subscribeReports');
      const reply = await socket.request('newOrder', { ...order, ...id(1) });
      expect(reply).toMatchObject({ jsonrpc: '2.0', result: { ...id(1), reportType: 'new' } });
      const [report] = socket.received('report');
      expect(report).toEqual({ jsonrpc: '2.0', method: 'report', params: reply['result'] });
      expect(socket.frames.indexOf(report)).toBe(socket.frames.indexOf(reply) - 1);
      expect(await rejection(socket, 'newOrder', order)).toMatchObject({ code: 10001 });
      expect(await rejection(socket, 'newOrder', { ...order, ...id(1) })).toMatchObject({
        code: 20008,
        message: 'Duplicate clientOrderId',
      });
    },
  );

  test('an order is canceled once', { tags: [`${ROW}.cancel-order`] }, async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo', PATH);
    await ask(socket, 'newOrder', { ...order, ...id(1) });
    expect(await ask(socket, 'cancelOrder', id(1))).toMatchObject({
      ...id(1),
      status: 'canceled',
      reportType: 'canceled',
    });
    expect(await rejection(socket, 'cancelOrder', id(1))).toMatchObject({ code: 20002 });
    await ask(socket, 'newOrder', { ...order, ...id(2) });
    expect(await ask(socket, 'cancelOrders')).toMatchObject([{ ...id(2), status: 'canceled' }]);
  });

  test(
    'another order takes the place of one',
    { tags: [`${ROW}.cancel-replace-order`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo', PATH);
      await ask(socket, 'newOrder', { ...order, ...id(1) });
      const replaced = await ask(socket, 'cancelReplaceOrder', {
        ...id(1),
        requestClientId: 'order-0002',
        quantity: '0.7',
        price: '1999.5',
        strictValidate: true,
      });
      expect(replaced).toMatchObject({
        ...id(2),
        reportType: 'replaced',
        originalRequestClientOrderId: 'order-0001',
        quantity: '0.7000',
        price: '1999.500',
      });
    },
  );

  test(
    'active orders are given, those of a symbol where it is named',
    { tags: [`${ROW}.get-orders`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo', PATH);
      await ask(socket, 'newOrder', { ...order, ...id(1) });
      expect(await ask(socket, 'getOrders')).toMatchObject([{ ...id(1), reportType: 'status' }]);
      expect(await ask(socket, 'getOrders', { symbol: 'BTCUSDT' })).toEqual([]);
    },
  );

  test('balances are given as over REST', { tags: [`${ROW}.get-trading-balance`] }, async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo', PATH);
    const balances = await ask(socket, 'getTradingBalance');
    expect(balances).toContainEqual({ currency: 'BTC', available: '100', reserved: '0' });
    const { body } = await venue.call('GET', '/api/2/trading/balance', { as: 'demo' });
    expect(balances).toEqual(body);
  });

  test('a trade says what it was', { tags: [`${ROW}.report-fields`] }, async () => {
    const venue = await openVenue();
    const maker = await venue.tradingSocket('other', PATH);
    await ask(maker, 'subscribeReports');
    await ask(maker, 'newOrder', { ...sell, ...id(1) });
    const taker = await venue.tradingSocket('demo', PATH);
    const taken = await askOne(taker, 'newOrder', { ...order, ...id(2) });
    expect(taken).toMatchObject({
      reportType: 'trade',
      tradeQuantity: '0.2000',
      tradePrice: '2000.000',
      tradeFee: '1.000000000000',
      cumQuantity: '0.2000',
    });
    await maker.settle();
    expect(reported(maker, 'report').at(-1)).toMatchObject({
      reportType: 'trade',
      tradeId: taken['tradeId'],
      tradeFee: '0.480000000000',
    });
  });

  test(
    'accounts, positions and orders on margin have methods and notifications of their own',
    { tags: [`${ROW}.margin`] },
    async () => {
      const venue = await openVenue();
      const maker = await venue.tradingSocket('other', PATH);
      await ask(maker, 'newOrder', { ...sell, ...id(1) });
      const socket = await venue.tradingSocket('demo', PATH);
      const symbol = { symbol: 'ETHUSDT' };
      expect(await ask(socket, 'marginSubscribe')).toBe(true);
      await socket.settle();
      expect(socket.received('marginOrders').map(({ params }) => params)).toEqual([[]]);
      expect(socket.received('marginAccounts').map(({ params }) => params)).toEqual([[]]);
      const account = await ask(socket, 'marginAccountSet', { ...symbol, marginBalance: '5000' });
      expect(account).toMatchObject({ ...symbol, marginBalance: '5000' });
      expect(await ask(socket, 'marginAccountsGet')).toEqual([account]);
      const placed = await askOne(socket, 'marginOrderNew', { ...order, ...id(2) });
      expect(placed).toMatchObject({ reportType: 'trade', status: 'partiallyFilled' });
      expect(placed).toHaveProperty('tradePositionId');
      expect(await ask(socket, 'marginOrdersGet')).toMatchObject([id(2)]);
      expect(await ask(socket, 'getOrders')).toEqual([]);
      await ask(socket, 'marginOrderCancelReplace', {
        ...id(2),
        requestClientId: 'order-0003',
        quantity: '0.6',
        price: '1999',
      });
      expect(await ask(socket, 'marginOrderCancel', id(3))).toMatchObject({ status: 'canceled' });
      expect(await ask(socket, 'marginOrdersCancel')).toEqual([]);
      await ask(maker, 'newOrder', { ...order, ...id(4) });
      expect(await ask(socket, 'marginPositionClose', symbol)).toMatchObject(symbol);
      const reports = reported(socket, 'marginOrderReport').map((one) => one['reportType']);
      expect(reports).toEqual(['new', 'trade', 'replaced', 'canceled', 'new', 'trade']);
      const events = reported(socket, 'marginAccountReport').map((one) => one['reportReason']);
      expect(events).toEqual(['created', 'openTrade', 'closed']);
      expect(await ask(socket, 'marginUnsubscribe')).toBe(true);
    },
  );
});

test(
  'the sockets of version 2 are at public, trading and account',
  { tags: ['server:trading-v2.conv.stream-addresses'] },
  async () => {
    const venue = await openVenue();
    const open = await venue.socket('/api/2/ws/public');
    expect(await ask(open, 'getSymbol', { symbol: 'ETHBTC' })).toMatchObject({ id: 'ETHBTC' });
    const trading = await venue.tradingSocket('demo', '/api/2/ws/trading');
    expect(await ask(trading, 'getOrders')).toEqual([]);
    const account = await venue.tradingSocket('demo', '/api/2/ws/account');
    expect(await ask(account, 'getBalance')).toBeInstanceOf(Array);
    expect(await rejection(account, 'getOrders')).toMatchObject({ code: 10001 });
  },
);

test('older clients find everything of version 2 at one address', async () => {
  const venue = await openVenue();
  const socket = await venue.socket('/api/2/ws');
  expect(await ask(socket, 'getSymbol', { symbol: 'ETHBTC' })).toMatchObject({ id: 'ETHBTC' });
  expect(await rejection(socket, 'getOrders')).toMatchObject({ code: 1001 });
  await ask(socket, 'login', { algo: 'BASIC', pKey: 'demo', sKey: 'demo-secret' });
  expect(await ask(socket, 'getOrders')).toEqual([]);
  expect(await ask(socket, 'getBalance')).toBeInstanceOf(Array);
});

test(
  'the sockets of version 3 are at public, trading and wallet',
  { tags: ['server:trading-v3.conv.stream-addresses'] },
  async () => {
    const venue = await openVenue();
    const open = await venue.socket('/api/3/ws/public');
    open.send({ method: 'subscriptions', ch: 'trades', params: {}, id: 1 });
    await open.settle();
    expect(open.frames).toEqual([{ result: { ch: 'trades', subscriptions: [] }, id: 1 }]);
    const trading = await venue.tradingSocket('demo');
    expect(await ask(trading, 'spot_get_orders')).toEqual([]);
    const wallet = await venue.tradingSocket('demo', '/api/3/ws/wallet');
    expect(await ask(wallet, 'wallet_balances')).toBeInstanceOf(Array);
    expect(await rejection(wallet, 'spot_get_orders')).toMatchObject({ code: 10001 });
  },
);
