import { isRejection } from '../../../../model/rejections.ts';
import type { Cancel } from '../../../../platform/scheduler.ts';
import { WALLET_NOTIFICATIONS } from '../../../../wire/trading/v3/streams/wallet.ts';
import { transactionView, walletBalanceView } from '../../views/v3/wallet.ts';
import { noticesOf } from '../notices.ts';
import type { SessionMethods, ClientSession } from '../part.ts';

const notice = noticesOf(WALLET_NOTIFICATIONS);

/** Subscriptions of one wallet socket. */
export class WalletMethods implements SessionMethods {
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
        connection.send(notice('transaction_update', transactionView(transaction)));
      },
    });
  }

  unfollowTransactions(): void {
    this.#stopTransactions?.();
    this.#stopTransactions = undefined;
  }

  /** Emits each balance of the wallet that changes from now on, also when it becomes zero. */
  followBalances(): void {
    const { service, account, connection } = this.session;
    const { wallet } = service.exchange;
    this.#stopBalances ??= service.news.follow(account, {
      balance: (accountType, currency) => {
        if (accountType !== 'wallet') return;
        const balance = wallet.balance(account, service.currencies[currency]);
        if (isRejection(balance)) return;
        connection.send(notice('wallet_balance_update', [walletBalanceView(balance)]));
      },
    });
  }

  unfollowBalances(): void {
    this.#stopBalances?.();
    this.#stopBalances = undefined;
  }

  /** Emits every balance of the wallet that is not zero. */
  emitBalances(): void {
    const { service, account, connection } = this.session;
    const balances = service.act(({ wallet }) => wallet.balances(account));
    connection.send(notice('wallet_balances', balances.map(walletBalanceView)));
  }

  close(): void {
    this.unfollowTransactions();
    this.unfollowBalances();
  }
}
