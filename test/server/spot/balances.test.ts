import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { SpotTrader, openMarket, type Body } from './harness.ts';

const FIELDS = ['available', 'cross_margin_reserved', 'currency', 'reserved', 'reserved_margin'];

describe('the balances', () => {
  test(
    'are listed with all that is said of each',
    { tags: ['server:trading-v3.spot.get-balances'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order();
      const balances = await demo.done<readonly Body[]>('GET', '/spot/balance');
      for (const balance of balances) expect(Object.keys(balance).sort()).toEqual(FIELDS);
      expect(balances).toContainEqual({
        currency: 'BTC',
        available: '99.9499',
        reserved: '0.0501',
        reserved_margin: '0',
        cross_margin_reserved: '0',
      });
      expect(balances.map(({ currency }) => currency).sort()).toEqual(['BTC', 'ETH', 'USDT']);
    },
  );

  test(
    'of one currency is reported without its name',
    { tags: ['server:trading-v3.spot.get-balance'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order();
      expect(await demo.done('GET', '/spot/balance/BTC')).toEqual({
        available: '99.9499',
        reserved: '0.0501',
        reserved_margin: '0',
        cross_margin_reserved: '0',
      });
    },
  );

  test('of a currency that nobody knows is refused with 2002', async () => {
    const { demo } = await openMarket();
    const rejected = await demo.rejected('GET', '/spot/balance/DOGE');
    expect(rejected).toMatchObject({ status: 400, code: 2002 });
    expect(rejected.description).toContain('BTC');
  });

  test('keep every digit', async () => {
    const { venue } = await openMarket();
    const exact = '12345678901234567.123456789012345678';
    venue.join('exact', { spot: { USDT: exact } });
    expect(await new SpotTrader(venue, 'exact').balance('USDT')).toMatchObject({
      available: exact,
    });
  });
});

describe('what is available', () => {
  test(
    'can be ordered with to the last step and not beyond it',
    { tags: ['server:trading-v3.spot.balance-available'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ side: 'sell', quantity: '400' });
      expect(await demo.balance('ETH')).toMatchObject({ available: '600' });
      expect(await demo.orderRejected({ side: 'sell', quantity: '600.0001' })).toMatchObject({
        code: 20001,
      });
      await demo.order({ side: 'sell', quantity: '600' });
      expect(await demo.balance('ETH')).toMatchObject({ available: '0', reserved: '1000' });
    },
  );

  test(
    'can be moved to the wallet and no more',
    { tags: ['server:trading-v3.spot.balance-available'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ side: 'sell', quantity: '400' });
      const transfer = { currency: 'ETH', source: 'spot', destination: 'wallet' };
      const beyond = { ...transfer, amount: '600.000000000001' };
      expect(await demo.rejected('POST', '/wallet/transfer', beyond)).toMatchObject({
        code: 20001,
      });
      await demo.done('POST', '/wallet/transfer', { ...transfer, amount: '600' });
      expect(await demo.balance('ETH')).toMatchObject({ available: '0', reserved: '400' });
      expect(await demo.orderRejected({ side: 'sell', quantity: '0.0001' })).toMatchObject({
        code: 20001,
      });
    },
  );
});

describe('what is reserved', () => {
  test(
    'is what active orders hold, sells their quantity and buys their price and fee',
    { tags: ['server:trading-v3.spot.balance-reserved'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({
        side: 'sell',
        quantity: '3',
        price: '0.06',
        client_order_id: 'order-0001',
      });
      await demo.order({ side: 'sell', quantity: '2', price: '0.06' });
      await demo.order();
      expect(await demo.balance('ETH')).toMatchObject({ available: '995', reserved: '5' });
      expect(await demo.balance('BTC')).toMatchObject({ available: '99.9499', reserved: '0.0501' });
      await other.order({ price: '0.06', quantity: '1' });
      expect(await demo.balance('ETH')).toMatchObject({ available: '995', reserved: '4' });
      await demo.cancel('order-0001');
      expect(await demo.balance('ETH')).toMatchObject({ available: '997', reserved: '2' });
      await demo.done('DELETE', '/spot/order');
      expect(await demo.balance('ETH')).toMatchObject({ available: '999', reserved: '0' });
      expect(await demo.balance('BTC')).toMatchObject({ reserved: '0' });
    },
  );

  test('for margin is what isolated accounts have', async () => {
    const { demo } = await openMarket();
    await demo.done('PUT', '/margin/account/isolated/BTCUSDT', { margin_balance: '250.5' });
    expect(await demo.balance('USDT')).toEqual({
      available: '999749.5',
      reserved: '0',
      reserved_margin: '250.5',
      cross_margin_reserved: '0',
    });
  });

  test(
    'for margin goes into isolated accounts and comes back from them',
    { tags: ['server:trading-v3.spot.balance-reserved-margin'] },
    async () => {
      const { demo } = await openMarket();
      const path = '/margin/account/isolated/BTCUSDT';
      await demo.done('PUT', path, { margin_balance: '250.5' });
      expect(await demo.balance('USDT')).toMatchObject({ reserved_margin: '250.5' });
      await demo.done('PUT', path, { margin_balance: '0' });
      expect(await demo.balance('USDT')).toMatchObject({
        available: '1000000',
        reserved_margin: '0',
      });
    },
  );

  test(
    'for cross margin is what the cross account has',
    { tags: ['server:trading-v3.spot.balance-cross-margin-reserved'] },
    async () => {
      const { venue, demo } = await openMarket();
      const { margin } = venue.trading.exchange;
      const rejection = venue.trading.act((_, at) =>
        margin.set(
          demo.account,
          { symbol: 'BTCUSDT', mode: 'cross', marginBalance: new Decimal('40') },
          at,
        ),
      );
      expect(rejection).toBeUndefined();
      expect(await demo.balance('USDT')).toMatchObject({
        available: '999960',
        reserved_margin: '0',
        cross_margin_reserved: '40',
      });
    },
  );
});

describe('fee rates', () => {
  test(
    'are listed by symbol, those of futures apart',
    { tags: ['server:trading-v3.spot.get-fees'] },
    async () => {
      const { venue, demo } = await openMarket();
      const own = { takeRate: new Decimal('0.0009'), makeRate: new Decimal('-0.0001') };
      venue.trading.exchange.fees.set(demo.account, 'ETHUSDT', own);
      expect(await demo.done('GET', '/spot/fee')).toEqual([
        { symbol: 'BTCUSDT', take_rate: '0.0025', make_rate: '0.0012' },
        { symbol: 'ETHUSDT', take_rate: '0.0009', make_rate: '-0.0001' },
        { symbol: 'ETHBTC', take_rate: '0.002', make_rate: '0.001' },
      ]);
    },
  );

  test(
    'of one symbol are reported without its name',
    { tags: ['server:trading-v3.spot.get-fee'] },
    async () => {
      const { demo } = await openMarket();
      expect(await demo.done('GET', '/spot/fee/ETHBTC')).toEqual({
        take_rate: '0.002',
        make_rate: '0.001',
      });
    },
  );

  test.each(['ETHDOGE', 'ETHUSDT_PERP'])('of %s are refused with 2001', async (symbol) => {
    const { demo } = await openMarket();
    expect(await demo.rejected('GET', `/spot/fee/${symbol}`)).toMatchObject({
      status: 400,
      code: 2001,
    });
  });
});
