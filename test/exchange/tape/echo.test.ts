import { describe, expect, test } from 'vitest';
import { TRADE_DEPTH_US, RecentLots } from '../../../src/exchange/recorded/trade-depth-matcher.ts';
import { Floor } from '../kit.ts';

/** A floor with one rich account, and what an order of it has got when all is over. */
function floorWith(): { floor: Floor; account: number } {
  const floor = new Floor();
  return { floor, account: floor.account({ USDT: '100000', BTC: '1000' }) };
}

const trades = (floor: Floor): string[] =>
  floor.events().flatMap((line) => /^trade \d+ \S+ (\S+ \S+)/.exec(line)?.[1] ?? []);

/** A story told by the display and by prints, in both orders. */
type Telling = readonly (readonly [
  display: (floor: Floor) => void,
  print: (floor: Floor) => void,
])[];

function reported(floor: Floor, telling: Telling, displayFirst: boolean, us: number): void {
  for (const [display, print] of telling) {
    const [first, second] = displayFirst ? [display, print] : [print, display];
    first(floor);
    floor.at += us;
    second(floor);
    floor.at += 2 * TRADE_DEPTH_US;
  }
}

const ORDERS = [
  ['the display first', true],
  ['the print first', false],
] as const;

describe.each(ORDERS)('a trade reported twice, %s,', (_, displayFirst) => {
  test('passes the queue once, by quotes', () => {
    const { floor, account } = floorWith();
    floor.snapshot([
      ['bid', 99, 10],
      ['ask', 101, 5],
    ]);
    floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
    // 10 before it. 4 trade, 6 are left; 4 trade, 2 are left.
    reported(
      floor,
      [6, 2].map((left) => [
        (f) => {
          f.quote([99, left], [101, 5]);
        },
        (f) => {
          f.trade('sell', 99, 4);
        },
      ]),
      displayFirst,
      1_000,
    );
    floor.trade('sell', 99, 1); // 9 have traded: 1 is left before it.
    expect(trades(floor)).toEqual([]);
    floor.quote([99, 1], [101, 5]);
    floor.at += 2 * TRADE_DEPTH_US;
    floor.trade('sell', 99, 3); // 1 before it, 2 for it.
    expect(trades(floor)).toEqual(['buy 2@99']);
  });

  test('passes the queue once, by a level, with others behind', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 6]]);
    floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
    floor.depth([['bid', 99, 30]]); // 24 behind it.
    // 4 trade: 26 are shown, 2 of them before it. 4 trade: 2 before it and 2 of its own.
    reported(
      floor,
      [26, 22].map((left) => [
        (f) => {
          f.depth([['bid', 99, left]]);
        },
        (f) => {
          f.trade('sell', 99, 4);
        },
      ]),
      displayFirst,
      50_000,
    );
    expect(trades(floor)).toEqual(['buy 2@99']);
  });

  test('gives a sweep its lots once: 12 sold into 10 before an order leave it 2', () => {
    const { floor, account } = floorWith();
    floor.snapshot([
      ['bid', 99, 10],
      ['bid', 98, 10],
      ['ask', 101, 5],
    ]);
    floor.quote([99, 10], [101, 5]);
    floor.place(account, 'bid', { side: 'buy', lots: 50, ticks: 99 });
    reported(
      floor,
      [
        [
          (f) => {
            f.quote([98, 8], [101, 5]);
          },
          (f) => {
            f.trade('sell', 99, 10); // All before it.
            f.trade('sell', 98, 2); // Through it.
          },
        ],
      ],
      displayFirst,
      1_000,
    );
    expect(trades(floor)).toEqual(['buy 2@99']);
  });

  test('passes the queue once at a price that the quote hides', () => {
    const { floor, account } = floorWith();
    floor.snapshot([
      ['ask', 101, 3],
      ['ask', 102, 5],
      ['ask', 103, 9],
    ]);
    floor.place(account, 'ask', { side: 'sell', lots: 4, ticks: 102 });
    // 9 are bought: 3 at 101, 5 at 102 before it, 1 of its own at 102.
    reported(
      floor,
      [
        [
          (f) => {
            f.quote([99, 1], [103, 9]);
          },
          (f) => {
            f.trade('buy', 101, 3);
            f.trade('buy', 102, 6);
          },
        ],
      ],
      displayFirst,
      1_000,
    );
    expect(trades(floor)).toEqual(['sell 1@102']);
  });

  test('passes the queue once where each message is a snapshot', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 10]], 1);
    floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
    // 7 trade: 3 before it. 5 trade: 3 of the tape and 2 of its own.
    reported(
      floor,
      [
        [
          (f) => {
            f.snapshot([['bid', 99, 3]], 2);
          },
          (f) => {
            f.trade('sell', 99, 7);
          },
        ],
        [
          (f) => {
            f.snapshot([['bid', 98, 1]], 3);
          },
          (f) => {
            f.trade('sell', 99, 5);
          },
        ],
      ],
      displayFirst,
      1_000,
    );
    expect(trades(floor)).toEqual(['buy 2@99']);
  });
});

