import { describe, expect, test } from 'vitest';
import { Best } from '../../src/model/best.ts';
import { Depth } from '../../src/model/depth.ts';
import { eventColumns, QUOTE } from '../../src/model/events.ts';

/** Takes a quote: [bid, size, ask, size]. */
function quote(best: Best, bid: number, bidLots: number, ask: number, askLots: number): boolean {
  const columns = eventColumns(2);
  columns.kind[1] = QUOTE;
  columns.price[1] = bid;
  columns.size[1] = bidLots;
  columns.askPrice[1] = ask;
  columns.askSize[1] = askLots;
  return best.quote(columns, 1);
}

const shown = ({ bidTicks, bidLots, askTicks, askLots, stale }: Best): unknown[] => [
  ...[bidTicks, bidLots, askTicks, askLots, stale],
];

function book(bid: number, ask: number): Depth {
  const depth = new Depth();
  depth.stale = false;
  depth.bids.set(bid, 3);
  depth.bids.set(bid - 1, 9);
  depth.asks.set(ask, 4);
  return depth;
}

describe('the best bid and ask', () => {
  test('are empty and stale at first', () => {
    expect(shown(new Best())).toEqual([Number.NaN, 0, Number.NaN, 0, true]);
  });

  test('are those of a quote, whose empty side has no price', () => {
    const best = new Best();
    expect(quote(best, 99, 5, 101, 6)).toBe(true);
    expect(shown(best)).toEqual([99, 5, 101, 6, false]);
    expect(quote(best, 99, 0, 101, 6)).toBe(true);
    expect(shown(best)).toEqual([Number.NaN, 0, 101, 6, false]);
    expect(quote(best, 99, 5, 101, 0)).toBe(true);
    expect(shown(best)).toEqual([99, 5, Number.NaN, 0, false]);
  });

  test.each([
    [98, 5, 101, 6],
    [99, 4, 101, 6],
    [99, 5, 102, 6],
    [99, 5, 101, 7],
    [99, 5, 101, 0],
    [99, 0, 101, 6],
  ])('change with each of price and size: %i %i %i %i', (...next) => {
    const best = new Best();
    quote(best, 99, 5, 101, 6);
    expect(quote(best, 99, 5, 101, 6)).toBe(false);
    expect(quote(best, ...next)).toBe(true);
    expect(quote(best, ...next)).toBe(false);
  });

  test('of empty sides do not change', () => {
    const best = new Best();
    expect(quote(best, 0, 0, 0, 0)).toBe(true);
    expect(quote(best, 7, 0, 9, 0)).toBe(false);
  });

  test('are those of the book until there is a quote', () => {
    const best = new Best();
    expect(best.follow(book(99, 101))).toBe(true);
    expect(shown(best)).toEqual([99, 3, 101, 4, false]);
    expect(best.follow(book(99, 101))).toBe(false);
    quote(best, 98, 1, 102, 1);
    expect(best.follow(book(99, 101))).toBe(false);
    expect(shown(best)).toEqual([98, 1, 102, 1, false]);
  });

  test('are stale from a gap to the next quote, or to the next whole book', () => {
    const best = new Best();
    expect(best.gap()).toBe(false);
    quote(best, 98, 1, 102, 1);
    expect([best.gap(), best.gap(), best.stale]).toEqual([true, false, true]);
    expect(quote(best, 98, 1, 102, 1)).toBe(true);
    expect(best.stale).toBe(false);

    best.gap();
    const stale = book(99, 101);
    stale.stale = true;
    expect([best.follow(stale), best.quoted]).toEqual([false, true]);
    expect([best.follow(book(99, 101)), best.quoted]).toEqual([true, false]);
    expect(shown(best)).toEqual([99, 3, 101, 4, false]);
    // The book is followed again.
    expect(best.follow(book(97, 101))).toBe(true);
  });

  test('are as stale as the book that they follow', () => {
    const best = new Best();
    best.follow(book(99, 101));
    const stale = book(99, 101);
    stale.stale = true;
    expect([best.follow(stale), best.stale]).toEqual([true, true]);
  });
});
