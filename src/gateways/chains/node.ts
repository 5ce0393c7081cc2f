import type { Rejection } from '../../model/rejections.ts';
import type { ChainTransaction, Output } from '../../swaps/chains/chain-world.ts';
import type { SignedPermit, SignedTransfer } from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';

/**
 * What an owner of wallets needs of the chains that they are on. Expected noes are rejections. What
 * cannot be asked or read is thrown: `unreachable` where nothing left, `fate-unknown` where a
 * transaction may be on its chain, `service-unavailable`, `service-refused`, `answer-invalid`.
 *
 * Each transaction that is sent has a hash that is known before and is made once however often it
 * is sent: after `fate-unknown` the very same may be sent again.
 */
export interface ChainNode {
  networks(): Promise<readonly NetworkTerms[]>;
  tokens(): Promise<readonly TokenTerms[]>;
  /** Smallest units of a token that an address holds. */
  balance(token: number, address: string): Promise<bigint>;
  /** Unspent outputs of an address of a network of the family `bitcoin`, oldest first. */
  outputs(network: string, address: string): Promise<readonly Output[]>;
  /** Nothing where the chain does not know it. */
  transaction(network: string, hash: string): Promise<ChainTransaction | undefined>;
  /** Whether the permit2 contract may take the token from the address. */
  hasApproved(token: number, owner: string): Promise<boolean>;
  /** Makes a transfer; of one that was made before it gives how that stands. */
  send(transfer: SignedTransfer): Promise<ChainTransaction | Rejection>;
  /** Sends a signed transaction of Bitcoin, raw hexadecimal; gives what it pays to others. */
  spend(network: string, transaction: string): Promise<readonly ChainTransaction[] | Rejection>;
  /** Lets the permit2 contract take a token, or takes that back. */
  permit(permit: SignedPermit): Promise<Rejection | undefined>;
  /** Ends what is running, and all connections; where absent, there is nothing to end. */
  close?(): Promise<void>;
}
