import type { Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Micros } from '../../../platform/time.ts';
import type {
  CarrierData,
  MoveChange,
  MoveRecord,
  NetworkFee,
  Step,
} from '../../../swaps/execution/carrier.ts';

/** What a route would do with an amount: an offer without what its carrier knows. */
export interface RouteOffer {
  readonly send: Decimal;
  readonly least: Decimal;
  readonly expected: Decimal;
  readonly validUs: number;
  readonly durationUs: number;
  readonly networkFee?: NetworkFee | undefined;
  readonly terms: CarrierData;
}

/** One of the ways of a carrier: from one slot to another. See `Carrier` for what each does. */
export interface Route {
  readonly from: Slot;
  readonly to: Slot;
  offer(send: Decimal): Promise<RouteOffer | Rejection>;
  next(move: MoveRecord, now: Micros): Step | undefined;
  perform(move: MoveRecord, step: Step): Promise<MoveChange>;
  recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'>;
  observe(move: MoveRecord): Promise<MoveChange | undefined>;
}
