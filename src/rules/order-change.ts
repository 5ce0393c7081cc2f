import type { Lots, Ticks } from '../model/units.ts';

/** Changes of a replacement; absent members stay. */
export interface OrderChange {
  /** The order to replace. */
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total, filled lots included. */
  readonly lots?: Lots | undefined;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
}
