import type { Decimal } from '../../../model/decimal.ts';
import type { HoldingKey } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Micros } from '../../../platform/time.ts';
import type {
  TransferData,
  TransferChange,
  TransferRecord,
  NetworkFee,
  Step,
} from '../../../swaps/execution/transfer-route.ts';

/** A path's offer for an amount, without the members that its route adds. */
export interface PathOffer {
  readonly send: Decimal;
  readonly least: Decimal;
  readonly expected: Decimal;
  readonly validUs: number;
  readonly durationUs: number;
  readonly networkFee?: NetworkFee | undefined;
  readonly terms: TransferData;
}

/** One of the paths of a route: from one holding to another. See `TransferRoute` for its methods. */
export interface AccountPath {
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  offer(send: Decimal): Promise<PathOffer | Rejection>;
  next(transfer: TransferRecord, now: Micros): Step | undefined;
  perform(transfer: TransferRecord, step: Step): Promise<TransferChange>;
  recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'>;
  observe(transfer: TransferRecord): Promise<TransferChange | undefined>;
}
