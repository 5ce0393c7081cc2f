import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';
import type { PayoutError } from '../../rules/withdrawal.ts';

/** Statuses of the service, as in version 3 of its protocol. */
export type TransactionStatus = 'CREATED' | 'PENDING' | 'FAILED' | 'SUCCESS' | 'ROLLED_BACK';
export type TransactionType = 'DEPOSIT' | 'WITHDRAW' | 'TRANSFER' | 'SWAP';
export type CreditSubtype =
  | 'UNCLASSIFIED'
  | 'AIRDROP'
  | 'AFFILIATE'
  | 'STAKING'
  | 'BUY_CRYPTO'
  | 'FIAT';
export type TransferSubtype =
  | 'WALLET_TO_SPOT'
  | 'SPOT_TO_WALLET'
  | 'WALLET_TO_DERIVATIVES'
  | 'DERIVATIVES_TO_WALLET';
export type TransactionSubtype =
  | CreditSubtype
  | TransferSubtype
  | 'BLOCKCHAIN'
  | 'OFFCHAIN'
  | 'SUB_ACCOUNT'
  | 'INSTANT_EXCHANGE';

/** Risk that an unconfirmed deposit is reversed. */
export interface CommitRisk {
  readonly score: number;
  readonly rbf: boolean;
  readonly lowFee: boolean;
}

/** Source or destination outside the exchange, as far as known. */
export interface Route {
  readonly network?: string | undefined;
  readonly address?: string | undefined;
  readonly paymentId?: string | undefined;
  readonly publicComment?: string | undefined;
  readonly senders?: readonly string[] | undefined;
  readonly commitRisk?: CommitRisk | undefined;
}

/** Members of a transaction that change. */
export interface Progress {
  readonly status: TransactionStatus;
  /** Hash of the current chain transaction, and of those that were tried before. */
  readonly hash?: string;
  readonly attemptHashes?: readonly string[];
  readonly confirmations?: number;
  /** Id of the other side's transaction, if it stayed within the exchange. */
  readonly offchainId?: string;
  readonly errorCode?: PayoutError | undefined;
}

/** Initial members of a transaction. */
export interface TransactionDraft extends Route, Progress {
  readonly account: number;
  readonly type: TransactionType;
  readonly subtype: TransactionSubtype;
  /** Into or out of the wallet. */
  readonly direction: 'in' | 'out';
  readonly currency: string;
  /** Positive, without the fee, which is extra. */
  readonly amount: Decimal;
  readonly fee?: Decimal;
  /** Operation of several transactions; its own one if absent. */
  readonly operationId?: string;
}

/** A movement of money into, out of or between wallets. A change makes a new record. */
export interface Transaction extends TransactionDraft {
  /** Rising in the order of creation. */
  readonly id: number;
  readonly txId: string;
  readonly operationId: string;
  /** Rises with every change of any transaction, so that a reader can request the new ones. */
  readonly index: number;
  readonly createdAt: Micros;
  /** Time of the last status change. */
  readonly updatedAt: Micros;
  /** Time of the last change. */
  readonly lastActivityAt: Micros;
}

/** Listener of transactions. */
export interface TransactionListener {
  /** A wallet transaction began or changed; called before the balances. */
  transaction?(transaction: Transaction): void;
}
