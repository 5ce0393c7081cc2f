import { Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { atScale } from '../../../wire/trading/printing.ts';

/** Leverages are shown with two decimals. */
const STEP = new Decimal('0.01');

/** A leverage, with two decimals at least. */
export const leverageText = (leverage: Decimal): string => atScale(leverage, STEP);

/** The highest leverage that a symbol is traded with; undefined if it is not traded on margin. */
export function maxLeverage({ margin }: Instrument): string | undefined {
  const enabled = Object.values(margin).filter((rules) => rules.enabled);
  if (enabled.length === 0) return undefined;
  const leverages = enabled.map((rules) => rules.maxInitialLeverage);
  return leverageText(Decimal.max(...leverages));
}
