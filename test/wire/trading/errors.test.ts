import { describe, expect, test } from 'vitest';
import { REJECTIONS, type RejectionCode } from '../../../src/model/rejections.ts';
import { decode, encode } from '../../../src/wire/trading/decoding.ts';
import { errorBody, errorMemberOf } from '../../../src/wire/trading/error-body.ts';
import {
  ERROR_CODES,
  errorClass,
  type ServiceErrorCode,
} from '../../../src/wire/trading/error-codes.ts';
import { fault, statusOf } from '../../../src/wire/trading/faults.ts';
import {
  ELSEWHERE,
  REJECTION_ERRORS,
  rejectionFault,
  wireName,
} from '../../../src/wire/trading/rejections.ts';

/** The table of the wire facts, section 6, with the messages that it gives. */
const PUBLISHED: readonly (readonly [ServiceErrorCode, number, string])[] = [
  [403, 401, 'Action is forbidden for account'],
  [429, 429, 'Too many requests'],
  [500, 500, 'Internal Server Error'],
  [503, 503, 'Service Unavailable'],
  [504, 504, 'Gateway Timeout'],
  [600, 400, 'Action not allowed'],
  [1001, 401, 'Authorization required'],
  [1002, 401, 'Authorization is required or has been failed'],
  [1003, 403, 'Action is forbidden for this API key'],
  [1004, 401, 'Unsupported authorization method'],
  [2001, 400, 'Symbol not found'],
  [2002, 400, 'Currency not found'],
  [2010, 400, 'Quantity not a valid number'],
  [2011, 400, 'Quantity too low'],
  [2012, 400, 'Bad quantity'],
  [2020, 400, 'Price not a valid number'],
  [2021, 400, 'Price too low'],
  [2022, 400, 'Bad price'],
  [2024, 400, 'Invalid margin mode'],
  [10001, 400, 'Validation error'],
  [10021, 400, 'User disabled'],
  [20001, 400, 'Insufficient funds'],
  [20002, 400, 'Order not found'],
  [20003, 400, 'Limit exceeded'],
  [20004, 400, 'Transaction not found'],
  [20005, 400, 'Payout not found'],
  [20006, 400, 'Payout already committed'],
  [20007, 400, 'Payout already rolled back'],
  [20008, 400, 'Duplicate client_order_id'],
  [20009, 400, 'Price and quantity not changed'],
  [20010, 400, 'Exchange temporary closed'],
  [20014, 400, 'Offchain for this payout is unavailable'],
  [20032, 400, 'Margin account or position not found'],
  [20033, 400, 'Position not changed'],
  [20034, 400, 'Position in close only state'],
  [20040, 400, 'Margin trading forbidden'],
  [20080, 400, 'Internal order execution deadline exceeded'],
  [21004, 400, 'Sub account is already frozen or disabled'],
  [22004, 400, 'User is not found'],
];

/** Codes of which no more is known than that they exist, and those whose words differ. */
const EXISTING = [
  800, 1005, 2003, 10_022, 20_011, 20_012, 20_016, 20_018, 20_031, 20_041, 20_042, 20_043, 20_044,
  20_045, 20_047, 20_048, 20_049, 21_001, 21_003, 22_008,
];

describe('error codes', () => {
  test.each(PUBLISHED)('%i answers %i %s', (code, status, message) => {
    expect(fault(code).message).toBe(message);
    expect(statusOf(code)).toBe(status);
  });

  test('are those that are known to exist, and no others', () => {
    const expected = [...PUBLISHED.map(([code]) => code), ...EXISTING].sort((a, b) => a - b);
    expect(Object.keys(ERROR_CODES).map(Number)).toEqual(expected);
  });

  test.each([
    [20_001, 400, 'refused'],
    [20_044, 403, 'authorization'],
    [21_003, 400, 'authorization'],
    [1005, undefined, 'authorization'],
    [2003, undefined, 'bad-request'],
    [10_022, undefined, 'bad-request'],
    [20_047, undefined, 'refused'],
    [20_080, undefined, 'refused'],
    [22_008, undefined, 'outcome-unknown'],
    [504, 504, 'outcome-unknown'],
    [500, undefined, 'outcome-unknown'],
    [429, undefined, 'rate-limit'],
    [20_010, undefined, 'unavailable'],
    [77_777, 400, 'bad-request'],
    [77_777, 404, 'bad-request'],
    [77_777, 401, 'authorization'],
    [77_777, 403, 'authorization'],
    [77_777, 429, 'rate-limit'],
    [77_777, 503, 'unavailable'],
    [77_777, 502, 'outcome-unknown'],
    [77_777, 418, 'refused'],
    [77_777, undefined, 'refused'],
  ] as const)('%i with status %s is of class %s', (code, status, expected) => {
    expect(errorClass(code, status)).toBe(expected);
  });

  test('a body has code, message and, where there is one, a description', () => {
    const given = errorMemberOf(fault(20001, 'Check that the funds are sufficient'));
    expect(encode(errorBody, { error: given })).toEqual({
      error: {
        code: 20001,
        message: 'Insufficient funds',
        description: 'Check that the funds are sufficient',
      },
    });
    expect(errorMemberOf(fault(20002, undefined, 'client_order_id'))).toEqual({
      code: 20002,
      message: 'Order not found',
    });
  });

  test('a body with siblings and a code as text is read', () => {
    const body = {
      timestamp: '2024-01-02T10:59:40.65Z',
      path: '/api/3/spot/order',
      request_id: 'a',
      status: 400,
      error: { code: '600', message: 'Action is not allowed' },
    };
    expect(decode(errorBody, body)).toEqual({
      kind: 'ok',
      value: { error: { code: 600, message: 'Action is not allowed' } },
    });
    expect(decode(errorBody, '<html>')).toMatchObject({ kind: 'fault' });
  });
});

