import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { MillraceError } from './errors.ts';

/** Account types besides spot. */
export type NonSpotAccountType = 'wallet' | 'derivatives';

/** Account types other than margin accounts: the three balances of a currency. */
export type AccountType = 'spot' | NonSpotAccountType;

export const NON_SPOT_ACCOUNT_TYPES: readonly NonSpotAccountType[] = ['wallet', 'derivatives'];

/** Balance of a wallet or derivatives account in a currency. */
export interface NonSpotBalance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
  /** Funds of the futures accounts, isolated and cross together; 0 in a wallet. */
  readonly reservedMargin: Decimal;
}

/** Reported balances of an account type. */
export interface NonSpotBalanceReport {
  readonly accountType: NonSpotAccountType;
  readonly at: Micros;
  /** True if all other currencies are zero: the first report, and the first after a reconnect. */
  readonly isWhole: boolean;
  readonly balances: readonly NonSpotBalance[];
}

/** Listener of the balances of an account type. */
export interface NonSpotBalanceListener {
  reported(report: NonSpotBalanceReport): void;
  /**
   * The balances can never be read, for example if the key lacks the permission; `reported` is not
   * called then.
   */
  failed(error: MillraceError): void;
}

/** Wallet and derivatives balances, which are requested only for followed account types. */
export interface NonSpotBalanceSource {
  /**
   * Emits the current balances of an account type, and then each change; called once for each type.
   */
  follow(accountType: NonSpotAccountType, listener: NonSpotBalanceListener): void;
}
