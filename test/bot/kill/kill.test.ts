import { test } from 'vitest';
import { KILLS, killTrial } from './trial.ts';

test.for([1, 2])(
  `a bot that is killed ${KILLS} times loses no order, doubles none, and knows the outcome of all (seed %i)`,
  { timeout: 60_000 + KILLS * 15_000 },
  async (seed, { annotate }) => {
    await annotate(await killTrial(seed));
  },
);

test(
  `a bot on margin and futures that is killed ${KILLS} times, and cut off before half of them, knows every order, fill, margin account and position`,
  { timeout: 60_000 + KILLS * 30_000 },
  async ({ annotate }) => {
    await annotate(await killTrial(3, 'margin'));
  },
);

test(
  `two strategies that share a margin account have its parts after ${KILLS} kills, and cuts before half of them, by their own fills`,
  { timeout: 60_000 + KILLS * 30_000 },
  async ({ annotate }) => {
    await annotate(await killTrial(4, 'shared'));
  },
);
