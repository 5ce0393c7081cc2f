import { describe, expect, test } from 'vitest';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import { clearingTicks } from '../../../src/rules/margin/clearing-price.ts';
import {
  averagePremium,
  fundingPayment,
  fundingRate,
  premiumIndex,
} from '../../../src/rules/margin/funding.ts';
import { markPrice, markSteps } from '../../../src/rules/margin/mark-price.ts';

const d = decimal;

describe('the funding rate', () => {
  test.each([
    ['-0.000683473092423284', '-0.000183473092423284'],
    ['0.0000872', '0.0001'],
    ['0.0000618', '0.0001'],
    ['0.0000296', '0.0001'],
    ['-0.00077495203277752', '-0.00027495203277752'],
    ['0.001', '0.0005'],
    ['0.0005', '0.0001'],
    ['-0.0003', '0.0001'],
    ['-0.0006', '-0.0001'],
    ['-0.001', '-0.0005'],
  ])('of an average premium of %s is %s', (premium, rate) => {
    expect(fundingRate(d(premium)).toFixed()).toBe(rate);
  });

  test('without any premium is the interest of the period', () => {
    expect(fundingRate(averagePremium(ZERO, 0)).toFixed()).toBe('0.0001');
  });
});

test.each([
  ['30895.29', '0.0001', 22282.765, '0.01', '30897.68'],
  ['42303.27', '0.0001', 28293.313, '0.01', '42307.43'],
  // Shown as 97291.83, from inputs a few seconds old.
  ['97298.61', '-0.000183473092423284', 10946.307, '0.01', '97291.82'],
  ['97298.61', '-0.000183473092423284', 10946.307, '0.0001', '97291.8249'],
])(
  'the mark price of an index of %s at %s, %s seconds before funding',
  (index, rate, s, tick, mark) => {
    expect(markPrice(d(index), d(rate), s * 1e6, d(tick)).toFixed()).toBe(mark);
  },
);

test('at the funding the mark price is the index, rounded half up to the tick', () => {
  expect(markSteps(d('100.005'), d('0.01'), 0, d('0.01')).toFixed()).toBe('10001');
});

test('a long of 0.5 receives 8.9258384… at the published negative rate, rounded down', () => {
  const rate = d('-0.000183473092423284');
  const received = fundingPayment(d('0.5'), d('97298.61'), rate);
  expect(received.toFixed()).toBe('8.925838432593');
  const paid = fundingPayment(d('-0.5'), d('97298.61'), rate);
  expect(paid.toFixed()).toBe('-8.925838432594');
});

describe('the premium index', () => {
  test.each([
    ['between the impact prices', '100', '99', '101', '0'],
    ['below the impact bid', '100', '101', '102', '0.01'],
    ['above the impact ask', '3', '1', '2', '-0.333333333333333333'],
    ['without bids', '100', undefined, '99', '-0.01'],
    ['without asks', '100', '103', undefined, '0.03'],
  ])('of an index %s', (_, index, bid, ask, premium) => {
    const side = (text: string | undefined) => (text === undefined ? undefined : d(text));
    expect(premiumIndex(d(index), side(bid), side(ask)).toFixed()).toBe(premium);
  });

  test('is averaged plainly', () => {
    expect(averagePremium(d('0.001'), 480).toFixed()).toBe('0.000002083333333333');
  });
});

test('30 samples of 110 and 30 of 112 settle at 111', () => {
  expect(clearingTicks(d('6660'), 60, d('0.5')).toFixed()).toBe('222');
});

test('a mean between two ticks is settled at the nearer one, a half up', () => {
  expect(clearingTicks(d('3.01'), 2, d('1')).toFixed()).toBe('2');
  expect(clearingTicks(d('3'), 2, d('1')).toFixed()).toBe('2');
  expect(clearingTicks(d('2.99'), 2, d('1')).toFixed()).toBe('1');
});
