import { describe, expect, test } from 'vitest';
import { Amount } from '../../src/model/amount.ts';
import { ZERO } from '../../src/model/decimal.ts';
import {
  countedLots,
  isLost,
  isOpen,
  isUnanswered,
  outstandingLots,
  type NewOrder,
  type Order,
  type OrderStatus,
  type VenueOrder,
} from '../../src/model/order.ts';
import {
  applyOrderEvent,
  hasFill,
  pendingOrder,
  type OrderEvent,
} from '../../src/model/order-reducer.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import type { OrderReport } from '../../src/model/report.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';

const TERMS: NewOrder = {
  clientOrderId: 'order-0001',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  lots: lots(10),
  ticks: ticks(100),
  postOnly: false,
};
const REQUESTER = { strategy: 'test', managed: true, requestedAt: micros(5) } as const;
const PENDING = pendingOrder(TERMS, REQUESTER);
const AT = micros(900);
const LOST: Rejection = { code: 'order-lost', message: 'The venue does not know the order.' };
const FUNDS: Rejection = { code: 'funds-insufficient', message: 'There is too little.' };

const venue = (
  status: OrderStatus,
  updatedAt: number,
  { filled = 0, ...more }: Partial<VenueOrder> & { readonly filled?: number } = {},
): VenueOrder => ({
  ...TERMS,
  id: 1,
  status,
  filledLots: lots(filled),
  createdAt: micros(100),
  updatedAt: micros(updatedAt),
  ...more,
});

const said = (
  order: VenueOrder,
  kind: Exclude<OrderReport['kind'], 'trade'> = 'new',
): OrderEvent => ({
  kind,
  at: micros(0),
  order,
});

const trade = (order: VenueOrder, id: number, size: number): OrderEvent => ({
  kind: 'trade',
  at: micros(0),
  order,
  fill: {
    id,
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    ticks: ticks(100),
    lots: lots(size),
    fee: Amount.of(ZERO),
    feeCurrency: 'USDT',
    taker: false,
    at: micros(0),
  },
});

const after = (order: Order, ...events: readonly OrderEvent[]): Order =>
  events.reduce((one, event) => applyOrderEvent(one, event, AT), order);

const WORKING = after(PENDING, said(venue('new', 100)));
const CANCELED = after(WORKING, said(venue('canceled', 200), 'canceled'));

/** Expects that an event leaves an order as it is: the very same one. */
const expectSame = (order: Order, event: OrderEvent): void =>
  expect(applyOrderEvent(order, event, AT)).toBe(order);

describe('an order that was asked for', () => {
  test('has its terms, who asked, and nothing done', () => {
    expect(
      pendingOrder(TERMS, REQUESTER, { orderListId: 'list-1', listIndex: 2 }, 'order-0000'),
    ).toEqual({
      ...TERMS,
      ...REQUESTER,
      orderListId: 'list-1',
      listIndex: 2,
      replaces: 'order-0000',
      status: 'pending',
      filledLots: 0,
      receivedLots: 0,
      settledLots: 0,
      fillIds: [],
      endedInactive: false,
      cancelRequested: false,
      rejectedRequests: 0,
    });
    expect([isOpen(PENDING), isUnanswered(PENDING)]).toEqual([true, true]);
  });

  test('is rejected while nothing was received of it, and not after that', () => {
    const rejected = after(PENDING, { kind: 'rejected', rejection: FUNDS });
    expect(rejected).toMatchObject({ status: 'rejected', rejection: FUNDS, endedAt: AT });
    expect(isOpen(rejected)).toBe(false);
    expect(after(PENDING, { kind: 'unknown' }, { kind: 'rejected', rejection: FUNDS })).toEqual(
      rejected,
    );
    expectSame(WORKING, { kind: 'rejected', rejection: FUNDS });
    expectSame(rejected, { kind: 'rejected', rejection: LOST });
  });

  test('may have been done or not, while it is open', () => {
    const unknown = after(WORKING, { kind: 'unknown' });
    expect(unknown).toMatchObject({ status: 'unknown', endedAt: undefined });
    expect([isOpen(unknown), isUnanswered(unknown), isUnanswered(WORKING)]).toEqual([
      true,
      true,
      false,
    ]);
    expectSame(unknown, { kind: 'unknown' });
    expectSame(CANCELED, { kind: 'unknown' });
    expect(after(unknown, said(venue('new', 100))).status).toBe('new');
  });

  test('counts what was asked of it since', () => {
    const asked = after(WORKING, { kind: 'cancelRequested' });
    expect(asked.cancelRequested).toBe(true);
    expectSame(asked, { kind: 'cancelRequested' });
    expect(
      after(asked, { kind: 'requestRejected' }, { kind: 'requestRejected' }).rejectedRequests,
    ).toBe(2);
  });
});

