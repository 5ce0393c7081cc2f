import { describe, expect, test } from 'vitest';
import { Floor } from '../kit.ts';

/** A floor with one rich account, numbered 2. */
function floorWith(): { floor: Floor; account: number } {
  const floor = new Floor();
  return { floor, account: floor.account({ USDT: '100000', BTC: '1000' }) };
}

describe('an order that takes from the tape', () => {
  test('walks the displayed levels, pays each its price and the taker fee', () => {
    const { floor, account } = floorWith();
    floor.snapshot([
      ['ask', 101, 2],
      ['ask', 102, 3],
    ]);
    floor.place(account, 'buy', { side: 'buy', lots: 4 });
    // 2 × 101 + 2 × 102 = 406, fee 0.002 × 406 = 0.812: 100,000 − 406.812.
    expect(floor.reported()).toEqual([
      'new buy----- new 0/4',
      'trade 1 buy----- buy 2@101 taker partiallyFilled 2/4',
      'trade 2 buy----- buy 2@102 taker filled 4/4',
      'balance 4 BTC 1004 0',
      'balance 4 USDT 99593.188 0',
    ]);
  });

  test('does not find again what it took: what a level shrinks to counts as that, what it grows by is offered', () => {
    const { floor, account } = floorWith();
    const rest = (name: string): string[] => {
      floor.place(account, name, { side: 'buy', lots: 9, timeInForce: 'IOC' });
      return floor.events().filter((line) => line.startsWith('trade'));
    };
    floor.snapshot([['ask', 101, 5]]);
    floor.place(account, 'first', { side: 'buy', lots: 3 });
    floor.reported();
    expect(rest('open')).toEqual(['trade 2 open---- buy 2@101 taker partiallyFilled 2/9']); // 5 − 3
    floor.depth([['ask', 101, 5]]);
    expect(rest('same')).toEqual([]); // 5 − 5
    floor.depth([['ask', 101, 4]]);
    expect(rest('less')).toEqual([]); // 4 − min(5, 4)
    floor.depth([['ask', 101, 7]]);
    expect(rest('more')).toEqual(['trade 3 more---- buy 3@101 taker partiallyFilled 3/9']); // 7 − 4
    floor.depth([['ask', 101, 0]]);
    floor.depth([['ask', 101, 6]]);
    expect(rest('anew')).toEqual(['trade 4 anew---- buy 6@101 taker partiallyFilled 6/9']); // 6 − 0
  });

  test('takes a level that drains one by one once', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 100, 5]]);
    floor.place(account, 'buy', { side: 'buy', lots: 100, ticks: 100 });
    for (const left of [4, 3, 2, 1, 0]) floor.depth([['ask', 100, left]]);
    expect(floor.events().slice(1)).toEqual([
      'trade 1 buy----- buy 5@100 taker partiallyFilled 5/100',
    ]);
  });

  test('does not find again what it took at a price that the quote leaves, shrinks to or that a snapshot repeats', () => {
    const { floor, account } = floorWith();
    const rest = (name: string): string[] => {
      floor.place(account, name, { side: 'buy', lots: 9, ticks: 101, timeInForce: 'IOC' });
      return floor.events().filter((line) => line.startsWith('trade'));
    };
    floor.snapshot([['ask', 101, 9]], 10);
    floor.quote([99, 1], [101, 6], 11);
    expect(rest('quoted')).toEqual(['trade 1 quoted-- buy 6@101 taker partiallyFilled 6/9']);
    floor.quote([99, 1], [101, 4], 12);
    expect(rest('shrunk')).toEqual([]); // 4 − min(6, 4)
    floor.depth([['ask', 103, 1]], 13);
    expect(rest('depth')).toEqual(['trade 2 depth--- buy 5@101 taker partiallyFilled 5/9']); // 9 − 4
    floor.snapshot([['ask', 101, 8]], 14);
    expect(rest('again')).toEqual([]); // 8 − min(9, 8)
    floor.gap();
    floor.snapshot([['ask', 101, 10]], 20);
    expect(rest('grown')).toEqual(['trade 3 grown--- buy 2@101 taker partiallyFilled 2/9']); // 10 − 8
    floor.snapshot([['ask', 102, 8]], 21);
    floor.snapshot([['ask', 101, 8]], 22);
    expect(rest('anew')).toEqual(['trade 4 anew---- buy 8@101 taker partiallyFilled 8/9']); // 8 − 0
  });

  test('finds nothing in a book that became stale, and everything again after the next snapshot', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 101, 5]]);
    floor.gap();
    floor.depth([['ask', 100, 5]]);
    floor.place(account, 'stale', { side: 'buy', lots: 1 });
    floor.place(account, 'staleIoc', { side: 'buy', lots: 1, ticks: 105, timeInForce: 'IOC' });
    floor.snapshot([['ask', 101, 5]]);
    floor.place(account, 'fresh', { side: 'buy', lots: 1 });
    expect(floor.events()).toEqual([
      'expired stale--- expired 0/1',
      'new staleIoc new 0/1',
      'expired staleIoc expired 0/1',
      'new fresh--- new 0/1',
      'trade 1 fresh--- buy 1@101 taker filled 1/1',
    ]);
  });

  test('shares a price with orders of accounts: the tape that stood there before them comes first', () => {
    const { floor, account } = floorWith();
    const maker = floor.account({ BTC: '100' });
    floor.snapshot([['ask', 101, 5]]);
    floor.place(maker, 'ask', { side: 'sell', lots: 4, ticks: 101 });
    floor.depth([['ask', 101, 8]]);
    floor.reported();
    // The queue at 101: 5 of the tape, 4 of the account, 3 that the tape added behind it.
    floor.place(account, 'buy', { side: 'buy', lots: 10, ticks: 101 });
    expect(floor.events()).toEqual([
      'new buy----- new 0/10',
      'trade 1 buy----- buy 5@101 taker partiallyFilled 5/10',
      'trade 2 ask----- sell 4@101 maker filled 4/4',
      'trade 2 buy----- buy 4@101 taker partiallyFilled 9/10',
      'trade 3 buy----- buy 1@101 taker filled 10/10',
    ]);
  });
});

