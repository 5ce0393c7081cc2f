import { MARGIN_MODES, type MarginMode } from '../../model/margin-terms.ts';
import type { ForcedClose } from '../result.ts';

const FORCED: readonly ForcedClose[] = ['liquidated', 'deleveraged', 'settled'];
const MODES = MARGIN_MODES.length + 1;

/** Margin members of a table row. */
interface OfMargin {
  readonly margin?: MarginMode | undefined;
  readonly forced?: ForcedClose | undefined;
}

/** Margin mode, and how the venue closed a position, as one number; 0 for spot. */
export const marginCode = ({ margin, forced }: OfMargin): number =>
  (margin === undefined ? 0 : 1 + MARGIN_MODES.indexOf(margin)) +
  MODES * (forced === undefined ? 0 : 1 + FORCED.indexOf(forced));

/** Margin members of a row from such a number; none for spot. */
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
