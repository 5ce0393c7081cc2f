import fc from 'fast-check';
import { test } from 'vitest';
import { history, play } from './pair.ts';

const { MILLRACE_RUNS: runs = '1500', MILLRACE_SEED: seed = '3' } = process.env;

// `npm run nightly` plays many more of them.
test('[server:trading-v3.rule.balance-conservation] does, step by step, what a slow and obvious exchange does', () => {
  fc.assert(fc.property(history, play), { numRuns: Number(runs), seed: Number(seed) });
}, 120_000);
