import { describe, expect, test } from 'vitest';
import { SpotTrader, openMarket, type Body, type Market } from '../spot/harness.ts';

/** A member who has so much and nothing else. */
async function poor(
  has: Readonly<Record<string, string>>,
): Promise<Market & { readonly poor: SpotTrader }> {
  const market = await openMarket();
  market.venue.join('poor', { spot: has });
  return { ...market, poor: new SpotTrader(market.venue, 'poor') };
}

const NO_FUNDS = { status: 400, code: 20001, message: 'Insufficient funds' };

describe('a buy', () => {
  // 1 ETH at 0.05 BTC and the higher of the two rates, 0.002, is 0.0501.
  test.each([
    ['0.0501', NO_FUNDS],
    ['0.05009', NO_FUNDS],
  ])(
    'of 0.05 and its fee is refused to who has %s: equal is too little',
    { tags: ['server:trading-v3.rule.balance-buy-rule'] },
    async (btc, rejection) => {
      const { poor: methods } = await poor({ BTC: btc });
      expect(await methods.orderRejected({})).toMatchObject(rejection);
    },
  );

  test(
    'of 0.05 and its fee is taken from who has more',
    { tags: ['server:trading-v3.rule.balance-buy-rule'] },
    async () => {
      const { poor: methods } = await poor({ BTC: '0.050100000001' });
      expect(await methods.order()).toMatchObject({ status: 'new' });
    },
  );

  test(
    'needs what it will pay by rates of its own',
    { tags: ['server:trading-v3.rule.balance-buy-uses-order-rates'] },
    async () => {
      // 0.05 × 1.01 is 0.0505.
      const { poor: methods } = await poor({ BTC: '0.0505' });
      expect(await methods.orderRejected({ take_rate: '0.01' })).toMatchObject(NO_FUNDS);
      expect(await methods.orderRejected({ make_rate: '0.01' })).toMatchObject(NO_FUNDS);
      expect(await methods.order({ take_rate: '0.0099' })).toMatchObject({ status: 'new' });
    },
  );

  test(
    'at the market needs more than what it takes and its fee',
    { tags: ['server:trading-v3.rule.balance-market-buy'] },
    async () => {
      const market: Body = { type: 'market', price: undefined };
      const equal = await poor({ BTC: '0.0501' });
      await equal.other.order({ side: 'sell' });
      expect(await equal.poor.orderRejected(market)).toMatchObject(NO_FUNDS);
      const more = await poor({ BTC: '0.050100000001' });
      await more.other.order({ side: 'sell' });
      expect(await more.poor.order(market)).toMatchObject({ status: 'filled' });
    },
  );

  test(
    'at the market is reckoned at the prices that it would take',
    { tags: ['server:trading-v3.rule.balance-market-buy-price'] },
    async () => {
      // 0.5 at 0.05 and 0.5 at 0.07 is 0.06, with the fee 0.06012.
      const market: Body = { type: 'market', price: undefined };
      for (const [btc, taken] of [
        ['0.06012', false],
        ['0.060121', true],
      ] as const) {
        const { other, poor: methods } = await poor({ BTC: btc });
        await other.order({ side: 'sell', quantity: '0.5' });
        await other.order({ side: 'sell', quantity: '5', price: '0.07' });
        if (taken) expect(await methods.order(market)).toMatchObject({ price_average: '0.060000' });
        else expect(await methods.orderRejected(market)).toMatchObject(NO_FUNDS);
      }
    },
  );

  test(
    'that waits for its stop price is reckoned at that and a tenth',
    { tags: ['server:trading-v3.rule.balance-market-buy-price'] },
    async () => {
      // 0.05 × 1.1 × 1.002 is 0.05511.
      const stop: Body = { type: 'stopMarket', price: undefined, stop_price: '0.05' };
      const { poor: methods } = await poor({ BTC: '0.05511' });
      expect(await methods.orderRejected(stop)).toMatchObject(NO_FUNDS);
      const richer = await poor({ BTC: '0.055111' });
      await richer.poor.order(stop);
      expect(await richer.poor.balance('BTC')).toMatchObject({ reserved: '0.05511' });
    },
  );
});

describe('a sell', () => {
  test.each<[kind: string, order: Body]>([
    ['limit', {}],
    ['market', { type: 'market', price: undefined }],
    ['stopMarket', { type: 'stopMarket', price: undefined, stop_price: '0.04' }],
  ])(
    'of the type %s needs its quantity, and may take all there is',
    { tags: ['server:trading-v3.rule.balance-sell'] },
    async (_, order) => {
      const { demo, poor: methods } = await poor({ ETH: '1' });
      await demo.order({ quantity: '5' });
      const sell = { ...order, side: 'sell' };
      expect(await methods.orderRejected({ ...sell, quantity: '1.0001' })).toMatchObject(NO_FUNDS);
      await methods.order({ ...sell, quantity: '1' });
      expect(await methods.balance('ETH')).toMatchObject({ available: '0' });
    },
  );
});

describe('what an active order needs', () => {
  test.each<[how: string, end: (market: Market) => Promise<unknown>]>([
    ['canceled', ({ demo }) => demo.cancel('order-0001')],
    ['filled', ({ other }) => other.order({ side: 'sell' })],
    ['expired', async ({ venue }) => venue.pass(3_600_000_000)],
  ])(
    'is reserved and not available, and nothing of it is reserved when it is %s',
    { tags: ['server:trading-v3.rule.balance-reserve'] },
    async (_, end) => {
      const market = await openMarket();
      const gtd = { time_in_force: 'GTD', expire_time: '2026-01-05T11:00:00Z' };
      await market.demo.order({ client_order_id: 'order-0001', ...gtd });
      expect(await market.demo.balance('BTC')).toEqual({
        available: '99.9499',
        reserved: '0.0501',
        reserved_margin: '0',
        cross_margin_reserved: '0',
      });
      await end(market);
      expect(await market.demo.active()).toEqual([]);
      expect(await market.demo.balance('BTC')).toMatchObject({ reserved: '0' });
    },
  );

  test(
    'shrinks with what is executed',
    { tags: ['server:trading-v3.rule.balance-reserve'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ quantity: '4' });
      await other.order({ side: 'sell', quantity: '3' });
      // 3 at 0.05 and the maker's 0.001 is 0.15015; 1 more with the higher rate is 0.0501.
      expect(await demo.balance('BTC')).toMatchObject({
        available: '99.79975',
        reserved: '0.0501',
      });
    },
  );
});
