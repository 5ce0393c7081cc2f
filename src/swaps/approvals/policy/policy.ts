import type { Micros } from '../../../platform/time.ts';
import type { AgreedTerms, ApprovalForm } from '../approval.ts';

/**
 * What may be signed for one swap service. Absent members stay strict: token and amount are always exactly
 * the agreed ones, and data to sign have the shape of the simulated venue, which names what the user
 * receives. `loosenedBounds` lists each looser bound.
 */
export interface SigningPolicy {
  /** Bounds of each network, by its `network_id` at the service. */
  readonly networks?: Readonly<Record<string, NetworkBounds>> | undefined;
  /** Longest time until a permit ends, in microseconds from its signing; a day if absent. */
  readonly maxLifetimeUs?: number | undefined;
  readonly permit2?: Permit2Policy | undefined;
  readonly htlc?: HtlcPolicy | undefined;
  readonly cosign?: CosignPolicy | undefined;
  /** Reads data to sign that no rule can describe, and rejects wrong ones. */
  readonly check?: SigningCheck | undefined;
}

/** What may be signed for money on one network. */
export interface NetworkBounds {
  /**
   * Escrow contracts or owners that may take the money. `checked` leaves them to `check`, for those that
   * differ for each swap. Required for a service of foreign shape.
   */
  readonly escrows?: readonly string[] | 'checked' | undefined;
  /** Contracts of permit2; the canonical one of the family if absent. */
  readonly permit2Contracts?: readonly string[] | undefined;
  /**
   * Contracts of the tokens that may be sent, with the most of each in one approval, in smallest units; the
   * agreed token and amount if absent.
   */
  readonly tokens?: Readonly<Record<string, bigint | number | string>> | undefined;
  /** The witness's name of the network as a destination, if that is not its `network_id`. */
  readonly witnessId?: string | number | undefined;
}

/** How permits of the service differ from those of the simulated venue. */
export interface Permit2Policy {
  /** The member of `params_to_sign` with the spender; `escrow_contract_address` if absent. */
  readonly spender?: 'escrow_contract_address' | 'resolver_deposit_address' | undefined;
  readonly witness?: WitnessPolicy | undefined;
}

/** The witness that is signed. */
export interface WitnessPolicy {
  /** Name of its struct; any if absent. */
  readonly type?: string | undefined;
  /**
   * Every allowed value, by its path: `owner`, `order.receiver`, `outputs.0.amount`. Others are rejected,
   * and these are required unless optional.
   */
  readonly members: Readonly<Record<string, WitnessRule>>;
}

/** Facts that a witness's value may be compared with. */
export const WITNESS_SUBJECTS = [
  'from',
  'token',
  'lots',
  'destinationNetwork',
  'destinationToken',
  'destinationAddress',
  'leastLots',
  'escrow',
  'resolver',
  'intent',
  'secretHash',
  'nonce',
  'deadline',
  'any',
] as const;

/**
 * `leastLots` is at least the agreed amount, `deadline` no later than the permit's in seconds, `any` is not
 * checked, and all others equal the fact of that name.
 */
export type WitnessSubject = (typeof WITNESS_SUBJECTS)[number];

/** Rule of a witness's value. */
export type WitnessRule =
  | WitnessSubject
  | {
      readonly is?: WitnessSubject | undefined;
      /** Just this value, instead of `is`. */
      readonly equals?: string | number | boolean | undefined;
      /** It may be absent. */
      readonly optional?: boolean | undefined;
    };

/** How transactions of Bitcoin differ. */
export interface HtlcPolicy {
  /** `none`: no output has to commit to what the user gets. */
  readonly memo?: 'required' | 'none' | undefined;
}

/** How cosigned transactions of Solana differ. */
export interface CosignPolicy {
  /** `none`: the transaction need not say what the user receives. */
  readonly memo?: 'required' | 'none' | undefined;
  /** Further programs that may be called, without the user among their accounts. */
  readonly programs?: readonly string[] | undefined;
}

/**
 * A code check. It reads the data to sign and states what the signature would let leave, which is compared
 * with the agreement and the bounds. Throw if something is wrong: the message becomes part of
 * `approval-refused`, and nothing is signed. Whatever it returns is trusted, so read the data.
 */
export type SigningCheck = (
  request: SigningRequest,
) => SigningStatement | Promise<SigningStatement>;

/** A service's data to sign, and the agreement. A copy: changing it does not change what is signed. */
export interface SigningRequest {
  readonly form: ApprovalForm;
  /** `params_to_sign` as the service sent it; a number of more than 15 digits is its text. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly agreed: AgreedTerms;
  /** The time of the signing. */
  readonly now: Micros;
}

/** What a signature would let leave, as the code read it from the data. */
export interface SigningStatement {
  /** Contract or mint address of the token; `BTC` on Bitcoin. */
  readonly token: string;
  /** Smallest units that may leave, those of a fee on top but for a miner's included. */
  readonly lots: bigint;
  /** Who may take it: a contract, the owner of a token account, or the address of an output. */
  readonly escrow: string;
  /** Until when, if the data say so. */
  readonly deadline?: Micros | undefined;
}
