import { test } from 'vitest';
import { KILLS, killTrial } from './trial.ts';

test(
  `a bot that is killed ${KILLS} times loses no order, doubles none, and knows the fate of all (seed 1)`,
  async ({ annotate }) => {
    await annotate(await killTrial(1));
  },
  60_000 + KILLS * 15_000,
);
