import type { Rejection } from '../../model/rejections.ts';
import type { ChainTransaction, Output } from '../../swaps/chains/chain-world.ts';
import type { OwnTransfer } from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';

/** What an owner lets the permit2 contract take of a token. */
export interface Approval {
  readonly network: string;
  readonly token: number;
  readonly owner: string;
  /** Smallest units; 0 takes it back. */
  readonly lots: bigint;
  /** 1 to 64 characters: the key that identifies the approval. */
  readonly nonce: string;
}

/**
 * Signs by the scheme of the family: `signTransfer` of a signer. It is given 32 bytes, hexadecimal,
 * and on Solana the whole message.
 */
export type SignDigest = (digest: string) => Promise<string>;

/** A transaction that is signed and not sent. It is kept before it is sent. */
export interface PreparedTransaction {
  /** The id under which its chain will know it. */
  readonly id: string;
  /** Its exact bytes as text; whoever has them can send them. */
  readonly raw: string;
  /**
   * What it uses up, and one transaction alone can: a nonce of an address, an output. Two candidates
   * of one payment have the same, so that one of them at most is mined. Where a chain has no such
   * thing, it is the turn of its order: the next one is prepared when those before are proven dead.
   */
  readonly uses: string;
  /** Until when it can be mined, as its node reads it again; absent if it stays valid. */
  readonly lifetime?: string | undefined;
  /** The most that it may cost, smallest units of the coin. */
  readonly feeLots: bigint;
}

/** What a transaction may cost beside what it moves. */
export interface ChainFee {
  /** Smallest units of the coin: the most that it may be; 0 where the network asks for none. */
  readonly lots: bigint;
  /** What it is likely to be; as much as `lots` where absent. */
  readonly expectedLots?: bigint | undefined;
  /** Id of the token that is the coin; absent if there is nothing to pay. */
  readonly coin?: number;
}

/** Which payments of a token its chain takes, beside what they cost. */
export interface PaymentLimits {
  /** Smallest units that a payment brings at least: less is dust, or too little for a new account. */
  readonly least: bigint;
  /** Smallest units of the coin that stay in the wallet that pays. */
  readonly reserve: bigint;
}

/**
 * What became of the candidates of one payment. `unseen`: the node knows none, which proves nothing; the
 * same bytes are sent again. `waiting`: a node has one, and no block. `stuck`: no block takes any of them
 * for the fee that it offers now. `made`: one is in a block. `failed`: one is in a block and moved nothing,
 * but its fee. `dead`: none can be mined any more, and that is proven. Only what is final stays; the rest
 * may change back, as chains reorganise. `fee` is what the one in a block has taken from its sender beside
 * what it moved; absent if none is taken.
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
  /** Nothing if the chain does not know it; one that failed moved nothing, and is none. */
  transaction(network: string, hash: string): Promise<ChainTransaction | undefined>;
  /** Smallest units of the token that the permit2 contract may take from the address. */
  allowance(token: number, owner: string): Promise<bigint>;
  /**
   * What a transfer of the token may cost now, within the bounds of the configuration; an approval of
   * permit2 costs no more.
   */
  fee(token: number): Promise<ChainFee>;
  /** Absent if a chain takes any amount and a wallet may be emptied. */
  limits?(token: number): Promise<PaymentLimits>;
  /**
   * Signs a transfer or an approval and sends nothing. The same nonce gives a transaction that
   * excludes those prepared for it before. `earlier` are the candidates that were sent already: the
   * new one pays more, and is refused where it cannot exclude every one of them.
   */
  prepare(
    order: OwnTransfer | Approval,
    sign: SignDigest,
    earlier?: readonly PreparedTransaction[],
  ): Promise<PreparedTransaction | Rejection>;
  /**
   * Sends what was prepared, as it is; returns its id. A rejection says that nobody has it and nobody can,
   * from an earlier send neither; where one was begun before, a no is `outcome-unknown`.
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
