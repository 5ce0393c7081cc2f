import { dirname, extname, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../config/document.ts';
import { DEFAULT_SEED } from '../backtest/plan.ts';
import { parseDecimal } from '../model/decimal.ts';
import { parseIsoTime, parseSpanUs, US_PER_SECOND } from '../platform/time.ts';

const decimalText = z
  .union([z.string(), z.number()], { error: 'a decimal number such as 0.001' })
  .transform(String)
  .refine((text) => parseDecimal(text) !== undefined, 'a decimal number such as 0.001');

const span = (leastUs: number, expected: string): z.ZodType<number, string> =>
  z.string().transform((text, context) => {
    const us = parseSpanUs(text);
    if (us !== undefined && us >= leastUs) return us;
    context.addIssue({ code: 'custom', message: expected, input: text });
    return z.NEVER;
  });

const spanUs = span(0, 'a span such as 20ms, 1.5s, 5m, 4h or 2d');

const sampleSpanUs = span(US_PER_SECOND, 'a span of a second or more such as 10s or 1m');

const time = z.string().transform((text, context) => {
  const at = parseIsoTime(text);
  if (at !== undefined) return at;
  context.addIssue({ code: 'custom', message: 'a time such as 2024-03-04T06:30:00Z', input: text });
  return z.NEVER;
});

/** What a backtest's configuration file may say. */
export const BACKTEST_CONFIG = z
  .strictObject({
    strategy: z.string().min(1).describe('A name from strategies/, or the path of a file.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Parameters of the strategy; `millrace strategies NAME` tells them.'),
    recordings: z
      .array(z.string().min(1))
      .min(1)
      .describe('Recordings, one for each symbol, relative to this file.'),
    balances: z
      .record(z.string().min(1), decimalText)
      .refine(
        (balances) => Object.keys(balances).length > 0,
        'at least one currency such as USDT: 10000, since an account with nothing cannot trade',
      )
      .describe('What the account starts with, by currency.'),
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
  .describe('A backtest of Millrace.');

export type BacktestConfig = z.output<typeof BACKTEST_CONFIG>;

/**
 * Reads the configuration of a backtest; its paths come out relative to nothing but the file, but
 * for `out`, which is relative to where the command runs. Throws `config-missing`, `config-invalid`.
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
