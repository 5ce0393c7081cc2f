import type { Lots, Ticks } from '../model/units.ts';

/** What a replacement sets; what is absent stays as it is. */
export interface OrderChange {
  /** The order to replace. */
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total, what is executed included. */
  readonly lots?: Lots | undefined;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
}
