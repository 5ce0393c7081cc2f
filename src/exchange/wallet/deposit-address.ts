import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { DepositAddress } from './addresses.ts';
import type { Bank } from './bank.ts';

/** Whose deposit address is wanted, and which. */
export interface AddressRequest {
  readonly account: number;
  readonly currency: string;
  /** The default network of the currency where absent. */
  readonly network?: string | undefined;
  /** The latest one will do; a new one is made only where there is none. */
  readonly reuse: boolean;
  /** A sub-account needs no leave for it, because its super account asks. */
  readonly bySuper?: boolean;
}

/** Gives or makes a deposit address. */
export function depositAddress(bank: Bank, request: AddressRequest): DepositAddress | Refusal {
  const { currencies, permissions, addresses } = bank;
  const { account, reuse, bySuper = false } = request;
  const found = currencies.find(request.currency);
  if (isRefusal(found)) return found;
  const { currency } = found;
  const network = currencies.network(currency, request.network);
  if (isRefusal(network)) return network;
  const current = addresses.current(account, currency, network);
  if (reuse && current !== undefined) return current;
  if (!currency.terms.payinEnabled || !network.terms.payinEnabled) {
    return depositUnavailable(currency.code, network.code);
  }
  const refusal = bySuper
    ? undefined
    : permissions.refusal(account, 'depositAddressGenerationEnabled');
  return refusal ?? addresses.make(account, currency, network);
}

export const depositUnavailable = (currency: string, network: string): Refusal => ({
  code: 'deposit-unavailable',
  field: 'network',
  message: `Deposits of ${currency} on ${network} are switched off.`,
});
