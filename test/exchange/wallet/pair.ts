import { HOUSE, RECORDED_MARKET } from '../../../src/exchange/ledger/ledger.ts';
import type { AccountType } from '../../../src/model/non-spot-balance.ts';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import { WalletHarness, codeOf, given, OUTSIDE } from './harness.ts';
import { NaiveBank } from './naive-bank.ts';
import { atoms, RATE_TENTHS } from './naive-money.ts';
import type { BankingStep } from './random-banking.ts';

const PLACES = ['wallet', 'spot', 'derivatives'] as const;
export const CODES = ['BTC', 'USDT', 'XRP'] as const;
const DEFAULT_NETWORK = { BTC: 'BTC', USDT: 'ETH', XRP: 'XRP' } as const;

const priceRate = (from: string, to: string): Decimal | undefined => {
  const tenths = RATE_TENTHS[`${from} ${to}`] as bigint | undefined;
  return tenths === undefined ? undefined : new Decimal(tenths.toString()).times('0.1');
};

/** What was done, where a true says no more than that. */
const done = <T>(outcome: T | true): T | undefined => (outcome === true ? undefined : outcome);

export const amountOf = (value: bigint): Decimal => new Decimal(value.toString()).times('1e-18');

/** A bank and the naive one beside each other: an owner, two sub-accounts and a stranger. */
export class Pair {
  readonly branch = new WalletHarness({ priceRate });
  readonly naive = new NaiveBank();
  readonly accounts: readonly number[];
  readonly deposits: string[] = [];
  readonly withdrawals: string[] = [];
  readonly locks: number[] = [];
  #orders = 0;

  constructor() {
    const { branch, naive } = this;
    const owner = branch.exchange.openAccount();
    const [a, b] = ['a', 'b'].map((name) =>
      branch.subAccounts.open(owner, { username: name }, branch.at),
    );
    const stranger = branch.exchange.openAccount();
    branch.wallet.name(owner, { username: 'owner' });
    branch.wallet.name(stranger, { username: 'stranger' });
    this.accounts = [owner, a, b, stranger];
    this.accounts.forEach((account, index) => {
      const isSub = index === 1 || index === 2;
      naive.members.push({
        super: isSub ? 0 : undefined,
        status: isSub ? 'new' : 'active',
        mayWithdraw: false,
      });
      // All addresses are there from the start: to ask for the first one makes it.
      this.#address(index, 'USDT', 'TRX');
      for (const [currency, amount] of [
        ['BTC', '50'],
        ['USDT', '1000'],
        ['XRP', '100'],
      ]) {
        this.#address(index, currency);
        const credit = { currency, amount: decimal(amount), subtype: 'FIAT' } as const;
        given(branch.wallet.credit(account, credit, branch.at));
        naive.credit(index, currency, atoms(amount));
        // Half of it to trade with.
        const half = decimal(amount).times('0.5');
        given(branch.transfer(account, half.toFixed(), currency, 'wallet', 'spot'));
        naive.transfer(index, currency, atoms(half.toFixed()), 'wallet', 'spot');
      }
    });
  }

  /** Does one step on both sides and gives what each answered: a code, or what it says otherwise. */
  step(step: BankingStep): readonly [unknown, unknown] {
    const { branch, naive } = this;
    if (step.kind === 'wait') {
      branch.at = micros(branch.at + step.us);
      naive.come(branch.at);
      branch.exchange.advance(branch.at);
      return [undefined, undefined];
    }
    naive.at = branch.at;
    const [real, expected] = this.#money(step) ?? this.#chain(step) ?? this.#family(step);
    return [isRejection(real) || typeof real !== 'boolean' ? codeOf(real) : real, expected];
  }

