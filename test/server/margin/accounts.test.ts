import { describe, expect, test } from 'vitest';
import type { Instrument } from '../../../src/model/instrument.ts';
import { instruments } from '../instruments.ts';
import { bitcoin, onMargin, openHarness, type Body, type MarginHarness } from './harness.ts';

const ISOLATED = '/margin/account/isolated/BTCUSDT';
const CROSS = '/margin/account/cross/USDT';

/** A margin account of 10,000 for BTCUSDT, whose market shows 49,999 to 50,000. */
async function funded(): Promise<MarginHarness> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  await floor.fund('10000');
  return floor;
}

const long = (more: Body = {}) => ({ quantity: '0.1', price: '50000', ...more });
const short = (more: Body = {}) => ({
  side: 'sell' as const,
  quantity: '0.1',
  price: '49999',
  ...more,
});

const spotOf = (floor: MarginHarness, currency = 'USDT') =>
  floor.done('GET', `/spot/balance/${currency}`);

describe('an isolated margin account', () => {
  test(
    'is opened, funded and returned',
    { tags: ['server:trading-v3.margin.put-account-isolated'] },
    async () => {
      const floor = await openHarness();
      expect(await floor.fund('10000.5', 'BTCUSDT', { strict_validate: true })).toEqual({
        symbol: 'BTCUSDT',
        type: 'isolated',
        leverage: '25.00',
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T10:00:00Z',
        currencies: [
          {
            code: 'USDT',
            margin_balance: '10000.5',
            reserved_orders: '0',
            reserved_positions: '0',
          },
        ],
        positions: null,
      });
      const less = await floor.fund('4000');
      expect(less['currencies']).toMatchObject([{ margin_balance: '4000' }]);
      expect(await spotOf(floor)).toMatchObject({ available: '996000', reserved_margin: '4000' });
    },
  );

  test('has a balance of twelve decimals, to which one is brought or, strictly, not', async () => {
    const floor = await openHarness();
    const odd = '1000.0000000000005';
    expect((await floor.fund(odd))['currencies']).toMatchObject([{ margin_balance: '1000' }]);
    const strict = { margin_balance: odd, strict_validate: true };
    expect(await floor.rejected('PUT', ISOLATED, strict)).toMatchObject({ code: 10001 });
    const dust = { margin_balance: '0.0000000000001' };
    expect(await floor.rejected('PUT', ISOLATED, dust)).toMatchObject({ code: 10001 });
    expect(await floor.margin()).toMatchObject({ margin_balance: '1000' });
  });

  test(
    'is closed by a balance of 0, and its funds go back',
    { tags: ['server:trading-v3.margin.put-account-zero-closes'] },
    async () => {
      const floor = await funded();
      await floor.order({ client_order_id: 'holding-', quantity: '0.1', price: '40000' });
      const held = await floor.rejected('PUT', ISOLATED, { margin_balance: '0' });
      expect(held).toMatchObject({ status: 400, code: 20001 });
      await floor.done('DELETE', '/margin/order/holding-');
      const closed = await floor.fund('0');
      expect(closed).toMatchObject({ symbol: 'BTCUSDT', positions: null });
      expect(closed['currencies']).toMatchObject([{ margin_balance: '0', reserved_orders: '0' }]);
      expect(await floor.rejected('GET', ISOLATED)).toMatchObject({ status: 400, code: 20032 });
      expect(await floor.done('GET', '/margin/account')).toEqual([]);
      expect(await spotOf(floor)).toMatchObject({ available: '1000000', reserved_margin: '0' });
    },
  );

  test('with a position is not closed, nor emptied below what that holds', async () => {
    const floor = await funded();
    await floor.order(long());
    for (const margin_balance of ['0', '100']) {
      expect(await floor.rejected('PUT', ISOLATED, { margin_balance })).toMatchObject({
        status: 400,
        code: 20001,
      });
    }
    expect(await floor.margin()).toMatchObject({ margin_balance: '9987.5' });
  });

  test(
    'is found by its symbol',
    { tags: ['server:trading-v3.margin.get-account-isolated'] },
    async () => {
      const floor = await funded();
      await floor.fund('5000', 'ETHUSDT');
      expect(await floor.done('GET', ISOLATED)).toMatchObject({
        symbol: 'BTCUSDT',
        type: 'isolated',
        currencies: [{ margin_balance: '10000' }],
      });
      const none = await floor.rejected('GET', '/margin/account/isolated/ETHBTC');
      expect(none).toMatchObject({ status: 400, code: 20032 });
      const nothing = await floor.rejected('GET', '/margin/account/isolated/NOTHING');
      expect(nothing).toMatchObject({ status: 400, code: 2001 });
    },
  );

  test(
    'stands in the list of margin accounts, futures apart',
    { tags: ['server:trading-v3.margin.get-accounts'] },
    async () => {
      const floor = await funded();
      floor.derive('1000');
      await floor.fund('500', 'ETHUSDT_PERP', { leverage: '10' });
      await floor.done('PUT', CROSS, { margin_balance: '2000' });
      await floor.order(long());
      const accounts = await floor.done<readonly Body[]>('GET', '/margin/account');
      expect(accounts).toMatchObject([
        {
          symbol: 'BTCUSDT',
          type: 'isolated',
          leverage: '25.00',
          created_at: '2026-01-05T10:00:00Z',
          updated_at: '2026-01-05T10:00:00Z',
          currencies: [{ code: 'USDT' }],
          positions: [{ symbol: 'BTCUSDT' }],
        },
        { currency: 'USDT', type: 'cross', positions: null },
      ]);
      floor.as = 'other';
      expect(await floor.done('GET', '/margin/account')).toEqual([]);
    },
  );

  test(
    'shows what it has and what orders and positions hold of it',
    { tags: ['server:trading-v3.margin.account-currencies'] },
    async () => {
      const floor = await funded();
      await floor.order(long({ price: '40000' }));
      floor.quote('39999.00', '40000.00');
      await floor.order(short({ price: '39999' }));
      await floor.order({ quantity: '0.1', price: '30000' });
      const { currencies } = await floor.done<{ currencies: readonly Body[] }>('GET', ISOLATED);
      // 3,000 x (1/25 + 0.0025 + 0.0025 x (1 + 1/25)) for the order.
      expect(currencies).toEqual([
        {
          code: 'USDT',
          margin_balance: expect.any(String),
          reserved_orders: '135.3',
          reserved_positions: '0',
        },
      ]);
      await floor.order({ quantity: '0.1', price: '40000' });
      floor.quote('40000.00', '40000.00');
      const { currencies: after } = await floor.done<{ currencies: readonly Body[] }>(
        'GET',
        ISOLATED,
      );
      // 4,000/25 + 0.0025 x (4,000 + 4,000/25) for the position.
      expect(after).toMatchObject([{ reserved_orders: '135.3', reserved_positions: '170.4' }]);
    },
  );

  test(
    'stands in the spot balance, isolated and cross apart',
    {
      tags: [
        'server:trading-v3.spot.balance-reserved-margin',
        'server:trading-v3.spot.balance-cross-margin-reserved',
      ],
    },
    async () => {
      const floor = await funded();
      await floor.done('PUT', CROSS, { margin_balance: '2000' });
      expect(await spotOf(floor)).toMatchObject({
        available: '988000',
        reserved: '0',
        reserved_margin: '10000',
        cross_margin_reserved: '2000',
      });
    },
  );
});

