import type { Rejection } from '../../model/rejections.ts';
import type { ChainTransaction, Output } from '../../swaps/chains/chain-world.ts';
import type { OwnTransfer } from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';

/** An owner's approval of a token for the permit2 contract. */
export interface Approval {
  readonly network: string;
  readonly token: number;
  readonly owner: string;
  /** Smallest units; 0 withdraws it. */
  readonly lots: bigint;
  /** 1 to 64 characters: the key that identifies the approval. */
  readonly nonce: string;
}

/**
 * Signs by the scheme of the family: `signTransfer` of a signer. It receives 32 bytes, hexadecimal, and on
 * Solana the whole message.
 */
export type SignDigest = (digest: string) => Promise<string>;

/** A signed and unsent transaction. It is stored before it is sent. */
export interface PreparedTransaction {
  /** The id under which its chain will know it. */
  readonly id: string;
  /** Its exact bytes as text; whoever has them can send them. */
  readonly raw: string;
  /**
   * What it uses up exclusively: a nonce of an address, an output. Two candidates of one payment have the
   * same, so that at most one of them is mined. If a chain has no such thing, it is the turn of its order:
   * the next one is prepared when the earlier ones are proven dead.
   */
  readonly uses: string;
  /** Until when it can be mined, as its node reads it again; absent if it stays valid. */
  readonly lifetime?: string | undefined;
  /** Most that it may cost, smallest units of the native asset. */
  readonly feeLots: bigint;
}

/** Fee of a transaction, besides the moved amount. */
export interface ChainFee {
  /** Maximum fee in smallest units of the native asset; 0 if the network asks for none. */
  readonly lots: bigint;
  /** Expected fee; `lots` if absent. */
  readonly expectedLots?: bigint | undefined;
  /** Id of the fee asset; absent if there is nothing to pay. */
  readonly coin?: number;
}

/** Amounts of a token that its chain allows in payments, besides the fee. */
export interface PaymentLimits {
  /** Least amount of a payment, smallest units: less is dust, or too little for a new account. */
  readonly least: bigint;
  /** Smallest units of the native asset that must stay in the paying wallet. */
  readonly reserve: bigint;
}

/**
 * Outcome of one payment's candidates. `unseen`: the node knows none, which proves nothing; the same bytes
 * are sent again. `waiting`: a node has one, and no block. `stuck`: no block takes any of them for their
 * present fee. `made`: one is in a block. `failed`: one is in a block and moved nothing but its fee.
 * `dead`: it is proven that none can be mined any more. Only a final outcome stays; others may change back,
 * as chains reorganise. `fee` is what the one in a block cost its sender beside the moved amount, such as
 * rent on Solana; absent if it cost nothing.
 */
export type PaymentOutcome =
  | { readonly kind: 'unseen' | 'waiting' | 'stuck' }
  | {
      readonly kind: 'made';
      readonly transaction: ChainTransaction;
      readonly isFinal: boolean;
      readonly fee?: ChainFee | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly id: string;
      readonly reason: string;
      readonly isFinal: boolean;
      readonly fee?: ChainFee | undefined;
    }
  | {
      readonly kind: 'dead';
      readonly reason: string;
      /** True if they were only too late: the same order may be prepared again. */
      readonly mayFollow?: boolean | undefined;
    };

/**
 * Reads and sends on the chains of an owner's wallets. An expected no is a rejection. A failed request
 * is thrown: `unreachable` if nothing left, `outcome-unknown` where a
 * transaction may be on its chain, `service-unavailable`, `service-refused`, `answer-invalid`.
 *
 * A transaction is prepared, kept, and sent. Sending the same bytes again moves nothing more, so
 * after `outcome-unknown` they may be sent again, and nothing else may.
 */
export interface ChainNode {
  networks(): Promise<readonly NetworkTerms[]>;
  tokens(): Promise<readonly TokenTerms[]>;
  /** Smallest units of a token that an address holds. */
  balance(token: number, address: string): Promise<bigint>;
  /** Unspent outputs of an address of a network of the family `bitcoin`, oldest first. */
  outputs(network: string, address: string): Promise<readonly Output[]>;
  /** Nothing if the chain does not know it; a failed one moved nothing and does not count. */
  transaction(network: string, hash: string): Promise<ChainTransaction | undefined>;
  /** Smallest units of the token that the permit2 contract may take from the address. */
  allowance(token: number, owner: string): Promise<bigint>;
  /**
   * Present cost of a transfer of the token, within the configured bounds; an approval of permit2 costs no
   * more.
   */
  fee(token: number): Promise<ChainFee>;
  /** Absent if a chain takes any amount and a wallet may be emptied. */
  limits?(token: number): Promise<PaymentLimits>;
  /**
   * Signs a transfer or an approval and sends nothing. The same nonce gives a transaction that excludes
   * those prepared for it before. `earlier` are the candidates sent already: the new one pays more, and is
   * rejected if it cannot exclude every one of them.
   */
  prepare(
    order: OwnTransfer | Approval,
    sign: SignDigest,
    earlier?: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection>;
  /**
   * Sends a prepared transaction unchanged; returns its id. A rejection says that nobody has it and nobody
   * can, from an earlier send neither; if one was begun before, an error is `outcome-unknown`.
   */
  send(network: string, raw: string): Promise<SentTransaction | Rejection>;
  /** The state of the candidates of a payment; reads, and sends nothing. */
  outcome(network: string, candidates: readonly PreparedTransaction[]): Promise<PaymentOutcome>;
  /** Ends requests and connections; absent if there are none. */
  close?(): Promise<void>;
}

export interface SentTransaction {
  readonly id: string;
}
