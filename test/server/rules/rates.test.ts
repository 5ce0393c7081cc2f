import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { idOf, openMarket, type Body, type SpotTrader } from '../spot/harness.ts';

/** The fees of all trades of a member, oldest first. */
const fees = async (methods: SpotTrader): Promise<readonly unknown[]> =>
  (await methods.trades('?sort=ASC')).map(({ fee }) => fee);

/** `demo` takes what `other` offers: 1 ETH at 0.05 BTC; the symbol's rates are 0.002 and 0.001. */
async function traded(taker: Body, maker: Body = {}): Promise<{ take: unknown; make: unknown }> {
  const { demo, other } = await openMarket();
  await other.order({ side: 'sell', ...maker });
  await demo.order(taker);
  return { take: (await fees(demo))[0], make: (await fees(other))[0] };
}

describe('a fee', () => {
  test(
    'is price × quantity × rate, the taker’s and the maker’s',
    { tags: ['server:trading-v3.rule.fee-formula'] },
    async () => {
      expect(await traded({})).toEqual({ take: '0.000100000000', make: '0.000050000000' });
    },
  );

  test(
    'is charged in the fee currency of the symbol',
    { tags: ['server:trading-v3.rule.fee-currency'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell' });
      await demo.order();
      expect(await demo.balance('BTC')).toMatchObject({ available: '99.9499' });
      expect(await demo.balance('ETH')).toMatchObject({ available: '1001' });
      expect(await other.balance('BTC')).toMatchObject({ available: '100.04995' });
      expect(await other.balance('ETH')).toMatchObject({ available: '999' });
    },
  );

  test(
    'is charged in the base currency where that is it',
    { tags: ['server:trading-v3.rule.fee-currency'] },
    async () => {
      const instruments = [
        new Instrument({
          symbol: 'ETHBTC',
          type: 'spot',
          baseCurrency: 'ETH',
          quoteCurrency: 'BTC',
          tickSize: '0.000001',
          quantityIncrement: '0.0001',
          takeRate: '0.002',
          makeRate: '0.001',
          feeCurrency: 'ETH',
        }),
        // For the currencies of the members.
        new Instrument({
          symbol: 'BTCUSDT',
          type: 'spot',
          baseCurrency: 'BTC',
          quoteCurrency: 'USDT',
          tickSize: '0.01',
          quantityIncrement: '0.00001',
          takeRate: '0.002',
          makeRate: '0.001',
          feeCurrency: 'USDT',
        }),
      ];
      const { demo, other } = await openMarket({ instruments });
      await other.order({ side: 'sell' });
      await demo.order();
      expect(await fees(demo)).toEqual(['0.002000000000']);
      expect(await demo.balance('ETH')).toMatchObject({ available: '1000.998' });
      expect(await demo.balance('BTC')).toMatchObject({ available: '99.95' });
      expect(await other.balance('ETH')).toMatchObject({ available: '998.999' });
      expect(await other.balance('BTC')).toMatchObject({ available: '100.05' });
    },
  );

  test(
    'of a negative rate is paid out to the maker',
    { tags: ['server:trading-v3.rule.fee-maker-rebate'] },
    async () => {
      const { venue, demo, other } = await openMarket();
      const rebate = { takeRate: new Decimal('0.001'), makeRate: new Decimal('-0.0001') };
      venue.trading.exchange.fees.set(other.account, 'ETHBTC', rebate);
      await other.order({ side: 'sell' });
      await demo.order();
      expect(await fees(other)).toEqual(['-0.000005000000']);
      expect(await other.balance('BTC')).toMatchObject({ available: '100.050005' });
      expect(await other.done('GET', '/spot/fee/ETHBTC')).toEqual({
        take_rate: '0.001',
        make_rate: '-0.0001',
      });
    },
  );
});

describe('an order with rates of its own', () => {
  test(
    'pays a higher taker rate as taker',
    { tags: ['server:trading-v3.rule.take-rate-raise-only'] },
    async () => {
      expect((await traded({ take_rate: '0.01' })).take).toBe('0.000500000000');
    },
  );

  test(
    'pays no lower taker rate',
    { tags: ['server:trading-v3.rule.take-rate-raise-only'] },
    async () => {
      expect((await traded({ take_rate: '0.0001' })).take).toBe('0.000100000000');
    },
  );

  test(
    'pays a higher maker rate as maker',
    { tags: ['server:trading-v3.rule.make-rate-raise-only'] },
    async () => {
      expect((await traded({}, { make_rate: '0.01' })).make).toBe('0.000500000000');
    },
  );

  test(
    'pays no lower maker rate',
    { tags: ['server:trading-v3.rule.make-rate-raise-only'] },
    async () => {
      expect((await traded({}, { make_rate: '0' })).make).toBe('0.000050000000');
    },
  );

  test('pays each rate in its role alone', async () => {
    const rates = { take_rate: '0.01', make_rate: '0.02' };
    expect(await traded(rates, rates)).toEqual({ take: '0.000500000000', make: '0.001000000000' });
  });

  test(
    'is taken with lower ones, which are ignored',
    { tags: ['server:trading-v3.rule.rate-lower-handling'] },
    async () => {
      const { demo } = await openMarket();
      const order = await demo.order({ take_rate: '0.0001', make_rate: '0.0001' });
      expect(order).toMatchObject({ status: 'new' });
    },
  );

  test(
    'means a fraction: 0.1 takes a tenth',
    { tags: ['server:trading-v3.rule.rate-fraction'] },
    async () => {
      expect((await traded({ take_rate: '0.1' })).take).toBe('0.005000000000');
    },
  );

  test.each(['1', '-1.5', '0.0000000001', 'much'])(
    'is refused with the rate %s, which is none',
    async (rate) => {
      const { demo } = await openMarket();
      expect(await demo.orderRejected({ take_rate: rate })).toMatchObject({
        status: 400,
        code: 10001,
      });
    },
  );
});

test(
  'over all that trade, and the house, the sum of a currency stays the same',
  { tags: ['server:trading-v3.rule.balance-conservation'] },
  async () => {
    const { venue, demo, other } = await openMarket();
    const { ledger } = venue.trading.exchange;
    const sums = (): readonly string[] =>
      ledger.balances.map((_, currency) => {
        let sum = new Decimal(0);
        for (let account = 0; account < ledger.accounts; account += 1) {
          sum = sum
            .plus(ledger.available(account, currency))
            .plus(ledger.reserved(account, currency));
        }
        return sum.toFixed();
      });
    const before = sums();
    await other.order({ side: 'sell', quantity: '0.3333', price: '0.049999', make_rate: '0.0077' });
    await other.order({ side: 'sell', quantity: '0.7' });
    await demo.order({ quantity: '0.9', client_order_id: idOf('a'), take_rate: '0.00331' });
    await demo.order({ quantity: '2', price: '0.051' });
    expect(await demo.trades()).toHaveLength(3);
    expect(sums()).toEqual(before);
  },
);