describe('a resting order', () => {
  test('waits until the tape before it has traded, and fills for what is left of the print', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 10]]);
    floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
    floor.trade('sell', 99, 8); // 10 before it, now 2.
    floor.trade('sell', 99, 3); // 2 go to the tape, 1 to the order.
    floor.trade('buy', 99, 9); // Hits the other side.
    floor.trade('sell', 99, 7); // 4 to the order, 3 behind it.
    expect(floor.events()).toEqual([
      'new bid----- new 0/5',
      'trade 1 bid----- buy 1@99 maker partiallyFilled 1/5',
      'trade 2 bid----- buy 4@99 maker filled 5/5',
    ]);
    // 5 × 99 = 495 and 0.001 × 495 = 0.495.
    expect(floor.balance(account, 'USDT')).toBe('99504.505 0');
  });

  test('moves up when the level shrinks below what was before it, not when it grows', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 10]]);
    floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
    floor.depth([['bid', 99, 4]]);
    floor.depth([['bid', 99, 30]]);
    floor.at += 100_001; // No print came for the 6 that went: they were canceled.
    floor.trade('sell', 99, 5); // 4 before it, then 1 for it.
    expect(floor.events().slice(1)).toEqual([
      'trade 1 bid----- buy 1@99 maker partiallyFilled 1/5',
    ]);
  });

  test('fills for no more than a print through it has, the better price and the earlier order first', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 105, 10]]);
    floor.place(account, 'early', { side: 'sell', lots: 2, ticks: 102 });
    floor.place(account, 'late', { side: 'sell', lots: 2, ticks: 102 });
    floor.place(account, 'best', { side: 'sell', lots: 2, ticks: 101 });
    floor.reported();
    floor.trade('buy', 103, 5);
    expect(floor.events()).toEqual([
      'trade 1 best---- sell 2@101 maker filled 2/2',
      'trade 2 early--- sell 2@102 maker filled 2/2',
      'trade 3 late---- sell 1@102 maker partiallyFilled 1/2',
    ]);
  });

  test('two at one price share the tape before them: a print passes it once', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 4]]);
    floor.place(account, 'first', { side: 'buy', lots: 2, ticks: 99 });
    floor.depth([['bid', 99, 7]]);
    floor.place(account, 'second', { side: 'buy', lots: 2, ticks: 99 });
    floor.reported();
    // The queue: 4 tape, 2 first, 3 tape, 2 second. A print of 10 ends within second.
    floor.trade('sell', 99, 10);
    expect(floor.events()).toEqual([
      'trade 1 first--- buy 2@99 maker filled 2/2',
      'trade 2 second-- buy 1@99 maker partiallyFilled 1/2',
    ]);
  });

  test('fills as maker at its own price when the other side of the tape comes to it', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 105, 10]]);
    floor.place(account, 'bid', { side: 'buy', lots: 10, ticks: 100 });
    floor.reported();
    floor.depth([
      ['ask', 100, 3],
      ['ask', 99, 4],
    ]);
    expect(floor.events()).toEqual([
      'trade 1 bid----- buy 4@100 maker partiallyFilled 4/10',
      'trade 2 bid----- buy 3@100 maker partiallyFilled 7/10',
    ]);
    floor.depth([['ask', 105, 11]]); // The levels that crossed are used up.
    expect(floor.events()).toEqual([]);
    floor.depth([['ask', 99, 2]]); // 2 of the 4 that were met are still shown, and count as those.
    expect(floor.events()).toEqual([]);
    floor.depth([['ask', 99, 4]]); // 2 more.
    expect(floor.events()).toEqual(['trade 3 bid----- buy 2@100 maker partiallyFilled 9/10']);
  });

  test('is not filled within a message, only when the message is complete', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 105, 10]]);
    floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 100 });
    floor.reported();
    floor.depth([
      ['ask', 100, 3],
      ['ask', 100, 0],
    ]);
    expect(floor.events()).toEqual([]);
  });
});

