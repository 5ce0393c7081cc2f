import type { CurrencyTerms } from '../../model/currency.ts';
import type { TimerQueue } from '../queues/timers.ts';
import type { Herald } from '../state/herald.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ExchangeListener } from '../state/listener.ts';
import { Addresses, type AddressMaker } from '../wallet/addresses.ts';
import type { Bank } from '../wallet/bank.ts';
import type { PriceRate } from '../wallet/conversion.ts';
import { Currencies } from '../wallet/currencies.ts';
import type { Door } from './door.ts';
import { Members } from '../wallet/members.ts';
import { Permissions } from '../wallet/permissions.ts';
import { SubAccounts } from './sub-accounts.ts';
import { Transactions } from '../wallet/transactions.ts';
import { Transfers } from '../wallet/transfers.ts';
import { Vaults, type Place } from '../wallet/vaults.ts';
import { Wallet } from './wallet.ts';

export interface AccountsOptions {
  /** Terms of currencies, those of instruments among them or not; the others have plain ones. */
  readonly currencies?: readonly CurrencyTerms[];
  /** At what rate wallets change one currency into another; the price rate of the market data. */
  readonly priceRate?: PriceRate;
  /** Makes deposit addresses, where they must be more than text that looks like one. */
  readonly depositAddress?: AddressMaker;
}

/** What the wallet side of an exchange is made of. */
interface AccountsSetup extends AccountsOptions {
  readonly ledgers: Readonly<Record<Place, Ledger>>;
  /** The rate where the options name none. */
  readonly rate: PriceRate;
  readonly herald: Herald;
  readonly listener: ExchangeListener;
  readonly due: TimerQueue;
  readonly door: Door;
}

/** The wallet side of an exchange, wired: wallets, sub-accounts, and who is frozen. */
export class Accounts {
  readonly members = new Members();
  readonly wallet: Wallet;
  readonly subAccounts: SubAccounts;

  constructor(setup: AccountsSetup) {
    const { ledgers, due, door, currencies = [], priceRate: rate = setup.rate } = setup;
    const codes = ledgers.wallet.purses.map(({ currency }) => currency);
    const bank: Bank = {
      currencies: new Currencies(codes, currencies),
      vaults: new Vaults(ledgers, setup.herald),
      members: this.members,
      permissions: new Permissions(),
      addresses: new Addresses(setup.depositAddress),
      transactions: new Transactions(setup.listener),
    };
    const transfers = new Transfers(bank);
    this.wallet = new Wallet(bank, door, due, { transfers, rate });
    this.subAccounts = new SubAccounts(bank, door, transfers);
  }
}