describe('what the venue says', () => {
  test('becomes the order', () => {
    const order = venue('suspended', 100, {
      lots: lots(12),
      ticks: ticks(99),
      stopTicks: ticks(98),
      filled: 3,
    });
    expect(after(PENDING, said(order, 'suspended'))).toMatchObject({
      status: 'suspended',
      lots: 12,
      ticks: 99,
      stopTicks: 98,
      filledLots: 3,
      receivedLots: 0,
      venueOrder: order,
      endedAt: undefined,
    });
  });

  test('counts where it is as new as what is known, and not where it is older', () => {
    const later = after(WORKING, said(venue('partiallyFilled', 200, { filled: 4 })));
    expect(later).toMatchObject({ status: 'partiallyFilled', filledLots: 4 });
    expectSame(later, said(venue('new', 199, { filled: 4 })));
    // More was executed when that was said, whatever its time.
    expectSame(later, said(venue('new', 300, { filled: 3 })));
    expect(after(later, said(venue('new', 200, { filled: 4, ticks: ticks(7) }))).ticks).toBe(7);
  });

  test('of one time never goes back to waiting', () => {
    const waiting = after(PENDING, said(venue('new', 100, { inactive: true })));
    expect(waiting.inactive).toBe(true);
    const suspended = after(waiting, said(venue('suspended', 100), 'suspended'));
    expect(suspended).toMatchObject({ status: 'suspended', inactive: undefined });
    const working = after(suspended, said(venue('new', 100)));
    expect(working.status).toBe('new');

    expectSame(suspended, said(venue('new', 100, { inactive: true })));
    expectSame(working, said(venue('suspended', 100), 'suspended'));
    expectSame(working, said(venue('new', 100, { inactive: true })));
    expect(after(waiting, said(venue('new', 100, { inactive: true, ticks: ticks(7) }))).ticks).toBe(
      7,
    );
    expect(after(suspended, said(venue('suspended', 100, { ticks: ticks(7) }))).ticks).toBe(7);
    expect(after(working, said(venue('suspended', 101), 'suspended')).status).toBe('suspended');
  });

  test('ends the order, whatever its time, and nothing older opens it again', () => {
    expect(CANCELED).toMatchObject({ status: 'canceled', endedAt: AT, endedInactive: false });
    expect(after(WORKING, said(venue('expired', 50), 'expired')).status).toBe('expired');
    expectSame(CANCELED, said(venue('new', 300)));
    expectSame(CANCELED, said(venue('new', 200), 'status'));
    expectSame(CANCELED, said(venue('new', 100), 'status'));
  });

  test('ends an order that waits for another', () => {
    const waiting = after(PENDING, said(venue('new', 100, { inactive: true })));
    const ended = said(venue('canceled', 100, { inactive: true }), 'canceled');
    expect(after(waiting, ended)).toMatchObject({ endedInactive: true, inactive: undefined });
    expect(after(WORKING, ended)).toMatchObject({ endedInactive: false, inactive: undefined });
    // A second report of the end adds nothing.
    expect(after(waiting, ended, ended).endedInactive).toBe(false);
  });

  test('asked for its account opens an order again whose end was older', () => {
    const opened = after(CANCELED, said(venue('new', 201), 'status'));
    expect(opened).toMatchObject({ status: 'new', endedAt: undefined, rejection: undefined });
  });

  test('asked for its account opens an order again without the reason of its end', () => {
    const explained = after(CANCELED, { kind: 'explained', rejection: FUNDS });
    expect(after(explained, said(venue('new', 201), 'status')).rejection).toBeUndefined();
  });

  test('asked for its account with fewer fills than are known leaves open what the order is', () => {
    const filled = after(WORKING, said(venue('filled', 200, { filled: 10 }), 'status'));
    const doubtful = after(filled, said(venue('partiallyFilled', 300, { filled: 4 }), 'status'));
    expect(doubtful).toMatchObject({ status: 'unknown', filledLots: 10, endedAt: undefined });
  });

  test('ends an order once, at the time of the first report', () => {
    const again = said(venue('canceled', 250), 'canceled');
    const twice = applyOrderEvent(CANCELED, again, micros(999));
    expect([twice.endedAt, twice.venueOrder?.updatedAt]).toEqual([AT, 250]);
  });

  test('takes no fill back', () => {
    const filled = after(WORKING, said(venue('partiallyFilled', 300, { filled: 6 })));
    expect(after(filled, said(venue('canceled', 400, { filled: 4 }), 'canceled'))).toMatchObject({
      status: 'canceled',
      filledLots: 6,
    });
  });

  test('asked for its account opens an order again that was rejected for something else', () => {
    const rejected = after(PENDING, { kind: 'rejected', rejection: FUNDS });
    expectSame(rejected, said(venue('new', 100)));
    const opened = after(rejected, said(venue('new', 100), 'status'));
    expect(opened).toMatchObject({ status: 'new', endedAt: undefined, rejection: undefined });
    const replaced = after(rejected, { kind: 'replacedBy', clientOrderId: 'order-0002' });
    expectSame(replaced, said(venue('new', 100), 'status'));
  });

  test('that is older than the replacement of the order opens nothing', () => {
    const replaced = after(WORKING, { kind: 'replacedBy', clientOrderId: 'order-0002' });
    expectSame(replaced, said(venue('new', 300), 'status'));
  });
});

