import { describe, expect, test } from 'vitest';
import { riskMarket, riskOrder } from '../../src/risk/view.ts';
import { InstrumentMarket } from '../../src/engine/market/instrument-market.ts';
import { testFeed } from '../../src/engine/test-kit/feed.ts';
import { eventColumns, GAP, LAST } from '../../src/model/events.ts';
import type { VenueOrder } from '../../src/model/order.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import type { TrackedOrder } from '../../src/strategy/context.ts';
import { BTC, NOW } from './view.ts';

const TRACKED: TrackedOrder = {
  clientOrderId: 'order-1',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  status: 'new',
  lots: lots(5),
  executedLots: lots(2),
  ticks: ticks(100),
  wished: false,
};

const STOP = { type: 'stopLimit', stopTicks: ticks(90) } as const;
const SECOND = {
  orderListId: 'order-0',
  contingencyType: 'oneTriggerOther',
  listIndex: 1,
} as const;
const heard = (status: VenueOrder['status']) => ({ venueOrder: { status } as VenueOrder });

describe('an order of the engine', () => {
  test('keeps its terms, and what it replaces', () => {
    expect(riskOrder(TRACKED, true, 'order-0')).toEqual({
      ...{ clientOrderId: 'order-1', symbol: 'BTCUSDT', side: 'buy', type: 'limit' },
      ...{ lots: 5, executedLots: 2, ticks: 100, stopTicks: undefined, postOnly: true },
      ...{ suspended: false, inactive: false, list: undefined, replaces: 'order-0' },
    });
  });

  test.each([
    ['a stop that waits', { ...STOP, status: 'suspended' }, true],
    ['a stop that was triggered', { ...STOP, status: 'new', ...heard('new') }, false],
    ['a stop of which nothing was heard', { ...STOP, status: 'pending' }, true],
    ['a stop in doubt that waited', { ...STOP, status: 'unknown', ...heard('suspended') }, true],
    ['a stop in doubt that was triggered', { ...STOP, status: 'unknown', ...heard('new') }, false],
    ['a limit order in doubt', { status: 'unknown' }, false],
  ] as const)('%s', (_, change, suspended) => {
    expect(riskOrder({ ...TRACKED, ...change }, false).suspended).toBe(suspended);
  });

  test.each([
    ['the second of a list that nothing was heard of', { ...SECOND, status: 'pending' }, true],
    ['the second as the venue says', { ...SECOND, inactive: true, ...heard('new') }, true],
    ['the second once it is active', { ...SECOND, status: 'unknown', ...heard('new') }, false],
    ['the first', { ...SECOND, listIndex: 0, status: 'pending' }, false],
    [
      'one of a pair that exclude each other',
      { ...SECOND, contingencyType: 'oneCancelOther', status: 'pending' },
      false,
    ],
  ] as const)('%s', (_, change, inactive) => {
    const order = riskOrder({ ...TRACKED, ...change }, false);
    expect(order.inactive).toBe(inactive);
    expect(order.list).toMatchObject({ id: 'order-0' });
  });
});

describe('a market of the engine', () => {
  const market = () =>
    new InstrumentMarket(
      BTC,
      { trades: true, levels: true, quotes: true },
      { scheduler: new VirtualScheduler(NOW), show: () => undefined },
    );
  const after = (...events: Parameters<typeof testFeed>[1]) => {
    const one = market();
    const columns = testFeed(BTC, events, undefined);
    for (let row = 0; row < columns.length; row += 1) one.take(columns, row);
    return riskMarket(one, NOW);
  };

  test('is unknown before anything was heard', () => {
    expect(riskMarket(market(), undefined)).toBeUndefined();
  });

  test('of trades alone is not stale for want of a book', () => {
    expect(after({ at: '00:00:01', trade: '100', size: 1, aggressor: 'buy' })).toMatchObject({
      ...{ bidTicks: Number.NaN, lastTicks: 100, stale: false, heardAt: NOW },
    });
  });

  test('with a book is stale from a gap on', () => {
    const one = market();
    const book = [{ at: '00:00:01', bids: [['99', 1]], asks: [['101', 1]] }] as const;
    const columns = testFeed(BTC, book, undefined);
    for (let row = 0; row < columns.length; row += 1) one.take(columns, row);
    expect(riskMarket(one, NOW)).toMatchObject({ bidTicks: 99, askTicks: 101, stale: false });
    const gap = eventColumns(1);
    gap.length = 1;
    gap.kind[0] = GAP;
    gap.flags[0] = LAST;
    one.take(gap, 0);
    expect(riskMarket(one, NOW)).toMatchObject({ bidTicks: 99, stale: true });
  });
});
