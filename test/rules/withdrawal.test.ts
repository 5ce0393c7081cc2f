import { describe, expect, test } from 'vitest';
import { Currency, plainCurrency } from '../../src/model/currency.ts';
import { decimal } from '../../src/model/decimal.ts';
import { commentRejection, payoutError, payoutOf } from '../../src/rules/withdrawal.ts';

describe('the amount of a withdrawal', () => {
  const split = (amount: string, fee: string, includeFee: boolean) => {
    const payout = payoutOf(decimal(amount), decimal(fee), includeFee);
    return 'code' in payout
      ? payout.code
      : [payout.sent, payout.fee, payout.total].map((each) => each.toFixed()).join(' ');
  };

  test('is sent, and the fee comes on top', () => {
    expect(split('10', '0.5', false)).toBe('10 0.5 10.5');
    expect(split('0.1', '0.5', false)).toBe('0.1 0.5 0.6');
  });

  test('is what is spent in all where it includes the fee, and must be more than the fee', () => {
    expect(split('10', '0.5', true)).toBe('9.5 0.5 10');
    expect(split('0.5', '0.5', true)).toBe('amount-below-fee');
    expect(split('0.4', '0.5', true)).toBe('amount-below-fee');
  });
});

test('a comment is counted in characters, not in the halves that some are stored in', () => {
  expect(commentRejection(undefined)).toBeUndefined();
  expect(commentRejection('😀'.repeat(255))).toBeUndefined();
  expect(commentRejection('😀'.repeat(256))).toEqual({
    code: 'comment-too-long',
    field: 'publicComment',
    message: 'The public comment has 256 characters and may have 255.',
    limit: '255',
  });
});

describe('what keeps a withdrawal from being sent', () => {
  const plain = plainCurrency('X');
  const [network] = new Currency({
    ...plain,
    networks: [
      {
        ...plain.networks[0],
        addressRegex: '0+\\d',
        paymentIdRegex: '[a-z]',
        payoutIsPaymentId: true,
        precisionPayout: '0.01',
      },
    ],
  }).networks;

  test.each([
    ['1.23', 'a', undefined],
    ['1.234', '1', 'INVALID_PAYMENT_ID'],
    ['1.234', undefined, 'INVALID_PAYMENT_ID'],
    ['1.234', 'a', 'BAD_PRECISION'],
    ['0.001', 'a', 'BAD_PRECISION'],
  ])('%s with payment id %s: %s', (sent, paymentId, error) => {
    expect(payoutError(network, decimal(sent), paymentId)).toBe(error);
  });
});
