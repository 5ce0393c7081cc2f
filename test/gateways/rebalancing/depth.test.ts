import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import {
  buyOrder,
  sellOrder,
  type Level,
  type TradeTerms,
} from '../../../src/gateways/rebalancing/account/depth.ts';

const d = (value: number): Decimal => new Decimal(value);

const RATES = [0, 0.0025, -0.001] as const;

const cases = fc.record({
  prices: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 4, maxLength: 4 }),
  amount: fc.integer({ min: 1, max: 400 }),
  takeRate: fc.constantFrom(...RATES),
  feeInQuote: fc.boolean(),
  tolerance: fc.constantFrom(0, 0.01, 0.3),
});

const termsOf = (given: {
  readonly takeRate: number;
  readonly feeInQuote: boolean;
  readonly tolerance: number;
}): TradeTerms => ({
  tick: d(1),
  increment: d(1),
  takeRate: d(given.takeRate),
  feeInQuote: given.feeInQuote,
  tolerance: d(given.tolerance),
});

/** Unit by unit: the price of each, best first. */
const unitsOf = (levels: readonly Level[]): readonly number[] =>
  levels.flatMap(([price, size]) =>
    Array.from({ length: size.toNumber() }, () => price.toNumber()),
  );

test('buys the most whole units that the amount pays for at their limit', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const asks = [...given.prices]
        .sort((one, other) => one - other)
        .map((price, index) => [d(price), d(given.sizes[index] ?? 1)] as const);
      const units = unitsOf(asks);
      const { takeRate, feeInQuote, tolerance, amount } = given;
      const perUnit = feeInQuote ? 1 + takeRate : 1;
      const limitOf = (count: number): number =>
        d(units[count - 1] ?? 0)
          .times(1 + tolerance)
          .ceil()
          .toNumber();
      let most = 0;
      for (let count = 1; count <= units.length; count += 1) {
        const cost = d(count).times(limitOf(count)).times(perUnit);
        if (cost.lessThanOrEqualTo(amount)) most = count;
      }
      const order = buyOrder(asks, d(amount), termsOf(given));
      if (order === 'small') expect(most).toBe(0);
      else if (order === 'thin') expect(most).toBe(units.length);
      else {
        expect(order.quantity.toNumber()).toBe(most);
        expect(order.price.toNumber()).toBe(limitOf(most));
        const paid = units.slice(0, most).reduce((sum, price) => sum + price, 0);
        expect(order.send).toEqual(d(paid).times(perUnit));
        expect(order.least).toEqual(d(most).times(feeInQuote ? 1 : 1 - takeRate));
        expect(order.expected).toEqual(order.least);
      }
    }),
  );
});

test('sells the whole units that the amount covers with its fee, down to the limit', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const bids = [...given.prices]
        .sort((one, other) => other - one)
        .map((price, index) => [d(price), d(given.sizes[index] ?? 1)] as const);
      const units = unitsOf(bids);
      const { takeRate, feeInQuote, tolerance } = given;
      const amount = given.amount / 10;
      const perUnit = feeInQuote ? 1 : 1 + takeRate;
      let count = 0;
      while (
        d(count + 1)
          .times(perUnit)
          .lessThanOrEqualTo(amount)
      ) {
        count += 1;
      }
      const order = sellOrder(bids, d(amount), termsOf(given));
      if (order === 'small') expect(count).toBe(0);
      else if (order === 'thin') expect(count).toBeGreaterThan(units.length);
      else {
        const kept = feeInQuote ? 1 - takeRate : 1;
        const gross = units.slice(0, count).reduce((sum, price) => sum + price, 0);
        const worst = d(units[count - 1] ?? 0);
        const limit = Math.max(
          1,
          worst
            .times(1 - tolerance)
            .floor()
            .toNumber(),
        );
        expect(order.quantity.toNumber()).toBe(count);
        expect(order.send).toEqual(d(count).times(perUnit));
        expect(order.price.toNumber()).toBe(limit);
        expect(order.expected).toEqual(d(gross).times(kept));
        expect(order.least).toEqual(d(count * limit).times(kept));
      }
    }),
  );
});
