import type { Transaction } from '../../../exchange/wallet/transaction.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import { reply, type ClientSession, type SessionMethods } from './part.ts';

/** How a version writes what happens to a wallet, as frames. */
export interface WalletFrames {
  transaction(transaction: Transaction): string;
  /** What is sent when the balance of a currency has changed. */
  change(session: ClientSession, currency: number): string | undefined;
  /** Every balance that is not zero. */
  balances(session: ClientSession): string;
}

/** What one socket follows of the wallet of the account that has logged in on it. */
export class WalletFeed implements SessionMethods {
  readonly session: ClientSession;
  readonly #frames: WalletFrames;
  #stopTransactions: Cancel | undefined;
  #stopBalances: Cancel | undefined;

  constructor(session: ClientSession, frames: WalletFrames) {
    this.session = session;
    this.#frames = frames;
  }

  /** Emits each transaction from now on, whenever anything about it changes. */
  followTransactions() {
    const { service, account, connection } = this.session;
    this.#stopTransactions ??= service.news.follow(account, {
      transaction: (transaction) => {
        connection.send(this.#frames.transaction(transaction));
      },
    });
    return reply(true as const);
  }

  unfollowTransactions() {
    this.#stopTransactions?.();
    this.#stopTransactions = undefined;
    return reply(true as const);
  }

  /** Emits the balances that there are, and from now on what changes, also to zero. */
  followBalances() {
    const { service, account, connection } = this.session;
    this.#stopBalances ??= service.news.follow(account, {
      balance: (accountType, currency) => {
        const frame =
          accountType === 'wallet' ? this.#frames.change(this.session, currency) : undefined;
        if (frame !== undefined) connection.send(frame);
      },
    });
    return reply(true as const, () => {
      connection.send(this.#frames.balances(this.session));
    });
  }

  unfollowBalances() {
    this.#stopBalances?.();
    this.#stopBalances = undefined;
    return reply(true as const);
  }

  close(): void {
    this.unfollowTransactions();
    this.unfollowBalances();
  }
}
