import type { Decimal } from '../../../model/decimal.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Micros } from '../../../platform/time.ts';
import type {
  TransferData,
  NetworkFee,
  PaidFee,
  Step,
} from '../../../swaps/execution/transfer-route.ts';

/** Where money is to go. Some networks ask for more than an address; the two are never apart. */
export interface PayAddress {
  readonly address: string;
  /** A tag, a memo, a payment id: without it the money is not told from that of others. */
  readonly memo?: string;
}

/** Money that is to reach an address once. */
export interface Payment {
  /** The id of the transfer it is made for, by which it is found again. */
  readonly id: string;
  readonly to: PayAddress;
  /** What is to arrive, exactly. */
  readonly amount: Decimal;
  /** The most that may leave for it, fees included. */
  readonly most: Decimal;
  /** It was not begun before. */
  readonly since: Micros;
}

/**
 * How far a payment is: nothing has left yet and more steps come (`begun`); it waits to be let go
 * (`prepared`); it is let go and cannot be held back (`committed`); it is on its chain (`sent`); it
 * is there (`arrived`). Or nothing has left and nothing will (`void`), it was refused (`refused`), or
 * it has come back (`returned`).
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

/** What became of a payment. */
export interface PaymentChange {
  readonly stage: PaymentStage;
  /** Added to what is known of the transfer. */
  readonly data?: TransferData;
  /** What its transactions have cost so far. */
  readonly paidFee?: PaidFee | undefined;
  /** Why it is not made, as a sentence. */
  readonly reason?: string;
}

/** What a payment would cost, and what of an amount would arrive. */
export interface PaymentTerms {
  /** What arrives of all that may leave; rounded down to what can be sent. */
  readonly arrives: Decimal;
  /** What leaves for that, with all fees in the same asset. */
  readonly leaves: Decimal;
  readonly durationUs: number;
  /** What the network takes; absent if the wallet sends nothing itself, or that is free. */
  readonly networkFee?: NetworkFee | undefined;
}

/**
 * Pays out of one location, step by step, each journaled before it is done. What it knows of a
 * payment is what it has put into the data of the transfer, so that it goes on after a crash.
 */
export interface Payer {
  /** What would arrive if at most so much left; asks. */
  terms(most: Decimal): Promise<PaymentTerms | Rejection>;
  /** The next step, nothing if all are done; asks nobody. */
  next(payment: Payment, data: TransferData): Step | undefined;
  /** Does a step. Throws where it is not known whether it was done, or if nothing could be sent. */
  perform(payment: Payment, data: TransferData, step: Step): Promise<PaymentChange>;
  /** What became of a step that was begun; never does it. */
  recall(payment: Payment, data: TransferData, step: Step): Promise<PaymentChange | 'undone'>;
  /** How a payment stands whose steps are done. */
  observe(payment: Payment, data: TransferData): Promise<PaymentChange>;
}
