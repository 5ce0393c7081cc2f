import { describe, expect, test } from 'vitest';
import type { TestSocket } from '../kit.ts';
import { openHarness, type Body, type MarginHarness } from './harness.ts';

const ROW = 'server:trading-v3.stream-trading';
const PERP = 'ETHUSDT_PERP';

/** A floor whose markets show prices, and a socket of the member who asks. */
async function opened(path?: string): Promise<{ floor: MarginHarness; socket: TestSocket }> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  floor.quote('2999.000', '3000.000', PERP);
  floor.derive('10000');
  return { floor, socket: await floor.venue.tradingSocket('demo', path) };
}

const result = async (socket: TestSocket, method: string, params: Body = {}) =>
  (await socket.request(method, params))['result'];

/** What was told of margin accounts: why, how much they have, and what they hold. */
const reported = (socket: TestSocket, method: string) =>
  socket.received(method).map(({ params }) => {
    const report = params as Body & {
      currencies: readonly [Body];
      positions: readonly Body[] | null;
    };
    return [
      report['report_type'],
      report['report_reason'],
      report.currencies[0]['margin_balance'],
      report.positions?.map(({ quantity }) => quantity) ?? null,
    ];
  });

describe('margin accounts on the trading socket', () => {
  test(
    'are set and read as over REST',
    { tags: [`${ROW}.margin-set-account`, `${ROW}.margin-get-accounts`] },
    async () => {
      const { floor, socket } = await opened();
      const set = await result(socket, 'margin_set_account', {
        symbol: 'BTCUSDT',
        margin_balance: '10000',
      });
      expect(set).toEqual(await floor.done('GET', '/margin/account/isolated/BTCUSDT'));
      const cross = { symbol: 'ETHUSDT', margin_balance: '500', margin_mode: 'cross' };
      expect(await result(socket, 'margin_set_account', cross)).toMatchObject({
        type: 'cross',
        currency: 'USDT',
      });
      const accounts = await result(socket, 'margin_get_accounts');
      expect(accounts).toHaveLength(2);
      expect(accounts).toEqual(await floor.done('GET', '/margin/account'));
      const finer = { symbol: 'BTCUSDT', margin_balance: '1.0000000000001', strict_validate: true };
      expect(await socket.request('margin_set_account', finer)).toMatchObject({
        error: { code: 10001 },
      });
    },
  );

  test(
    'of futures need a leverage',
    { tags: [`${ROW}.futures-set-account`, `${ROW}.futures-get-accounts`] },
    async () => {
      const { floor, socket } = await opened();
      const params = { symbol: PERP, margin_balance: '5000' };
      expect(await socket.request('futures_set_account', params)).toMatchObject({
        error: { code: 10001 },
      });
      const set = await result(socket, 'futures_set_account', { ...params, leverage: '10' });
      expect(set).toMatchObject({ symbol: PERP, leverage: '10.00' });
      expect(await result(socket, 'futures_get_accounts')).toEqual([set]);
      expect(await floor.done('GET', '/futures/account')).toEqual([set]);
      expect(await result(socket, 'margin_get_accounts')).toEqual([]);
    },
  );

  test(
    'a position is closed and returned',
    { tags: [`${ROW}.margin-close-position`] },
    async () => {
      const { floor, socket } = await opened();
      await floor.fund('10000');
      await floor.order({ quantity: '0.1', price: '50000' });
      const close = { symbol: 'BTCUSDT' };
      const strict = { ...close, price: '51000.001', strict_validate: true };
      expect(await socket.request('margin_close_position', strict)).toMatchObject({
        error: { code: 2022 },
      });
      const waiting = await result(socket, 'margin_close_position', { ...close, price: '51000' });
      expect(waiting).toMatchObject({ quantity: '0.10000' });
      expect(await result(socket, 'margin_close_position', close)).toMatchObject({
        id: 1,
        symbol: 'BTCUSDT',
        quantity: '0.00000',
        pnl: '-0.1',
      });
      expect(await socket.request('margin_close_position', close)).toMatchObject({
        error: { code: 20032 },
      });
    },
  );

  test(
    'a position in a contract is closed, in the mode that is said',
    { tags: [`${ROW}.futures-close-position`] },
    async () => {
      const { floor, socket } = await opened();
      await floor.done('PUT', '/futures/account/cross/USDT', { margin_balance: '1000' });
      await floor.order({ symbol: PERP, quantity: '1', price: '3000', margin_mode: 'cross' });
      const close = { symbol: PERP };
      expect(await socket.request('futures_close_position', close)).toMatchObject({
        error: { code: 20032 },
      });
      const crossed = { ...close, margin_mode: 'cross' };
      expect(await result(socket, 'futures_close_position', crossed)).toMatchObject({
        margin_mode: 'Cross',
        quantity: '0.000',
        pnl: '-1',
      });
    },
  );

  test(
    'are sent with every change, futures apart',
    { tags: [`${ROW}.notif-margin-account`] },
    async () => {
      const { floor, socket } = await opened();
      await floor.fund('10000');
      await result(socket, 'margin_subscribe');
      await result(socket, 'futures_subscribe');
      await socket.until((frame) => frame['method'] === 'futures_accounts');
      expect(socket.received('margin_accounts')).toMatchObject([
        { params: [{ symbol: 'BTCUSDT', report_type: 'status', report_reason: 'status' }] },
      ]);
      await floor.fund('12000');
      await floor.order({ quantity: '0.1', price: '50000' });
      await floor.order({ quantity: '0.1', price: '50000' });
      await floor.order({ side: 'sell', quantity: '0.05', price: '49999' });
      await floor.order({ side: 'sell', quantity: '0.25', price: '49999' });
      await floor.done('DELETE', '/margin/position');
      await floor.fund('0');
      await floor.fund('100');
      await floor.fund('1000', PERP, { leverage: '10' });
      await socket.settle();
      expect(reported(socket, 'margin_account')).toEqual([
        ['updated', 'marginChanged', '12000', null],
        ['updated', 'openTrade', '11987.5', ['0.10000']],
        ['updated', 'openTrade', '11975', ['0.20000']],
        ['updated', 'closeTrade', '11968.700125', ['0.15000']],
        ['created', 'flipTrade', '11937.30075', ['-0.10000']],
        ['closed', 'closed', '11924.70075', ['0.00000']],
        ['closed', 'closed', '0', null],
        ['created', 'reopened', '100', null],
      ]);
      await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '7' });
      await socket.settle();
      const crossed = socket.received('margin_account').at(-1);
      expect(crossed).toMatchObject({ params: { type: 'cross', currency: 'USDT' } });
      expect(reported(socket, 'margin_account').at(-1)).toEqual(['created', 'created', '7', null]);
      expect(reported(socket, 'futures_account')).toEqual([['created', 'created', '1000', null]]);
    },
  );

  test('a trade on margin has its position', { tags: [`${ROW}.report-trade-fields`] }, async () => {
    const { floor, socket } = await opened();
    await floor.fund('10000');
    await result(socket, 'margin_subscribe');
    await floor.order({ client_order_id: 'order-001', quantity: '0.1', price: '50000' });
    const isTrade = ({ params }: Body) => (params as Body | undefined)?.['report_type'] === 'trade';
    const { params } = await socket.until(isTrade, 'the trade');
    expect(params).toMatchObject({
      client_order_id: 'order-001',
      trade_id: expect.any(Number),
      trade_quantity: '0.10000',
      trade_price: '50000.00',
      trade_fee: '12.500000000000',
      trade_taker: true,
      trade_position_id: 1,
    });
  });

  test('have a liquidation with its orders, its trade and its position, before any other request', async () => {
    const { floor, socket } = await opened();
    await floor.fund('1000', 'BTCUSDT', { leverage: '10' });
    await floor.order({ quantity: '0.1', price: '50000' });
    await floor.order({ client_order_id: 'resting-1', quantity: '0.01', price: '40000' });
    await result(socket, 'margin_subscribe');
    floor.quote('41000.00', '41001.00');
    await socket.settle();
    const methods = socket.frames.map(({ method }) => method).filter((one) => one !== undefined);
    expect(methods.slice(2)).toEqual([
      'margin_order',
      'margin_order',
      'margin_order',
      'margin_account',
    ]);
    const kinds = socket
      .received('margin_order')
      .map(({ params }) => (params as Body)['report_type']);
    expect(kinds).toEqual(['canceled', 'new', 'trade']);
    expect(reported(socket, 'margin_account')).toMatchObject([
      ['updated', 'liquidated', expect.any(String), ['0.00000']],
    ]);
  });
});

