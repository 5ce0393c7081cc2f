import type { Instrument } from '../../model/instrument.ts';
import { MARGIN_MODES, type MarginMode } from '../../model/margin-terms.ts';
import type { Rejection } from '../../model/rejections.ts';
import { marginForbidden } from '../../rules/margin/margin-setting.ts';

/** Rejection for a symbol that is not traded in a margin mode, with how to configure it. */
export function notOnMargin({ symbol, margin }: Instrument, mode: MarginMode): Rejection {
  const rejection = marginForbidden(symbol, mode);
  if (margin[mode] !== undefined) return rejection; // it has terms, and they are not in force
  const others = MARGIN_MODES.filter((one) => margin[one] !== undefined);
  const lacks =
    others.length === 0 ? 'It has no margin terms' : `It has terms for ${others.join(', ')} alone`;
  return {
    ...rejection,
    message: `${rejection.message} ${lacks}; give them as margin of the configuration of a backtest, or as paper.margin of a paper bot's account. A live bot has those of the venue.`,
  };
}
