import { dirname, extname, resolve } from 'node:path';
import { z } from 'zod';
import { IS_SENTENCE } from '../../config/explain.ts';
import { readConfig } from '../../config/document.ts';
import { DEFAULT_SEED } from '../plan.ts';
import { BACKTEST_RISK, riskLimits } from './risk.ts';
import { PORTFOLIO_CONFIG } from './portfolio.ts';
import { REPLENISH } from './replenish.ts';
import { MARGIN_OF_SYMBOLS } from './margin.ts';
import { NON_SPOT_BALANCES } from '../../config/amounts.ts';
import { dailyRates, decimalText, sampleSpanUs, spanUs, time } from '../../config/fields.ts';

/** Also for a strategy that only rebalances: without rows there is no time to do it. */
const NO_RECORDING =
  'recordings names none, and a backtest takes its time and its prices from them, also where its strategy only rebalances; name one such as sample/BTCUSDT.arrow.';

/** Schema of a backtest's configuration file. */
export const BACKTEST_CONFIG = z
  .strictObject({
    strategy: z.string().min(1).describe('A name from strategies/, or the path of a file.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Parameters of the strategy; `millrace strategies NAME` lists them.'),
    recordings: z
      .array(z.string().min(1))
      .prefault([])
      .superRefine((paths, context) => {
        if (paths.length > 0) return;
        context.addIssue({
          code: 'custom',
          message: NO_RECORDING,
          params: { [IS_SENTENCE]: true },
        });
      })
      .meta({ minItems: 1 })
      .describe('Recordings, one for each symbol, relative to this file.'),
    balances: z
      .record(z.string().min(1), decimalText)
      .refine(
        (balances) => Object.keys(balances).length > 0,
        'at least one currency such as USDT: 10000, since an account with nothing cannot trade',
      )
      .describe('What the account starts with, by currency.'),
    nonSpotBalances: NON_SPOT_BALANCES.optional().describe(
      'What its wallet and its derivatives balance have at the start, by currency.',
    ),
    fees: z
      .record(
        z.string(),
        z.strictObject({
          takeRate: decimalText.optional().describe('Taker fee; 0.001 is 0.1 %.'),
          makeRate: decimalText.optional().describe('Maker fee; negative for a rebate.'),
          feeCurrency: z.string().optional(),
        }),
      )
      .optional()
      .describe('Fee rates by symbol, instead of those of the recording.'),
    margin: MARGIN_OF_SYMBOLS.optional().describe(
      'On what terms symbols are traded on margin, instead of those of the recording.',
    ),
    dailyRates,
    replenish: REPLENISH.optional(),
    portfolio: PORTFOLIO_CONFIG.optional().describe(
      'Holdings outside the account, which the strategy may rebalance.',
    ),
    risk: riskLimits(BACKTEST_RISK)
      .optional()
      .describe('Limits between strategy and venue, as a bot has them; none where absent.'),
    latency: z
      .strictObject({
        order: spanUs.optional().describe('From the event seen to the arrival of the order.'),
        report: spanUs.optional().describe('From the exchange back to the strategy.'),
      })
      .optional(),
    warmUp: spanUs.optional().describe("Instead of the strategy's own warm-up."),
    seed: z.int().default(DEFAULT_SEED).describe('Seed of whatever is left to chance.'),
    from: time.optional().describe('Trading and measuring start here.'),
    till: time.optional().describe('Events from here on are not replayed.'),
    equityCurrency: z
      .string()
      .min(1)
      .optional()
      .describe('Currency of equity; the quote currency of the first recording where absent.'),
    sampleEvery: sampleSpanUs.optional().describe('Time between two samples of equity.'),
    out: z.string().min(1).default('runs').describe('Where results go, relative to here.'),
  })
  .describe('A backtest of Millrace.')
  .meta({ required: ['strategy', 'recordings', 'balances'] });

export type BacktestConfig = z.output<typeof BACKTEST_CONFIG>;

/**
 * Reads the configuration of a backtest. Its paths are relative to the file, `out` to the working
 * directory. Throws `config-missing`, `config-invalid`.
 */
export function readBacktestConfig(path: string): BacktestConfig {
  const config = readConfig(path, BACKTEST_CONFIG);
  const folder = dirname(resolve(path));
  const isPath = /[\\/]/.test(config.strategy) || /^\.m?[jt]s$/.test(extname(config.strategy));
  return {
    ...config,
    strategy: isPath ? resolve(folder, config.strategy) : config.strategy,
    recordings: config.recordings.map((recording) => resolve(folder, recording)),
  };
}
