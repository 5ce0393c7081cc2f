import type { SubAccount, SubPermission } from '../../../../exchange/requests/sub-accounts.ts';
import type { Balance } from '../../../../exchange/wallet/account-ledgers.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import type * as wire from '../../../../wire/trading/v3/records/sub-account.ts';
import { walletBalanceView } from './wallet.ts';

export const subAccountView = (sub: SubAccount): Writable<typeof wire.subAccount> => ({
  sub_account_id: sub.account,
  email: sub.email,
  status: sub.status,
});

/** Permissions of a sub-account. */
export const rightsView = (permission: SubPermission): Writable<typeof wire.subAccountRights> => ({
  sub_account_id: permission.account,
  deposit_address_generation_enabled: permission.depositAddressGenerationEnabled,
  withdraw_enabled: permission.withdrawEnabled,
  description: permission.description,
  created_at: permission.createdAt,
  updated_at: permission.updatedAt,
});

export const subBalancesView = (balances: {
  readonly wallet: readonly Balance[];
  readonly spot: readonly Balance[];
}): Writable<typeof wire.subAccountBalances> => ({
  wallet: balances.wallet.map(walletBalanceView),
  spot: balances.spot.map(walletBalanceView),
});
