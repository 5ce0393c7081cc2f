import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { accountTerms } from '../../../src/rules/margin/account-terms.ts';
import { instrument, MARGIN_TERMS, onMargin } from '../../exchange/margin/kit.ts';

describe('the terms of an account for an instrument', () => {
  test('are none where it is not traded in that mode', () => {
    const isolated = instrument({ margin: [MARGIN_TERMS] });
    expect(accountTerms(isolated, { mode: 'cross' })).toBeUndefined();
    expect(accountTerms(isolated, { mode: 'isolated' })?.rules).toBe(isolated.margin.isolated);
  });

  test('have the leverage of the account, and at most that of the instrument', () => {
    const leverageOf = (leverage?: string): string | undefined =>
      accountTerms(instrument(), {
        mode: 'cross',
        ...(leverage === undefined ? {} : { leverage: decimal(leverage) }),
      })?.leverage.toFixed();
    expect([leverageOf('3'), leverageOf('10'), leverageOf('50'), leverageOf()]).toEqual([
      '3',
      '10',
      '10',
      '10',
    ]);
  });

  test("reserve by the rate of the terms, or by the taker's", () => {
    const rateOf = (margin = onMargin()): string | undefined =>
      accountTerms(instrument({ margin }), { mode: 'isolated' })?.rate.toFixed();
    expect([rateOf(), rateOf(onMargin({ reserveRate: '0.002' }))]).toEqual(['0.001', '0.002']);
  });
});
