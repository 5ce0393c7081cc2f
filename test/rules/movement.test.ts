import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import {
  amountRejection,
  coverRejection,
  isStepped,
  stepRejection,
} from '../../src/rules/movement.ts';

describe('an amount that moves', () => {
  test.each(['0', '-1', 'NaN', 'Infinity'])('of %s is refused', (text) => {
    expect(amountRejection(new Decimal(text))).toMatchObject({
      code: 'amount-invalid',
      field: 'amount',
    });
    expect(stepRejection(new Decimal(text), decimal('0.01'))).toMatchObject({
      code: 'amount-invalid',
    });
  });

  test('has 24 decimals at most', () => {
    expect(amountRejection(decimal('0.000000000000000000000001'))).toBeUndefined();
    expect(amountRejection(decimal('0.0000000000000000000000001'))).toEqual({
      code: 'amount-off-precision',
      field: 'amount',
      message: 'The amount has 25 decimals and may have 24.',
      limit: '24',
    });
  });

  test('is a whole number of steps', () => {
    const step = decimal('0.01');
    expect(stepRejection(decimal('1.23'), step)).toBeUndefined();
    expect(stepRejection(decimal('1.234'), step)).toMatchObject({
      code: 'amount-off-precision',
      limit: '0.01',
      message: 'The amount is 1.234 and must be a multiple of 0.01.',
    });
    expect(isStepped(decimal('100000000000000000000000000000.01'), step)).toBe(true);
    expect(isStepped(decimal('100000000000000000000000000000.001'), step)).toBe(false);
    expect(isStepped(decimal('20'), decimal('10'))).toBe(true);
    expect(isStepped(decimal('25'), decimal('10'))).toBe(false);
  });

  test('may be all that is available', () => {
    expect(coverRejection(decimal('1'), decimal('1'), 'BTC')).toBeUndefined();
    expect(coverRejection(decimal('1.1'), decimal('1'), 'BTC')).toEqual({
      code: 'funds-insufficient',
      field: 'amount',
      message: '1 BTC is available and must be at least 1.1, fee included.',
      limit: '1.1',
    });
  });
});
