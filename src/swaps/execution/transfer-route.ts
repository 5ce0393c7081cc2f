import type { Decimal } from '../../model/decimal.ts';
import type { TransferState, HoldingKey } from '../../model/portfolio.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * How a transfer is made: by a swap intent, an exchange order, the trading account, or between
 * wallets.
 */
export type RouteKind = 'swap' | 'exchangeOrder' | 'account' | 'wallet';

/** What the wallet pays its chain for the transaction of a transfer that it sends itself. */
export interface NetworkFee {
  /** What the transaction does: it pays, or it lets permit2 take what a swap sends. */
  readonly of: 'payment' | 'approval';
  /** The coin that pays for it, in the wallet that sends. */
  readonly coin: HoldingKey;
  /** What it is likely to cost, and the most that it may. */
  readonly expected: Decimal;
  readonly most: Decimal;
  /** What the wallet can pay of the coin, a reserve of the chain left out; absent of a fee that is included. */
  readonly held?: Decimal | undefined;
  /** True where the coin is what is sent: `send` has the most of the fee in it then. */
  readonly isIncluded: boolean;
}

/** What the transactions of a transfer have cost the wallet that sent them. */
export interface PaidFee extends Pick<NetworkFee, 'coin' | 'isIncluded'> {
  readonly amount: Decimal;
}

/** What a route would do with an amount, now. */
export interface Offer {
  /** Name of the route. */
  readonly route: string;
  readonly kind: RouteKind;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  /** What leaves `from`, with all fees in the same asset. */
  readonly send: Decimal;
  /** What arrives at `to` at the least, and what is expected to; fees taken off. */
  readonly least: Decimal;
  readonly expected: Decimal;
  readonly expiresAt: Micros;
  /** How long it usually takes. */
  readonly durationUs: number;
  /** What the wallet pays its chain; absent where it sends nothing itself, or that is free. */
  readonly networkFee?: NetworkFee | undefined;
  /** What the route needs to take it up, such as the id of the quote; JSON. */
  readonly terms: TransferData;
}

/** JSON that only its route reads. */
export type TransferData = Readonly<Record<string, string | number | boolean | null>>;

/** A transfer as the journal has it. */
export interface TransferRecord {
  readonly id: string;
  readonly plan: string;
  readonly route: string;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  /** What leaves, what arrives at the least and what is expected to, by the offer that it goes by now. */
  readonly send: Decimal;
  readonly least: Decimal;
  readonly expected: Decimal;
  /** Until when that offer stands, and how long it usually takes. */
  readonly expiresAt: Micros;
  readonly durationUs: number;
  /** As in that offer. */
  readonly networkFee?: NetworkFee | undefined;
  readonly state: TransferState;
  /**
   * True from the moment at which a paying step was written down, whatever became of it: from then
   * on the transfer is never quoted anew and never given up, only led to its end.
   */
  readonly paying: boolean;
  /** Given up where it is not paying by then; absent while what it sends has not arrived. */
  readonly payBy?: Micros;
  /** The terms of its offer, and what the route has learned since: ids, addresses, hashes. */
  readonly data: TransferData;
  /** As in `TransferChange`. */
  readonly sent?: Decimal;
  readonly arrived?: Decimal;
  readonly refunded?: Decimal;
  readonly paidFee?: PaidFee | undefined;
  /** Why it ended without success, or what a person has to know while it lasts; a sentence. */
  readonly reason?: string;
  readonly createdAt: Micros;
  readonly changedAt: Micros;
}

/**
 * Something that a route does for a transfer and that must be done once: journaled before it is
 * done.
 */
export interface Step {
  /** `createIntent`, `approve`, `payIn`, `placeOrder`, `withdraw` and the like. */
  readonly name: string;
  /** All that it takes to do it, and to find out later whether it was done; JSON, no secrets. */
  readonly data: TransferData;
  /** True where money may leave by it: never tried again before its fate is known. */
  readonly pays: boolean;
}

/**
 * What has become of a transfer. `planned` says that the offer no longer stands and that nothing
 * was paid: it is quoted anew. `expired` and `failed` end it: nothing more comes of it. Money that
 * is held up somewhere is no end, but a state as before with a `reason`.
 */
export interface TransferChange {
  readonly state: TransferState;
  /** Added to what is known. */
  readonly data?: TransferData;
  /** Until when what was created can still be paid, where the service says so. */
  readonly expiresAt?: Micros;
  /** What has left `from`, where that is not `send`: what a miner took on top, what a better price left. */
  readonly sent?: Decimal;
  /** What has arrived at `to`: of `fulfilled`, always. */
  readonly arrived?: Decimal;
  /**
   * What of `send` is at `from` again: of `refunded`, always. Of `failed` and `expired` where a part
   * has left for good; without it all of `send` is still there.
   */
  readonly refunded?: Decimal;
  /** What its own transactions have cost so far, all together; absent where that is not known. */
  readonly paidFee?: PaidFee | undefined;
  readonly reason?: string;
}

/**
 * Transfers value from holding to holding. The executor asks what comes next, journals it, has it
 * done and journals what came of it; after a crash it has the route find out what became of the
 * last step. Every promise settles: a route gives its requests a time in which they are answered.
 */
export interface TransferRoute {
  readonly name: string;
  readonly kind: RouteKind;
  /** The pairs it transfers between, from and to. */
  pairs(): readonly (readonly [HoldingKey, HoldingKey])[];
  /** What it would do with an amount; asks the service. */
  offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection>;
  /** The next step of a transfer; nothing where it can only be waited. Asks nobody. */
  next(transfer: TransferRecord, now: Micros): Step | undefined;
  /**
   * Does a step. What the service refuses for good is a change to `failed`, or to `planned` where
   * another offer may help. Throws where it is not known whether it was done: `recall` tells then.
   */
  perform(transfer: TransferRecord, step: Step): Promise<TransferChange>;
  /**
   * What became of a step that was begun; never does it. `undone` where it was not done, and doing
   * it again cannot pay twice even where the first request is still under way. Throws where that
   * cannot be found out now; it is asked again later.
   */
  recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'>;
  /** How a transfer stands; nothing where it has not changed. */
  observe(transfer: TransferRecord): Promise<TransferChange | undefined>;
}
