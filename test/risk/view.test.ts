import { describe, expect, test } from 'vitest';
import { riskMarket, waitsForList, waitsForTrigger } from '../../src/risk/view.ts';
import { testFeed, type TestEvent } from '../../src/engine/test-kit/feed.ts';
import { eventColumns, GAP, LAST } from '../../src/model/events.ts';
import type { Order, Side, VenueOrder } from '../../src/model/order.ts';
import { InstrumentState } from '../../src/model/instrument-state.ts';
import { ticks } from '../../src/model/units.ts';
import { BTC, NOW, open } from './view.ts';

const ORDER: Order = { ...open(), ticks: ticks(100) };

const STOP = { type: 'stopLimit', stopTicks: ticks(90) } as const;
const SECOND = {
  orderListId: 'order-0',
  contingencyType: 'oneTriggerOther',
  listIndex: 1,
} as const;
const received = (status: VenueOrder['status']) => ({ venueOrder: { status } as VenueOrder });

describe('an order waits for its stop price', () => {
  test.each([
    ['a stop that waits', { ...STOP, status: 'suspended' }, true],
    ['a stop that was triggered', { ...STOP, status: 'new', ...received('new') }, false],
    ['a stop of which nothing was received', { ...STOP, status: 'pending' }, true],
    ['an unknown stop that waited', { ...STOP, status: 'unknown', ...received('suspended') }, true],
    [
      'an unknown stop that was triggered',
      { ...STOP, status: 'unknown', ...received('new') },
      false,
    ],
    ['an unknown limit order', { status: 'unknown' }, false],
  ] as const)('%s', (_, change, waits) => {
    expect(waitsForTrigger({ ...ORDER, ...change })).toBe(waits);
  });
});

describe('an order waits for the first of its list', () => {
  test.each([
    ['the second of a list of which nothing was received', { ...SECOND, status: 'pending' }, true],
    ['the second as the venue says', { ...SECOND, inactive: true, ...received('new') }, true],
    ['the second once it is active', { ...SECOND, status: 'unknown', ...received('new') }, false],
    ['the first', { ...SECOND, listIndex: 0, status: 'pending' }, false],
    [
      'one of a pair that exclude each other',
      { ...SECOND, contingencyType: 'oneCancelOther', status: 'pending' },
      false,
    ],
  ] as const)('%s', (_, change, waits) => {
    expect(waitsForList({ ...ORDER, ...change })).toBe(waits);
  });
});

/** The market of BTC after these events, in ticks of 1 and lots of 0.1. */
function after(...events: readonly TestEvent[]): InstrumentState {
  const one = new InstrumentState(BTC);
  const columns = testFeed(BTC, events, undefined);
  for (let row = 0; row < columns.length; row += 1) one.take(columns, row);
  return one;
}

/** The feed of a market misses something. */
function missed(state: InstrumentState): void {
  const gap = eventColumns(1);
  gap.length = 1;
  gap.kind[0] = GAP;
  gap.flags[0] = LAST;
  state.take(gap, 0);
}

describe('a market of the engine', () => {
  const pricesOf = (state: InstrumentState) => {
    const known = riskMarket(state, NOW);
    return known && [known.prices.reference, known.prices.touch('buy'), known.prices.touch('sell')];
  };

  test('is unknown before the first data', () => {
    expect(riskMarket(after(), undefined)).toBeUndefined();
  });

  test('of trades alone is not stale for want of a book', () => {
    const state = after({ at: '00:00:01', trade: '100', size: 1, aggressor: 'buy' });
    expect(riskMarket(state, NOW)).toMatchObject({ stale: false, receivedAt: NOW });
    expect(pricesOf(state)).toEqual([200, 200, 200]);
  });

  test('with a book is stale from a gap on', () => {
    const one = after({ at: '00:00:01', bids: [['99', 1]], asks: [['101', 1]] });
    expect(riskMarket(one, NOW)?.stale).toBe(false);
    expect(pricesOf(one)).toEqual([200, 202, 198]);
    missed(one);
    expect(riskMarket(one, NOW)?.stale).toBe(true);
  });

  test('with one side of a book is stale from a gap on, too', () => {
    for (const sides of [
      { bids: [['99', 1]], asks: [] },
      { bids: [], asks: [['101', 1]] },
    ] as const) {
      const one = after({ at: '00:00:01', ...sides });
      expect(riskMarket(one, NOW)?.stale).toBe(false);
      missed(one);
      expect(riskMarket(one, NOW)?.stale).toBe(true);
    }
  });
});

