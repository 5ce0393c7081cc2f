import { test } from 'vitest';
import { BOTH_KILLS, bothKilledTrial } from './both.ts';

test(
  `a bot and a venue that are killed ${BOTH_KILLS} times, one or both, agree on every order, fill and balance`,
  { timeout: 60_000 + BOTH_KILLS * 20_000 },
  async ({ annotate }) => {
    await annotate(await bothKilledTrial(5));
  },
);
