import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';
import type { PayoutError } from '../../rules/withdrawal.ts';

/** The service's own words, as they stand on the wire of version 3. */
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

/** How likely a deposit that is not confirmed is taken back. */
export interface CommitRisk {
  readonly score: number;
  readonly rbf: boolean;
  readonly lowFee: boolean;
}

/** Where money comes from or goes to outside, as far as it is known. */
export interface Route {
  readonly network?: string | undefined;
  readonly address?: string | undefined;
  readonly paymentId?: string | undefined;
  readonly publicComment?: string | undefined;
  readonly senders?: readonly string[] | undefined;
  readonly commitRisk?: CommitRisk | undefined;
}

/** What changes about a transaction while it goes on. */
export interface Progress {
  readonly status: TransactionStatus;
  /** Hash of the chain transaction that carries it, and of those that were tried before. */
  readonly hash?: string;
  readonly attemptHashes?: readonly string[];
  readonly confirmations?: number;
  /** Id of the other side's transaction, where it never left the exchange. */
  readonly offchainId?: string;
  readonly errorCode?: PayoutError | undefined;
}

/** What a transaction begins with. */
export interface TransactionDraft extends Route, Progress {
  readonly account: number;
  readonly type: TransactionType;
  readonly subtype: TransactionSubtype;
  /** Whether the amount comes into the wallet or leaves it. */
  readonly direction: 'in' | 'out';
  readonly currency: string;
  /** Positive, and without the fee, which comes on top of it. */
  readonly amount: Decimal;
  readonly fee?: Decimal;
  /** The operation that it is a part of; one of its own where absent. */
  readonly operationId?: string;
}

/** A movement of money into, out of or beside a wallet. A change makes a new record of it. */
export interface Transaction extends TransactionDraft {
  /** Rising in the order of creation. */
  readonly id: number;
  readonly txId: string;
  readonly operationId: string;
  /** Rising with every change of any transaction, so that a reader can ask for what is new. */
  readonly index: number;
  readonly createdAt: Micros;
  /** When its status changed last. */
  readonly updatedAt: Micros;
  /** When anything about it changed last. */
  readonly lastActivityAt: Micros;
}

/** Listener of transactions. */
export interface TransactionListener {
  /** A wallet transaction was begun or has changed; called before the balances. */
  transaction?(transaction: Transaction): void;
}
