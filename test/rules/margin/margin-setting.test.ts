import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import {
  accountMissing,
  leverageRejection,
  marginBalanceRejection,
  marginInsufficient,
  marginModeRejection,
  positionUnknown,
} from '../../../src/rules/margin/margin-setting.ts';
import { instrument, MARGIN_TERMS } from '../../exchange/margin/kit.ts';

const ISOLATED = instrument({ margin: [MARGIN_TERMS] });

describe('the mode of a margin account', () => {
  test('is one in which its symbol is traded', () => {
    expect(marginModeRejection(ISOLATED, 'isolated')).toBeUndefined();
    expect(marginModeRejection(ISOLATED, 'cross')).toEqual({
      code: 'margin-forbidden',
      field: 'symbol',
      message: 'BTCUSDT is not traded on cross margin here.',
    });
  });

  test('is not one that is switched off', () => {
    const off = instrument({ margin: [{ ...MARGIN_TERMS, active: false }] });
    expect(marginModeRejection(off, 'isolated')).toMatchObject({ code: 'margin-forbidden' });
  });

  test('is isolated or cross', () => {
    expect(marginModeRejection(ISOLATED, 'portfolio' as MarginMode)).toEqual({
      code: 'margin-mode-invalid',
      field: 'marginMode',
      message: 'marginMode is "portfolio" and must be isolated or cross.',
      limit: 'isolated, cross',
    });
  });
});

describe('the leverage of a margin account', () => {
  test.each(['1', '2.55', '10'])('may be %s', (leverage) => {
    expect(leverageRejection(ISOLATED, 'isolated', decimal(leverage))).toBeUndefined();
  });

  test.each(['0.99', '0', '-1', '10.01', '2.555', 'NaN'])('is not %s', (text) => {
    const leverage = new Decimal(text);
    expect(leverageRejection(ISOLATED, 'isolated', leverage)).toEqual({
      code: 'leverage-invalid',
      field: 'leverage',
      message: `leverage is ${leverage.toString()} and must be from 1 to 10, with at most 2 decimals.`,
      limit: '10',
    });
  });

  test('is 1 where the symbol has no such margin, and a decimal', () => {
    expect(leverageRejection(ISOLATED, 'cross', decimal('1'))).toBeUndefined();
    expect(leverageRejection(ISOLATED, 'cross', decimal('2'))).toMatchObject({ limit: '1' });
    expect(leverageRejection(ISOLATED, 'isolated', 5 as unknown as Decimal)?.message).toBe(
      'leverage is 5 and must be from 1 to 10, with at most 2 decimals.',
    );
  });
});

describe('the balance of a margin account', () => {
  test.each(['0', '0.000000000001', '1e20'])('may be %s', (balance) => {
    expect(marginBalanceRejection(decimal(balance))).toBeUndefined();
  });

  test.each(['-0.01', '0.0000000000001', 'NaN', 'Infinity'])('is not %s', (text) => {
    const rejection = marginBalanceRejection(new Decimal(text), 'amount');
    expect(rejection).toMatchObject({ code: 'margin-balance-invalid', field: 'amount' });
    expect(rejection?.message).toMatch(
      /^amount is .+ and must be 0 or more, with at most 12 decimals\.$/,
    );
  });

  test('is a decimal, under its own name', () => {
    expect(marginBalanceRejection('7' as unknown as Decimal)).toEqual({
      code: 'margin-balance-invalid',
      field: 'marginBalance',
      message: 'marginBalance is "7" and must be 0 or more, with at most 12 decimals.',
    });
  });
});

describe('rejections for what is not there', () => {
  test('name the symbol of an isolated account and the currency of a cross account', () => {
    expect(accountMissing(ISOLATED, 'isolated')).toEqual({
      code: 'margin-account-unknown',
      field: 'symbol',
      message: 'There is no isolated margin account for BTCUSDT; give it a margin balance first.',
    });
    expect(accountMissing(ISOLATED, 'cross')).toEqual({
      code: 'margin-account-unknown',
      field: 'currency',
      message: 'There is no cross margin account for USDT; give it a margin balance first.',
    });
  });

  test('name the field that asks for a position', () => {
    expect(positionUnknown('BTCUSDT')).toMatchObject({ code: 'position-unknown', field: 'symbol' });
    expect(positionUnknown('BTCUSDT', 'margin')).toMatchObject({ field: 'margin' });
  });

  test('say what funds there are and what is needed', () => {
    expect(marginInsufficient('USDT', decimal('5'), decimal('7.5'))).toEqual({
      code: 'funds-insufficient',
      field: 'quantity',
      message:
        'The margin balance is 5 USDT and must be at least 7.5 for positions and orders together.',
      limit: '7.5',
    });
  });
});
