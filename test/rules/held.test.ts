import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import {
  heldLotsRejection,
  notionalRejection,
  shareRejection,
  spotHoldRejection,
} from '../../src/rules/held.ts';

describe('what a target asks for', () => {
  test('is a whole number of lots below 2^53, of either sign', () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const lots of [0, 1, -1, most, -most]) expect(heldLotsRejection(lots)).toBeUndefined();
    for (const lots of [0.5, most + 1, Number.NaN]) {
      expect(heldLotsRejection(lots)).toMatchObject({ code: 'number-out-of-range', field: 'lots' });
    }
    expect(heldLotsRejection(0.5)?.message).toBe(
      'The target asks for 0.5 lots; a number of lots is within ±(2^53 - 1).',
    );
  });

  test('is a share that is a number, of either sign', () => {
    for (const share of [0, 1.5, -3]) expect(shareRejection(share)).toBeUndefined();
    expect(shareRejection(Number.POSITIVE_INFINITY)).toEqual({
      code: 'number-out-of-range',
      field: 'share',
      message: 'The target asks for a share of Infinity; a share of the equity is a number.',
    });
  });

  test('is a value that is a number, of either sign', () => {
    for (const text of ['0', '1e30', '-7.5']) {
      expect(notionalRejection(decimal(text))).toBeUndefined();
    }
    expect(notionalRejection(new Decimal(Number.NaN))).toEqual({
      code: 'number-out-of-range',
      field: 'notional',
      message: 'The target asks for a value of NaN; a value is a number.',
    });
  });
});

describe('on spot', () => {
  test('it is nothing, or more than nothing', () => {
    for (const lots of [0, 1]) expect(spotHoldRejection({ lots })).toBeUndefined();
    for (const text of ['0', '-0', '0.01']) {
      expect(spotHoldRejection({ notional: decimal(text) })).toBeUndefined();
    }
    expect(spotHoldRejection({ lots: -1 })).toEqual({
      code: 'number-out-of-range',
      field: 'lots',
      message:
        'The target asks for -1 lots; a spot market has no short positions, so a number of lots is 0 or more; a short is a target of isolated(symbol) or cross(symbol).',
    });
    expect(spotHoldRejection({ notional: decimal('-0.01') })).toEqual({
      code: 'number-out-of-range',
      field: 'notional',
      message:
        'The target asks for a value of -0.01; a spot market has no short positions, so a value is 0 or more; a short is a target of isolated(symbol) or cross(symbol).',
    });
  });

  test('it is at most the whole equity, and a larger number is taken for lots', () => {
    for (const share of [0, 0.5, 1]) expect(spotHoldRejection({ share })).toBeUndefined();
    expect(spotHoldRejection({ share: 2 })).toEqual({
      code: 'number-out-of-range',
      field: 'share',
      message:
        'The target asks for a share of 2; a share of the equity is from 0 to 1, and a number of lots is { lots: 2 }.',
    });
    expect(spotHoldRejection({ share: -0.1 })?.message).toContain(
      'a share of -0.1; a spot market has no short positions, so a share of the equity is from 0 to 1; a short',
    );
  });
});
