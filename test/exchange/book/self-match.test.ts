import { describe, expect, test } from 'vitest';
import { Floor } from '../kit.ts';
import { plays } from '../script.ts';

describe('orders of one account', () => {
  plays(
    'trade with each other where nothing else is set, and each pays by its role',
    `
      > order a sell limit 5 @100
      new a new 0/5
      > order b buy limit 5 @100
      new b new 0/5
      trade 1 a sell 5@100 maker filled 5/5
      trade 1 b buy 5@100 taker filled 5/5
      > balance USDT
      USDT 99998.5 0
    `,
  );

  plays(
    'with expireTaker: the incoming one expires with its rest, what it took before is its own',
    `
      > maker m sell limit 2 @99
      new m new 0/2
      > order a sell limit 5 @100
      new a new 0/5
      > order b buy limit 9 @101
      new b new 0/9
      trade 1 m sell 2@99 maker filled 2/2
      trade 1 b buy 2@99 taker partiallyFilled 2/9
      expired b expired 2/9
      > balance BTC
      BTC 997 5
    `,
    undefined,
    { selfMatch: 'expireTaker' },
  );

  plays(
    'with expireMaker: the resting one expires and the incoming one goes on',
    `
      > order a sell limit 5 @100
      new a new 0/5
      > maker m sell limit 2 @100
      new m new 0/2
      > order b buy limit 9 @101
      new b new 0/9
      expired a expired 0/5
      trade 1 m sell 2@100 maker filled 2/2
      trade 1 b buy 2@100 taker partiallyFilled 2/9
    `,
    undefined,
    { selfMatch: 'expireMaker' },
  );

  plays(
    'with expireBoth: both expire',
    `
      > order a sell limit 5 @100
      new a new 0/5
      > order b buy limit 9 @101
      new b new 0/9
      expired a expired 0/5
      expired b expired 0/9
      > balance BTC
      BTC 1000 0
      > balance USDT
      USDT 100000 0
    `,
    undefined,
    { selfMatch: 'expireBoth' },
  );

  plays(
    'with decrement: both become smaller by what they would have traded, and what is empty expires',
    `
      > order a sell limit 5 @100
      new a new 0/5
      > order b buy limit 2 @100
      new b new 0/2
      status a new 0/3
      expired b expired 0/2
      > balance BTC
      BTC 997 3
      > order c buy limit 9 @100
      new c new 0/9
      expired a expired 0/3
      status c new 0/6
      > balance USDT
      USDT 99398.8 601.2
      > maker m sell limit 6 @100
      new m new 0/6
      trade 1 c buy 6@100 maker filled 6/6
      trade 1 m sell 6@100 taker filled 6/6
    `,
    undefined,
    { selfMatch: 'decrement' },
  );

  plays(
    'with decrement: equal ones both expire',
    `
      > order a sell limit 5 @100
      new a new 0/5
      > order b buy limit 5 @100
      new b new 0/5
      expired a expired 0/5
      expired b expired 0/5
    `,
    undefined,
    { selfMatch: 'decrement' },
  );
});

describe('what an order could take is measured so', () => {
  const book = `
      > maker m1 sell limit 2 @100
      new m1 new 0/2
      > order a sell limit 2 @100
      new a new 0/2
      > maker m2 sell limit 2 @100
      new m2 new 0/2`;

  plays(
    'a FOK order goes past its own with expireMaker',
    `${book}
      > order five buy limit 5 @100 FOK
      expired five expired 0/5
      > order four buy limit 4 @100 FOK
      new four new 0/4
      trade 1 m1 sell 2@100 maker filled 2/2
      trade 1 four buy 2@100 taker partiallyFilled 2/4
      expired a expired 0/2
      trade 2 m2 sell 2@100 maker filled 2/2
      trade 2 four buy 2@100 taker filled 4/4
    `,
    undefined,
    { selfMatch: 'expireMaker' },
  );

  for (const selfMatch of ['expireTaker', 'expireBoth', 'decrement'] as const) {
    plays(
      `a FOK order comes no further than its own with ${selfMatch}`,
      `${book}
      > order three buy limit 3 @100 FOK
      expired three expired 0/3
      > order two buy limit 2 @100 FOK
      new two new 0/2
      trade 1 m1 sell 2@100 maker filled 2/2
      trade 1 two buy 2@100 taker filled 2/2
    `,
      undefined,
      { selfMatch },
    );
  }

  plays(
    'a market buy is checked with decrement for what it still buys behind its own order',
    `
      > order own sell limit 2 @100
      new own new 0/2
      > maker m sell limit 9 @200
      new m new 0/9
      > order five buy market 5 IOC
      refused funds-insufficient
      > order four buy market 4 IOC
      new four new 0/4
      expired own expired 0/2
      status four new 0/2
      trade 1 m sell 2@200 maker partiallyFilled 2/9
      trade 1 four buy 2@200 taker filled 2/2
    `,
    { USDT: '500', BTC: '2' },
    { selfMatch: 'decrement' },
  );

  plays(
    'lots of the tape before an own order count, those behind it do not',
    `
      > book ask 100 3
      > order a sell limit 2 @100
      new a new 0/2
      > book ask 100 9
      > order four buy market 4
      expired four expired 0/4
      > order three buy market 3
      new three new 0/3
      trade 1 three buy 3@100 taker filled 3/3
    `,
    undefined,
    { selfMatch: 'expireTaker' },
  );

  plays(
    'an allOrNone fails where one of its orders would come upon an own one',
    `
      > order own buy limit 5 @50 ETHUSDT
      new own new 0/5
      > maker m sell limit 5 @100
      new m new 0/5
      > list allOrNone: a buy market 5; b sell limit 5 @50 FOK ETHUSDT
      expired a expired 0/5
      expired b expired 0/5
    `,
    undefined,
    { selfMatch: 'expireBoth' },
  );

  plays(
    'a post-only order expires at its own orders too',
    `
      > order a sell limit 5 @100
      new a new 0/5
      > order b buy limit 5 @100 postOnly
      expired b expired 0/5
    `,
    undefined,
    { selfMatch: 'expireMaker' },
  );
});

test('an account can have a mode of its own', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '1000', BTC: '10' });
  const other = floor.account({ USDT: '1000', BTC: '10' });
  const { selfMatch } = floor.exchange;
  selfMatch.set(account, 'expireTaker');
  for (const number of [account, other]) {
    floor.place(number, 'sell', { side: 'sell', lots: 1, ticks: 10 + number });
    floor.place(number, 'buy', { side: 'buy', lots: 1, ticks: 10 + number });
  }
  expect(floor.events()).toEqual([
    'new sell---- new 0/1',
    'new buy----- new 0/1',
    'expired buy----- expired 0/1',
    'new sell---- new 0/1',
    'new buy----- new 0/1',
    'trade 1 sell---- sell 1@14 maker filled 1/1',
    'trade 1 buy----- buy 1@14 taker filled 1/1',
  ]);
  selfMatch.set(account);
  expect(selfMatch.prevents).toBe(false);
});