describe('a cross margin account', () => {
  test(
    'is found by its currency',
    { tags: ['server:trading-v3.margin.get-account-cross'] },
    async () => {
      const floor = await openHarness();
      const missing = await floor.rejected('GET', CROSS);
      expect(missing).toMatchObject({ status: 400, code: 20032 });
      const opened = await floor.done('PUT', CROSS, { margin_balance: '2000' });
      expect(opened).not.toHaveProperty('leverage');
      expect(await floor.done('GET', CROSS)).toEqual(opened);
      expect(opened).toMatchObject({
        currency: 'USDT',
        type: 'cross',
        currencies: [{ code: 'USDT', margin_balance: '2000' }],
        positions: null,
      });
      const unknown = await floor.rejected('GET', '/margin/account/cross/NONE');
      expect(unknown).toMatchObject({ status: 400, code: 2002 });
    },
  );

  test('may be given a leverage, and is closed by a balance of 0', async () => {
    const floor = await openHarness();
    const asked = { margin_balance: '2000', leverage: '5' };
    expect(await floor.done('PUT', CROSS, asked)).toMatchObject({ leverage: '5.00' });
    await floor.done('PUT', CROSS, { margin_balance: '0' });
    expect(await floor.done('GET', '/margin/account')).toEqual([]);
    expect(await spotOf(floor)).toMatchObject({ cross_margin_reserved: '0' });
  });

  test('is none in a currency in which nothing is traded on cross margin', async () => {
    const floor = await openHarness();
    const rejection = await floor.rejected('PUT', '/margin/account/cross/BTC', {
      margin_balance: '1',
    });
    expect(rejection).toMatchObject({
      status: 400,
      code: 20040,
      message: 'Margin trading forbidden',
    });
  });

  test('is opened through a symbol that opens positions where another of its currency does not', async () => {
    const closed = bitcoin({ symbol: 'AAAUSDT', margin: onMargin({ enabled: false }) });
    const floor = await openHarness({ instruments: [closed, ...instruments()] });
    expect(await floor.done('PUT', CROSS, { margin_balance: '1' })).toMatchObject({
      type: 'cross',
    });
  });
});

