import type { Rejection } from '../../model/rejections.ts';
import type { Cancel } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { NetworkTerms, TokenTerms } from '../tokens.ts';
import type { RealTransfer, TransferResult } from './real-networks.ts';

/** Money that goes from one address to another on one network. */
export interface Transfer {
  /** Id of the token, which has one network. */
  readonly token: number;
  readonly from: string;
  readonly to: string;
  /** Smallest units, above 0. */
  readonly lots: bigint;
  /** Required by some networks besides an address: a tag, a memo, a payment id. */
  readonly memo?: string;
}

/** A transfer that is on its chain. */
export interface ChainTransaction extends Transfer {
  /** As the family of the network writes them; a transaction of Bitcoin may pay several. */
  readonly hash: string;
  /** Distinguishes the payments of one Bitcoin transaction: the number of the output; 0 elsewhere. */
  readonly index: number;
  readonly network: string;
  readonly at: Micros;
  /** Increases block by block to the number that the network requires; 0 until the first. */
  readonly confirmations: number;
}

/** Unspent money of Bitcoin and its like. */
export interface Output {
  readonly txid: string;
  readonly index: number;
  readonly lots: bigint;
}

/**
 * Chains as their users see them. The swap service and the exchange order service move all money here; none
 * is created or lost by it.
 */
export interface ChainWorld {
  readonly networks: readonly NetworkTerms[];
  readonly tokens: readonly TokenTerms[];
  now(): Micros;
  isAddress(network: string, address: string): boolean;
  /** The canonical form of an address, for comparison; transactions have no other. */
  canonical(network: string, address: string): string | undefined;
  /** The address of an internal owner, derived from its name: the same name has the same one. */
  addressOf(network: string, owner: string): string;
  balance(token: number, address: string): bigint;
  /** Private key of such an address, 32 bytes, for a service that signs with it. */
  keyOf(network: string, owner: string): Uint8Array;
  /** Moves money; the balance changes at once, confirmations come with the blocks. */
  transfer(transfer: Transfer): ChainTransaction | Rejection;
  /** The transaction of that hash; its first payment, if it makes several. */
  transaction(network: string, hash: string): ChainTransaction | undefined;
  /** Called for each transaction when it comes, and at each confirmation. */
  follow(listener: (transaction: ChainTransaction) => void): Cancel;
  /** True for a network of real nodes: money moves there by `transferReal` alone. */
  isReal(network: string): boolean;
  /** Requests a transfer on a live network. `done` receives the result later, once it is certain. */
  transferReal(transfer: RealTransfer, done: (result: TransferResult) => void): void;
  /**
   * True if the owner has approved the permit2 contract for the token at its address: any amount on
   * simulated chains, at least the given one on live ones (1 if absent).
   */
  hasApproved(token: number, owner: string, lots?: bigint): boolean;
  /** Uses a nonce of permit2 up, in any order; false if it was used before. */
  usePermitNonce(network: string, owner: string, nonce: bigint): boolean;
  /** Unspent outputs of an address of a network of the family `bitcoin`, oldest first. */
  outputs(address: string): readonly Output[];
  /**
   * Sends a signed transaction of a network of the family `bitcoin`, raw hexadecimal, and returns its
   * payments to others than the sender. Sending the same again returns the same and moves nothing.
   */
  spend(network: string, transaction: string): readonly ChainTransaction[] | Rejection;
}
