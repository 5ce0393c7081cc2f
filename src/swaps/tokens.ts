import { Decimal } from '../model/decimal.ts';

/** Networks of one family have addresses, keys and approvals of one form. */
export type NetworkFamily = 'evm' | 'tron' | 'bitcoin' | 'solana';

/** A network in files and on the wire. */
export interface NetworkTerms {
  /** `network_id` of the swap service. */
  readonly id: number;
  /** `ethereum`: its name in configurations, and the location of a wallet on it. */
  readonly code: string;
  /** `Ethereum`: what people read. */
  readonly name: string;
  readonly family: NetworkFamily;
  /** `chainId` of typed data; of the families `evm` and `tron`. */
  readonly chainId?: number;
  /**
   * Distinguishes chains of the families `bitcoin` and `solana`: a name, or the hash of the first block.
   */
  readonly chain?: string | undefined;
  /** Block time. */
  readonly blockUs: number;
  /** Confirmations after which a payment counts as made. */
  readonly confirmations: number;
  /** True if unlisted tokens may be swapped too. */
  readonly customTokens: boolean;
}

/** True for two networks of one chain; false if one of them does not name its chain. */
export function isOneChain(one: NetworkTerms, other: NetworkTerms): boolean {
  const [chain, otherChain] = [one, other].map((each) => each.chainId ?? each.chain);
  return chain !== undefined && chain === otherChain && one.family === other.family;
}

/** A token of a network; the native asset is one too. */
export interface TokenTerms {
  /** `token_id` of the swap service. */
  readonly id: number;
  /** Code of its network. */
  readonly network: string;
  /** `USDC`: one code for equal assets on all networks. */
  readonly asset: string;
  readonly name: string;
  /** Contract or mint address; the asset's code for native Bitcoin. */
  readonly contract: string;
  readonly decimals: number;
  /** `usdcsol`: its name at the exchange order service, in small letters. */
  readonly ticker: string;
  /** The contract that wraps a native asset which must be wrapped before a swap. */
  readonly wrapped?: string;
  /** False for a token that the list of the swap service leaves out. */
  readonly listed: boolean;
}

/** An amount in the smallest units of a token; `undefined` if it is finer. */
export function lotsOf(amount: Decimal, decimals: number): bigint | undefined {
  const lots = amount.times(new Decimal(10).pow(decimals));
  return lots.isInteger() ? BigInt(lots.toFixed()) : undefined;
}

/** Smallest units of a token as an amount, exactly. */
export const amountOf = (lots: bigint, decimals: number): Decimal =>
  new Decimal(lots.toString()).times(new Decimal(10).pow(-decimals));