describe('a position', () => {
  test(
    'of a short is negative, and shows entry, limits and result',
    { tags: ['server:trading-v3.margin.account-positions'] },
    async () => {
      const floor = await funded();
      await floor.order(short());
      floor.quote('50099.00', '50101.00');
      const { positions } = await floor.done<{ positions: readonly Body[] }>('GET', ISOLATED);
      expect(positions).toMatchObject([
        {
          id: 1,
          symbol: 'BTCUSDT',
          quantity: '-0.10000',
          price_entry: '49999.00',
          price_margin_call: '145626.56',
          price_liquidation: '146576.04',
          pnl: '-10.1',
          created_at: '2026-01-05T10:00:00Z',
          updated_at: '2026-01-05T10:00:00Z',
        },
      ]);
      await floor.done('DELETE', '/margin/position');
      expect((await floor.done('GET', ISOLATED))['positions']).toBeNull();
    },
  );

  test(
    'carries what was paid in fees, open and in the history',
    { tags: ['server:trading-v3.margin.position-fee-cumulative'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      expect(await floor.position()).toMatchObject({ fee_cumulative: '12.5' });
      await floor.order(short({ quantity: '0.04' }));
      expect(await floor.position()).toMatchObject({ fee_cumulative: '17.4999' });
      await floor.order(short({ quantity: '0.06' }));
      const [closed] = await floor.done<readonly Body[]>('GET', '/margin/history/positions');
      expect(closed).toMatchObject({ fee_cumulative: '24.99975' });
    },
  );

  test(
    'is closed at the market and returned',
    { tags: ['server:trading-v3.margin.delete-position-isolated'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      const closed = await floor.done('DELETE', '/margin/position/isolated/BTCUSDT');
      expect(closed).toEqual({
        id: 1,
        symbol: 'BTCUSDT',
        margin_mode: 'Isolated',
        leverage: '25.00',
        quantity: '0.00000',
        price_entry: '50000.00',
        price_margin_call: '0.00',
        price_liquidation: '0.00',
        pnl: '-0.1',
        fee_cumulative: '24.99975',
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T10:00:00Z',
      });
      const again = await floor.rejected('DELETE', '/margin/position/isolated/BTCUSDT');
      expect(again).toMatchObject({ status: 400, code: 20032 });
    },
  );

  test('is closed at a price by an order that stays, off the grid where that is not strict', async () => {
    const floor = await funded();
    await floor.order(long());
    const path = '/margin/position/isolated/BTCUSDT';
    const strict = { price: '51000.004', strict_validate: true };
    expect(await floor.rejected('DELETE', path, strict)).toMatchObject({ code: 2022 });
    const open = await floor.done('DELETE', `${path}?price=51000.004`);
    expect(open).toMatchObject({ id: 1, quantity: '0.10000' });
    const [order] = await floor.done<readonly Body[]>('GET', '/margin/order');
    expect(order).toMatchObject({ price: '51000.00', reduce_only: true, side: 'sell' });
    floor.quote('51000.00', '51001.00');
    expect((await floor.done('GET', ISOLATED))['positions']).toBeNull();
  });

  test('of which the market takes a part is returned as it stands then', async () => {
    const floor = await funded();
    await floor.order(long());
    floor.quote('49999.00', '50000.00', 'BTCUSDT', '0.03');
    const left = await floor.done('DELETE', '/margin/position/isolated/BTCUSDT');
    expect(left).toMatchObject({ id: 1, quantity: '0.07000' });
  });

  test('of a cross account is closed by its symbol', async () => {
    const floor = await funded();
    await floor.done('PUT', CROSS, { margin_balance: '10000' });
    await floor.order(long({ margin_mode: 'cross' }));
    const isolated = await floor.rejected('DELETE', '/margin/position/isolated/BTCUSDT');
    expect(isolated).toMatchObject({ code: 20032 });
    const closed = await floor.done('DELETE', '/margin/position/cross/BTCUSDT');
    expect(closed).toMatchObject({ margin_mode: 'Cross', quantity: '0.00000', leverage: '25.00' });
  });

  test('of a contract or of nothing known is none of margin', async () => {
    const floor = await funded();
    for (const symbol of ['ETHUSDT_PERP', 'NOTHING']) {
      const path = `/margin/position/isolated/${symbol}`;
      expect(await floor.rejected('DELETE', path)).toMatchObject({ status: 400, code: 2001 });
    }
  });
});

describe('all positions', () => {
  test(
    'are closed together and returned, isolated and cross',
    { tags: ['server:trading-v3.margin.delete-positions'] },
    async () => {
      const floor = await funded();
      floor.quote('2999.000', '3000.000', 'ETHUSDT');
      await floor.done('PUT', CROSS, { margin_balance: '10000' });
      await floor.order(long());
      await floor.order({ symbol: 'ETHUSDT', quantity: '1', price: '3000', margin_mode: 'cross' });
      const closed = await floor.done<readonly Body[]>('DELETE', '/margin/position');
      expect(closed).toMatchObject([
        { id: 1, symbol: 'BTCUSDT', margin_mode: 'Isolated', quantity: '0.00000', pnl: '-0.1' },
        { id: 2, symbol: 'ETHUSDT', margin_mode: 'Cross', quantity: '0.0000', pnl: '-1' },
      ]);
      expect(await floor.done('DELETE', '/margin/position')).toEqual([]);
    },
  );

  test('that cannot be closed now stay as they are; where none can, that is refused', async () => {
    const floor = await funded();
    floor.quote('2999.000', '3000.000', 'ETHUSDT');
    await floor.fund('10000', 'ETHUSDT');
    await floor.order(long());
    await floor.order({ symbol: 'ETHUSDT', quantity: '1', price: '3000' });
    const { statuses } = floor.venue.trading.exchange;
    statuses.set('BTCUSDT', 'suspended');
    expect(await floor.done('DELETE', '/margin/position')).toMatchObject([
      { symbol: 'BTCUSDT', quantity: '0.10000' },
      { symbol: 'ETHUSDT', quantity: '0.0000' },
    ]);
    expect(await floor.rejected('DELETE', '/margin/position')).toMatchObject({ code: 20010 });
  });

  test('are not closed at one price', async () => {
    const floor = await funded();
    await floor.order(long());
    const rejection = await floor.rejected('DELETE', '/margin/position?price=51000');
    expect(rejection).toMatchObject({ status: 400, code: 10001 });
    expect(await floor.position()).toMatchObject({ quantity: '0.10000' });
  });
});

describe('the configuration of margin', () => {
  test(
    'has a record for each spot symbol and mode',
    { tags: ['server:trading-v3.margin.get-config', 'server:trading-v3.margin.config-record'] },
    async () => {
      const floor = await openHarness();
      const { config } = await floor.done<{ config: readonly Body[] }>('GET', '/margin/config');
      expect(config.map(({ symbol, margin_mode: mode }) => [symbol, mode])).toEqual([
        ['BTCUSDT', 'Isolated'],
        ['BTCUSDT', 'Cross'],
        ['ETHUSDT', 'Isolated'],
        ['ETHUSDT', 'Cross'],
      ]);
      expect(config[0]).toEqual({
        symbol: 'BTCUSDT',
        margin_call_leverage_mul: '1.50',
        liquidation_leverage_mul: '2.00',
        max_initial_leverage: '25.00',
        margin_mode: 'Isolated',
        force_close_fee: '0.05',
        enabled: true,
        active: true,
      });
      floor.venue.trading.exchange.margin.enable('BTCUSDT', false);
      const after = await floor.done<{ config: readonly Body[] }>('GET', '/margin/config');
      expect(after.config.map(({ enabled }) => enabled)).toEqual([false, false, true, true]);
    },
  );

  test(
    'has the risk limit where there is one, and nothing of it elsewhere',
    { tags: ['server:trading-v3.margin.config-risk-limit'] },
    async () => {
      const limit = { limitBase: '5000000', limitPower: '1.25', unlimitedThreshold: '2' };
      const limited: Instrument = bitcoin({ symbol: 'AAAUSDT', margin: onMargin(limit) });
      const floor = await openHarness({ instruments: [limited, ...instruments()] });
      const { config } = await floor.done<{ config: readonly Body[] }>('GET', '/margin/config');
      expect(config[0]).toMatchObject({
        symbol: 'AAAUSDT',
        limit_base: '5000000',
        limit_power: '1.25',
        unlimited_threshold: '2',
      });
      for (const name of ['limit_base', 'limit_power', 'unlimited_threshold']) {
        expect(config[2]).not.toHaveProperty(name);
      }
    },
  );
});
