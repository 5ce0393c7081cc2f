import type { Decimal } from '../../model/decimal.ts';
import type { TransferState, HoldingKey } from '../../model/portfolio.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * How a transfer is made: by a swap intent, an exchange order, the trading account, or between
 * wallets.
 */
export type RouteKind = 'swap' | 'exchangeOrder' | 'account' | 'wallet';

/** Fee that the wallet pays its chain for a transaction of a transfer. */
export interface NetworkFee {
  /** Whether the transaction pays, or lets permit2 take what a swap sends. */
  readonly of: 'payment' | 'approval';
  /** The holding that pays it, in the wallet that sends. */
  readonly coin: HoldingKey;
  /** The likely fee and the highest possible one. */
  readonly expected: Decimal;
  readonly most: Decimal;
  /** What the wallet can pay of the coin, without a reserve of the chain; absent where `isIncluded`. */
  readonly held?: Decimal | undefined;
  /** True where the coin is what is sent: `send` then includes `most`. */
  readonly isIncluded: boolean;
}

/** Fees that the wallet paid for the transactions of a transfer. */
export interface PaidFee extends Pick<NetworkFee, 'coin' | 'isIncluded'> {
  readonly amount: Decimal;
}

/** What a route offers for an amount now. */
export interface Offer {
  /** Name of the route. */
  readonly route: string;
  readonly kind: RouteKind;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  /** What leaves `from`, with all fees in the same asset. */
  readonly send: Decimal;
  /** The least and the expected amount that arrives at `to`, after fees. */
  readonly least: Decimal;
  readonly expected: Decimal;
  readonly expiresAt: Micros;
  /** Usual duration. */
  readonly durationUs: number;
  /** Absent where the wallet sends no transaction, or that is free. */
  readonly networkFee?: NetworkFee | undefined;
  /** What the route needs to accept it, such as the id of the quote; JSON. */
  readonly terms: TransferData;
}

/** JSON that only its route reads. */
export type TransferData = Readonly<Record<string, string | number | boolean | null>>;

/** A transfer in the journal. */
export interface TransferRecord {
  readonly id: string;
  readonly plan: string;
  readonly route: string;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  /** As in its present offer, like the members below up to `networkFee`. */
  readonly send: Decimal;
  readonly least: Decimal;
  readonly expected: Decimal;
  readonly expiresAt: Micros;
  readonly durationUs: number;
  readonly networkFee?: NetworkFee | undefined;
  readonly state: TransferState;
  /**
   * True once a paying step is in the journal, whatever its outcome: from then on the transfer gets
   * no other offer and is never given up.
   */
  readonly paying: boolean;
  /** When it is given up unless it is paying; absent while what it sends has not arrived. */
  readonly payBy?: Micros;
  /** The terms of its offer, and what the route has added: ids, addresses, hashes. */
  readonly data: TransferData;
  /** As in `TransferChange`. */
  readonly sent?: Decimal;
  readonly arrived?: Decimal;
  readonly refunded?: Decimal;
  readonly paidFee?: PaidFee | undefined;
  /** Why it ended without success, or what a person has to know before; a sentence. */
  readonly reason?: string;
  readonly createdAt: Micros;
  readonly changedAt: Micros;
}

/** An action of a route for a transfer that must be done once; journaled before it is done. */
export interface Step {
  /** `createIntent`, `approve`, `payIn`, `placeOrder`, `withdraw` and the like. */
  readonly name: string;
  /** What it takes to do it, and to find out later whether it was done; JSON, no secrets. */
  readonly data: TransferData;
  /** True where money may leave: never repeated before its outcome is known. */
  readonly pays: boolean;
}

/**
 * A change of a transfer. `planned`: its offer is no longer valid and nothing was paid, so another
 * one is requested. `expired` and `failed` end it: nothing more arrives. While a service holds the
 * money, the state stays and `reason` says why.
 */
export interface TransferChange {
  readonly state: TransferState;
  /** Added to the data of the transfer. */
  readonly data?: TransferData;
  /** Until when what was created can still be paid, where the service says so. */
  readonly expiresAt?: Micros;
  /** What left `from`, where that is not `send`: more with a miner's fee, less at a better price. */
  readonly sent?: Decimal;
  /** What arrived at `to`; required for `fulfilled`. */
  readonly arrived?: Decimal;
  /**
   * What of `send` is at `from` again; required for `refunded`. With `failed` and `expired` it says
   * that the rest is lost; without it all of `send` is still there.
   */
  readonly refunded?: Decimal;
  /** Fees of its own transactions so far; absent where unknown. */
  readonly paidFee?: PaidFee | undefined;
  readonly reason?: string;
}

/**
 * Transfers value between holdings. The executor asks for the next step, journals it, performs it
 * and journals the outcome; after a crash it recalls the outcome of the last step. Every promise
 * settles, so requests need a timeout.
 */
export interface TransferRoute {
  readonly name: string;
  readonly kind: RouteKind;
  /** Pairs of holdings, from and to. */
  pairs(): readonly (readonly [HoldingKey, HoldingKey])[];
  /** Requests an offer of the service. */
  offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection>;
  /** The next step of a transfer; `undefined` to wait. Sends no request. */
  next(transfer: TransferRecord, now: Micros): Step | undefined;
  /**
   * Does a step. A final rejection is a change to `failed`, or to `planned` where another offer may
   * help. Throws where the outcome is unknown: `recall` finds it out.
   */
  perform(transfer: TransferRecord, step: Step): Promise<TransferChange>;
  /**
   * Finds out the outcome of a step and never does it. `undone` only where it was not done and a
   * repetition cannot pay twice, even with the first request still under way. Throws where that
   * cannot be found out now; it is called again later.
   */
  recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'>;
  /** The change of a transfer since its record; `undefined` where there is none. */
  observe(transfer: TransferRecord): Promise<TransferChange | undefined>;
}
