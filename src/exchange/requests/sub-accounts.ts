import type { Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { coverRejection, stepRejection } from '../../rules/movement.ts';
import type { State } from '../state/state.ts';
import type { DepositAddress } from '../wallet/addresses.ts';
import type { Bank } from '../wallet/bank.ts';
import { depositAddress } from '../wallet/deposits.ts';
import type { MemberIdentity, Permission, PermissionChange } from '../wallet/members.ts';
import { emptySpot } from '../wallet/transfers.ts';
import type { Balance } from '../wallet/account-ledgers.ts';
import { cancelAll } from './orders.ts';
import { begin, finish, runEvent, openAccount } from './pipeline.ts';

/** The service has three statuses; a frozen or disabled account is `disable`. */
export type SubAccountStatus = 'new' | 'active' | 'disable';

export interface SubAccount {
  readonly account: number;
  readonly email: string;
  readonly status: SubAccountStatus;
}

/** A transfer between the wallets of a super account and one of its sub-accounts. */
export interface SubTransfer {
  readonly subAccount: number;
  readonly currency: string;
  readonly amount: Decimal;
  readonly direction: 'to' | 'from';
}

/** A transfer that a sub-account sends. */
export interface Gift {
  readonly currency: string;
  readonly amount: Decimal;
}

export type SubPermission = Permission & { readonly account: number };

/** Requests about sub-accounts: transfers, permissions and statuses. */
export class SubAccounts {
  readonly #state: State;
  readonly #bank: Bank;

  constructor(state: State) {
    this.#state = state;
    this.#bank = state.bank;
  }

  /** Opens a sub-account with empty balances and without permission to withdraw. */
  open(superAccount: number, identity: MemberIdentity, at: Micros): number {
    const { members, permissions } = this.#bank;
    begin(this.#state, superAccount, at);
    members.check(superAccount, identity);
    const account = openAccount(this.#state);
    members.subordinate(account, superAccount);
    members.name(account, identity);
    permissions.open(account, this.#state.now as Micros);
    finish(this.#state);
    return account;
  }

  /** Super account of a sub-account, `undefined` for other accounts. */
  superOf(account: number): number | undefined {
    return this.#bank.members.superOf(account);
  }

  /** The sub-accounts of an account, oldest first. */
  list(superAccount: number): SubAccount[] {
    const { members } = this.#bank;
    return members.subsOf(superAccount).map((account) => ({
      account,
      email: members.identity(account).email ?? '',
      status: this.status(account),
    }));
  }

  status(account: number): SubAccountStatus {
    const status = this.#bank.members.status(account);
    return status === 'frozen' || status === 'disabled' ? 'disable' : status;
  }

  /**
   * Freezes sub-accounts, all of them or none: cancels their orders, moves spot funds to their
   * wallets, and rejects their requests until they are activated.
   */
  freeze(superAccount: number, accounts: readonly number[], at: Micros): true | Rejection {
    return this.#stop(superAccount, accounts, 'frozen', at);
  }

  /** Disables sub-accounts, frozen ones too: they stay frozen for good. */
  disable(superAccount: number, accounts: readonly number[], at: Micros): true | Rejection {
    return this.#stop(superAccount, accounts, 'disabled', at);
  }

  /** Activates sub-accounts. Returns false without a change if one of them is disabled. */
  activate(superAccount: number, accounts: readonly number[], at: Micros): boolean | Rejection {
    return this.#runRequest(superAccount, accounts, at, () => {
      const { members } = this.#bank;
      if (accounts.some((account) => members.status(account) === 'disabled')) return false;
      for (const account of accounts) members.setStatus(account, 'active');
      return true;
    });
  }

  /**
   * Moves money between the wallets of a super account and a sub-account; returns the id of the
   * super account's transaction. A frozen sub-account can only send.
   */
  transfer(superAccount: number, transfer: SubTransfer, at: Micros): string | Rejection {
    const { subAccount, direction } = transfer;
    return this.#runRequest(superAccount, [subAccount], at, (now) => {
      if (direction === 'from') return this.#give(subAccount, superAccount, transfer, now)[1];
      const rejection = this.#bank.members.rejection(subAccount);
      return rejection ?? this.#give(superAccount, subAccount, transfer, now)[0];
    });
  }

  /**
   * Moves money from a sub-account to its super account; returns the id of the sub-account's
   * transaction.
   */
  giveToSuper(account: number, gift: Gift, at: Micros): string | Rejection {
    return this.#giveAway(
      account,
      at,
      (superAccount, now) => this.#give(account, superAccount, gift, now)[0],
    );
  }

  /** Moves money from a sub-account to another of the same super account. */
  giveToSub(account: number, sibling: number, gift: Gift, at: Micros): string | Rejection {
    return this.#giveAway(account, at, (superAccount, now) => {
      const { members } = this.#bank;
      if (sibling === account || members.superOf(sibling) !== superAccount) {
        return unknown(account, sibling);
      }
      return members.rejection(sibling) ?? this.#give(account, sibling, gift, now)[0];
    });
  }

  /** Permissions of sub-accounts, without those that are frozen or disabled. */
  permissions(superAccount: number, accounts: readonly number[]): SubPermission[] | Rejection {
    const rejection = this.#rejection(superAccount, accounts);
    if (rejection !== undefined) return rejection;
    const { members } = this.#bank;
    return this.#permissionsOf(accounts.filter((account) => !members.isStopped(account)));
  }

  /** Changes permissions of sub-accounts, all of them or none; returns the new ones. */
  permit(
    superAccount: number,
    accounts: readonly number[],
    change: PermissionChange,
    at: Micros,
  ): SubPermission[] | Rejection {
    return this.#runRequest(superAccount, accounts, at, (now) => {
      const { members, permissions } = this.#bank;
      for (const account of accounts) {
        const rejection = members.rejection(account);
        if (rejection !== undefined) return rejection;
      }
      for (const account of accounts) permissions.change(account, change, now);
      return this.#permissionsOf(accounts);
    });
  }

  /** Wallet and spot balances of a sub-account, whatever its status. */
  balances(
    superAccount: number,
    account: number,
  ): { readonly wallet: Balance[]; readonly spot: Balance[] } | Rejection {
    const rejection = this.#rejection(superAccount, [account]);
    if (rejection !== undefined) return rejection;
    const { accountLedgers } = this.#bank;
    return {
      wallet: accountLedgers.balances('wallet', account),
      spot: accountLedgers.balances('spot', account),
    };
  }

  /** Deposit address of a sub-account, which its super account may always read. */
  address(
    superAccount: number,
    account: number,
    currency: string,
    at: Micros,
    network?: string,
  ): DepositAddress | Rejection {
    return this.#runRequest(superAccount, [account], at, () =>
      depositAddress(this.#bank, { account, currency, network, reuse: true, bySuper: true }),
    );
  }

  #stop(
    superAccount: number,
    accounts: readonly number[],
    status: 'frozen' | 'disabled',
    at: Micros,
  ): true | Rejection {
    return this.#runRequest(superAccount, accounts, at, (now) => {
      const { members } = this.#bank;
      const stopped = accounts.find(
        (account) =>
          members.status(account) === 'disabled' ||
          (status === 'frozen' && members.isStopped(account)),
      );
      if (stopped !== undefined) return alreadyStopped(stopped);
      for (const account of new Set(accounts)) {
        cancelAll(this.#state, account, now);
        emptySpot(this.#bank, account, now);
        members.setStatus(account, status);
      }
      return true;
    });
  }

  /**
   * Moves money between two wallets; returns the ids of the sender's and the receiver's
   * transaction.
   */
  #give(
    giver: number,
    receiver: number,
    { currency: code, amount }: Gift,
    at: Micros,
  ): readonly [string, string] | readonly [Rejection, Rejection] {
    const { currencies, accountLedgers, members, transactions } = this.#bank;
    const found = currencies.find(code);
    if (isRejection(found)) return [found, found];
    const { currency, index } = found;
    const rejection =
      stepRejection(amount, currency.precisionTransfer) ??
      coverRejection(amount, accountLedgers.available('wallet', giver, index), code);
    if (rejection !== undefined) return [rejection, rejection];
    accountLedgers.move(index, amount, ['wallet', giver], ['wallet', receiver]);
    members.activateNew(receiver);
    const common = {
      subtype: 'SUB_ACCOUNT',
      currency: code,
      amount,
      status: 'SUCCESS',
      operationId: transactions.operation(),
    } as const;
    const given = transactions.begin(
      { ...common, account: giver, type: 'WITHDRAW', direction: 'out' },
      at,
    );
    const received = transactions.begin(
      { ...common, account: receiver, type: 'DEPOSIT', direction: 'in' },
      at,
    );
    return [given.txId, received.txId];
  }

  /** Runs a request of a sub-account to send money to an account of the same owner. */
  #giveAway(
    account: number,
    at: Micros,
    give: (superAccount: number, now: Micros) => string | Rejection,
  ): string | Rejection {
    const { members } = this.#bank;
    const superAccount = members.superOf(account);
    const work = (now: Micros): string | Rejection =>
      superAccount === undefined
        ? superMissing(account)
        : (members.rejection(account) ?? give(superAccount, now));
    return runEvent(this.#state, at, work, account);
  }

  /** Runs a request of a super account about some of its sub-accounts. */
  #runRequest<T>(
    superAccount: number,
    accounts: readonly number[],
    at: Micros,
    work: (now: Micros) => T | Rejection,
  ): T | Rejection {
    const rejected = (now: Micros): T | Rejection =>
      this.#rejection(superAccount, accounts) ?? work(now);
    return runEvent(this.#state, at, rejected, superAccount);
  }

  #rejection(superAccount: number, accounts: readonly number[]): Rejection | undefined {
    if (accounts.length === 0) return noAccountGiven();
    const { members } = this.#bank;
    const stranger = accounts.find((account) => members.superOf(account) !== superAccount);
    return stranger === undefined ? undefined : unknown(superAccount, stranger);
  }

  #permissionsOf(accounts: readonly number[]): SubPermission[] {
    return accounts.flatMap((account) => {
      const permission = this.#bank.permissions.of(account);
      return permission === undefined ? [] : [{ account, ...permission }];
    });
  }
}

const noAccountGiven = (): Rejection => ({
  code: 'sub-account-missing',
  field: 'subAccounts',
  message: 'The request names no sub-account.',
});

const unknown = (account: number, subAccount: number): Rejection => ({
  code: 'sub-account-unknown',
  field: 'subAccounts',
  message: `Account ${account} has nothing to do with a sub-account ${subAccount}.`,
});

const alreadyStopped = (account: number): Rejection => ({
  code: 'sub-account-frozen',
  field: 'subAccounts',
  message: `The sub-account ${account} is frozen or disabled already.`,
});

const superMissing = (account: number): Rejection => ({
  code: 'super-account-missing',
  message: `Account ${account} has no super account.`,
});
