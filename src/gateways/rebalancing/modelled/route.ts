import type { RouteOffer } from '../account/route.ts';
import type { Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { MoveChange, MoveRecord } from '../../../swaps/execution/carrier.ts';

/** A modelled way from one slot to another. */
export interface ModelledRoute {
  readonly from: Slot;
  readonly to: Slot;
  /** Name of the step that takes an offer up before anything is paid; absent where there is none. */
  readonly opening?: { readonly name: string; open(move: MoveRecord): Promise<MoveChange> };
  /** Name of the step by which money leaves. */
  readonly paying: string;
  offer(send: Decimal): RouteOffer | Rejection;
  /** Lets the money go; what becomes of it is told later by the journeys. */
  pay(move: MoveRecord): Promise<MoveChange>;
}

/** An amount rounded down to so many decimals, as what is received. */
export const floored = (amount: Decimal, decimals: number): Decimal =>
  amount.toDecimalPlaces(decimals, 1);
