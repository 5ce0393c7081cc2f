import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import {
  atScale,
  averageText,
  decimalText,
  feeText,
  gridText,
} from '../../../src/wire/trading/printing.ts';
import { isoText, msOf, parseTime, timeOfMs } from '../../../src/wire/time.ts';
import { count, Exact, signedText, stepText } from '../../kit/exact.ts';

const SEED = { seed: 20_261_121 };

describe('numbers on the wire', () => {
  test.each([
    ['0.05', '0.0000001', '0.0500000'],
    ['61837.6', '0.01', '61837.60'],
    ['16731', '0.01', '16731.00'],
    ['1', '1', '1'],
    ['-0.00001', '0.00001', '-0.00001'],
    ['0', '0.01', '0.00'],
    ['7933.296', '0.01', '7933.296'],
    ['12', '0.25', '12.00'],
  ])('%s on a grid of %s is written %s', (value, step, written) => {
    expect(atScale(decimal(value), decimal(step))).toBe(written);
  });

  test.each([
    [1_673_100, '0.01', '16731.00'],
    [5, '0.00001', '0.00005'],
    [150, '0.00001', '0.00150'],
    [0, '0.01', '0.00'],
    [-7, '0.01', '-0.07'],
    [42, '1', '42'],
    [3, '0.25', '0.75'],
    [3, '10', '30'],
  ])('%i steps of %s are written %s', (steps, step, written) => {
    expect(gridText(decimal(step))(steps)).toBe(written);
  });

  test('steps are written as the exact product at the scale of the step', () => {
    fc.assert(
      fc.property(count, stepText, fc.boolean(), (steps, step, negative) => {
        const signed = negative ? -steps : steps;
        const places = new Exact(step).decimalPlaces();
        const product = new Exact(step).times(signed);
        const expected = product.isZero() ? new Exact(0).toFixed(places) : product.toFixed(places);
        expect(gridText(decimal(step))(signed)).toBe(expected);
      }),
      SEED,
    );
  });

  test.each([
    ['0.0056596302', '0.005659630200'],
    ['0.01424082', '0.014240820000'],
    ['-0.0001', '-0.000100000000'],
    ['0', '0.000000000000'],
    ['1', '1.000000000000'],
    ['0.0000000000000002', '0.0000000000000002'],
  ])('a fee of %s is written %s', (fee, written) => {
    expect(feeText(decimal(fee))).toBe(written);
  });

  test('negative zero has no sign', () => {
    const zero = new Decimal(0).negated();
    expect([decimalText(zero), feeText(zero), atScale(zero, decimal('0.1'))]).toEqual([
      '0',
      '0.000000000000',
      '0.0',
    ]);
  });

  test('plain text has neither exponent nor padding', () => {
    expect(decimalText(decimal('1e-8'))).toBe('0.00000001');
    expect(decimalText(decimal('1e21'))).toBe('1000000000000000000000');
    expect(decimalText(decimal('1.500'))).toBe('1.5');
  });

  test.each([
    ['200', '2', '0.01', '100.00'],
    ['10', '3', '0.01', '3.333333333333'],
    ['20', '3', '0.01', '6.666666666667'],
    ['1', '8', '0.01', '0.125'],
    ['5', '0', '0.01', '0'],
    ['0.0000000000005', '1', '0.01', '0.00'],
  ])('value %s over quantity %s on ticks of %s averages %s', (value, quantity, tick, written) => {
    expect(averageText(decimal(value), decimal(quantity), decimal(tick))).toBe(written);
  });

  test('what is written at scale is the value again', () => {
    fc.assert(
      fc.property(signedText, stepText, (value, step) => {
        const given = decimal(value);
        expect(decimal(atScale(given, decimal(step))).equals(given)).toBe(true);
        expect(decimal(feeText(given)).equals(given)).toBe(true);
      }),
      SEED,
    );
  });
});

describe('times on the wire', () => {
  test.each([
    [1_704_193_180_650, '2024-01-02T10:59:40.65Z'],
    [1_704_193_195_100, '2024-01-02T10:59:55.1Z'],
    [1_704_193_148_970, '2024-01-02T10:59:08.97Z'],
    [1_704_193_145_092, '2024-01-02T10:59:05.092Z'],
    [1_704_193_140_000, '2024-01-02T10:59:00Z'],
    [0, '1970-01-01T00:00:00Z'],
  ])('%i ms is written %s and read back', (ms, written) => {
    const at = timeOfMs(ms);
    if (at === undefined) throw new Error('it is a time');
    expect(isoText(at)).toBe(written);
    expect(parseTime(written)).toBe(at);
    expect(parseTime(ms)).toBe(at);
    expect(parseTime(String(ms))).toBe(at);
    expect(msOf(at)).toBe(ms);
  });

  test.each([
    ['2024-01-02', 1_704_153_600_000_000],
    ['2024-01-02T03:04', 1_704_164_640_000_000],
    ['2024-01-02T03:04:05', 1_704_164_645_000_000],
    ['2024-01-02T03:04:05.123456789Z', 1_704_164_645_123_456],
    ['2024-01-02T03:04:05.1Z', 1_704_164_645_100_000],
    ['2024-01-02t03:04:05z', 1_704_164_645_000_000],
    ['2024-01-02 03:04:05', 1_704_164_645_000_000],
    ['2024-01-02T05:04:05+02:00', 1_704_164_645_000_000],
    ['2024-01-02T05:04:05+0200', 1_704_164_645_000_000],
    ['1704164645000', 1_704_164_645_000_000],
    [1_704_164_645_000, 1_704_164_645_000_000],
    ['2024-02-29', 1_709_164_800_000_000],
  ])('%s is %i microseconds', (given, us) => {
    expect(parseTime(given)).toBe(us);
  });

  test.each([
    '',
    'now',
    '2024-13-01',
    '2024-02-30',
    '2024-02-28T00:00:00+24:00',
    '2024-02-28T00:00:00-05:60',
    '2023-02-29T00:00:00Z',
    '2024-01-02T25:00',
    '2024-01-02T03:04:05.1234567890Z',
    '-1',
    -1,
    1.5,
    Number.NaN,
    '253402300800000',
    '9999999999999999',
    '1969-12-31T23:59:59Z',
    '2024-01-02T03:04:05Zz',
    'Tue Jan 02 2024',
  ])('%s is no time', (given) => {
    expect(parseTime(given)).toBeUndefined();
  });

  test('a finer time is cut off at the millisecond', () => {
    const at = parseTime('2024-01-02T03:04:05.1239Z');
    if (at === undefined) throw new Error('it is a time');
    expect(isoText(at)).toBe('2024-01-02T03:04:05.123Z');
    expect(msOf(at)).toBe(1_704_164_645_123);
  });

  test('every millisecond until 2255 comes back from its text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_007_199_254_740 }), (ms) => {
        const at = timeOfMs(ms);
        if (at === undefined) throw new Error('it is a time');
        const written = isoText(at);
        expect(parseTime(written)).toBe(at);
        expect(written).not.toMatch(/(\.\d*0|\.)Z$/);
        expect(Date.parse(written)).toBe(ms);
      }),
      SEED,
    );
  });
});
