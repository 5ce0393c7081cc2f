import { expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run.ts';
import { US_PER_SECOND } from '../../src/platform/time.ts';
import type { Strategy } from '../../src/strategy/define.ts';
import { temporaryFolder } from '../kit/recordings.ts';
import { resultLines } from './canonical.ts';
import { CASES, FUNDS, S } from './cases.ts';
import { expectGolden, kept } from './golden.ts';
import { nothingSeen, seenLines, watched } from './watched.ts';

test.each(Object.entries(CASES))(
  'the backtest %s comes to the orders, fills, balances and equity that are kept of it',
  async (name, caseOf) => {
    const { symbols = [S], unwatched = false, strategy, ...plan } = caseOf(temporaryFolder());
    const seen = nothingSeen();
    const observed: Strategy = unwatched ? strategy : watched(strategy, symbols, seen);
    const result = await runBacktest({
      parameters: {},
      balances: FUNDS,
      sampleUs: 30 * US_PER_SECOND,
      ...plan,
      strategy: observed,
    });
    expect(result.orders.sent).toBeGreaterThan(0);
    await expectGolden(name, {
      result: resultLines(result),
      ...(unwatched ? {} : { seen: seenLines(seen) }),
    });
  },
);

test('the digests of a long run show a difference in any of its lines', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `{"line":${index}}`);
  const one = kept(lines);
  expect(one.length).toBeLessThan(200);
  for (const index of [0, 79, 80, 999]) {
    expect(kept(lines.with(index, '{}')).filter((line, at) => line !== one[at])).toHaveLength(1);
  }
  expect(kept(lines.slice(0, -1))).not.toEqual(one);
});