describe('rejections of the exchange', () => {
  test('each has a code of the service', () => {
    const reported = [...Object.keys(REJECTION_ERRORS), ...ELSEWHERE];
    expect(reported.toSorted()).toEqual(Object.keys(REJECTIONS).toSorted());
  });

  test.each([
    ['symbol-unknown', 2001],
    ['symbol-suspended', 20010],
    ['type-invalid', 20049],
    ['time-in-force-invalid', 20048],
    ['price-off-tick', 2022],
    ['price-below-minimum', 2021],
    ['quantity-off-increment', 2012],
    ['quantity-below-minimum', 2011],
    ['client-order-id-taken', 20008],
    ['funds-insufficient', 20001],
    ['order-unknown', 20002],
    ['order-unchanged', 20009],
    ['order-limit-reached', 20045],
    ['order-count-invalid', 10001],
    ['withdrawal-committed', 20006],
    ['sub-account-frozen', 21004],
  ] satisfies readonly (readonly [RejectionCode, number])[])(
    '%s is reported by %i',
    (code, expected) => {
      expect(rejectionFault({ code, message: 'Why.' }, 3).code).toBe(expected);
    },
  );

  test.each([
    ['stopPrice', 3, 'stop_price'],
    ['stopPrice', 2, 'stopPrice'],
    ['expireAt', 3, 'expire_time'],
    ['expireAt', 2, 'expireTime'],
    ['orders[1].clientOrderId', 3, 'orders[1].client_order_id'],
    ['price', 3, 'price'],
  ] as const)('the field %s is called so in version %i: %s', (field, version, name) => {
    expect(wireName(field, version)).toBe(name);
  });

  test('the sentence names the field as the caller wrote it', () => {
    const rejection = {
      code: 'stop-price-missing',
      field: 'stopPrice',
      message: 'A stopLimit order needs a stopPrice.',
    } as const;
    expect(rejectionFault(rejection, 3)).toEqual({
      code: 10001,
      message: 'Validation error',
      description: 'A stopLimit order needs a stop_price.',
      member: 'stop_price',
    });
    expect(rejectionFault(rejection, 2).description).toBe(rejection.message);
    const nested = {
      code: 'expire-time-invalid',
      field: 'orders[1].expireAt',
      message: 'A GTC order takes no expireAt, only GTD does.',
    } as const;
    expect(rejectionFault(nested, 3)).toMatchObject({
      member: 'orders[1].expire_time',
      description: 'orders[1]: A GTC order takes no expire_time, only GTD does.',
    });
    const place = {
      code: 'order-count-invalid',
      field: 'orders[1]',
      message: 'orders[1] is one too many.',
    } as const;
    expect(rejectionFault(place, 3).description).toBe('orders[1] is one too many.');
  });

  test('want of funds says to check them, commissions included', () => {
    const rejection = {
      code: 'funds-insufficient',
      message: '5 USDT is available and must exceed 6, fee included.',
    } as const;
    expect(rejectionFault(rejection, 3)).toEqual({
      code: 20001,
      message: 'Insufficient funds',
      description:
        'Check that the funds are sufficient, given commissions. 5 USDT is available and must exceed 6, fee included.',
    });
  });

  test('version 2 speaks of clientOrderId, and fails inside on an unknown sub-account', () => {
    const taken = { code: 'client-order-id-taken', message: 'It is taken.' } as const;
    expect(rejectionFault(taken, 2).message).toBe('Duplicate clientOrderId');
    expect(rejectionFault(taken, 3).message).toBe('Duplicate client_order_id');
    const unknown = { code: 'sub-account-unknown', message: 'There is none.' } as const;
    expect(rejectionFault(unknown, 2)).toMatchObject({
      code: 500,
      message: 'Internal Server Error',
    });
    expect(rejectionFault(unknown, 3).code).toBe(22004);
  });
});
