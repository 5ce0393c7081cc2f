import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';

/** States of an exchange order, as clients read them. */
export type OrderState =
  | 'waiting'
  | 'confirming'
  | 'exchanging'
  | 'sending'
  | 'finished'
  | 'failed'
  | 'refunded'
  | 'hold'
  | 'overdue'
  | 'expired';

/** The only moves between states. */
export const ORDER_MOVES: Readonly<Record<OrderState, readonly OrderState[]>> = {
  waiting: ['confirming', 'overdue', 'expired'],
  confirming: ['exchanging', 'hold', 'failed'],
  exchanging: ['sending', 'hold', 'failed'],
  hold: ['exchanging', 'failed', 'refunded'],
  sending: ['finished'],
  failed: ['refunded'],
  finished: [],
  refunded: [],
  overdue: [],
  expired: [],
};

/** `private` stays in one currency, and the payout comes from elsewhere. */
export type OrderKind = 'float' | 'fixed' | 'private';

/** A payment that an order has. */
export interface Payin {
  readonly hash: string;
  readonly index: number;
  readonly lots: bigint;
  readonly confirmations: number;
}

/** Payout of an order and its parts. All in payout currency, except the rate. */
export interface Yield {
  /** Value of one unit of the payin currency. */
  readonly rate: Decimal;
  /** Before all fees, in whole smallest units. */
  readonly gross: Decimal;
  readonly serviceFee: Decimal;
  readonly extraFee: Decimal;
  /** `gross` without the two. */
  readonly amountTo: Decimal;
  readonly networkFee: Decimal;
}

/** Addresses of payin, payout and refund. */
export interface OrderParties {
  readonly payoutAddress: string;
  readonly payoutExtraId?: string | undefined;
  readonly refundAddress?: string | undefined;
  readonly refundExtraId?: string | undefined;
  readonly fromAddress?: string | undefined;
  readonly fromExtraId?: string | undefined;
  /** The client's own JSON. */
  readonly userMetadata?: string | undefined;
}

/** State of an exchange order; each change makes a new one. */
export interface ExchangeOrder extends OrderParties {
  readonly id: string;
  readonly client: string;
  readonly kind: OrderKind;
  /** Tickers. */
  readonly from: string;
  readonly to: string;
  readonly payinAddress: string;
  readonly payinExtraId?: string;
  readonly amountExpectedFrom: Decimal;
  /** As estimated, or as fixed; as paid, once it is. */
  readonly expected: Yield;
  /** Percent. */
  readonly serviceFee: Decimal;
  readonly extraFee: Decimal;
  readonly state: OrderState;
  readonly createdAt: Micros;
  /** Payment deadline. */
  readonly payTill: Micros;
  /** The order whose payin address was paid again, if that made this one. */
  readonly origin?: string;
  readonly payin?: Payin;
  /** When the payment had its confirmations. */
  readonly receivedAt?: Micros;
  readonly payout?: { readonly hash: string; readonly at: Micros; readonly yield: Yield };
  readonly refundHash?: string;
  /** Why it failed or is held, for the service's operator. */
  readonly reason?: string;
}

/** A payment that belongs to no order: it stays until an operator handles it. */
export interface Stray {
  /** The order of the payin address. */
  readonly order: string;
  readonly token: number;
  readonly hash: string;
  readonly index: number;
  readonly lots: bigint;
  /** The extra id of the payment. */
  readonly memo?: string;
  readonly returnHash?: string;
}

/** True if the order's money is still at its payin address, and the order does not continue. */
export const isStopped = ({ state, payin, payout }: ExchangeOrder): boolean =>
  payin !== undefined && payout === undefined && (state === 'hold' || state === 'failed');
