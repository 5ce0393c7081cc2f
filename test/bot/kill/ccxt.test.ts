import { test } from 'vitest';
import { sizeOf } from '../../kit/size.ts';
import { killTrial } from './trial.ts';

/** ccxt takes a second to load, so that each life of a bot is a long one. */
const KILLS = sizeOf('MILLRACE_CCXT_KILLS', 2, 12);

test(
  `a bot that trades through ccxt, is killed ${KILLS} times and loses connections and answers, loses no order, doubles none, and knows the outcome of all`,
  { timeout: 60_000 + KILLS * 60_000 },
  async ({ annotate }) => {
    await annotate(await killTrial(5, 'ccxt', KILLS));
  },
);

test(
  `a bot that trades a perpetual through ccxt, is killed ${KILLS} times and loses connections and answers, has orders, fills, position and margin account as the venue does`,
  { timeout: 60_000 + KILLS * 60_000 },
  async ({ annotate }) => {
    await annotate(await killTrial(6, 'ccxtMargin', KILLS));
  },
);
