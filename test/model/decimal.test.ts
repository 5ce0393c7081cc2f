import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brief, Decimal, decimal, parseDecimal, ZERO } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { Exact, NOT_DECIMALS, signedText } from '../kit/exact.ts';

describe('reading decimal text', () => {
  test.each(NOT_DECIMALS.map((text) => [text.length > 60 ? `${text.slice(0, 60)}…` : text, text]))(
    '"%s" is no decimal',
    (_, text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  test.each([
    ['61837.63', '61837.63'],
    ['+1.50', '1.5'],
    ['-0.000000000000000001', '-0.000000000000000001'],
    ['1e-18', '0.000000000000000001'],
    ['1E15', '1000000000000000'],
    ['1e-40', `0.${'0'.repeat(39)}1`],
    ['9e39', `9${'0'.repeat(39)}`],
    ['12.5e-1', '1.25'],
    ['000001.100', '1.1'],
    [`0.${'9'.repeat(40)}`, `0.${'9'.repeat(40)}`],
    ['9'.repeat(40), '9'.repeat(40)],
  ])('%s is read as %s', (text, plain) => {
    expect(parseDecimal(text)?.toFixed()).toBe(plain);
  });

  test.each(['0', '-0', '-0.000', '+0', '-0e5', '0e-40'])('%s is the one unsigned zero', (text) => {
    expect(parseDecimal(text)).toBe(ZERO);
    expect(Object.is(ZERO.toNumber(), 0)).toBe(true);
    expect(ZERO.toJSON()).toBe('0');
  });

  test('every text is read as the number that it writes, and written without exponent', () => {
    fc.assert(
      fc.property(signedText, (text) => {
        const value = parseDecimal(text);
        const plain = new Exact(text).plus(0).toFixed();
        const expected = plain === '-0' ? '0' : plain;
        expect([value?.toFixed(), value?.toString(), value?.toJSON()]).toEqual([
          expected,
          expected,
          expected,
        ]);
      }),
    );
  });

  test('text that is no decimal throws what was read and where', () => {
    const thrown = (): unknown => decimal('0x10', 'price');
    expect(thrown).toThrow(MillraceError);
    expect(thrown).toThrow(
      expect.objectContaining({
        code: 'decimal-invalid',
        field: 'price',
        message: expect.stringMatching(/^price: "0x10" is not a decimal number such as/),
      }),
    );
    expect(() => decimal('')).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^"" is not/), field: undefined }),
    );
    expect(decimal('1.5', 'price').toFixed()).toBe('1.5');
  });
});

describe('sums and products', () => {
  test('of four numbers as wide as can be read are exact', () => {
    const wide = fc.tuple(signedText, signedText, signedText, signedText);
    fc.assert(
      fc.property(wide, ([a, b, c, d]) => {
        const [w, x, y, z] = [decimal(a), decimal(b), decimal(c), decimal(d)];
        const [p, q, r, s] = [new Exact(a), new Exact(b), new Exact(c), new Exact(d)];
        expect(q.times(p).times(r).times(s).equals(w.times(x).times(y).times(z))).toBe(true);
        expect(p.plus(q).minus(r).plus(s).equals(w.plus(x).minus(y).plus(z))).toBe(true);
        const mixed = w.times(x).times(y).plus(z);
        expect(p.times(q).times(r).plus(s).equals(mixed)).toBe(true);
      }),
    );
  });

  test('of the widest numbers do not lose their last digit', () => {
    const widest = `${'9'.repeat(40)}.${'9'.repeat(40)}`;
    const x = decimal(widest);
    const e = new Exact(widest);
    expect(x.times(x).times(x).times(x).toFixed()).toBe(e.pow(4).toFixed());
    expect(x.times(x).plus(decimal('1e-40')).toFixed()).toBe(e.times(e).plus('1e-40').toFixed());
  });

  test('is the same class for strategies that make decimals of their own', () => {
    expect(decimal('1.5')).toBeInstanceOf(Decimal);
  });
});

describe('a decimal in a message', () => {
  test.each([
    ['61837.63', '61837.63'],
    ['1e-80', `0.${'0'.repeat(79)}1`],
    ['1e9000000000', '1.000000e+9000000000'],
    ['-1.23456789e-9000000000', '-1.234568e-9000000000'],
    ['Infinity', 'Infinity'],
    ['NaN', 'NaN'],
  ])('%s is shown as %s', (text, shown) => {
    expect(brief(new Decimal(text))).toBe(shown);
  });
});
