import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linesOf, played } from '../script.ts';

const PAGE = new URL('../../../docs/order-lists.md', import.meta.url);
const SCRIPTS = [...readFileSync(PAGE, 'utf8').matchAll(/^```script\n(.*?)^```$/gms)].map(
  ([, script]) => script,
);

/** Rules of the page whose examples would be long: secondaries of a primary that fills whole, a leg that expires, the reserve of a stop, exclusive legs, allOrNone. */
const MORE = [
  `> list oneTriggerOther: in buy limit 10 @99; out sell limit 10 @105
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
  `> book bid 95 6
> list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
new tp new 0/10
suspended sl suspended 0/10
> print sell 95 1
expired sl expired 0/10
> balance BTC
BTC 990 10
`,
  `> list oneCancelOther: in buy limit 10 @99; up buy stopMarket 10 stop 101
new in new 0/10
suspended up suspended 0/10
> balance USDT
USDT 98877.76 1122.24
`,
  `> list oneCancelOther: a sell limit 5 @105; b sell takeProfitLimit 5 @106 stop 104
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
  `> maker m1 sell limit 10 @101
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
];

test('docs/order-lists.md has worked examples', () => {
  expect(SCRIPTS.length).toBeGreaterThan(3);
});

test.each([...SCRIPTS, ...MORE])('the exchange reports: %s', (script) => {
  expect(played(script)).toEqual(linesOf(script));
});
