/**
 * What the naive bank looks at and counts: the wallet side once more, from the words of the service alone: plain numbers of atoms, plain
 * lists, every question answered by looking through all of it. Shares nothing with what it checks.
 */
export type NaivePlace = 'wallet' | 'spot' | 'derivatives';

/** 1e-18 of any currency. */
const ATOM_PLACES = 18;

export const atoms = (text: string): bigint => {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? ['', '', '0'];
  const value = BigInt(whole + fraction.padEnd(ATOM_PLACES, '0'));
  return sign === '-' ? -value : value;
};

export const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;

export const STEP: Readonly<Record<string, bigint>> = {
  BTC: atoms('0.00000001'),
  USDT: atoms('0.000001'),
  XRP: atoms('0.000001'),
};
export const FEES: Readonly<Record<string, bigint>> = {
  BTC: atoms('0.0005'),
  ETH: atoms('3'),
  TRX: atoms('1'),
  XRP: atoms('0.25'),
};
export const CONFIRMATIONS: Readonly<Record<string, number>> = { BTC: 2, ETH: 3, TRX: 0, XRP: 2 };
/** Tenths of one currency for one of the other. */
export const RATE_TENTHS: Readonly<Record<string, bigint>> = {
  'BTC USDT': 30n,
  'USDT BTC': 3n,
  'XRP USDT': 7n,
};

export interface NaiveTransaction {
  readonly account: number;
  readonly kind: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly at: number;
  status: string;
}

export interface NaiveWithdrawal {
  readonly transaction: number;
  readonly account: number;
  readonly receiver: number | undefined;
  readonly fault: boolean;
  readonly lapsesAt: number;
  sent: boolean;
}

export interface WithdrawalManagedOrder {
  readonly network: string;
  readonly target: number | 'outside' | 'bad';
  readonly includeFee: boolean;
  readonly autoCommit: boolean;
  readonly offchain: 'never' | 'optionally' | 'required';
}

interface NaiveMember {
  readonly super: number | undefined;
  status: 'new' | 'active' | 'frozen' | 'disabled';
  mayWithdraw: boolean;
}

export class NaiveMoney {
  at = 0;
  readonly money = new Map<string, bigint>();
  readonly held = new Map<string, bigint>();
  readonly transactions: NaiveTransaction[] = [];
  readonly withdrawals: NaiveWithdrawal[] = [];
  readonly deposits: { readonly transaction: number; readonly network: string; count: number }[] =
    [];
  readonly locks: { account: number; currency: string; amount: bigint; endsAt: number }[] = [];
  readonly orders: { account: number; currency: string; hold: bigint }[] = [];
  readonly members: NaiveMember[] = [];
  /** What has come in less what has left. */
  readonly outside = new Map<string, bigint>();

  get(book: Map<string, bigint>, key: string): bigint {
    return book.get(key) ?? 0n;
  }

  free(place: NaivePlace, account: number | string, currency: string): bigint {
    return this.get(this.money, `${place} ${account} ${currency}`);
  }

  spotHeld(account: number, currency: string): bigint {
    return this.orders
      .filter((order) => order.account === account && order.currency === currency)
      .reduce((sum, order) => sum + order.hold, 0n);
  }

  welcome(account: number): void {
    if (this.members[account].status === 'new') this.members[account].status = 'active';
  }

  arrive(account: number, currency: string, amount: bigint): void {
    this.add('wallet', account, currency, amount);
    this.change(this.outside, currency, amount);
    this.welcome(account);
  }

  strange(owner: number, subs: readonly number[]): string | undefined {
    if (subs.length === 0) return 'sub-account-missing';
    return subs.some((sub) => this.members[sub].super !== owner)
      ? 'sub-account-unknown'
      : undefined;
  }

  stopped(account: number): boolean {
    return ['frozen', 'disabled'].includes(this.members[account].status);
  }

  mayNotWithdraw(account: number): boolean {
    const { super: owner, mayWithdraw } = this.members[account];
    return owner !== undefined && !mayWithdraw;
  }

  beyondDay(account: number, currency: string, amount: bigint): boolean {
    if (currency !== 'USDT') return false;
    const before = this.transactions
      .filter((row) => row.account === account && row.currency === currency)
      .filter(({ kind }) => kind === 'WITHDRAW/BLOCKCHAIN' || kind === 'WITHDRAW/OFFCHAIN')
      .filter(({ status }) => status !== 'FAILED' && status !== 'ROLLED_BACK')
      .filter(({ at }) => at > this.at - DAY)
      .reduce((sum, row) => sum + row.amount, 0n);
    return before + amount > atoms('500');
  }

  unstepped(currency: string, amount: bigint): string | undefined {
    if (amount <= 0n) return 'amount-invalid';
    return amount % STEP[currency] === 0n ? undefined : 'amount-off-precision';
  }

  unfit(account: number, currency: string, amount: bigint, place: NaivePlace) {
    const unstepped = this.unstepped(currency, amount);
    if (unstepped !== undefined) return unstepped;
    return this.free(place, account, currency) < amount ? 'funds-insufficient' : undefined;
  }

  note(
    account: number,
    kind: string,
    currency: string,
    amount: bigint,
    status: string,
    fee = 0n,
  ): number {
    const { at } = this;
    return this.transactions.push({ account, kind, currency, amount, fee, at, status }) - 1;
  }

  hold(account: number, currency: string, amount: bigint): void {
    this.add('wallet', account, currency, -amount);
    this.change(this.held, `${account} ${currency}`, amount);
  }

  add(place: NaivePlace, account: number | string, currency: string, amount: bigint): void {
    this.change(this.money, `${place} ${account} ${currency}`, amount);
  }

  change(book: Map<string, bigint>, key: string, amount: bigint): void {
    book.set(key, this.get(book, key) + amount);
  }
}
