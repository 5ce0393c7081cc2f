import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import { joinRate, joinSteps, splitRate, splitSteps } from '../../src/model/derivative.ts';
import { seed } from '../kit/size.ts';

const d = decimal;

describe('a price off the grid', () => {
  test.each([
    ['97298.61', '0.01', 9_729_861, 0],
    ['30897.68273104', '0.1', 308_976, 827_310_400_000_000],
    ['7214.7366666667', '0.5', 14_429, 473_333_333_400_000],
    ['0.00000001', '1000', 0, 10_000],
    ['0', '0.01', 0, 0],
  ])('%s on ticks of %s is %s ticks and %s parts', (price, tick, whole, rest) => {
    expect(splitSteps(d(price), d(tick))).toEqual({ whole, rest });
    expect(joinSteps({ whole, rest }, d(tick)).toFixed()).toBe(price);
  });

  test.each([
    ['-0.01', '0.01', 'is negative'],
    ['1e20', '0.01', 'is beyond 2^53 ticks'],
    ['0.0000000000000000001', '0.01', 'lies between two parts'],
    ['0.01', '0.03', 'lies between two parts, as a third of a tick has no end'],
  ])('%s on ticks of %s %s, and is not taken', (price, tick) => {
    expect(splitSteps(d(price), d(tick))).toBeUndefined();
  });

  test('is the same again, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 22n }),
        fc.constantFrom('0.01', '0.5', '0.00025', '1', '10'),
        (units, tick) => {
          const price = d(units.toString()).div(d('1e12'));
          const split = splitSteps(price, d(tick));
          if (split === undefined) throw new Error(`${price.toFixed()} was not taken`);
          expect(split.rest).toBeLessThan(1e15);
          expect(joinSteps(split, d(tick)).equals(price)).toBe(true);
        },
      ),
      { seed: seed(11) },
    );
  });
});

describe('a funding rate', () => {
  test.each([
    ['0.0001', 100_000, 0],
    ['-0.000183473092423284', -183_473, -92_423_284],
    ['0.00000000000000001', 0, 10],
    ['-0.03', -30_000_000, 0],
    ['0', 0, 0],
  ])('%s is %s billionths and %s parts of one', (rate, whole, rest) => {
    expect(splitRate(d(rate))).toEqual({ whole, rest });
    expect(joinRate({ whole, rest }).toFixed()).toBe(rate);
  });

  test('with more than 18 decimals, or beyond 2^53 billionths, is not taken', () => {
    expect(splitRate(d('0.0000000000000000001'))).toBeUndefined();
    expect(splitRate(d('9007200'))).toBeUndefined();
  });

  test('is the same again, whatever it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (units) => {
        const rate = d(units.toString()).div(d('1e18'));
        const split = splitRate(rate);
        if (split === undefined) throw new Error(`${rate.toFixed()} was not taken`);
        expect(joinRate(split).equals(rate)).toBe(true);
      }),
      { seed: seed(12) },
    );
  });
});
