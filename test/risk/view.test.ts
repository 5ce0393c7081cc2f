import { describe, expect, test } from 'vitest';
import { riskMarket, waitsForList, waitsForTrigger } from '../../src/risk/view.ts';
import { testFeed } from '../../src/engine/test-kit/feed.ts';
import { eventColumns, GAP, LAST } from '../../src/model/events.ts';
import type { Order, VenueOrder } from '../../src/model/order.ts';
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

describe('a market of the engine', () => {
  const market = () => new InstrumentState(BTC);
  const pricesOf = (state: InstrumentState) => {
    const known = riskMarket(state, NOW);
    return known && [known.prices.reference, known.prices.touch('buy'), known.prices.touch('sell')];
  };
  const after = (...events: Parameters<typeof testFeed>[1]) => {
    const one = market();
    const columns = testFeed(BTC, events, undefined);
    for (let row = 0; row < columns.length; row += 1) one.take(columns, row);
    return one;
  };

  test('is unknown before the first data', () => {
    expect(riskMarket(market(), undefined)).toBeUndefined();
  });

  test('of trades alone is not stale for want of a book', () => {
    const state = after({ at: '00:00:01', trade: '100', size: 1, aggressor: 'buy' });
    expect(riskMarket(state, NOW)).toMatchObject({ stale: false, receivedAt: NOW });
    expect(pricesOf(state)).toEqual([200, 200, 200]);
  });

  test('with a book is stale from a gap on', () => {
    const one = market();
    const book = [{ at: '00:00:01', bids: [['99', 1]], asks: [['101', 1]] }] as const;
    const columns = testFeed(BTC, book, undefined);
    for (let row = 0; row < columns.length; row += 1) one.take(columns, row);
    expect(riskMarket(one, NOW)?.stale).toBe(false);
    expect(pricesOf(one)).toEqual([200, 202, 198]);
    const gap = eventColumns(1);
    gap.length = 1;
    gap.kind[0] = GAP;
    gap.flags[0] = LAST;
    one.take(gap, 0);
    expect(riskMarket(one, NOW)?.stale).toBe(true);
  });
});