describe('a quote', () => {
  test('hides better levels of the depth and gives the size at its price', () => {
    const { floor, account } = floorWith();
    floor.snapshot(
      [
        ['ask', 101, 5],
        ['ask', 102, 5],
        ['ask', 103, 5],
      ],
      10,
    );
    floor.quote([99, 1], [102, 2], 11);
    floor.place(account, 'buy', { side: 'buy', lots: 4 });
    expect(floor.events().slice(1)).toEqual([
      'trade 1 buy----- buy 2@102 taker partiallyFilled 2/4',
      'trade 2 buy----- buy 2@103 taker filled 4/4',
    ]);
  });

  test('goes when a depth message comes that is as new, not when an older one does', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 101, 5]], 10);
    floor.quote([99, 1], [102, 2], 15);
    floor.depth([['ask', 100, 5]], 12);
    floor.place(account, 'older', { side: 'buy', lots: 1 });
    floor.depth([['ask', 100, 0]], 15);
    floor.place(account, 'newer', { side: 'buy', lots: 1 });
    expect(floor.events().filter((line) => line.startsWith('trade'))).toEqual([
      'trade 1 older--- buy 1@102 taker filled 1/1',
      'trade 2 newer--- buy 1@101 taker filled 1/1',
    ]);
  });

  test('and levels that are not newer than the book change nothing', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 101, 5]], 10);
    floor.depth([['ask', 101, 0]], 10);
    floor.quote([90, 1], [95, 1], 9);
    floor.place(account, 'buy', { side: 'buy', lots: 5 });
    expect(floor.events().at(-1)).toBe('trade 1 buy----- buy 5@101 taker filled 5/5');
  });

  test('keeps what was taken of it while the depth below it changes, and when the depth agrees', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 101, 9]], 10);
    floor.quote([99, 1], [101, 5], 15);
    floor.place(account, 'first', { side: 'buy', lots: 3 });
    floor.depth([['ask', 101, 5]], 12);
    floor.depth([['ask', 103, 5]], 15);
    floor.place(account, 'second', { side: 'buy', lots: 3, timeInForce: 'IOC' });
    expect(floor.events().slice(2)).toEqual([
      'new second-- new 0/3',
      'trade 2 second-- buy 2@101 taker partiallyFilled 2/3',
      'trade 3 second-- buy 1@103 taker filled 3/3',
    ]);
  });

  test('of an empty side leaves nothing there', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 101, 5]], 10);
    floor.quote([99, 1], [0, 0], 11);
    floor.place(account, 'buy', { side: 'buy', lots: 1 });
    expect(floor.events()).toEqual(['expired buy----- expired 0/1']);
  });

  test('is all there is where a feed has no depth; a queue behind it is not known', () => {
    const { floor, account } = floorWith();
    floor.quote([99, 3], [101, 3]);
    floor.place(account, 'at', { side: 'buy', lots: 1, ticks: 99 });
    floor.place(account, 'behind', { side: 'buy', lots: 1, ticks: 98 });
    floor.reported();
    floor.trade('sell', 99, 4); // 3 before the first, then 1 for it.
    floor.trade('sell', 98, 50); // Unknown how much was before it.
    expect(floor.events()).toEqual(['trade 1 at------ buy 1@99 maker filled 1/1']);
    floor.quote([98, 2], [101, 3]); // Now it is: 2. How many went before is not known.
    floor.trade('sell', 98, 50); // They may be among those.
    expect(floor.events()).toEqual([]);
    floor.at += 100_001;
    floor.trade('sell', 98, 3);
    expect(floor.events()).toEqual(['trade 2 behind-- buy 1@98 maker filled 1/1']);
  });

  test('of a venue that restarts its numbers after a snapshot is applied', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['ask', 101, 5]], 1_000);
    floor.quote([99, 1], [100, 1], 1_001);
    floor.snapshot([['ask', 102, 5]], 5);
    floor.quote([99, 1], [101, 1], 6);
    floor.place(account, 'buy', { side: 'buy', lots: 1 });
    expect(floor.events().at(-1)).toBe('trade 1 buy----- buy 1@101 taker filled 1/1');
  });
});

