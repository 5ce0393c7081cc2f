import type { Decimal } from '../../../model/decimal.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Micros } from '../../../platform/time.ts';
import type {
  TransferData,
  NetworkFee,
  PaidFee,
  Step,
} from '../../../swaps/execution/transfer-route.ts';

/** Destination of a payment. Some networks require more than an address; the two belong together. */
export interface PayAddress {
  readonly address: string;
  /** A tag, a memo, a payment id: without it the money cannot be attributed. */
  readonly memo?: string;
}

/** A payment to an address, made once. */
export interface Payment {
  /** The id of its transfer, by which it is found again. */
  readonly id: string;
  readonly to: PayAddress;
  /** Exact amount that arrives. */
  readonly amount: Decimal;
  /** The most that may leave for it, fees included. */
  readonly most: Decimal;
  /** It was not begun before. */
  readonly since: Micros;
}

/**
 * Progress of a payment: nothing has left yet and more steps follow (`begun`); it waits for the commit
 * (`prepared`); it is committed and cannot be stopped (`committed`); it is on its chain (`sent`); it is
 * there (`arrived`). Or nothing has left and nothing will (`void`), it was rejected (`refused`), or it has
 * come back (`returned`).
 */
export type PaymentStage =
  | 'begun'
  | 'prepared'
  | 'committed'
  | 'sent'
  | 'arrived'
  | 'void'
  | 'refused'
  | 'returned';

/** A change of a payment. */
export interface PaymentChange {
  readonly stage: PaymentStage;
  /** Added to the transfer's data. */
  readonly data?: TransferData;
  /** Cost of its transactions so far. */
  readonly paidFee?: PaidFee | undefined;
  /** Why it is not made, as a sentence. */
  readonly reason?: string;
}

/** Cost of a payment, and the amount that would arrive. */
export interface PaymentTerms {
  /** Amount that arrives if all leaves; rounded down to a sendable one. */
  readonly arrives: Decimal;
  /** Amount that leaves for that, with all fees in the same asset. */
  readonly leaves: Decimal;
  readonly durationUs: number;
  /** Network fee; absent if the wallet sends nothing itself, or it is free. */
  readonly networkFee?: NetworkFee | undefined;
}

/**
 * Pays out of one location, step by step, each journaled before it is done. It stores its knowledge of a
 * payment in the data of the transfer, so that it continues after a crash.
 */
export interface Payer {
  /** Queries the arriving amount if at most this much left. */
  terms(most: Decimal): Promise<PaymentTerms | Rejection>;
  /** The next step, nothing if all are done; makes no call. */
  next(payment: Payment, data: TransferData): Step | undefined;
  /** Executes a step. Throws if its outcome is unknown, or if nothing could be sent. */
  perform(payment: Payment, data: TransferData, step: Step): Promise<PaymentChange>;
  /** Finds the outcome of a started step; never executes it. */
  recall(payment: Payment, data: TransferData, step: Step): Promise<PaymentChange | 'undone'>;
  /** Reads the state of a payment whose steps are done. */
  observe(payment: Payment, data: TransferData): Promise<PaymentChange>;
}
