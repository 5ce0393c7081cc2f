import { z } from 'zod';
import { decimalText, withoutAbsent } from '../../config/fields.ts';
import type { MarginTerms } from '../../model/margin-terms.ts';

const margin = z.strictObject({
  maxInitialLeverage: decimalText.describe('The most that the leverage of an account can be.'),
  marginCallLeverageMul: decimalText.default('1.50'),
  liquidationLeverageMul: decimalText.default('2.00'),
  forceCloseFee: decimalText.default('0.05').describe('On top of the fee of a liquidation.'),
  reserveRate: decimalText
    .optional()
    .describe('Fee rate in reserves and liquidation prices; the taker rate where absent.'),
  enabled: z.boolean().default(true),
  active: z.boolean().default(true),
  limitBase: decimalText.optional(),
  limitPower: decimalText.optional(),
  unlimitedThreshold: decimalText.optional(),
});

/** On what terms a symbol is traded on margin, by its modes. */
export const MARGIN = z.strictObject({ isolated: margin.optional(), cross: margin.optional() });

/** The same as records, as an instrument has them. */
export const marginTerms = (modes: z.output<typeof MARGIN>): readonly MarginTerms[] =>
  (['isolated', 'cross'] as const).flatMap((marginMode) => {
    const given = modes[marginMode];
    return given === undefined ? [] : [withoutAbsent<MarginTerms>({ marginMode, ...given })];
  });

/** Margin terms of symbols, by their names: of a backtest and of an account on paper. */
export const MARGIN_OF_SYMBOLS = z.record(z.string(), MARGIN);

/** The same as records. */
export const marginOfSymbols = (
  given: z.output<typeof MARGIN_OF_SYMBOLS>,
): Readonly<Record<string, readonly MarginTerms[]>> =>
  Object.fromEntries(Object.entries(given).map(([name, modes]) => [name, marginTerms(modes)]));