describe('the lots that a market shows at better prices', () => {
  const shown = (state: InstrumentState, side: Side, ...prices: number[]) =>
    prices.map((price) => riskMarket(state, NOW)?.lotsBefore?.(side, price));
  const BOOK: TestEvent = {
    at: '00:00:01',
    bids: [
      ['99', 1],
      ['98', 2],
      ['96', 4],
    ],
    asks: [
      ['101', 1],
      ['102', 3],
      ['104', 5],
    ],
  };

  test('are those of its book up to a price, and not at it', () => {
    const state = after(BOOK);
    expect(shown(state, 'buy', 100, 101, 102, 103, 104, 105, 999)).toEqual([
      ...[0, 0, 10, 40, 40, 90, 90],
    ]);
    expect(shown(state, 'sell', 100, 99, 98, 97, 96, 95, 1)).toEqual([0, 0, 10, 30, 30, 70, 70]);
  });

  test('are without end beyond a trade, which says nothing of what was there', () => {
    const state = after({ at: '00:00:01', trade: '100' });
    const all = Number.POSITIVE_INFINITY;
    expect(shown(state, 'buy', 99, 100, 101)).toEqual([0, 0, all]);
    expect(shown(state, 'sell', 101, 100, 99)).toEqual([0, 0, all]);
  });

  test('are those of the quotes and of the book beyond them, as quotes come sooner', () => {
    const worse = after(BOOK, { at: '00:00:02', bid: ['98', 7], ask: ['102', 6] });
    expect(shown(worse, 'buy', 102, 103, 104, 105)).toEqual([0, 60, 60, 110]);
    expect(shown(worse, 'sell', 98, 97, 96, 95)).toEqual([0, 70, 70, 110]);
    const better = after(BOOK, { at: '00:00:02', bid: ['100', 7], ask: ['100', 6] });
    expect(shown(better, 'buy', 100, 101, 102)).toEqual([0, 60, 70]);
    expect(shown(better, 'sell', 100, 99, 98)).toEqual([0, 70, 80]);
  });

  test('are those of the quotes alone where there is no book', () => {
    const state = after({ at: '00:00:01', bid: ['99', 2], ask: ['101', 3] });
    expect(shown(state, 'buy', 101, 102)).toEqual([0, 30]);
    expect(shown(state, 'sell', 99, 98)).toEqual([0, 20]);
  });

  test('are those of the book where the quote has none on the side', () => {
    const asks = after(BOOK, { at: '00:00:02', bid: ['99', 2] });
    expect(shown(asks, 'buy', 101, 102, 103)).toEqual([0, 10, 40]);
    const bids = after(BOOK, { at: '00:00:02', ask: ['101', 2] });
    expect(shown(bids, 'sell', 99, 98, 97)).toEqual([0, 10, 30]);
  });

  test('are none of a side that is empty, whatever was traded', () => {
    const trade = { at: '00:00:01', trade: '100' } as const;
    expect(shown(after(trade, { at: '00:00:02', bid: ['99', 2] }), 'buy', 200)).toEqual([0]);
    expect(shown(after(trade, { at: '00:00:02', ask: ['101', 2] }), 'sell', 1)).toEqual([0]);
  });

  test('are none after a gap, and after it those of the first quote', () => {
    const state = after(BOOK);
    missed(state);
    expect(shown(state, 'buy', 999)).toEqual([0]);
    expect(shown(state, 'sell', 1)).toEqual([0]);
    const quote = testFeed(BTC, [{ at: '00:00:03', bid: ['99', 2], ask: ['101', 3] }], undefined);
    state.take(quote, 0);
    expect(shown(state, 'buy', 999)).toEqual([30]);
    expect(shown(state, 'sell', 1)).toEqual([20]);
  });
});
