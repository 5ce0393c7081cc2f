import { describe, expect, test } from 'vitest';
import {
  DerivativeState,
  FUNDED,
  INDEXED,
  isReported,
  MARKED,
  OPENED,
} from '../../src/model/derivative-state.ts';
import {
  CANDLE,
  eventColumns,
  FUNDING,
  INDEX,
  MARK,
  OPEN_INTEREST,
} from '../../src/model/events.ts';

/** Takes a row in the second place of some columns. */
function take(
  state: DerivativeState,
  kind: number,
  { price = 0, size = 0, at = 0, next = 0 },
): number {
  const columns = eventColumns(2);
  columns.kind[1] = kind;
  columns.receivedAt[1] = 20;
  columns.stampedAt[1] = 10;
  columns.price[1] = price;
  columns.size[1] = size;
  columns.askPrice[1] = at;
  columns.askSize[1] = next;
  return state.take(columns, 1);
}

const stamped = { receivedAt: 20, stampedAt: 10 };

describe('what a venue says of a derivative', () => {
  test('is not known at first', () => {
    const { mark, index, funding, openInterest, fundingAt, fundingPeriodUs } =
      new DerivativeState();
    for (const one of [mark, index, funding, openInterest]) {
      expect(isReported(one)).toBe(false);
      expect(one.receivedAt).toBeNaN();
    }
    expect([fundingAt, fundingPeriodUs]).toEqual([0, 0]);
  });

  test('is its mark and index price, each its own', () => {
    const state = new DerivativeState();
    expect(take(state, MARK, { price: 100, size: 5 })).toBe(MARKED);
    expect(isReported(state.mark)).toBe(true);
    expect(isReported(state.index)).toBe(false);
    expect(take(state, INDEX, { price: 101, size: 6 })).toBe(INDEXED);
    expect(state.mark).toEqual({ ...stamped, whole: 100, rest: 5 });
    expect(state.index).toEqual({ ...stamped, whole: 101, rest: 6 });
  });

  test.each([MARK, INDEX])('is no price that is not above zero (kind %i)', (kind) => {
    const state = new DerivativeState();
    expect(take(state, kind, {})).toBe(0);
    expect(take(state, kind, { price: -1 })).toBe(0);
    expect([isReported(state.mark), isReported(state.index)]).toEqual([false, false]);
    // A part of a tick is a price.
    expect(take(state, kind, { size: 1 })).not.toBe(0);
  });

  test('is how much is open, in whole lots and a part of one', () => {
    const state = new DerivativeState();
    expect(take(state, OPEN_INTEREST, { price: 5, size: 70 })).toBe(OPENED);
    expect(state.openInterest).toEqual({ ...stamped, whole: 70, rest: 5 });
  });

  test('is nothing of any other row', () => {
    const state = new DerivativeState();
    expect(take(state, CANDLE, { price: 5, size: 70 })).toBe(0);
    expect(state).toEqual(new DerivativeState());
  });
});

describe('the funding rate', () => {
  test('comes with when it is paid and how often', () => {
    const state = new DerivativeState();
    expect(take(state, FUNDING, { price: -3, size: 7, at: 800, next: 1_100 })).toBe(FUNDED);
    expect(state.funding).toEqual({ ...stamped, whole: -3, rest: 7 });
    expect([state.fundingAt, state.fundingPeriodUs]).toEqual([800, 300]);
  });

  test('without the payment after it is paid as often as since the one before', () => {
    const state = new DerivativeState();
    take(state, FUNDING, { at: 800 });
    expect([state.fundingAt, state.fundingPeriodUs]).toEqual([800, 0]);
    take(state, FUNDING, { at: 1_200 });
    expect([state.fundingAt, state.fundingPeriodUs]).toEqual([1_200, 400]);
    // The same payment again, and an earlier one, say nothing of how often.
    take(state, FUNDING, { at: 1_200, next: 1_200 });
    expect(state.fundingPeriodUs).toBe(400);
    take(state, FUNDING, { at: 1_000 });
    expect([state.fundingAt, state.fundingPeriodUs]).toEqual([1_000, 400]);
  });

  test('that is paid at no known time says nothing of how often', () => {
    const state = new DerivativeState();
    take(state, FUNDING, { at: 0, next: 500 });
    expect([state.fundingAt, state.fundingPeriodUs]).toEqual([0, 0]);
    take(state, FUNDING, { at: 500 });
    expect([state.fundingAt, state.fundingPeriodUs]).toEqual([500, 0]);
  });
});
