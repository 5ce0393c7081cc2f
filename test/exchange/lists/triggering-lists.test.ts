import { describe } from 'vitest';
import { plays } from '../script.ts';

describe('oneTriggerOther', () => {
  plays(
    'the secondary becomes active only when the primary has filled whole',
    `
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105
      new in new 0/10
      suspended out suspended 0/10
      > maker m1 sell limit 4 @99
      new m1 new 0/4
      trade 1 in buy 4@99 maker partiallyFilled 4/10
      trade 1 m1 sell 4@99 taker filled 4/4
      > maker m2 sell limit 6 @99
      new m2 new 0/6
      trade 2 in buy 6@99 maker filled 10/10
      trade 2 m2 sell 6@99 taker filled 6/6
      new out new 0/10
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-oto'] },
  );

  plays(
    'a primary that is canceled after a part keeps that part and cancels the secondaries',
    `
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105
      new in new 0/10
      suspended out suspended 0/10
      > maker m1 sell limit 4 @99
      new m1 new 0/4
      trade 1 in buy 4@99 maker partiallyFilled 4/10
      trade 1 m1 sell 4@99 taker filled 4/4
      > cancel in
      canceled in canceled 4/10
      canceled out canceled 0/10
      > balance BTC
      BTC 1004 0
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-primary-canceled'] },
  );

  plays(
    'a primary that expires with a part cancels the secondaries',
    `
      > book ask 101 4
      > list oneTriggerOther: in buy market 10 IOC; out sell limit 10 @105
      new in new 0/10
      suspended out suspended 0/10
      trade 1 in buy 4@101 taker partiallyFilled 4/10
      expired in expired 4/10
      canceled out canceled 0/10
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-primary-canceled'] },
  );

  plays(
    'an inactive secondary can be replaced and stays inactive in its list',
    `
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105
      new in new 0/10
      suspended out suspended 0/10
      > replace out out2 @106
      replaced out2 suspended 0/10
      > maker m1 sell limit 10 @99
      new m1 new 0/10
      trade 1 in buy 10@99 maker filled 10/10
      trade 1 m1 sell 10@99 taker filled 10/10
      new out2 new 0/10
    `,
  );

  plays(
    'a primary that is replaced with more after a part lets the secondaries wait for the new total',
    `
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105
      new in new 0/10
      suspended out suspended 0/10
      > maker m1 sell limit 4 @99
      new m1 new 0/4
      trade 1 in buy 4@99 maker partiallyFilled 4/10
      trade 1 m1 sell 4@99 taker filled 4/4
      > replace in in2 12
      replaced in2 partiallyFilled 4/12
      > maker m2 sell limit 6 @99
      new m2 new 0/6
      trade 2 in2 buy 6@99 maker partiallyFilled 10/12
      trade 2 m2 sell 6@99 taker filled 6/6
      > maker m3 sell limit 2 @99
      new m3 new 0/2
      trade 3 in2 buy 2@99 maker filled 12/12
      trade 3 m3 sell 2@99 taker filled 2/2
      new out new 0/10
    `,
  );

  plays(
    'a secondary without means at its activation is canceled, and the other lives',
    `
      > book ask 101 20
      > list oneTriggerOther: in buy market 10; poor buy limit 20 @90; rich sell limit 10 @105
      new in new 0/10
      suspended poor suspended 0/20
      suspended rich suspended 0/10
      trade 1 in buy 10@101 taker filled 10/10
      canceled poor canceled 0/20
      new rich new 0/10
    `,
    { USDT: '2000' },
    { tags: ['server:trading-v3.list.behaviour-oto'] },
  );

  plays(
    'an inactive secondary that is canceled goes alone',
    `
      > list oneTriggerOther: in buy limit 10 @99; a sell limit 5 @105; b sell limit 5 @106
      new in new 0/10
      suspended a suspended 0/5
      suspended b suspended 0/5
      > cancel a
      canceled a canceled 0/5
      > maker m1 sell limit 10 @99
      new m1 new 0/10
      trade 1 in buy 10@99 maker filled 10/10
      trade 1 m1 sell 10@99 taker filled 10/10
      new b new 0/5
    `,
  );

  plays(
    'an inactive secondary lapses by its own time',
    `
      > list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105 GTD until 50
      new in new 0/10
      suspended out suspended 0/10
      > pass 50
      expired out expired 0/10
      > maker m1 sell limit 10 @99
      new m1 new 0/10
      trade 1 in buy 10@99 maker filled 10/10
      trade 1 m1 sell 10@99 taker filled 10/10
    `,
  );
});

describe('oneTriggerOneCancelOther', () => {
  plays(
    'when the primary has filled, the limit is new and the stop is suspended, now without inactive',
    `
      > book ask 101 20
      > list oneTriggerOneCancelOther: in buy market 10; tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new in new 0/10
      suspended tp suspended 0/10
      suspended sl suspended 0/10
      trade 1 in buy 10@101 taker filled 10/10
      new tp new 0/10
      suspended sl suspended 0/10
      > balance BTC
      BTC 1000 10
    `,
  );

  plays(
    'a stop whose price was reached before its activation waits for the next trade',
    `
      > book ask 101 20, bid 90 20
      > print sell 90 1
      > list oneTriggerOneCancelOther: in buy market 10; tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new in new 0/10
      suspended tp suspended 0/10
      suspended sl suspended 0/10
      trade 1 in buy 10@101 taker filled 10/10
      new tp new 0/10
      suspended sl suspended 0/10
      > print sell 91 1
      new sl new 0/10
      trade 2 sl sell 10@90 taker filled 10/10
      canceled tp canceled 0/10
    `,
  );

  plays(
    'a limit secondary that crosses at its activation trades, and the stop is canceled',
    `
      > book ask 101 10, bid 100 20
      > list oneTriggerOneCancelOther: in buy market 10; tp sell limit 10 @100; sl sell stopMarket 10 stop 95
      new in new 0/10
      suspended tp suspended 0/10
      suspended sl suspended 0/10
      trade 1 in buy 10@101 taker filled 10/10
      new tp new 0/10
      suspended sl suspended 0/10
      trade 2 tp sell 10@100 taker filled 10/10
      canceled sl canceled 0/10
    `,
    undefined,
    { tags: ['server:trading-v3.list.behaviour-otoco'] },
  );

  plays(
    'an inactive leg that is canceled takes the other leg with it, and the primary stays',
    `
      > list oneTriggerOneCancelOther: in buy limit 10 @99; tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new in new 0/10
      suspended tp suspended 0/10
      suspended sl suspended 0/10
      > cancel tp
      canceled tp canceled 0/10
      canceled sl canceled 0/10
      > maker m1 sell limit 10 @99
      new m1 new 0/10
      trade 1 in buy 10@99 maker filled 10/10
      trade 1 m1 sell 10@99 taker filled 10/10
    `,
  );
});
