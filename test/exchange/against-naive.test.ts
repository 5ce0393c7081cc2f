import fc from 'fast-check';
import { test } from 'vitest';
import { history, play } from './pair.ts';
import { runs, seed } from '../kit/size.ts';

// `npm run nightly` plays many more of them.
test('[server:trading-v3.rule.balance-conservation] does, step by step, what a slow and obvious exchange does', () => {
  fc.assert(fc.property(history, play), { numRuns: runs(1_500), seed: seed(3) });
}, 120_000);