describe('an order that comes between the display and the print', () => {
  test.each([
    ['within the window is not passed by lots that went before it', TRADE_DEPTH_US, []],
    ['after it is, as the print is of other lots', TRADE_DEPTH_US + 1, ['buy 3@99']],
  ])('%s', (_, us, expected) => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 10]]);
    floor.depth([['bid', 99, 2]]); // 8 went, by a trade or not.
    floor.place(account, 'bid', { side: 'buy', lots: 3, ticks: 99 });
    floor.at += us;
    floor.trade('sell', 99, 8); // Of the 8 that went; or 2 before it, 3 for it and 3 behind.
    expect(trades(floor)).toEqual(expected);
    floor.trade('sell', 99, 3); // In the first case 2 before it and 1 for it.
    expect(trades(floor)).toEqual(expected.length === 0 ? ['buy 1@99'] : []);
  });

  test('where a side became empty and the depth is not known, waits for the window too', () => {
    const { floor, account } = floorWith();
    floor.quote([99, 4], [101, 1]);
    floor.quote([0, 0], [101, 1]);
    floor.place(account, 'bid', { side: 'buy', lots: 3, ticks: 98 });
    floor.trade('sell', 98, 9); // Nobody knows what stood at 98 before.
    expect(trades(floor)).toEqual([]);
    floor.at += TRADE_DEPTH_US + 1;
    floor.trade('sell', 98, 1);
    expect(trades(floor)).toEqual(['buy 1@98']);
  });

  test('before a gap counts what is printed after the snapshot once', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 99, 8]]);
    floor.place(account, 'bid', { side: 'buy', lots: 9, ticks: 99 });
    floor.gap();
    floor.snapshot([['bid', 99, 6]]); // What went before it is not known.
    floor.trade('sell', 99, 6);
    floor.trade('sell', 99, 3); // 9 have traded: 8 before it, 1 for it.
    expect(trades(floor)).toEqual(['buy 1@99']);
  });
});

test('a print before an order came explains nothing that is lost after it', () => {
  const { floor, account } = floorWith();
  floor.snapshot([['bid', 99, 10]]);
  floor.trade('sell', 99, 4); // 4 new ones came at once: 10 are shown still.
  floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
  floor.depth([['bid', 99, 6]]);
  floor.trade('sell', 99, 4); // The 4 that went: 6 before it.
  floor.at += 2 * TRADE_DEPTH_US;
  floor.trade('sell', 99, 7); // 6 before it, 1 for it.
  expect(trades(floor)).toEqual(['buy 1@99']);
});

test('lots that were canceled before an order and printed for nobody are believed after a while', () => {
  const { floor, account } = floorWith();
  floor.snapshot([['bid', 99, 10]]);
  floor.place(account, 'bid', { side: 'buy', lots: 5, ticks: 99 });
  floor.depth([['bid', 99, 4]]); // 6 canceled: 4 before it at most.
  floor.at += 2 * TRADE_DEPTH_US;
  floor.depth([['bid', 99, 30]]); // 26 behind it.
  const sold = (shown: number): void => {
    floor.depth([['bid', 99, shown]]);
    floor.trade('sell', 99, 3);
    floor.at += 2 * TRADE_DEPTH_US;
  };
  // The first of these may not be of the 4: it was shown before it was printed. By prints 4 + 3 may
  // have been before it, less 3; then min(4, 4 + 3) − 3 = 1; then 1 before it and 2 for it.
  sold(27);
  sold(24);
  expect(trades(floor)).toEqual([]);
  sold(21);
  expect(trades(floor)).toEqual(['buy 2@99']);
});

test('lots are remembered for a span, for one key or many, and the ring grows', () => {
  const recent = new RecentLots(10);
  for (let i = 0; i < 1_000; i += 1) recent.add(i % 2, i % 2, 1, i < 300 ? 0 : 5);
  expect(recent.sum(0, 10)).toBe(500);
  expect(recent.use(0, 0, 120, 10)).toBe(120);
  expect(recent.sum(0, 10)).toBe(380);
  expect(recent.sum(0, 11)).toBe(350); // 500 − the first 150, of which 120 were used
  recent.add(Number.NEGATIVE_INFINITY, 7, Number.POSITIVE_INFINITY, 12);
  expect(recent.use(7, 7, 9, 12)).toBe(9);
  expect(recent.sum(7, 12)).toBe(Number.POSITIVE_INFINITY);
  expect(recent.sum(8, 12)).toBe(0);
  expect(recent.sum(0, 15)).toBe(Number.POSITIVE_INFINITY);
  for (let i = 0; i < 2_000; i += 1) recent.add(9, 9, 1, 20);
  expect(recent.use(9, 9, Number.POSITIVE_INFINITY, 20)).toBe(2_000);
  expect(recent.sum(9, 20)).toBe(0);
});
