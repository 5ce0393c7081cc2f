import { z } from 'zod';
import { amount, positive } from '../../config/amounts.ts';
import type { ConfiguredReplenish } from '../../engine/account/replenishing.ts';
import { MARGIN_MODES } from '../../model/margin-terms.ts';

const ORDER = 'a target that is not below the floor';

/** How margin accounts of a strategy are filled up from spot: of a backtest, and of a strategy of a bot. */
export const REPLENISH = z
  .array(
    z
      .strictObject({
        symbol: z.string().min(1).describe('Of a cross account any symbol that trades on it.'),
        margin: z.enum(MARGIN_MODES),
        floor: amount
          .optional()
          .describe('A balance below this is filled up; at a margin call alone where absent.'),
        target: amount.optional().describe('The balance that it is filled up to.'),
        maxPerDay: positive.describe('The most that may come in a day of UTC+0.'),
      })
      .refine(
        ({ floor, target }) => floor === undefined || target?.lessThan(floor) !== true,
        ORDER,
      ),
  )
  .describe(
    'Margin accounts that are filled up from spot by themselves; what the strategy says of replenishing them is rejected.',
  );

/** The same as an engine takes it. */
export const replenishOf = (given: z.output<typeof REPLENISH>): readonly ConfiguredReplenish[] =>
  given.map(({ symbol, margin: mode, ...replenish }) => ({ symbol, mode, replenish }));