describe('a feed without a book', () => {
  test('of trades lets takers have what a print shows, once, at its price', () => {
    const { floor, account } = floorWith();
    floor.trade('buy', 100, 5);
    floor.place(account, 'first', { side: 'buy', lots: 4 });
    floor.place(account, 'second', { side: 'buy', lots: 4 });
    floor.trade('sell', 100, 5);
    floor.place(account, 'third', { side: 'sell', lots: 4 });
    expect(floor.events()).toEqual([
      'new first--- new 0/4',
      'trade 1 first--- buy 4@100 taker filled 4/4',
      'expired second-- expired 0/4',
      'new third--- new 0/4',
      'trade 2 third--- sell 4@100 taker filled 4/4',
    ]);
  });

  test('fills resting orders only when trades go through their price', () => {
    const { floor, account } = floorWith();
    floor.trade('buy', 100, 1);
    floor.place(account, 'bid', { side: 'buy', lots: 3, ticks: 99 });
    floor.reported();
    floor.trade('sell', 99, 50); // Touched: who was before it is not known.
    expect(floor.events()).toEqual([]);
    floor.trade('buy', 98, 2); // Through it, whoever was the aggressor.
    expect(floor.events()).toEqual(['trade 1 bid----- buy 2@99 maker partiallyFilled 2/3']);
    floor.place(account, 'rest', { side: 'sell', lots: 1, timeInForce: 'IOC' });
    expect(floor.events()).toEqual([
      'new rest---- new 0/1',
      'trade 2 bid----- buy 1@99 maker filled 3/3',
      'trade 2 rest---- sell 1@99 taker filled 1/1',
    ]);
  });

  test('of candles fills takers at the close and resting orders that the range went through', () => {
    const { floor, account } = floorWith();
    floor.candle(100, 104, 97, 102, 20);
    floor.place(account, 'buy', { side: 'buy', lots: 1 });
    floor.place(account, 'low', { side: 'buy', lots: 2, ticks: 95 });
    floor.place(account, 'touched', { side: 'buy', lots: 2, ticks: 94 });
    floor.place(account, 'high', { side: 'sell', lots: 2, ticks: 106 });
    floor.reported();
    // A rising candle goes down first: 94 is its low, touched and no more.
    floor.candle(100, 107, 94, 103, 3);
    expect(floor.events()).toEqual([
      'trade 2 low----- buy 2@95 maker filled 2/2',
      'trade 3 high---- sell 1@106 maker partiallyFilled 1/2',
    ]);
    floor.place(account, 'none', { side: 'buy', lots: 1 });
    expect(floor.events()).toEqual([
      'new none---- new 0/1',
      'trade 4 high---- sell 1@106 maker filled 2/2',
      'trade 4 none---- buy 1@106 taker filled 1/1',
    ]);
    floor.place(account, 'top', { side: 'sell', lots: 1, ticks: 107 });
    floor.reported();
    floor.candle(103, 108, 90, 91, 1); // A falling one goes up first, and its volume ends there.
    expect(floor.events()).toEqual(['trade 5 top----- sell 1@107 maker filled 1/1']);
  });

  test('matches no resting order against an old print when an old quote comes', () => {
    const { floor, account } = floorWith();
    floor.depth([['bid', 96, 0]], 9);
    floor.place(account, 'ask', { side: 'sell', lots: 1, ticks: 97 });
    floor.reported();
    floor.trade('sell', 97, 1);
    floor.quote([96, 5], [98, 5], 8);
    floor.depth([['bid', 95, 1]], 8);
    expect(floor.events()).toEqual([]);
  });

  test('has nothing taken of its prints once there is a book', () => {
    const { floor, account } = floorWith();
    floor.trade('buy', 103, 8);
    floor.place(account, 'print', { side: 'buy', lots: 1 });
    floor.snapshot([['ask', 103, 8]]);
    floor.place(account, 'book', { side: 'buy', lots: 8 });
    expect(floor.events().at(-1)).toBe('trade 2 book---- buy 8@103 taker filled 8/8');
  });

  test('is left behind once there is a book: its candles and prints show nothing more', () => {
    const { floor, account } = floorWith();
    floor.trade('buy', 100, 5);
    floor.snapshot([['ask', 105, 1]]);
    floor.candle(100, 100, 100, 100, 50);
    floor.place(account, 'buy', { side: 'buy', lots: 1 });
    expect(floor.events().at(-1)).toBe('trade 1 buy----- buy 1@105 taker filled 1/1');
    floor.snapshot([]);
    floor.place(account, 'none', { side: 'buy', lots: 1 });
    expect(floor.events()).toEqual(['expired none---- expired 0/1']);
  });
});
