import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { entryPrice, unrealizedPnl } from '../../../src/rules/margin/position-value.ts';
import {
  bankruptcySteps,
  thresholdPrice,
  thresholdSteps,
  type Threshold,
} from '../../../src/rules/margin/threshold-price.ts';

const d = decimal;
const CENT = d('0.01');

const at = (
  quantity: string,
  entry: string,
  funds: string,
  rate: string,
  leverage: number,
): Threshold => ({
  position: { quantity: d(quantity), value: d(quantity).abs().times(d(entry)) },
  funds: d(funds),
  rate: d(rate),
  leverage: new Decimal(leverage),
});

describe('the published and own records', () => {
  test.each([
    [
      'A',
      '-0.001',
      '7933.296',
      '999.984133408',
      '0.002',
      5,
      '0.01',
      1.5,
      2,
      '887772.25',
      '914625.61',
    ],
    [
      'B',
      '-0.00001',
      '9064.86',
      '2.9997733785',
      '0.0025',
      10,
      '0.01',
      1.2,
      2,
      '284612.92',
      '293626.79',
    ],
    [
      'C',
      '-0.00001',
      '9061.60',
      '2.99977346',
      '0.0025',
      10,
      '0.01',
      1.2,
      2,
      '284609.92',
      '293623.7',
    ],
    ['D', '2', '10000', '4980', '0.001', 10, '0.01', 1.5, 2, '8055.06', '7913.6'],
    ['E', '-2', '10000', '4980', '0.001', 10, '0.01', 1.5, 2, '11698.4', '11883.92'],
    ['F', '0.00087', '20097.46', '10', '0.005', 12, '0.01', 1.25, 1.75, '9267.37', '9081.05'],
    [
      'G',
      '0.00001',
      '33386.18',
      '0.080706742356',
      '0.005',
      12,
      '0.01',
      1.25,
      1.75,
      '27269.85',
      '26721.57',
    ],
    ['H', '-51', '0.4853', '1.847347812014', '0.003', 20, '0.0001', 1.2, 2, '0.4992', '0.5073'],
  ] as const)(
    'record %s',
    (_, quantity, entry, funds, rate, leverage, tick, call, liquidation, callPrice, price) => {
      const shown = (mul: number): string =>
        thresholdPrice(at(quantity, entry, funds, rate, leverage * mul), d(tick)).toFixed();
      expect(shown(call)).toBe(callPrice);
      expect(shown(liquidation)).toBe(price);
    },
  );

  test('the digits behind the tick of the shorts say that they were rounded down, not to the nearest', () => {
    const digits = (threshold: Threshold): string =>
      thresholdSteps(threshold, d('0.0001'), 'near').times('0.0001').toFixed();
    expect(digits(at('-0.001', '7933.296', '999.984133408', '0.002', 7.5))).toBe('887772.2514');
    expect(digits(at('-0.001', '7933.296', '999.984133408', '0.002', 10))).toBe('914625.6165');
    expect(digits(at('-0.00001', '9061.6', '2.99977346', '0.0025', 12))).toBe('284609.9272');
    expect(digits(at('-0.00001', '9061.6', '2.99977346', '0.0025', 20))).toBe('293623.7017');
  });

  test('the digits behind the tick of the longs say that they were rounded up, not to the nearest', () => {
    const digits = (threshold: Threshold): string =>
      thresholdSteps(threshold, d('0.0001'), 'near').times('0.0001').toFixed();
    expect(digits(at('0.00087', '20097.46', '10', '0.005', 15))).toBe('9267.3685');
    expect(digits(at('0.00087', '20097.46', '10', '0.005', 21))).toBe('9081.043');
    expect(digits(at('0.00001', '33386.18', '0.080706742356', '0.005', 15))).toBe('27269.8446');
    expect(digits(at('0.00001', '33386.18', '0.080706742356', '0.005', 21))).toBe('26721.5693');
  });

  test('record A shows its entry price at the tick size', () => {
    const { position } = at('-0.001', '7933.296', '0', '0', 1);
    expect(entryPrice(position, CENT).toFixed()).toBe('7933.3');
  });
});

describe('the prices of other venues', () => {
  test('Binance: long 1 at 10000, balance 1000, maintenance 0.4% without fee gives 9036.15, toward the entry', () => {
    expect(thresholdPrice(at('1', '10000', '1000', '0', 250), CENT).toFixed()).toBe('9036.15');
  });
});

test('a long that its funds cover whole has the price 0', () => {
  const safe = at('1', '100', '100', '0.001', 20);
  expect(thresholdPrice(safe, CENT).toFixed()).toBe('0');
  expect(bankruptcySteps(safe, CENT, 'down').toFixed()).toBe('0');
});

const terms = fc.record({
  lots: fc.integer({ min: -1000, max: 1000 }).filter((lots) => lots !== 0),
  entry: fc.integer({ min: 1, max: 1_000_000 }),
  funds: fc.integer({ min: 0, max: 10_000_000 }),
  rate: fc.integer({ min: 0, max: 50 }),
  leverage: fc.integer({ min: 2, max: 400 }),
});

test('the market reaches a price that is shown no later than the exact one, and less than a tick before', () => {
  fc.assert(
    fc.property(terms, ({ lots, entry, funds, rate, leverage }) => {
      const threshold = at(String(lots), String(entry), String(funds), `0.00${rate}`, leverage);
      const shown = thresholdPrice(threshold, CENT);
      const exact = thresholdSteps(threshold, d('0.0000000001'), 'near').times('0.0000000001');
      const early = lots < 0 ? exact.minus(shown) : shown.minus(exact);
      expect(early.greaterThanOrEqualTo('-0.0000000001')).toBe(true);
      expect(early.lessThanOrEqualTo('0.0100000001')).toBe(true);
    }),
  );
});

test('at the price the condition holds, and one step better it does not', () => {
  fc.assert(
    fc.property(terms, ({ lots, entry, funds, rate, leverage }) => {
      const threshold = at(String(lots), String(entry), String(funds), `0.00${rate}`, leverage);
      const { position } = threshold;
      const short = lots < 0;
      const steps = thresholdSteps(threshold, CENT, short ? 'up' : 'down');
      const isReached = (count: Decimal): boolean => {
        const price = count.times(CENT);
        const value = position.quantity.abs().times(price);
        const left = threshold.funds
          .plus(unrealizedPnl(position, price))
          .minus(threshold.rate.times(value));
        return left.times(threshold.leverage).lessThanOrEqualTo(value);
      };
      if (steps.isZero())
        expect(position.value.lessThanOrEqualTo(threshold.funds.plus(1))).toBe(!short);
      else expect(isReached(steps)).toBe(true);
      expect(isReached(short ? steps.minus(1) : steps.plus(1))).toBe(false);
    }),
  );
});

test('at the bankruptcy price nothing is left after the fee', () => {
  fc.assert(
    fc.property(terms, ({ lots, entry, funds, rate }) => {
      const threshold = at(String(lots), String(entry), String(funds), `0.00${rate}`, 1);
      const { position } = threshold;
      const left = (count: Decimal): Decimal => {
        const price = count.times(CENT);
        const fee = threshold.rate.times(position.quantity.abs()).times(price);
        return threshold.funds.plus(unrealizedPnl(position, price)).minus(fee);
      };
      const short = lots < 0;
      const steps = bankruptcySteps(threshold, CENT, short ? 'down' : 'up');
      expect(left(steps).isNegative()).toBe(false);
      if (short || steps.greaterThan(1)) {
        expect(left(short ? steps.plus(1) : steps.minus(1)).greaterThan(0)).toBe(false);
      }
    }),
  );
});
