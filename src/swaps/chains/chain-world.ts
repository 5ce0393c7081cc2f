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
  /** What some networks ask for beside an address: a tag, a memo, a payment id. */
  readonly memo?: string;
}

/** A transfer that is on its chain. */
export interface ChainTransaction extends Transfer {
  /** As the family of the network writes them; a transaction of Bitcoin may pay several. */
  readonly hash: string;
  /** Tells the payments of one transaction of Bitcoin apart: the number of the output; 0 elsewhere. */
  readonly index: number;
  readonly network: string;
  readonly at: Micros;
  /** Grows block by block until it is what the network asks for; 0 until the first. */
  readonly confirmations: number;
}

/** Unspent money of Bitcoin and its like. */
export interface Output {
  readonly txid: string;
  readonly index: number;
  readonly lots: bigint;
}

/**
 * Chains as whoever is on them sees them. What the swap service and the exchange order service do
 * with money they do here; nothing comes into being and nothing is lost in it.
 */
export interface ChainWorld {
  readonly networks: readonly NetworkTerms[];
  readonly tokens: readonly TokenTerms[];
  now(): Micros;
  isAddress(network: string, address: string): boolean;
  /** The one form of an address by which addresses are compared; transactions have no other. */
  canonical(network: string, address: string): string | undefined;
  /** The address of somebody who is not outside, made of a name: the same name gives the same one. */
  addressOf(network: string, owner: string): string;
  balance(token: number, address: string): bigint;
  /** Private key of such an address, 32 bytes, for a service that signs with it. */
  keyOf(network: string, owner: string): Uint8Array;
  /** Moves money; the balance changes at once, confirmations come with the blocks. */
  transfer(transfer: Transfer): ChainTransaction | Rejection;
  /** The transaction of that hash; its first payment, where it makes several. */
  transaction(network: string, hash: string): ChainTransaction | undefined;
  /** Told of each transaction when it comes, and at each confirmation. */
  follow(listener: (transaction: ChainTransaction) => void): Cancel;
  /** True for a network of real nodes: money moves there by `transferReal` alone. */
  isReal(network: string): boolean;
  /** Has money moved on a real network. `done` receives the result later, once it is certain. */
  transferReal(transfer: RealTransfer, done: (result: TransferResult) => void): void;
  /**
   * Whether the owner has let the permit2 contract take the token from its address: any amount on
   * simulated chains, so many lots on real ones (1 where absent).
   */
  hasApproved(token: number, owner: string, lots?: bigint): boolean;
  /** Uses a nonce of permit2 up, in any order; false if it was used before. */
  usePermitNonce(network: string, owner: string, nonce: bigint): boolean;
  /** Unspent outputs of an address of a network of the family `bitcoin`, oldest first. */
  outputs(address: string): readonly Output[];
  /**
   * Sends a signed transaction of a network of the family `bitcoin`, raw hexadecimal, and returns what it
   * pays to others than who spends. Sending the same again gives the same and moves nothing.
   */
  spend(network: string, transaction: string): readonly ChainTransaction[] | Rejection;
}