describe('an order that the venue does not know', () => {
  test('never was, or ended', () => {
    const never = after(PENDING, { kind: 'lost', rejection: LOST });
    expect(never).toMatchObject({ status: 'rejected', rejection: LOST, endedAt: AT });
    const ended = after(WORKING, { kind: 'lost', rejection: LOST });
    expect(ended).toMatchObject({ status: 'canceled', rejection: LOST, endedAt: AT });
    expect([isLost(ended), isLost(CANCELED)]).toEqual([true, false]);
    expectSame(CANCELED, { kind: 'lost', rejection: LOST });
  });

  test('waits for no other any more', () => {
    const waiting = after(PENDING, said(venue('new', 100, { inactive: true })));
    expect(after(waiting, { kind: 'lost', rejection: LOST })).toMatchObject({
      inactive: undefined,
      endedInactive: false,
    });
  });

  test('is there again once it is reported, however old the report is', () => {
    const lost = after(WORKING, { kind: 'lost', rejection: LOST });
    expect(after(lost, said(venue('new', 50)))).toMatchObject({
      status: 'new',
      rejection: undefined,
      endedAt: undefined,
    });
  });
});

describe('a reason', () => {
  test('is given once, and again with more words', () => {
    const explained = after(CANCELED, { kind: 'explained', rejection: LOST });
    expect(explained.rejection).toBe(LOST);
    expectSame(explained, { kind: 'explained', rejection: { ...LOST } });
    expectSame(explained, { kind: 'explained', rejection: FUNDS });
    const longer = { ...LOST, message: 'The venue forgot the order.' };
    expect(after(explained, { kind: 'explained', rejection: longer }).rejection).toBe(longer);
  });

  test('of the protection of an order stays when its end is reported', () => {
    const explained = after(WORKING, { kind: 'explained', rejection: FUNDS });
    expect(after(explained, said(venue('canceled', 200), 'canceled')).rejection).toBe(FUNDS);
  });
});

describe('an order whose place another took', () => {
  test('ends there, and keeps the first that did', () => {
    const replaced = after(WORKING, { kind: 'replacedBy', clientOrderId: 'order-0002' });
    expect(replaced).toMatchObject({
      status: 'canceled',
      replacedBy: 'order-0002',
      rejection: undefined,
      endedAt: AT,
    });
    expectSame(replaced, { kind: 'replacedBy', clientOrderId: 'order-0003' });
  });

  test('stays as it ended', () => {
    const filled = after(WORKING, said(venue('filled', 200, { filled: 10 }), 'status'));
    expect(after(filled, { kind: 'replacedBy', clientOrderId: 'order-0002' })).toMatchObject({
      status: 'filled',
      replacedBy: 'order-0002',
    });
  });

  test('leaves what it executed to the other', () => {
    const first = after(
      WORKING,
      { kind: 'fill', id: 1, lots: 3 },
      said(venue('partiallyFilled', 200, { filled: 5 }), 'status'),
    );
    expect([first.receivedLots, first.settledLots]).toEqual([3, 2]);
    const second = after(PENDING, { kind: 'inherited', from: first });
    expect(second).toMatchObject({ receivedLots: 3, settledLots: 2, filledLots: 5, fillIds: [] });
    // What the venue had counted comes as a fill after all.
    expect(after(second, { kind: 'inheritedFill', lots: 2 })).toMatchObject({
      receivedLots: 5,
      settledLots: 0,
      filledLots: 5,
    });
    expect(after(second, { kind: 'inheritedFill', lots: 3 })).toMatchObject({
      receivedLots: 6,
      settledLots: 0,
      filledLots: 6,
    });
  });
});

