import { describe, expect, test } from 'vitest';
import { bitcoin, onMargin, openHarness, type Body, type MarginHarness } from './harness.ts';

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

/** An order that closes the position below a price. */
const stop = (more: Body = {}) => ({
  side: 'sell' as const,
  client_order_id: 'stopping-',
  type: 'stopMarket',
  stop_price: '45000',
  close_position: true,
  ...more,
});

const positions = async (floor: MarginHarness) =>
  (await floor.done('GET', '/margin/account/isolated/BTCUSDT'))['positions'];

describe('an order that only reduces', () => {
  test(
    'never flips the position: it fills no more than that has',
    { tags: ['server:trading-v3.rule.reduce-only'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      const reducing = await floor.order(short({ quantity: '0.5', reduce_only: true }));
      expect(reducing).toMatchObject({ quantity: '0.50000', quantity_cumulative: '0.10000' });
      expect(reducing['status']).toBe('canceled');
      expect(await positions(floor)).toBeNull();
    },
  );

  test('is refused where there is nothing to reduce, and leaves no trace', async () => {
    const floor = await funded();
    expect(await floor.orderRejected(short({ reduce_only: true }))).toMatchObject({
      status: 400,
      code: 20032,
    });
    expect(await floor.done('GET', '/margin/history/order')).toEqual([]);
  });
});

describe('an order that closes the position', () => {
  test(
    'closes all of it when it is triggered',
    { tags: ['server:trading-v3.rule.close-position-stop-market'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      expect(await floor.order(stop())).toMatchObject({ status: 'suspended', quantity: '0.00000' });
      await floor.order(long({ quantity: '0.02' }));
      floor.quote('44999.00', '45000.00');
      floor.print('44999.00');
      expect(await positions(floor)).toBeNull();
      const path = '/margin/history/order?client_order_id=stopping-';
      expect(await floor.done('GET', path)).toMatchObject([
        { status: 'filled', quantity: '0.12000', quantity_cumulative: '0.12000' },
      ]);
    },
  );

  test(
    'is canceled when there is none to close',
    { tags: ['server:trading-v3.rule.close-position-stop-market'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      await floor.order(stop());
      await floor.done('DELETE', '/margin/position');
      floor.quote('44999.00', '45000.00');
      floor.print('44999.00');
      expect(
        await floor.done('GET', '/margin/history/order?client_order_id=stopping-'),
      ).toMatchObject([{ status: 'canceled', quantity_cumulative: '0.00000' }]);
    },
  );

  test(
    'is refused with a quantity',
    { tags: ['server:trading-v3.rule.close-position-no-quantity'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      expect(await floor.orderRejected(stop({ quantity: '0.1' }))).toMatchObject({
        status: 400,
        code: 2010,
      });
      expect(await floor.done('GET', '/margin/order')).toEqual([]);
    },
  );

  test(
    'is one only where that is said',
    { tags: ['server:trading-v3.rule.close-position-default-false'] },
    async () => {
      const floor = await funded();
      expect(await floor.order(long({ price: '40000' }))).toMatchObject({ close_position: false });
      const { close_position: _, ...plain } = stop();
      expect(await floor.orderRejected(plain)).toMatchObject({ code: 10001 });
    },
  );

  test(
    'and no other may leave its quantity out',
    { tags: ['server:trading-v3.rule.quantity-required'] },
    async () => {
      const floor = await funded();
      expect(await floor.orderRejected({ price: '40000' })).toMatchObject({ code: 10001 });
      await floor.order(long());
      expect(await floor.order(stop())).toMatchObject({ status: 'suspended' });
    },
  );
});

describe('the margin mode of an order', () => {
  test(
    'is isolated where nothing is said, and may be cross',
    { tags: ['server:trading-v3.rule.margin-mode-default-isolated'] },
    async () => {
      const floor = await funded();
      await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '10000' });
      const cheap = long({ price: '40000' });
      expect(await floor.order(cheap)).toMatchObject({ margin_mode: 'isolated' });
      for (const margin_mode of ['isolated', 'cross']) {
        expect(await floor.order({ ...cheap, margin_mode })).toMatchObject({ margin_mode });
      }
    },
  );

  test(
    'that is none is refused with 2024',
    { tags: ['server:trading-v3.rule.margin-mode-invalid', 'server:trading-v3.error.2024'] },
    async () => {
      const floor = await funded();
      expect(await floor.orderRejected(long({ margin_mode: 'portfolio' }))).toMatchObject({
        status: 400,
        code: 2024,
        message: 'Invalid margin mode',
      });
    },
  );

  test(
    'needs an account of that mode',
    { tags: ['server:trading-v3.rule.margin-account-needed'] },
    async () => {
      const floor = await funded();
      const crossed = await floor.orderRejected(long({ margin_mode: 'cross' }));
      expect(crossed).toMatchObject({ status: 400, code: 20032 });
      const ether = { symbol: 'ETHUSDT', quantity: '1', price: '1000' };
      expect(await floor.orderRejected(ether)).toMatchObject({ status: 400, code: 20032 });
      await floor.fund('1000', 'ETHUSDT');
      expect(await floor.order(ether)).toMatchObject({ status: 'new' });
    },
  );
});

test(
  'rates of its own change no fee of a margin order',
  { tags: ['server:trading-v3.rule.rates-spot-only'] },
  async () => {
    const floor = await funded();
    const order = await floor.order(long({ take_rate: '0.1', make_rate: '0.1' }));
    expect(order['trades']).toMatchObject([{ fee: '12.500000000000' }]);
  },
);

test(
  'words of margin have no effect on a spot order',
  { tags: ['server:trading-v3.rule.reduce-only-margin-only'] },
  async () => {
    const floor = await funded();
    const order = await floor.done('POST', '/spot/order', {
      symbol: 'BTCUSDT',
      ...short(),
      reduce_only: true,
      margin_mode: 'portfolio',
      close_position: true,
    });
    expect(order).toMatchObject({ status: 'filled', quantity_cumulative: '0.10000' });
    for (const word of ['reduce_only', 'margin_mode', 'close_position']) {
      expect(order).not.toHaveProperty(word);
    }
    expect(await floor.done('GET', '/margin/history/order')).toEqual([]);
  },
);

describe('what is refused on margin', () => {
  test(
    'without an account or a position is rejected with 20032',
    { tags: ['server:trading-v3.error.20032'] },
    async () => {
      const floor = await openHarness();
      const reported = {
        status: 400,
        code: 20032,
        message: 'Margin account or position not found',
      };
      expect(await floor.rejected('GET', '/margin/account/isolated/BTCUSDT')).toMatchObject(
        reported,
      );
      expect(await floor.orderRejected(long())).toMatchObject(reported);
      await floor.fund('10000');
      const closing = await floor.rejected('DELETE', '/margin/position/isolated/BTCUSDT');
      expect(closing).toMatchObject(reported);
    },
  );

  test(
    'that would change nothing is rejected with 20033',
    { tags: ['server:trading-v3.error.20033'] },
    async () => {
      const floor = await funded();
      const same = { margin_balance: '10000' };
      expect(await floor.rejected('PUT', '/margin/account/isolated/BTCUSDT', same)).toMatchObject({
        status: 400,
        code: 20033,
        message: 'Position not changed',
      });
    },
  );

  test(
    'where a position can only become smaller is rejected with 20034',
    { tags: ['server:trading-v3.error.20034'] },
    async () => {
      const floor = await funded();
      await floor.order(long());
      floor.venue.trading.exchange.margin.enable('BTCUSDT', false);
      expect(await floor.orderRejected(long())).toMatchObject({
        status: 400,
        code: 20034,
        message: 'Position in close only state',
      });
      expect(await floor.order(short())).toMatchObject({ status: 'filled' });
    },
  );

  test('beyond the risk limit is rejected with 20034', async () => {
    const limit = { limitBase: '5000000', limitPower: '1.25', unlimitedThreshold: '2' };
    const margin = onMargin({ ...limit, maxInitialLeverage: '100' });
    const floor = await openHarness({ instruments: [bitcoin({ margin })] });
    floor.quote('9999.00', '10000.00');
    await floor.fund('100000', 'BTCUSDT', { leverage: '20' });
    // 118,217.70 is the most at leverage 20, as on the page.
    expect(await floor.orderRejected({ quantity: '11.9', price: '10000' })).toMatchObject({
      code: 20034,
    });
    expect(await floor.order({ quantity: '11.8', price: '10000' })).toHaveProperty(
      'status',
      'filled',
    );
  });

  test(
    'in a symbol without margin is rejected with 20040',
    { tags: ['server:trading-v3.error.20040'] },
    async () => {
      const floor = await openHarness();
      const reported = { status: 400, code: 20040, message: 'Margin trading forbidden' };
      const order = { symbol: 'ETHBTC', quantity: '1', price: '0.05' };
      expect(await floor.orderRejected(order)).toMatchObject(reported);
      const path = '/margin/account/isolated/ETHBTC';
      expect(await floor.rejected('PUT', path, { margin_balance: '1' })).toMatchObject(reported);
    },
  );

  test('without funds is rejected with 20001, and changes nothing', async () => {
    const floor = await funded();
    const before = await floor.done('GET', '/margin/account');
    expect(await floor.orderRejected(long({ quantity: '10' }))).toMatchObject({
      status: 400,
      code: 20001,
    });
    const rich = { margin_balance: '10000000' };
    expect(await floor.rejected('PUT', '/margin/account/isolated/BTCUSDT', rich)).toMatchObject({
      status: 400,
      code: 20001,
    });
    expect(await floor.done('GET', '/margin/account')).toEqual(before);
    expect(await floor.done('GET', '/margin/history/order')).toEqual([]);
  });

  test('is a leverage below 1, above the most, or too fine', async () => {
    const floor = await openHarness();
    for (const leverage of ['0.5', '25.01', '10.001']) {
      const json = { margin_balance: '100', leverage };
      const rejection = await floor.rejected('PUT', '/margin/account/isolated/BTCUSDT', json);
      expect(rejection).toMatchObject({ status: 400, code: 10001 });
    }
    const negative = { margin_balance: '-1' };
    const rejection = await floor.rejected('PUT', '/margin/account/isolated/BTCUSDT', negative);
    expect(rejection).toMatchObject({ status: 400, code: 10001 });
  });
});
