import type { Cancel } from '../../../../platform/scheduler.ts';
import { ACCOUNT_NOTIFICATIONS } from '../../../../wire/trading/v2/streams/account.ts';
import { balanceView, transactionView } from '../../views/v2/wallet.ts';
import { noticesOf } from '../notices.ts';
import type { SessionMethods, ClientSession } from '../part.ts';

const notice = noticesOf(ACCOUNT_NOTIFICATIONS);

/** Subscriptions of one account socket of version 2. */
export class AccountMethods implements SessionMethods {
  readonly session: ClientSession;
  #stopTransactions: Cancel | undefined;
  #stopBalances: Cancel | undefined;

  constructor(session: ClientSession) {
    this.session = session;
  }

  /** Emits each transaction from now on, whenever anything about it changes. */
  followTransactions(): void {
    const { service, account, connection } = this.session;
    this.#stopTransactions ??= service.news.follow(account, {
      transaction: (transaction) => {
        connection.send(notice('updateTransaction', transactionView(transaction)));
      },
    });
  }

  unfollowTransactions(): void {
    this.#stopTransactions?.();
    this.#stopTransactions = undefined;
  }

  /** Emits all balances that are not zero whenever one of the wallet changes. */
  followBalances(): void {
    const { service, account } = this.session;
    this.#stopBalances ??= service.news.follow(account, {
      balance: (accountType) => {
        if (accountType === 'wallet') this.emitBalances();
      },
    });
  }

  unfollowBalances(): void {
    this.#stopBalances?.();
    this.#stopBalances = undefined;
  }

  /** Emits every balance that is not zero; a missing one has become zero. */
  emitBalances(): void {
    const { service, account, connection } = this.session;
    const balances = service.exchange.wallet.balances(account);
    connection.send(notice('balance', balances.map(balanceView)));
  }

  close(): void {
    this.unfollowTransactions();
    this.unfollowBalances();
  }
}
