import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { MillraceError } from './errors.ts';

/** Where an account has money beside its spot balance. */
export type NonSpotAccountType = 'wallet' | 'derivatives';

export const NON_SPOT_ACCOUNT_TYPES: readonly NonSpotAccountType[] = ['wallet', 'derivatives'];

/** What a wallet, or the derivatives balance of an account, has of a currency. */
export interface NonSpotBalance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
  /** Funds of the futures accounts, isolated and cross together; 0 in a wallet. */
  readonly reservedMargin: Decimal;
}

/** Balances of a place, as reported. */
export interface NonSpotBalanceReport {
  readonly accountType: NonSpotAccountType;
  readonly at: Micros;
  /** True where currencies that are not among them have nothing: the first report, and the first after a reconnect. */
  readonly isWhole: boolean;
  readonly balances: readonly NonSpotBalance[];
}

/** Listener of the balances of a place. */
export interface NonSpotBalanceListener {
  reported(report: NonSpotBalanceReport): void;
  /** They can never be read, as for a key without the right; `reported` is not called then. */
  failed(error: MillraceError): void;
}

/** Balances of wallet and derivatives. Nothing is asked of a venue before somebody follows a place. */
export interface NonSpotBalanceSource {
  /** Emits the balances of a place as they are, and then each change; asked for once of a place. */
  follow(accountType: NonSpotAccountType, listener: NonSpotBalanceListener): void;
}
