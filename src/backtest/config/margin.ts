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

/** Margin terms of a symbol, by mode. */
export const MARGIN = z.strictObject({ isolated: margin.optional(), cross: margin.optional() });

/** Margin terms as records of an instrument. */
export const marginTerms = (modes: z.output<typeof MARGIN>): readonly MarginTerms[] =>
  (['isolated', 'cross'] as const).flatMap((marginMode) => {
    const given = modes[marginMode];
    return given === undefined ? [] : [withoutAbsent<MarginTerms>({ marginMode, ...given })];
  });

/** Margin terms by symbol, for a backtest and a paper account. */
export const MARGIN_OF_SYMBOLS = z.record(z.string(), MARGIN);

/** Margin terms by symbol as records. */
export const marginOfSymbols = (
  given: z.output<typeof MARGIN_OF_SYMBOLS>,
): Readonly<Record<string, readonly MarginTerms[]>> =>
  Object.fromEntries(Object.entries(given).map(([name, modes]) => [name, marginTerms(modes)]));