describe('fills', () => {
  test('count once, by their numbers, in whatever order they come', () => {
    const order = after(
      WORKING,
      { kind: 'fill', id: 7, lots: 2 },
      { kind: 'fill', id: 9, lots: 1 },
      { kind: 'fill', id: 8, lots: 3 },
    );
    expect(order).toMatchObject({ receivedLots: 6, filledLots: 6, fillIds: [7, 8, 9] });
    expectSame(order, { kind: 'fill', id: 8, lots: 3 });
    expect([6, 7, 8, 9, 10].map((id) => hasFill(order, id))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(hasFill(PENDING, 0)).toBe(false);
    const many = after(order, { kind: 'fill', id: 10, lots: 1 }, { kind: 'fill', id: 5, lots: 1 });
    expect(many.fillIds).toEqual([5, 7, 8, 9, 10]);
  });

  test('come with the order as it then is', () => {
    const filled = after(WORKING, trade(venue('filled', 200, { filled: 10 }), 7, 10));
    expect(filled).toMatchObject({
      status: 'filled',
      filledLots: 10,
      receivedLots: 10,
      endedAt: AT,
    });
    expect(outstandingLots(filled)).toBe(0);
  });

  test('count once though the order is reported again', () => {
    const once = trade(venue('partiallyFilled', 200, { filled: 4 }), 7, 4);
    const order = after(WORKING, once, once);
    expect(order).toMatchObject({ receivedLots: 4, filledLots: 4, fillIds: [7] });
    const later = after(order, said(venue('partiallyFilled', 300, { filled: 6 })));
    expectSame(later, once);
  });

  test('that come late count, and the order stays as it is', () => {
    const order = after(WORKING, trade(venue('partiallyFilled', 300, { filled: 6 }), 8, 2));
    expect(order).toMatchObject({ receivedLots: 2, filledLots: 6 });
    expect(outstandingLots(order)).toBe(8);
    const late = after(order, trade(venue('partiallyFilled', 200, { filled: 4 }), 7, 4));
    expect(late).toMatchObject({ receivedLots: 6, filledLots: 6, fillIds: [7, 8] });
    expect(late.venueOrder?.updatedAt).toBe(300);
  });

  test('are no more waited for once the venue has given its account', () => {
    const order = after(CANCELED, said(venue('canceled', 200, { filled: 4 }), 'status'));
    expect(order).toMatchObject({ filledLots: 4, receivedLots: 0, settledLots: 4 });
    expect([countedLots(order), outstandingLots(order)]).toEqual([4, 0]);
    const late = after(order, { kind: 'fill', id: 7, lots: 1 });
    expect(late).toMatchObject({ filledLots: 4, receivedLots: 1, settledLots: 3 });
  });

  test('are settled by an account that is older than the order too', () => {
    const order = after(WORKING, said(venue('partiallyFilled', 300, { filled: 6 })));
    expect(outstandingLots(order)).toBe(10);
    const settled = after(order, said(venue('new', 200), 'status'));
    expect(settled).toMatchObject({ status: 'partiallyFilled', filledLots: 6, settledLots: 6 });
    expect(outstandingLots(settled)).toBe(4);
    expectSame(settled, said(venue('new', 200), 'status'));
  });

  test('of an ended order are outstanding up to what the venue executed', () => {
    const order = after(WORKING, said(venue('canceled', 200, { filled: 6 }), 'canceled'));
    expect(outstandingLots(order)).toBe(6);
    expect(outstandingLots(after(order, { kind: 'fill', id: 7, lots: 9 }))).toBe(0);
  });
});
