import { describe, expect, it, test } from 'vitest';
import { outcomeOf, lateRejection } from '../../../../src/gateways/trading/account/rejections.ts';
import { rejection } from '../../../../src/gateways/trading/socket/rejection.ts';
import { MillraceError, type ErrorCode } from '../../../../src/model/errors.ts';
import type { OrderRequest } from '../../../../src/model/order-request.ts';
import { lots, ticks } from '../../../../src/model/units.ts';
import { openVenue } from '../../../server/kit.ts';
import { accountAt, hold, placeOf, settled, until } from './kit.ts';

/** By what a rejection names a request. */
function idOf(request: OrderRequest): string {
  if (request.kind === 'placeList') return request.orderListId;
  return request.kind === 'replace' ? request.newClientOrderId : request.clientOrderId;
}

describe('a request that the service refuses', () => {
  test.each([
    ['too much for the account', placeOf('costly-order', { lots: 9e12 }), 'funds-insufficient'],
    [
      'an order that nobody knows',
      { kind: 'cancel', clientOrderId: 'nobodys-order', symbol: 'BTCUSDT' },
      'order-unknown',
    ],
    [
      'a replacement of it',
      {
        kind: 'replace',
        clientOrderId: 'nobodys-order',
        newClientOrderId: 'after-nobody',
        symbol: 'BTCUSDT',
        lots: lots(1),
        ticks: ticks(1),
      },
      'order-unknown',
    ],
    [
      'a list of too few orders',
      {
        kind: 'placeList',
        orderListId: 'lonely-order',
        contingencyType: 'oneTriggerOther',
        orders: [placeOf('lonely-order')],
      },
      'request-invalid',
    ],
  ] satisfies [string, OrderRequest, string][])(
    'is reported as rejected: %s',
    async (_, request, code) => {
      const venue = await openVenue();
      const { account, ear } = await hold(venue);
      ear.clear();
      account.send(request);
      await until(venue, () => ear.kinds.length === 1);
      expect(ear.reports[0]).toMatchObject({
        kind: 'rejected',
        request: request.kind,
        clientOrderId: idOf(request),
        symbol: 'BTCUSDT',
        rejection: { code },
      });
    },
  );

  it('is reported with the message of the service', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    account.send(placeOf('costly-order', { lots: 9e12 }));
    await until(venue, () => ear.of('rejected').length === 1);
    expect(ear.of('rejected')[0]?.rejection.message).toMatch(
      /^Insufficient funds \(20001\): Check that the funds are sufficient, given commissions/,
    );
  });

  it('is refused here where its symbol is no instrument, and never before send has returned', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    ear.clear();
    account.send(placeOf('strange-order', { symbol: 'NOWHERE' }));
    expect(ear.kinds).toEqual([]);
    await until(venue, () => ear.kinds.length === 1);
    expect(ear.of('rejected')[0]).toMatchObject({
      clientOrderId: 'strange-order',
      symbol: 'NOWHERE',
      rejection: { code: 'symbol-unknown' },
    });
  });
});

describe('what an error says of a request', () => {
  const member = (code: number, description?: string) => ({ code, message: 'No', description });
  const ofService = (code: number, description?: string) =>
    outcomeOf(rejection('spot_new_order', member(code, description), true));

  test.each([
    [2001, 'symbol-unknown'],
    [2010, 'quantity-invalid'],
    [2022, 'price-off-tick'],
    [10_001, 'request-invalid'],
    [20_001, 'funds-insufficient'],
    [20_002, 'order-unknown'],
    [20_008, 'client-order-id-taken'],
    [20_009, 'order-unchanged'],
    [20_010, 'symbol-suspended'],
    [20_045, 'order-limit-reached'],
    [20_048, 'time-in-force-invalid'],
    [600, 'venue-refused'],
    [1003, 'venue-refused'],
    [429, 'venue-refused'],
    [503, 'venue-unavailable'],
    [77_777, 'venue-refused'],
  ])('%d is %s', (code, expected) => {
    expect(ofService(code)).toEqual({
      kind: 'rejected',
      rejection: { code: expected, message: `No (${code})` },
    });
  });

  test.each([500, 504, 22_008])(
    '%d leaves the outcome unknown, also when it comes late',
    (code) => {
      expect(ofService(code)).toEqual({ kind: 'outcome-unknown' });
      expect(lateRejection(member(code))).toBeUndefined();
    },
  );

  test.each([
    ['unreachable', 'venue-unreachable'],
    ['rate-limited', 'venue-unreachable'],
    ['request-invalid', 'request-invalid'],
  ] as const)('%s means that nothing left', (code, expected) => {
    expect(outcomeOf(new MillraceError(code, 'Why.'))).toEqual({
      kind: 'rejected',
      rejection: { code: expected, message: 'Why.' },
    });
  });

  test.each(['outcome-unknown', 'answer-invalid', 'internal'] as const satisfies ErrorCode[])(
    '%s leaves the outcome unknown',
    (code) => {
      expect(outcomeOf(new MillraceError(code, 'Why.'))).toEqual({ kind: 'outcome-unknown' });
    },
  );

  it('leaves the outcome unknown where the error is not a MillraceError', () => {
    expect(outcomeOf(new TypeError('no'))).toEqual({ kind: 'outcome-unknown' });
  });

  it('has at most 200 letters of the service', () => {
    const outcome = ofService(20_001, 'x'.repeat(500));
    expect(outcome.kind === 'rejected' && outcome.rejection.message.length).toBe(200);
  });
});

