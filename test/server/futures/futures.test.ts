import { describe, expect, test } from 'vitest';
import {
  bitcoin,
  openHarness,
  perpetual,
  type Body,
  type MarginHarness,
} from '../margin/harness.ts';

const PERP = 'ETHUSDT_PERP';
const HOUR = 3_600_000_000;
const MINUTE = 60_000_000;

/** Derivatives of 10,000, of which 5,000 are on ETHUSDT_PERP at leverage 10; 2,999 to 3,000 are shown. */
async function funded(): Promise<MarginHarness> {
  const floor = await openHarness();
  floor.quote('2999.000', '3000.000', PERP);
  floor.derive('10000');
  await floor.fund('5000', PERP, { leverage: '10' });
  return floor;
}

const long = (more: Body = {}) => ({ symbol: PERP, quantity: '1', price: '3000', ...more });
const short = (more: Body = {}) => ({
  ...long({ price: '2999', ...more }),
  side: 'sell' as const,
});
const names = (found: readonly Body[]) => found.map((one) => one['client_order_id']);

describe('a futures order', () => {
  test(
    'is made and returned with reduce_only and margin_mode',
    { tags: ['server:trading-v3.futures.post-order'] },
    async () => {
      const floor = await funded();
      const order = await floor.order(long({ client_order_id: 'order-001' }));
      expect(order).toMatchObject({
        client_order_id: 'order-001',
        symbol: PERP,
        status: 'filled',
        reduce_only: false,
        margin_mode: 'isolated',
        close_position: false,
        trades: [{ quantity: '1.000', price: '3000.000', fee: '2.100000000000', position_id: 1 }],
      });
      const reducing = { quantity: '0.5', price: '3100', reduce_only: true };
      expect(await floor.order(short(reducing))).toMatchObject({
        status: 'new',
        reduce_only: true,
      });
      const spot = await floor.rejected(
        'POST',
        '/futures/order',
        long({ symbol: 'ETHUSDT', side: 'buy' }),
      );
      expect(spot).toMatchObject({ status: 400, code: 2001 });
    },
  );

  test(
    'is found by its name and among the active ones',
    { tags: ['server:trading-v3.futures.get-order', 'server:trading-v3.futures.get-orders'] },
    async () => {
      const floor = await funded();
      await floor.order(long({ client_order_id: 'resting-1', price: '2000' }));
      await floor.order(long({ client_order_id: 'executed-' }));
      expect(await floor.done('GET', '/futures/order/resting-1')).toMatchObject({ status: 'new' });
      const executed = await floor.rejected('GET', '/futures/order/executed-');
      expect(executed).toMatchObject({ code: 20002 });
      expect(names(await floor.done('GET', '/futures/order'))).toEqual(['resting-1']);
      expect(names(await floor.done('GET', `/futures/order?symbol=${PERP}`))).toEqual([
        'resting-1',
      ]);
      const spot = await floor.rejected('GET', '/futures/order?symbol=BTCUSDT');
      expect(spot).toMatchObject({ code: 2001 });
    },
  );

  test('is replaced', { tags: ['server:trading-v3.futures.patch-order'] }, async () => {
    const floor = await funded();
    await floor.order(long({ client_order_id: 'resting-1', price: '2000' }));
    const change = { new_client_order_id: 'resting-2', quantity: '2', price: '2100' };
    expect(await floor.done('PATCH', '/futures/order/resting-1', change)).toMatchObject({
      client_order_id: 'resting-2',
      original_client_order_id: 'resting-1',
      status: 'new',
      quantity: '2.000',
      price: '2100.000',
    });
  });

  test('is canceled', { tags: ['server:trading-v3.futures.delete-order'] }, async () => {
    const floor = await funded();
    await floor.order(long({ client_order_id: 'resting-1', price: '2000' }));
    const canceled = await floor.done('DELETE', '/futures/order/resting-1');
    expect(canceled).toMatchObject({ client_order_id: 'resting-1', status: 'canceled' });
    expect(await floor.done('GET', '/futures/order')).toEqual([]);
  });

  test(
    'is canceled with all others, or those of a symbol',
    { tags: ['server:trading-v3.futures.delete-orders'] },
    async () => {
      const floor = await funded();
      await floor.order(long({ client_order_id: 'resting-1', price: '2000' }));
      await floor.order(long({ client_order_id: 'resting-2', price: '2001' }));
      const canceled = await floor.done<readonly Body[]>('DELETE', `/futures/order?symbol=${PERP}`);
      expect(names(canceled)).toEqual(['resting-1', 'resting-2']);
      expect(canceled.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
      expect(await floor.done('DELETE', '/futures/order')).toEqual([]);
    },
  );

  test(
    'is made with those that depend on it',
    { tags: ['server:trading-v3.futures.post-order-list'] },
    async () => {
      const floor = await funded();
      const orders = await floor.done<readonly Body[]>('POST', '/futures/order/list', {
        contingency_type: 'oneTriggerOneCancelOther',
        orders: [
          long({ client_order_id: 'opening--', side: 'buy' }),
          { ...short({ client_order_id: 'profit---', price: '3300' }), reduce_only: true },
          {
            symbol: PERP,
            side: 'sell',
            client_order_id: 'stopping-',
            type: 'stopMarket',
            stop_price: '2700',
            quantity: '1',
            reduce_only: true,
          },
        ],
      });
      expect(orders).toMatchObject([
        { client_order_id: 'opening--', status: 'filled' },
        { client_order_id: 'profit---', status: 'new', reduce_only: true },
        { client_order_id: 'stopping-', status: 'suspended', margin_mode: 'isolated' },
      ]);
      const spotOnly = { contingency_type: 'allOrNone', orders: [long(), long()] };
      const rejection = await floor.rejected('POST', '/futures/order/list', spotOnly);
      expect(rejection).toMatchObject({ status: 400, code: 10001 });
    },
  );
});

describe('the futures account', () => {
  test(
    'of a contract needs a balance and a leverage, and is returned',
    { tags: ['server:trading-v3.futures.put-account-isolated'] },
    async () => {
      const floor = await openHarness();
      floor.derive('10000');
      const path = `/futures/account/isolated/${PERP}`;
      const unleveraged = await floor.rejected('PUT', path, { margin_balance: '100' });
      expect(unleveraged).toMatchObject({ status: 400, code: 10001 });
      const unfunded = await floor.rejected('PUT', path, { leverage: '10' });
      expect(unfunded).toMatchObject({ status: 400, code: 10001 });
      const opened = await floor.done('PUT', path, { margin_balance: '100', leverage: '10' });
      expect(opened).toMatchObject({
        symbol: PERP,
        type: 'isolated',
        leverage: '10.00',
        currencies: [{ code: 'USDT', margin_balance: '100' }],
        positions: null,
      });
      const changed = await floor.done('PUT', path, { margin_balance: '100', leverage: '20' });
      expect(changed).toMatchObject({ leverage: '20.00' });
      const poor = await floor.rejected('PUT', path, { margin_balance: '10001', leverage: '10' });
      expect(poor).toMatchObject({ status: 400, code: 20001 });
    },
  );

  test(
    'is listed and found by its contract',
    {
      tags: [
        'server:trading-v3.futures.get-accounts',
        'server:trading-v3.futures.get-account-isolated',
      ],
    },
    async () => {
      const floor = await funded();
      await floor.fund('100');
      await floor.order(short());
      const account = await floor.done('GET', `/futures/account/isolated/${PERP}`);
      expect(account).toMatchObject({
        symbol: PERP,
        type: 'isolated',
        leverage: '10.00',
        currencies: [{ code: 'USDT', margin_balance: '4997.9007', reserved_orders: '0' }],
        positions: [{ symbol: PERP, quantity: '-1.000', price_entry: '2999.000' }],
      });
      expect(await floor.done('GET', '/futures/account')).toEqual([account]);
      const spot = await floor.rejected('GET', '/futures/account/isolated/BTCUSDT');
      expect(spot).toMatchObject({ status: 400, code: 2001 });
    },
  );

  test(
    'of cross margin is that of a settlement currency',
    { tags: ['server:trading-v3.futures.get-account-cross'] },
    async () => {
      const floor = await funded();
      const path = '/futures/account/cross/USDT';
      expect(await floor.rejected('GET', path)).toMatchObject({ status: 400, code: 20032 });
      await floor.done('PUT', path, { margin_balance: '1000' });
      await floor.order(long({ margin_mode: 'cross' }));
      expect(await floor.done('GET', path)).toMatchObject({
        currency: 'USDT',
        type: 'cross',
        currencies: [{ code: 'USDT', margin_balance: '997.9' }],
        positions: [{ symbol: PERP, margin_mode: 'Cross', leverage: '75.00' }],
      });
      expect(await floor.rejected('GET', '/futures/account/cross/BTC')).toMatchObject({
        code: 20040,
      });
    },
  );

  test(
    'is funded from the derivatives balance',
    { tags: ['server:trading-v3.futures.get-balances', 'server:trading-v3.futures.get-balance'] },
    async () => {
      const floor = await funded();
      await floor.done('PUT', '/futures/account/cross/USDT', { margin_balance: '1000' });
      const usdt = {
        available: '4000',
        reserved: '0',
        reserved_margin: '5000',
        cross_margin_reserved: '1000',
      };
      const balances = await floor.done<readonly Body[]>('GET', '/futures/balance');
      expect(balances).toContainEqual({ currency: 'USDT', ...usdt });
      expect(await floor.done('GET', '/futures/balance/USDT')).toEqual(usdt);
      const unknown = await floor.rejected('GET', '/futures/balance/NONE');
      expect(unknown).toMatchObject({ status: 400, code: 2002 });
    },
  );
});

describe('a position in a contract', () => {
  test(
    'is closed by mode and symbol, and returned',
    { tags: ['server:trading-v3.futures.delete-position'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      floor.venue.pass(HOUR);
      const wrong = await floor.rejected('DELETE', `/futures/position/cross/${PERP}`);
      expect(wrong).toMatchObject({ code: 20032 });
      const none = await floor.rejected('DELETE', `/futures/position/all/${PERP}`);
      expect(none).toMatchObject({ status: 400, code: 2024 });
      expect(await floor.done('DELETE', `/futures/position/isolated/${PERP}`)).toEqual({
        id: 1,
        symbol: PERP,
        margin_mode: 'Isolated',
        leverage: '10.00',
        quantity: '0.000',
        price_entry: '3000.000',
        price_margin_call: '0.000',
        price_liquidation: '0.000',
        pnl: '-1',
        fee_cumulative: '4.1993',
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T11:00:00Z',
      });
    },
  );

  test(
    'is closed with all others of futures',
    { tags: ['server:trading-v3.futures.delete-positions'] },
    async () => {
      const floor = await funded();
      floor.quote('49999.00', '50000.00');
      await floor.fund('10000');
      await floor.order({ quantity: '0.1', price: '50000' });
      await floor.done('PUT', '/futures/account/cross/USDT', { margin_balance: '1000' });
      await floor.order(long());
      await floor.order(long({ margin_mode: 'cross', quantity: '2' }));
      const closed = await floor.done<readonly Body[]>('DELETE', '/futures/position');
      expect(closed).toMatchObject([
        { symbol: PERP, margin_mode: 'Isolated', quantity: '0.000', pnl: '-1' },
        { symbol: PERP, margin_mode: 'Cross', quantity: '0.000', pnl: '-2' },
      ]);
      expect(await floor.position()).toMatchObject({ quantity: '0.10000' });
    },
  );
});

describe('of futures one may read', () => {
  test(
    'on what terms contracts are traded',
    { tags: ['server:trading-v3.futures.get-config'] },
    async () => {
      const floor = await openHarness();
      expect(await floor.done('GET', '/futures/config')).toMatchObject({
        config: [
          {
            symbol: PERP,
            margin_call_leverage_mul: '1.50',
            liquidation_leverage_mul: '2.00',
            max_initial_leverage: '75.00',
            margin_mode: 'Isolated',
            force_close_fee: '0.05',
            enabled: true,
            active: true,
          },
          { symbol: PERP, margin_mode: 'Cross' },
        ],
      });
    },
  );

  test(
    'what the account pays',
    { tags: ['server:trading-v3.futures.get-fees', 'server:trading-v3.futures.get-fee'] },
    async () => {
      const floor = await openHarness();
      const rates = { take_rate: '0.0007', make_rate: '0.0002' };
      expect(await floor.done('GET', '/futures/fee')).toEqual([{ symbol: PERP, ...rates }]);
      expect(await floor.done('GET', `/futures/fee/${PERP}`)).toEqual(rates);
      expect(await floor.rejected('GET', '/futures/fee/BTCUSDT')).toMatchObject({ code: 2001 });
    },
  );

  test(
    'past orders, by time where nothing is said',
    { tags: ['server:trading-v3.futures.get-history-orders'] },
    async () => {
      const floor = await funded();
      await floor.order(long({ client_order_id: 'order-001' }));
      floor.venue.pass(MINUTE);
      await floor.order(short({ client_order_id: 'order-002' }));
      const read = async (query: string) =>
        names(await floor.done<readonly Body[]>('GET', `/futures/history/order${query}`));
      expect(await read('')).toEqual(['order-002', 'order-001']);
      expect(await read(`?symbol=${PERP}&sort=ASC&limit=1`)).toEqual(['order-001']);
      expect(await read('?from=2026-01-05T10:00:30Z')).toEqual(['order-002']);
      expect(await read('?client_order_id=order-001&limit=1&offset=1')).toEqual(['order-001']);
      expect(await read('?offset=1')).toEqual(['order-001']);
    },
  );

  test(
    'past trades with what they were to the position',
    { tags: ['server:trading-v3.futures.get-history-trades'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      const closing = await floor.order(short({ client_order_id: 'closing--' }));
      const trades = await floor.done<readonly Body[]>('GET', '/futures/history/trade?limit=1');
      expect(trades).toEqual([
        {
          id: expect.any(Number),
          order_id: closing['id'],
          client_order_id: 'closing--',
          symbol: PERP,
          side: 'sell',
          quantity: '1.000',
          price: '2999.000',
          fee: '2.099300000000',
          timestamp: '2026-01-05T10:00:00Z',
          margin_mode: 'isolated',
          taker: true,
          position_id: 1,
          pnl: '-1',
          liquidation: false,
        },
      ]);
    },
  );

  test(
    'closed positions',
    { tags: ['server:trading-v3.futures.get-history-positions'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      await floor.done('DELETE', '/futures/position');
      const path = '/futures/history/positions';
      expect(await floor.done('GET', `${path}?symbol=${PERP}`)).toMatchObject([
        { id: 1, symbol: PERP, quantity_max: '1.000', price_close: '2999.000', liquidated: false },
      ]);
      expect(await floor.done('GET', '/margin/history/positions')).toEqual([]);
      expect(await floor.rejected('GET', `${path}?symbol=BTCUSDT`)).toMatchObject({ code: 2001 });
    },
  );
});

describe('the clearings of futures', () => {
  const terms = { takeRate: '0', makeRate: '0' };

  test(
    'have what a funding took and gave',
    { tags: ['server:trading-v3.futures.get-history-clearing'] },
    async () => {
      const at = 'BTCUSDT_PERP';
      const floor = await openHarness({ instruments: [bitcoin(terms), perpetual(terms)] });
      floor.index('97298.61', at);
      for (const as of ['demo', 'other']) {
        floor.as = as;
        floor.derive('100000');
        await floor.fund('50000', at, { leverage: '10' });
      }
      floor.as = 'demo';
      await floor.order({ symbol: at, quantity: '0.5', price: '97298.61' });
      await floor.order({ symbol: at, side: 'sell', quantity: '0.5', price: '97298.61' }, 'other');
      floor.venue.pass(6 * HOUR);
      // 0.5 x 97,298.61 x 0.0001, the rate of the first funding.
      const amount = '4.8649305';
      expect(await floor.margin(at)).toMatchObject({ margin_balance: '49995.1350695' });
      expect(await floor.done('GET', '/futures/history/clearing')).toEqual([
        {
          id: 1,
          symbol: at,
          position_id: 1,
          kind: 'funding',
          quantity: '0.50000',
          price: '97298.61',
          rate: '0.0001',
          amount: `-${amount}`,
          currency: 'USDT',
          timestamp: '2026-01-05T16:00:00Z',
        },
      ]);
      floor.as = 'other';
      expect(await floor.done('GET', '/futures/history/clearing')).toMatchObject([
        { kind: 'funding', quantity: '-0.50000', amount },
      ]);
      expect(await floor.margin(at)).toMatchObject({ margin_balance: `50004.8649305` });
    },
  );

  test(
    'have the settlement of a contract that ends',
    { tags: ['server:trading-v3.futures.get-history-clearing'] },
    async () => {
      const at = 'BTCUSDT_JAN';
      const expiry = '2026-01-05T12:00:00Z';
      const dated = perpetual({ ...terms, symbol: at, contractType: 'cash_settled', expiry });
      const floor = await openHarness({ instruments: [bitcoin(terms), dated] });
      floor.derive('10000');
      floor.index('100.00', at);
      floor.quote('99.00', '100.00', at);
      await floor.fund('1000', at, { leverage: '10' });
      await floor.order({ symbol: at, quantity: '3', price: '100' });
      await floor.order({ client_order_id: 'resting-1', symbol: at, quantity: '1', price: '50' });
      floor.index('111.00', at);
      floor.venue.pass(3 * HOUR);
      expect(await floor.done('GET', '/futures/history/clearing')).toMatchObject([
        {
          kind: 'settlement',
          quantity: '3.00000',
          price: '111.00',
          amount: '33',
          currency: 'USDT',
        },
      ]);
      expect(await floor.margin(at)).toMatchObject({ margin_balance: '1033' });
      expect(await floor.done('GET', '/futures/order')).toEqual([]);
      const [closed] = await floor.done<readonly Body[]>('GET', '/futures/history/positions');
      expect(closed).toMatchObject({ price_close: '111.00', pnl: '33', liquidated: false });
    },
  );

  test('have what a liquidation took', async () => {
    const at = 'BTCUSDT_PERP';
    const floor = await openHarness({ instruments: [bitcoin(), perpetual()] });
    floor.derive('10000');
    floor.index('10000.00', at);
    floor.quote('9999.00', '10000.00', at);
    await floor.fund('5000', at, { leverage: '10' });
    await floor.order({ symbol: at, quantity: '2', price: '10000' });
    floor.quote('7900.00', '7901.00', at);
    floor.index('7900.00', at);
    expect(await floor.margin(at)).toMatchObject({ margin_balance: '685.2' });
    expect(await floor.done('GET', '/futures/history/clearing')).toMatchObject([
      { kind: 'liquidation', position_id: 1, price: '7900.00', amount: '-4294.8' },
    ]);
    expect(await floor.done('GET', '/futures/history/trade?limit=1')).toMatchObject([
      { liquidation: true, pnl: '-4200' },
    ]);
  });
});
