import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { deleverageIndicator, deleverageRank } from '../../../src/rules/margin/deleverage.ts';
import { interestCharge } from '../../../src/rules/margin/interest.ts';
import { effectiveLeverage, reachesLeverage } from '../../../src/rules/margin/leverage.ts';
import {
  equity,
  fundsFor,
  requirement,
  type MarkedPosition,
} from '../../../src/rules/margin/maintenance.ts';
import { quotient, rounded, wholeQuotient } from '../../../src/rules/margin/quotient.ts';
import { positionValueMax } from '../../../src/rules/margin/risk-limit.ts';
import { thresholdPrice } from '../../../src/rules/margin/threshold-price.ts';

const d = decimal;

describe('effective leverage', () => {
  test('is 3.60 for 20,000 on a margin of 5,000 that has gained 550', () => {
    expect(effectiveLeverage(d('20000'), d('5550'), 2)?.toFixed(2)).toBe('3.60');
  });

  test('is not a number where nothing is left', () => {
    expect(effectiveLeverage(d('20000'), d('0'))).toBeUndefined();
    expect(reachesLeverage(d('20000'), d('0'), d('100'))).toBe(true);
  });

  test('reaches a limit that it equals', () => {
    expect(reachesLeverage(d('20000'), d('1000'), d('20'))).toBe(true);
    expect(reachesLeverage(d('19999.99'), d('1000'), d('20'))).toBe(false);
  });
});

describe('the risk limit', () => {
  const limit = { base: d('5000000'), power: d('1.25'), threshold: d('2') };

  test.each([
    ['20', '118217.7'],
    ['100', '15811.39'],
  ])('at leverage %s is %s', (leverage, most) => {
    expect(positionValueMax(limit, d(leverage))?.toDecimalPlaces(2).toFixed()).toBe(most);
  });

  test('does not exist up to the threshold', () => {
    expect(positionValueMax(limit, d('2'))).toBeUndefined();
    expect(positionValueMax(limit, d('2.01'))).toBeDefined();
  });
});

describe('a cross account of 1,000', () => {
  const rate = d('0.0005');
  const leverage = d('20');
  const positions: readonly MarkedPosition[] = [
    { quantity: d('0.1'), value: d('2000'), price: d('19500'), rate, leverage },
    { quantity: d('-2'), value: d('3000'), price: d('1520'), rate, leverage },
  ];
  const balance = d('1000');

  test('with a long 500 and a short 20 in the red is worth 910 and must keep 251.995', () => {
    expect(equity(balance, positions).toFixed()).toBe('910');
    expect(requirement(positions).toFixed()).toBe('251.995');
    expect(effectiveLeverage(d('4990'), d('910'))?.toFixed()).toBe('5.4835');
  });

  test.each([
    [0, '12569.99'],
    [1, '1833.18'],
  ])('position %s alone would bring it down at %s', (index, price) => {
    const position = positions[index];
    const funds = fundsFor(balance, positions, index);
    const shown = thresholdPrice({ position, funds, rate, leverage }, d('0.01'));
    expect(shown.toFixed()).toBe(price);
  });
});

describe('interest', () => {
  test('on a long of 2 at 10,000 and 0.039% a day is 2.60 a charge', () => {
    expect(interestCharge(d('20000'), d('0.00039')).toFixed(2)).toBe('2.60');
  });

  test('is rounded up at the twelfth decimal', () => {
    expect(interestCharge(d('1'), d('0.000000000001')).toFixed()).toBe('0.000000000001');
  });
});

describe('the queue of those that are reduced', () => {
  test('goes by gain × leverage, and by loss ÷ leverage', () => {
    const gain = { pnl: d('50'), entryValue: d('100'), value: d('150'), equity: d('75') };
    expect(deleverageRank(gain).toFixed()).toBe('1');
    expect(deleverageRank({ ...gain, pnl: d('-50') }).toFixed()).toBe('-0.25');
  });

  test('shows fifths', () => {
    const shown = Array.from({ length: 10 }, (_, index) => deleverageIndicator(index, 10));
    expect(shown).toEqual([4, 4, 3, 3, 2, 2, 1, 1, 0, 0]);
    expect(deleverageIndicator(0, 1)).toBe(4);
  });
});

describe('a quotient', () => {
  test.each([
    ['7', '2', 'down', '3'],
    ['7', '2', 'up', '4'],
    ['7', '2', 'near', '4'],
    ['-7', '2', 'down', '-4'],
    ['-7', '2', 'up', '-3'],
    ['-7', '2', 'near', '-4'],
    ['-6.99', '2', 'near', '-3'],
    ['6', '2', 'up', '3'],
  ] as const)('of %s and %s, %s', (a, b, direction, whole) => {
    expect(wholeQuotient(d(a), d(b), direction).toFixed()).toBe(whole);
  });

  test('has so many decimals and no negative zero', () => {
    expect(quotient(d('2'), d('3'), 3, 'down').toFixed()).toBe('0.666');
    expect(Object.is(quotient(d('-0.1'), d('3'), 0, 'up').toNumber(), 0)).toBe(true);
    expect(Object.is(rounded(d('-0.1'), 0, 'up').toNumber(), 0)).toBe(true);
  });
});
