import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import {
  ownRates,
  ownRatesRejection,
  raisedRates,
  rateRejection,
} from '../../src/rules/own-rates.ts';

const rates = (takeRate: string, makeRate: string) => ({
  takeRate: decimal(takeRate),
  makeRate: decimal(makeRate),
});

describe('the rates of an order', () => {
  test('are those that it names, and no others', () => {
    const { takeRate, makeRate } = rates('0.002', '0.001');
    expect(ownRates({})).toStrictEqual({});
    expect(ownRates({ takeRate, makeRate: undefined })).toStrictEqual({ takeRate });
    expect(ownRates({ makeRate })).toStrictEqual({ makeRate });
    expect(ownRates({ takeRate, makeRate })).toStrictEqual({ takeRate, makeRate });
  });

  test('raise each rate of the account on its own, and lower none', () => {
    const account = rates('0.002', '-0.0001');
    const paid = (own: Parameters<typeof raisedRates>[1]) => {
      const { takeRate, makeRate } = raisedRates(account, own);
      return [takeRate.toFixed(), makeRate.toFixed()];
    };
    expect(paid({})).toEqual(['0.002', '-0.0001']);
    expect(paid(rates('0.003', '-0.0002'))).toEqual(['0.003', '-0.0001']);
    expect(paid(rates('0.001', '0'))).toEqual(['0.002', '0']);
    expect(paid(rates('0.003', '0.001'))).toEqual(['0.003', '0.001']);
    expect(paid({ takeRate: decimal('0.0021') })).toEqual(['0.0021', '-0.0001']);
  });

  test('lie between -1 and 1, both left out, with nine decimals at most', () => {
    const codeOf = (rate: unknown) => rateRejection('takeRate', rate)?.code;
    for (const rate of ['0', '0.999999999', '-0.999999999', '0.000000001']) {
      expect(codeOf(decimal(rate))).toBeUndefined();
    }
    for (const rate of ['1', '-1', '2', '0.0000000001', 'Infinity', 'NaN']) {
      expect(codeOf(decimal('1').times(rate))).toBe('rate-invalid');
    }
    for (const rate of ['0.1', 0.1, null, {}]) expect(codeOf(rate)).toBe('rate-invalid');
    expect(codeOf(undefined)).toBeUndefined();
  });

  test('are refused by the field of the first that is none, with what was given', () => {
    expect(ownRatesRejection({})).toBeUndefined();
    expect(ownRatesRejection(rates('0.1', '0.1'))).toBeUndefined();
    expect(ownRatesRejection(rates('1', '2'))).toMatchObject({ field: 'takeRate' });
    expect(ownRatesRejection({ makeRate: decimal('2') })).toEqual({
      code: 'rate-invalid',
      field: 'makeRate',
      message:
        'makeRate is 2 and must be a fraction between -1 and 1 with at most 9 decimals, such as 0.001.',
      limit: '1',
    });
    expect(rateRejection('takeRate', 'free')?.message).toMatch(/^takeRate is "free" and must/);
  });
});