/** Replies before the first to a request: to the login, and to the subscriptions of balances and three markets. */
const SUBSCRIBED = 5;

describe('a request without an answer', () => {
  const trading = { socket: '/api/3/ws/trading' } as const;

  it('is reported as outcome-unknown after its timeout, though it was done', async () => {
    const venue = await openVenue({
      faults: {
        streams: [{ ...trading, topic: 'reply', skip: SUBSCRIBED, fault: { kind: 'drop' } }],
      },
    });
    const { account, ear } = await hold(venue);
    ear.clear();
    account.send(placeOf('lost-answer'));
    await until(venue, () => ear.of('outcome-unknown').length === 1);
    expect(ear.story).toEqual(['new lost-answer', 'outcome-unknown lost-answer']);
    expect(ear.of('outcome-unknown')[0]).toMatchObject({ request: 'place', symbol: 'BTCUSDT' });
  });

  it('is reported as outcome-unknown when the connection ends, and the account then reconnects', async () => {
    const venue = await openVenue({
      faults: {
        streams: [{ ...trading, topic: 'spot_order', count: 1, fault: { kind: 'close' } }],
      },
    });
    const { account, ear } = await hold(venue);
    ear.clear();
    account.send(placeOf('cut-order'));
    await until(venue, () => ear.kinds.includes('live'));
    expect(ear.kinds.filter((kind) => kind !== 'balance')).toEqual([
      'lost',
      'outcome-unknown',
      'live',
    ]);
    expect(ear.whys[0]).toContain('was closed by the service with 1011');
    const { orders } = await settled(venue, account.snapshot(venue.scheduler.now()));
    expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['cut-order']);
  });

  it('is reported as rejected after all where a rejection comes late', async () => {
    const venue = await openVenue({
      faults: {
        streams: [
          {
            ...trading,
            topic: 'reply',
            skip: SUBSCRIBED,
            fault: { kind: 'delay', delayMs: 12_000 },
          },
        ],
      },
    });
    const { account, ear } = await hold(venue);
    account.send(placeOf('costly-order', { lots: 9e12 }));
    await until(venue, () => ear.of('rejected').length === 1);
    expect(ear.story).toEqual(['outcome-unknown costly-order', 'rejected costly-order']);
    expect(ear.of('rejected')[0]?.rejection.code).toBe('funds-insufficient');
  });

  it('that cannot be sent is reported as rejected: before the account is open, while it is disconnected', async () => {
    const venue = await openVenue();
    const { account, ear } = accountAt(venue, venue.base);
    account.send(placeOf('early-order'));
    await settled(venue, account.open(ear));
    await venue.venue.close();
    await until(venue, () => ear.kinds.includes('lost'));
    ear.clear();
    account.send(placeOf('late-order'));
    expect(ear.kinds).toEqual([]);
    await until(venue, () => ear.kinds.length === 1);
    expect(ear.of('rejected')[0]).toMatchObject({
      clientOrderId: 'late-order',
      rejection: { code: 'venue-unreachable' },
    });
  });
});
