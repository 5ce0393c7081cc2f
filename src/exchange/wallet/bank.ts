import type { Addresses } from './addresses.ts';
import type { Currencies } from './currencies.ts';
import type { Members } from './members.ts';
import type { Permissions } from './permissions.ts';
import type { Transactions } from './transactions.ts';
import type { Vaults } from './vaults.ts';

/** What every desk of the wallet works with: the money, what it is, whose it is, and the record. */
export interface Bank {
  readonly currencies: Currencies;
  readonly vaults: Vaults;
  readonly members: Members;
  readonly permissions: Permissions;
  readonly addresses: Addresses;
  readonly transactions: Transactions;
}
