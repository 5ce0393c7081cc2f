import type { Micros } from '../../platform/time.ts';
import type { Output } from '../chains/chain-world.ts';
import type { NetworkFamily, NetworkTerms, TokenTerms } from '../tokens.ts';

/** Form of a user's approval for the resolver: it follows from the network. */
export type ApprovalForm = 'permit2' | 'htlc' | 'cosign';

/** A service's request for a signature, and everything that the signature must cover. */
export interface ApprovalOrder {
  readonly intent: string;
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  readonly lots: bigint;
  /** Owner of the money. */
  readonly from: string;
  /** Hexadecimal, or Base58 on Solana; of the families `bitcoin` (x-only or compressed) and `solana`. */
  readonly publicKey?: string;
  /** Where the money waits until the swap is done or refunded. */
  readonly escrow: string;
  readonly resolver: string;
  readonly nonce: bigint;
  readonly deadline: Micros;
  /** 32 bytes, hexadecimal with `0x`. */
  readonly secretHash: string;
  /** What the user receives; part of the signed data if the form can hold it. */
  readonly destination: {
    readonly network: number;
    readonly token: string;
    readonly address: string;
    readonly leastLots: bigint;
  };
  /** Spendable outputs, of the family `bitcoin`. */
  readonly outputs?: readonly Output[];
}

/** `params_to_sign` of each form, members named as on the wire. */
export interface Permit2Params {
  readonly escrow_contract_address: string;
  readonly permit2_contract_address: string;
  readonly resolver_deposit_address: string;
  readonly nonce: bigint;
  readonly additional_data: {
    readonly domain: Readonly<Record<string, unknown>>;
    readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
    readonly witness: Readonly<Record<string, unknown>>;
    readonly witness_type_string: string;
    readonly witness_hash: string;
    readonly secretHash?: string;
  };
}

export interface HtlcParams {
  /** Base64. */
  readonly psbt: string;
  /** Indexes of the inputs that the user signs. */
  readonly inputs: readonly number[];
  /** What the user receives, as text; the transaction commits to it by its hash. */
  readonly memo?: string | undefined;
}

export interface CosignParams {
  /** Hexadecimal. */
  readonly transaction: string;
}

/** Data issued for a signature. */
export type IssuedApproval =
  | { readonly form: 'permit2'; readonly params: Permit2Params }
  | { readonly form: 'htlc'; readonly params: HtlcParams }
  | { readonly form: 'cosign'; readonly params: CosignParams };

/** Signed data from the user. */
export type SignedApproval =
  /** Hexadecimal signature, 65 or 64 bytes. */
  | { readonly form: 'permit2'; readonly signature: string }
  /** Base64. */
  | { readonly form: 'htlc'; readonly psbt: string }
  | { readonly form: 'cosign'; readonly transaction: string; readonly userAddress: string };

/** Verified: the owner of the money signed the issued data. */
export interface VerifiedApproval {
  readonly form: ApprovalForm;
  /** The final transaction, raw hexadecimal: of htlc, if nobody else has to sign. */
  readonly transaction?: string;
}

/** Keys of the resolver, 32 bytes each; a slot of a cosigned transaction without one stays empty. */
export interface ResolverKeys {
  /** Of `ApprovalOrder.resolver`. */
  readonly resolver?: Uint8Array;
  /** Of a third signer, who is in the transaction only if there is this key. */
  readonly backend?: Uint8Array;
}

/** Identifies a network. */
export type AgreedNetwork = Pick<NetworkTerms, 'id' | 'name' | 'family' | 'chainId'>;

/** A user's agreement, from its own quote; nothing else is signed. */
export interface AgreedTerms {
  /** The approved intent; any if absent. */
  readonly intent?: string;
  readonly network: AgreedNetwork;
  /** Contract or mint address of the sent token, and the amount. */
  readonly token: string;
  readonly lots: bigint;
  readonly from: string;
  readonly destination: ApprovalOrder['destination'];
  /** When the intent ends, by the service; permit2 needs it, the other forms have none. */
  readonly deadline?: Micros;
  /** The latest agreed end, whatever the service says; any if absent. */
  readonly latest?: Micros;
  /** Trusted escrow addresses; any if absent. */
  readonly escrows?: readonly string[];
  /** Trusted permit2 contracts; any if absent. */
  readonly permit2Contracts?: readonly string[];
}

/**
 * The holder of a key. Keys in memory are one implementation, another process is one: neither exposes a
 * key. A rejection is thrown as `approval-refused`.
 */
export interface ApprovalSigner {
  readonly family: NetworkFamily;
  readonly address: string;
  /** Hexadecimal; of the families `bitcoin` (x-only) and `solana`. */
  readonly publicKey?: string;
  /** Typed data of EIP-712 (`evm`, `tron`); a hexadecimal signature of 65 bytes. */
  signTypedData?(typed: TypedData): Promise<string>;
  /** Signs the listed inputs of a PSBT in Base64 (`bitcoin`); returns it with the signatures. */
  signPsbt?(psbt: string, inputs: readonly number[]): Promise<string>;
  /** The bytes of a message (`solana`): an Ed25519 signature of 64 bytes. */
  signMessage?(message: Uint8Array): Promise<Uint8Array>;
  /**
   * Signs a transaction of the wallet itself: its digest, hexadecimal, or its whole message on Solana, by
   * the family's scheme. `purpose` describes it, for a signer that asks a person.
   */
  signTransfer?(digest: string, purpose?: string): Promise<string>;
}

export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}
