import type { Lots, Ticks } from '../../model/units.ts';

/** A price level as everybody sees it. */
export interface Level {
  readonly ticks: Ticks;
  readonly lots: Lots;
}
