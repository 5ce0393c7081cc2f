import { describe } from 'vitest';
import { plays } from '../script.ts';

describe('oneCancelOther', () => {
  plays(
    'a first trade of the limit leg cancels the stop at once, and the limit works on with its rest',
    `
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > maker m1 buy limit 4 @105
      new m1 new 0/4
      trade 1 tp sell 4@105 maker partiallyFilled 4/10
      trade 1 m1 buy 4@105 taker filled 4/4
      canceled sl canceled 0/10
    `,
    undefined,
    {
      tags: [
        'server:trading-v3.list.behaviour-oco',
        'server:trading-v3.list.behaviour-oco-partial',
      ],
    },
  );

  plays(
    'a stop that triggers and fills cancels the limit leg',
    `
      > book bid 95 20
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > print sell 95 1
      new sl new 0/10
      trade 1 sl sell 10@95 taker filled 10/10
      canceled tp canceled 0/10
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-oco'] },
  );

  plays(
    'a FOK stop that cannot fill whole expires, and the limit leg lives',
    `
      > book bid 95 6
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > print sell 95 1
      expired sl expired 0/10
      > balance BTC
      BTC 990 10
    `,
  );

  plays(
    'of two legs that one trade triggers only the first executes',
    `
      > book bid 95 30
      > list oneCancelOther: s1 sell stopMarket 10 stop 97; s2 sell stopMarket 10 stop 96
      suspended s1 suspended 0/10
      suspended s2 suspended 0/10
      > print sell 95 1
      new s1 new 0/10
      trade 1 s1 sell 10@95 taker filled 10/10
      canceled s2 canceled 0/10
    `,
  );

  plays(
    'a limit leg that crosses at entry fills, and the other is canceled in the same step',
    `
      > book bid 105 20
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      trade 1 tp sell 10@105 taker filled 10/10
      canceled sl canceled 0/10
    `,
  );

  plays(
    'a leg that its owner cancels takes the others with it',
    `
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > cancel sl
      canceled sl canceled 0/10
      canceled tp canceled 0/10
      > balance BTC
      BTC 1000 0
    `,
  );

  plays(
    'a leg that lapses by time leaves the others alone',
    `
      > list oneCancelOther: tp sell limit 10 @105 GTD until 50; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > pass 50
      expired tp expired 0/10
    `,
  );

  plays(
    'the dearest leg holds the means for all',
    `
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 8 stop 95
      new tp new 0/10
      suspended sl suspended 0/8
      > balance BTC
      BTC 0 10
      > replace tp tp2 5
      replaced tp2 new 0/5
      > balance BTC
      BTC 2 8
      > replace sl sl2 11
      refused funds-insufficient
    `,
    { BTC: '10' },
  );

  plays(
    'two plain limits are refused, and nothing is there',
    `
      > list oneCancelOther: a sell limit 10 @105; b sell limit 10 @106
      refused type-invalid
      > cancel a
      refused order-unknown
    `,
    undefined,
    { tags: ['server:trading-v3.list.oco-one-limit'] },
  );

  plays(
    'legs never trade with each other: the incoming one has the other canceled',
    `
      > list oneCancelOther: low buy limit 5 @95; out sell stopLimit 5 @94 stop 96
      new low new 0/5
      suspended out suspended 0/5
      > print sell 96 1
      new out new 0/5
      canceled low canceled 0/5
      trade 1 out sell 1@96 taker partiallyFilled 1/5
      > balance BTC
      BTC 995 4
    `,
  );

  plays(
    'an incoming order cannot have two legs of one set, and is not counted on to have',
    `
      > list oneCancelOther: a sell limit 5 @105; b sell takeProfitLimit 5 @106 stop 104
      new a new 0/5
      suspended b suspended 0/5
      > print buy 104 1
      new b new 0/5
      > maker fok buy limit 10 @106 FOK
      expired fok expired 0/10
      > maker gtc buy limit 10 @106
      new gtc new 0/10
      trade 1 gtc buy 1@104 taker partiallyFilled 1/10
      trade 2 a sell 5@105 maker filled 5/5
      trade 2 gtc buy 5@105 taker partiallyFilled 6/10
      canceled b canceled 0/5
    `,
  );
});

describe('allOrNone', () => {
  plays(
    'two orders that both can fill do, at one moment and in list order',
    `
      > book ask 101 10
      > maker e1 buy limit 10 @50 ETHUSDT
      new e1 new 0/10
      > list allOrNone: a buy market 10; b sell limit 10 @50 FOK ETHUSDT
      new a new 0/10
      new b new 0/10
      trade 1 a buy 10@101 taker filled 10/10
      trade 2 e1 buy 10@50 maker filled 10/10
      trade 2 b sell 10@50 taker filled 10/10
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-aon'] },
  );

  plays(
    'where the second book is one lot short both expire, and the first is untouched',
    `
      > maker m1 sell limit 10 @101
      new m1 new 0/10
      > maker e1 buy limit 9 @50 ETHUSDT
      new e1 new 0/9
      > list allOrNone: a buy market 10; b sell limit 10 @50 FOK ETHUSDT
      expired a expired 0/10
      expired b expired 0/10
      > order c buy market 10
      new c new 0/10
      trade 1 m1 sell 10@101 maker filled 10/10
      trade 1 c buy 10@101 taker filled 10/10
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-aon'] },
  );

  plays(
    'one symbol twice, or a life other than FOK, is refused',
    `
      > list allOrNone: a buy market 10; b sell limit 10 @50 FOK
      refused list-symbols-invalid
      > list allOrNone: a buy market 10; b sell limit 10 @50 GTC ETHUSDT
      refused time-in-force-invalid
    `,
  );

  plays(
    'is refused when what all its orders need together is not there',
    `
      > book ask 101 10
      > maker e1 sell limit 10 @50 ETHUSDT
      new e1 new 0/10
      > list allOrNone: a buy market 10; b buy limit 10 @50 FOK ETHUSDT
      refused funds-insufficient
    `,
    { USDT: '1500' },
  );
});

describe('a list', () => {
  plays(
    'one client order id twice is refused, and nothing is there',
    `
      > list oneTriggerOther: in buy limit 10 @99; in sell limit 10 @105
      refused client-order-id-taken
      > cancel in
      refused order-unknown
    `,
    undefined,
    { tags: ['server:trading-v3.list.distinct-client-ids'] },
  );

  plays(
    'a list id that is not the first client order id is refused',
    `
      > list oneTriggerOther out: in buy limit 10 @99; out sell limit 10 @105
      refused order-list-id-invalid
      > cancel in
      refused order-unknown
    `,
    undefined,
    { tags: ['server:trading-v3.list.list-id-equals-first'] },
  );

  plays(
    'a member that is refused refuses the list, whichever it is',
    `
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105 GTD
      refused expire-time-invalid
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105 XUSDT
      refused symbol-unknown
      > cancel in
      refused order-unknown
    `,
    undefined,
    { tags: ['server:trading-v3.list.order-params', 'server:trading-v3.list.atomic-refusal'] },
  );
});

describe('all lists', () => {
  plays(
    'cancel all tells every member once, in list order',
    `
      > list oneTriggerOneCancelOther: in buy limit 10 @99; tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new in new 0/10
      suspended tp suspended 0/10
      suspended sl suspended 0/10
      > list oneCancelOther: a sell limit 10 @105; b sell stopMarket 10 stop 95
      new a new 0/10
      suspended b suspended 0/10
      > cancelAll
      canceled in canceled 0/10
      canceled tp canceled 0/10
      canceled sl canceled 0/10
      canceled a canceled 0/10
      canceled b canceled 0/10
      > balance BTC
      BTC 1000 0
    `,
  );
});
