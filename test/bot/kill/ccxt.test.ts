import { test } from 'vitest';
import { KILLS, killTrial } from './trial.ts';

test(
  `a bot that trades through ccxt, is killed ${KILLS} times and cut off before half of them, loses no order, doubles none, and knows the outcome of all`,
  { timeout: 60_000 + KILLS * 30_000 },
  async ({ annotate }) => {
    await annotate(await killTrial(5, 'ccxt'));
  },
);
