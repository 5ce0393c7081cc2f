import { concatMap, first, from, map, mergeMap, of, switchMap, timer } from 'rxjs';
import { z } from 'zod';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { seconds } from '../../src/strategy/durations.ts';

/** Commands by the best bid of their time, in ticks. */
export type Step = readonly [atSeconds: number, commands: (bid: number) => readonly Command[]];

/** A strategy that gives commands at its times, and answers nothing. */
export const script = (steps: readonly Step[], symbol = 'BTCUSDT'): Strategy =>
  defineStrategy({
    name: 'script',
    summary: 'Does what is written.',
    parameters: z.object({}),
    run: ({ market }) =>
      market.bbo(symbol).pipe(
        first(({ bidLots }) => bidLots > 0),
        map(({ bidTicks }) => bidTicks),
        switchMap((bid) =>
          from(steps).pipe(
            mergeMap(([at, commands]) => timer(seconds(at)).pipe(map(() => commands(bid)))),
          ),
        ),
        concatMap((commands) => of(...commands)),
      ),
  });
