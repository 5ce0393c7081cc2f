import type { Micros } from '../../../platform/time.ts';
import type { AgreedTerms, ApprovalForm } from '../approval.ts';

/**
 * What may be signed for one swap service. All that is left out stays strict: the token and the amount are
 * exactly what was agreed whatever is said here, and data to sign has the shape of the simulated venue,
 * which names what the user gets. `loosenedBounds` lists each bound that is looser than that.
 */
export interface SigningPolicy {
  /** Bounds of each network, by its `network_id` at the service. */
  readonly networks?: Readonly<Record<string, NetworkBounds>> | undefined;
  /** A permit must end within so many microseconds of its signing; a day where absent. */
  readonly maxLifetimeUs?: number | undefined;
  readonly permit2?: Permit2Policy | undefined;
  readonly htlc?: HtlcPolicy | undefined;
  readonly cosign?: CosignPolicy | undefined;
  /** Reads data to sign whose shape the rules here cannot say, and refuses what it does not like. */
  readonly check?: SigningCheck | undefined;
}

/** What may be signed for money on one network. */
export interface NetworkBounds {
  /**
   * Escrow contracts or owners that may take the money. `checked` leaves them to `check`, for those
   * that are another one for each swap. Of a service of foreign shape they have to be named.
   */
  readonly escrows?: readonly string[] | 'checked' | undefined;
  /** Contracts of permit2; the canonical one of the family where absent. */
  readonly permit2Contracts?: readonly string[] | undefined;
  /**
   * Contracts of the tokens that may be given, with the most of each that one approval may give, in
   * smallest units; the token and the amount that were agreed where absent.
   */
  readonly tokens?: Readonly<Record<string, bigint | number | string>> | undefined;
  /** What a witness calls the network as a destination, where that is not its `network_id`. */
  readonly witnessId?: string | number | undefined;
}

/** How permits of the service differ from those of the simulated venue. */
export interface Permit2Policy {
  /** The member of `params_to_sign` that names the spender; `escrow_contract_address` where absent. */
  readonly spender?: 'escrow_contract_address' | 'resolver_deposit_address' | undefined;
  readonly witness?: WitnessPolicy | undefined;
}

/** The witness that is signed. */
export interface WitnessPolicy {
  /** Name of its struct; any where absent. */
  readonly type?: string | undefined;
  /**
   * Every value that it may hold, by its path: `owner`, `order.receiver`, `outputs.0.amount`. One
   * that is not named here is refused, and one that is named has to be there unless it is optional.
   */
  readonly members: Readonly<Record<string, WitnessRule>>;
}

/** What a value of a witness may be compared with. */
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
 * `leastLots` is at least what was agreed, `deadline` no later than that of the permit in seconds,
 * `any` is not looked at, and all others are exactly what they are called.
 */
export type WitnessSubject = (typeof WITNESS_SUBJECTS)[number];

/** What a value of a witness has to be. */
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
  /** `none`: the transaction does not have to say what the user gets. */
  readonly memo?: 'required' | 'none' | undefined;
  /** Further programs that may be called, without the user among their accounts. */
  readonly programs?: readonly string[] | undefined;
}

/**
 * A check as code. It reads what it is asked to sign and says what the signature would let leave, which is
 * held against what was agreed and against the bounds. Throw where something is wrong: the message becomes
 * part of `approval-refused`, and nothing is signed. What it returns without reading is signed, so read.
 */
export type SigningCheck = (
  request: SigningRequest,
) => SigningStatement | Promise<SigningStatement>;

/** What a service asks to have signed, and what was agreed. A copy: nothing of it is what is signed. */
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
  /** Until when, where the data says so. */
  readonly deadline?: Micros | undefined;
}
