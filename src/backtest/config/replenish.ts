import { z } from 'zod';
import { amount, positive } from '../../config/amounts.ts';
import type { ConfiguredReplenish } from '../../engine/account/replenishing.ts';
import { MARGIN_MODES } from '../../model/margin-terms.ts';

const TARGET_RULE = 'a target that is not below the floor';

/** Replenishing of margin accounts from spot: in a backtest, and for a strategy of a bot. */
export const REPLENISH = z
  .array(
    z
      .strictObject({
        symbol: z.string().min(1).describe('Of a cross account any symbol that trades on it.'),
        margin: z.enum(MARGIN_MODES),
        floor: amount
          .optional()
          .describe('A balance below this is topped up; where absent, only at a margin call.'),
        target: amount.optional().describe('The balance after a top-up.'),
        maxPerDay: positive.describe('The most that is transferred in a day of UTC+0.'),
      })
      .refine(
        ({ floor, target }) => floor === undefined || target?.lessThan(floor) !== true,
        TARGET_RULE,
      ),
  )
  .describe(
    'Margin accounts that are topped up from spot automatically; a strategy cannot set it for them.',
  );

/** Replenishing in the form of an engine. */
export const replenishOf = (given: z.output<typeof REPLENISH>): readonly ConfiguredReplenish[] =>
  given.map(({ symbol, margin: mode, ...replenish }) => ({ symbol, mode, replenish }));
