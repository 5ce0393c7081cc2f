import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import { isRejection } from '../../src/model/rejections.ts';
import { priceOnGrid, quantityOnGrid, stopPriceOnGrid } from '../../src/rules/grid.ts';
import { Exact, signedText, stepText } from '../kit/exact.ts';
import { instrumentOf } from '../kit/instruments.ts';

const FIELDS = [
  {
    name: 'price',
    check: priceOnGrid,
    codes: ['price-invalid', 'price-off-tick', 'price-below-minimum'],
  },
  {
    name: 'stopPrice',
    check: stopPriceOnGrid,
    codes: ['stop-price-invalid', 'stop-price-off-tick', 'stop-price-below-minimum'],
  },
  {
    name: 'quantity',
    check: quantityOnGrid,
    codes: ['quantity-invalid', 'quantity-off-increment', 'quantity-below-minimum'],
  },
] as const;

const COUNT_MAX = new Exact(Number.MAX_SAFE_INTEGER);

/** The rule over again in plain decimals of 1000 digits: a count, or the code of a rejection. */
function expected(
  text: string,
  step: string,
  strict: boolean,
  [invalid, offGrid, belowMinimum]: readonly [string, string, string],
): number | string {
  const value = new Exact(text);
  if (value.lte(0)) return invalid;
  if (value.gt(COUNT_MAX.times(step))) return 'number-out-of-range';
  const whole = value.div(step).floor();
  const rest = value.minus(whole.times(step));
  if (rest.isZero()) return whole.toNumber();
  if (strict) return offGrid;
  const near = rest.times(2).gt(step) ? whole.plus(1) : whole;
  return near.isZero() ? belowMinimum : near.toNumber();
}

describe.each(FIELDS)('$name on its grid', ({ name, check, codes }) => {
  test.each(['strict', 'near'] as const)('%s agrees with plain decimals', (grid) => {
    fc.assert(
      fc.property(signedText, stepText, (text, step) => {
        const instrument = instrumentOf({ tickSize: step, quantityIncrement: step });
        const outcome = check(instrument, decimal(text), grid);
        const answer = isRejection(outcome) ? outcome.code : outcome;
        expect(answer).toBe(expected(text, step, grid === 'strict', codes));
        if (isRejection(outcome)) expect(outcome.field).toBe(name);
      }),
      { numRuns: 400 },
    );
  });

  test.each(['0', '-0', '-1', 'Infinity', '-Infinity', 'NaN'])(
    '%s is no positive number',
    (text) => {
      const value = new Decimal(text);
      for (const grid of ['strict', 'near'] as const) {
        expect(check(instrumentOf(), value, grid)).toMatchObject({ code: codes[0], field: name });
      }
    },
  );

  test('computed monsters are refused at once, with a short message', () => {
    const instrument = instrumentOf();
    const huge = check(instrument, new Decimal('1e9000000000'), 'strict');
    expect(huge).toMatchObject({ code: 'number-out-of-range', field: name });
    const tiny = check(instrument, new Decimal('1e-9000000000'), 'near');
    expect(tiny).toMatchObject({ code: codes[2], field: name });
    for (const rejection of [huge, tiny]) {
      expect(isRejection(rejection) && rejection.message.length).toBeLessThan(160);
    }
  });
});

describe('off-grid numbers, the published examples (trading semantics facts, section 5)', () => {
  const instrument = instrumentOf({ tickSize: '0.000001', quantityIncrement: '0.001' });

  test.each([
    ['0.0460165', 46016],
    ['0.0460166', 46017],
    ['0.046016', 46016],
  ])('a price of %s is lenient at %d ticks', (text, count) => {
    expect(priceOnGrid(instrument, decimal(text), 'near')).toBe(count);
  });

  test.each([
    ['0.0015', 1],
    ['0.0016', 2],
    ['0.001', 1],
  ])('a quantity of %s is lenient at %d lots', (text, count) => {
    expect(quantityOnGrid(instrument, decimal(text), 'near')).toBe(count);
  });

  test('what rounds to zero is refused', () => {
    expect(quantityOnGrid(instrument, decimal('0.0005'), 'near')).toEqual({
      code: 'quantity-below-minimum',
      field: 'quantity',
      message:
        'quantity is 0.0005, which rounds to zero; the least is the quantity increment 0.001.',
      limit: '0.001',
    });
    expect(quantityOnGrid(instrument, decimal('0.0006'), 'near')).toBe(1);
    expect(priceOnGrid(instrument, decimal('0.0000005'), 'near')).toMatchObject({
      code: 'price-below-minimum',
    });
  });

  test('strict, they are refused with the step as the limit', () => {
    expect(priceOnGrid(instrument, decimal('0.0460166'), 'strict')).toEqual({
      code: 'price-off-tick',
      field: 'price',
      message:
        'price is 0.0460166 and must be a multiple of the tick size 0.000001; the nearest are 0.046016 and 0.046017.',
      limit: '0.000001',
    });
    expect(quantityOnGrid(instrument, decimal('0.0015'), 'strict')).toMatchObject({
      code: 'quantity-off-increment',
      limit: '0.001',
    });
    expect(quantityOnGrid(instrument, decimal('0.0005'), 'strict')).toMatchObject({
      code: 'quantity-off-increment',
    });
  });

  test('beyond 2^53 steps the limit is the last step', () => {
    expect(quantityOnGrid(instrument, decimal('9007199254740.992'), 'strict')).toEqual({
      code: 'number-out-of-range',
      field: 'quantity',
      message: 'quantity is 9007199254740.992 and can be 9007199254740.991 at most, 2^53 - 1 lots.',
      limit: '9007199254740.991',
    });
    expect(quantityOnGrid(instrument, decimal('9007199254740.991'), 'strict')).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });
});

test.each(FIELDS)('what is no decimal is no $name', ({ name, check, codes }) => {
  expect(check(instrumentOf(), 5 as unknown as Decimal, 'near')).toEqual({
    code: codes[0],
    field: name,
    message: `${name} is 5 and must be a decimal number.`,
  });
});