  /**
   * Everything that a request could change but balances, as text. Of the transactions it has the
   * latest change: every change has an index of its own.
   */
  state(): string {
    const { exchange, wallet, subAccounts } = this.branch;
    const [owner] = this.accounts;
    return JSON.stringify([
      this.accounts.map((account) => [
        wallet.transactions(account, { orderBy: 'index', limit: 1 }),
        wallet.addresses(account),
        wallet.recentWithdraw(account, 'BTC'),
        wallet.locks(account),
        [...'ABCDEFGH'].map((name) => exchange.activeOrder(account, name)),
      ]),
      subAccounts.list(owner),
      subAccounts.permissions(owner, this.accounts.slice(1, 3)),
      exchange.nextExpiryAt,
    ]);
  }

  /** All balances as the exchange has them. */
  balances(): string[] {
    return this.#rows((place, account, currency) => {
      const { available, reserved } = given(this.branch.wallet.balance(account, currency, place));
      return [available.toFixed(), reserved.toFixed()];
    });
  }

  /** All balances as they should be. */
  expectedBalances(): string[] {
    const { naive } = this;
    return this.#rows((place, account, currency) => {
      const index = this.accounts.indexOf(account);
      const name = account === HOUSE ? 'house' : account === RECORDED_MARKET ? 'tape' : index;
      const held =
        place === 'wallet'
          ? naive.get(naive.held, `${index} ${currency}`)
          : place === 'spot'
            ? naive.spotHeld(index, currency)
            : 0n;
      return [naive.free(place, name, currency), held].map((each) => amountOf(each).toFixed());
    });
  }

  /** How the sub-accounts stand, here and there. */
  statuses(): readonly [string[], string[]] {
    const words = { new: 'new', active: 'active', frozen: 'disable', disabled: 'disable' };
    return [
      this.branch.subAccounts.list(this.accounts[0]).map(({ status }) => status),
      this.naive.members.slice(1, 3).map(({ status }) => words[status]),
    ];
  }

  transactions(): string[] {
    return this.accounts.flatMap((account, index) =>
      given(this.branch.wallet.transactions(account, { limit: 1_000, sort: 'ASC' })).map((each) =>
        [
          index,
          `${each.type}/${each.subtype}`,
          each.status,
          each.currency,
          each.amount.toFixed(),
          (each.fee ?? ZERO).toFixed(),
        ].join(' '),
      ),
    );
  }

  expectedTransactions(): string[] {
    return this.accounts.flatMap((_, index) =>
      this.naive.transactions
        .filter((each) => each.account === index)
        .map(({ kind, status, currency, amount, fee }) =>
          [index, kind, status, currency, amountOf(amount).toFixed(), amountOf(fee).toFixed()].join(
            ' ',
          ),
        ),
    );
  }

  #rows(text: (place: AccountType, account: number, currency: string) => string[]): string[] {
    return PLACES.flatMap((accountType) =>
      [HOUSE, RECORDED_MARKET, ...this.accounts].flatMap((account) =>
        CODES.map((currency) =>
          [accountType, account, currency, ...text(accountType, account, currency)].join(' '),
        ),
      ),
    );
  }

  #address(index: number, currency: string, network?: string) {
    const { branch, accounts } = this;
    const { at } = branch;
    return given(
      index === 1 || index === 2
        ? branch.subAccounts.address(accounts[0], accounts[index], currency, at, network)
        : branch.wallet.address(accounts[index], currency, at, network),
    );
  }

  #money(step: BankingStep): readonly [unknown, unknown] | undefined {
    const { branch, naive, accounts } = this;
    const { account: index, other, currency, source, destination } = step;
    const { wallet, at } = branch;
    const account = accounts[index];
    const [amount, units] = [decimal(step.amount), atoms(step.amount)];
    switch (step.kind) {
      case 'credit':
        return [
          wallet.credit(account, { currency, amount, subtype: 'FIAT' }, at),
          naive.credit(index, currency, units),
        ];
      case 'transfer':
        return [
          wallet.transfer(account, { currency, amount, source, destination }, at),
          naive.transfer(index, currency, units, source, destination),
        ];
      case 'internal': {
        const identifier = ['owner', 'a', 'b', 'stranger'][other];
        const request = { currency, amount, by: 'username', identifier } as const;
        return [
          wallet.sendInternally(account, request, at),
          naive.internal(index, other, currency, units),
        ];
      }
      case 'convert':
        return [
          wallet.convert(account, { from: currency, to: step.to, amount }, at),
          naive.convert(index, currency, step.to, units),
        ];
      case 'lock': {
        const endsAt = micros(at + step.us + 1);
        const real = wallet.lock(account, { currency, amount, endsAt, description: '' }, at);
        if (!isRejection(real)) this.locks.push(real);
        return [real, naive.lock(index, currency, units, endsAt)];
      }
      case 'unlock': {
        const active = this.locks.filter((id) => this.#isActive(id));
        if (active.length === 0) return [undefined, undefined];
        const position = step.pick % active.length;
        naive.unlock(naive.locks[position]);
        return [wallet.unlock(active[position], '', at), undefined];
      }
      default:
        return this.#trading(step);
    }
  }

  #isActive(id: number): boolean {
    return this.accounts.some((account) =>
      given(this.branch.wallet.locks(account, { active: true })).some((lock) => lock.id === id),
    );
  }

  #trading(step: BankingStep): readonly [unknown, unknown] | undefined {
    const { branch, naive, accounts } = this;
    const { account: index, other, count } = step;
    const name = (): string => `order${(this.#orders += 1)}`;
    switch (step.kind) {
      case 'rest': {
        const [side, price] = step.first ? (['buy', 1] as const) : (['sell', 1_000] as const);
        return [
          branch.order(accounts[index], name(), side, count + 1, price),
          naive.rest(index, side, count + 1),
        ];
      }
      case 'trade': {
        if (index === other) return [undefined, undefined];
        const sale = name();
        const selling = branch.order(accounts[index], sale, 'sell', count + 1, 100);
        const buying = selling ?? branch.order(accounts[other], name(), 'buy', count + 1, 100);
        // A sale that found no buyer is taken back.
        if (selling === undefined && buying !== undefined) {
          branch.exchange.cancel(accounts[index], sale.padEnd(8, '-'), branch.at);
        }
        return [buying, naive.trade(index, other, count + 1)];
      }
      case 'cancelAll':
        branch.exchange.cancelAll(accounts[index], branch.at);
        naive.cancelAll(index);
        return [undefined, undefined];
      default:
        return undefined;
    }
  }

  #chain(step: BankingStep): readonly [unknown, unknown] | undefined {
    const { branch, naive, accounts, deposits, withdrawals } = this;
    const { account: index, pick, count } = step;
    const { wallet, at } = branch;
    const account = accounts[index];
    if (step.kind === 'receive') return this.#receive(step);
    if (step.kind === 'withdraw') return this.#withdraw(step);
    const deposit = pick % Math.max(1, deposits.length);
    const withdrawal = pick % Math.max(1, withdrawals.length);
    const settlement = step.first
      ? ({ kind: 'sent', hash: 'h' } as const)
      : ({ kind: 'failed' } as const);
    switch (step.kind) {
      case 'confirm':
        if (deposits.length === 0) return [undefined, undefined];
        return [wallet.confirm(deposits[deposit], count, at), naive.confirm(deposit, count)];
      case 'dismiss':
        if (deposits.length === 0) return [undefined, undefined];
        return [wallet.dismiss(deposits[deposit], at), naive.dismiss(deposit)];
      case 'commit':
        if (withdrawals.length === 0) return [undefined, undefined];
        return [
          done(wallet.commit(account, withdrawals[withdrawal], at)),
          naive.commit(index, withdrawal),
        ];
      case 'rollback':
        if (withdrawals.length === 0) return [undefined, undefined];
        return [
          done(wallet.rollback(account, withdrawals[withdrawal], at)),
          naive.rollback(index, withdrawal),
        ];
      case 'settle':
        if (withdrawals.length === 0) return [undefined, undefined];
        return [
          wallet.settleWithdrawal(withdrawals[withdrawal], settlement, at),
          naive.settle(withdrawal, step.first),
        ];
      default:
        return undefined;
    }
  }

  #receive({ account: index, currency, count, first, amount }: BankingStep) {
    const { branch, naive } = this;
    const network = currency === 'USDT' && first ? 'TRX' : DEFAULT_NETWORK[currency as 'BTC'];
    const address = this.#address(index, currency, network);
    const arrival = { ...address, amount: decimal(amount), hash: 'h', confirmations: count };
    const real = branch.wallet.receive(arrival, branch.at);
    if (!isRejection(real)) this.deposits.push(real);
    return [real, naive.receive(index, currency, network, atoms(amount), count)] as const;
  }

  #withdraw(step: BankingStep): readonly [unknown, unknown] {
    const { branch, naive, accounts } = this;
    const { account: index, other, currency, amount, offchain } = step;
    const network =
      currency === 'USDT' && step.pick % 2 === 1 ? 'TRX' : DEFAULT_NETWORK[currency as 'BTC'];
    const wanted = step.target === 'bad' && currency === 'USDT' ? 'outside' : step.target;
    const ways = { outside: OUTSIDE, bad: currency === 'BTC' ? 'x' : OUTSIDE };
    const found = wanted === 'other' ? this.#address(other, currency, network) : undefined;
    const paymentId =
      currency === 'XRP' ? (found?.paymentId ?? (wanted === 'bad' ? 'x' : '7')) : undefined;
    const flags = { includeFee: step.first, autoCommit: step.second, offchain };
    const real = branch.withdraw(accounts[index], amount, currency, {
      network,
      address: wanted === 'other' ? (found?.address ?? '') : ways[wanted],
      paymentId,
      ...flags,
    });
    if (!isRejection(real)) this.withdrawals.push(real);
    const target = wanted === 'other' ? other : wanted;
    const managedOrder = { ...flags, network, target };
    return [real, naive.withdraw(index, currency, atoms(amount), managedOrder)];
  }

  #family(step: BankingStep): readonly [unknown, unknown] {
    const { branch, naive, accounts } = this;
    const { subAccounts, at } = branch;
    const { account: index, other, currency, first, subs } = step;
    const [account, sub] = [accounts[index], accounts[other]];
    const gift = { currency, amount: decimal(step.amount) };
    const units = atoms(step.amount);
    const named = subs.map((each) => accounts[each]);
    const direction = first ? 'to' : 'from';
    switch (step.kind) {
      case 'toSub':
        return [
          subAccounts.transfer(accounts[0], { ...gift, subAccount: sub, direction }, at),
          naive.toSub(0, other, currency, units, direction),
        ];
      case 'up':
        return [subAccounts.giveToSuper(account, gift, at), naive.up(index, currency, units)];
      case 'across': {
        // Half of the time from one sub-account to the other.
        const [giver, taker] = first ? [index, other] : [1 + (index % 2), 2 - (index % 2)];
        return [
          subAccounts.giveToSub(accounts[giver], accounts[taker], gift, at),
          naive.across(giver, taker, currency, units),
        ];
      }
      case 'permit':
        return [
          subAccounts.permit(accounts[0], named, { withdrawEnabled: first }, at),
          naive.permit(0, subs, first),
        ];
      case 'activate':
        return [subAccounts.activate(accounts[0], named, at), naive.activate(0, subs)];
      case 'freeze':
        return [subAccounts.freeze(accounts[0], named, at), naive.stop(0, subs, 'frozen') ?? true];
      default: {
        // Rarely, or nobody is left who can do anything.
        if (step.pick > 3) return [undefined, undefined];
        const outcome = subAccounts.disable(accounts[0], named, at);
        return [outcome, naive.stop(0, subs, 'disabled') ?? true];
      }
    }
  }
}
