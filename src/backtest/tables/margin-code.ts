import { MARGIN_MODES, type MarginMode } from '../../model/margin-terms.ts';
import type { ForcedClose } from '../result.ts';

const FORCED: readonly ForcedClose[] = ['liquidated', 'deleveraged', 'settled'];
const MODES = MARGIN_MODES.length + 1;

/** What a row of a table says of margin. */
interface OfMargin {
  readonly margin?: MarginMode | undefined;
  readonly forced?: ForcedClose | undefined;
}

/** Margin, and how the venue closed a position, as one number; 0 for what is spot. */
export const marginCode = ({ margin, forced }: OfMargin): number =>
  (margin === undefined ? 0 : 1 + MARGIN_MODES.indexOf(margin)) +
  MODES * (forced === undefined ? 0 : 1 + FORCED.indexOf(forced));

/** The members of a row that such a number stands for; none of spot. */
export function marginOf(code: number): {
  readonly margin?: MarginMode;
  readonly forced?: ForcedClose;
} {
  const mode = code % MODES;
  const forced = Math.floor(code / MODES);
  return {
    ...(mode === 0 ? {} : { margin: MARGIN_MODES[mode - 1] }),
    ...(forced === 0 ? {} : { forced: FORCED[forced - 1] }),
  };
}