describe('margin accounts on the trading socket of version 2', () => {
  test(
    'are read, set, sent and closed, and their orders placed',
    { tags: ['server:trading-v2.stream-trading.margin'] },
    async () => {
      const { floor, socket } = await opened('/api/2/ws/trading');
      await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '100' });
      await floor.fund('50', 'ETHUSDT');
      expect(await result(socket, 'marginSubscribe')).toBe(true);
      await socket.until(({ method }) => method === 'marginAccounts');
      const status = { symbol: 'ETHUSDT', reportType: 'status', reportReason: 'status' };
      const [{ params: accounts }] = socket.received('marginAccounts');
      expect(accounts).toHaveLength(1);
      expect(accounts).toMatchObject([status]);
      expect(socket.received('marginOrders')).toMatchObject([{ params: [] }]);
      const set = { symbol: 'BTCUSDT', marginBalance: '10000' };
      expect(await result(socket, 'marginAccountSet', set)).toMatchObject({
        symbol: 'BTCUSDT',
        leverage: '25.00',
        marginBalance: '10000',
      });
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '50000' };
      const placed = { clientOrderId: 'order-001', ...order };
      expect(await result(socket, 'marginOrderNew', placed)).toMatchObject({
        reportType: 'trade',
        tradePositionId: 1,
      });
      const [, account] = (await result(socket, 'marginAccountsGet')) as readonly Body[];
      expect(account).toMatchObject({ position: { id: 1, quantity: '0.10000' } });
      const closed = await result(socket, 'marginPositionClose', { symbol: 'BTCUSDT' });
      expect(closed).toMatchObject({ id: 1, quantity: '0.00000', pnl: '-0.1' });
      const reasons = socket.received('marginAccountReport').map(({ params }) => {
        const { reportType, reportReason, position } = params as Body & { position?: Body };
        return [reportType, reportReason, position?.['quantity']];
      });
      expect(reasons).toEqual([
        ['created', 'created', undefined],
        ['updated', 'openTrade', '0.10000'],
        ['closed', 'closed', '0.00000'],
      ]);
      expect(socket.received('marginOrderReport').length).toBeGreaterThan(1);
    },
  );
});
