import {
  atoms,
  CONFIRMATIONS,
  FEES,
  HOUR,
  NaiveMoney,
  RATE_TENTHS,
  STEP,
  type NaivePlace,
  type NaiveWithdrawal,
  type WithdrawalManagedOrder,
} from './naive-money.ts';

/** What the naive bank does when it is asked, request by request. */
export class NaiveBank extends NaiveMoney {
  /** Lets time come, and gives back what nobody committed in time and what is locked no longer. */
  come(at: number): void {
    this.at = at;
    for (const each of [...this.withdrawals]) {
      if (!each.sent && each.lapsesAt <= at) this.giveBack(each, 'ROLLED_BACK');
    }
    for (const lock of [...this.locks]) if (lock.endsAt <= at) this.unlock(lock);
  }

  credit(account: number, currency: string, amount: bigint): string | undefined {
    if (amount <= 0n) return 'amount-invalid';
    this.arrive(account, currency, amount);
    this.note(account, 'DEPOSIT/FIAT', currency, amount, 'SUCCESS');
    return undefined;
  }

  receive(account: number, currency: string, network: string, amount: bigint, count: number) {
    if (amount <= 0n) return 'amount-invalid';
    const transaction = this.note(account, 'DEPOSIT/BLOCKCHAIN', currency, amount, 'CREATED');
    const deposit = { transaction, network, count: 0 };
    this.deposits.push(deposit);
    this.confirmed(deposit, count);
    return undefined;
  }

  confirm(index: number, count: number): string | undefined {
    const deposit = this.deposits[index];
    const { status } = this.transactions[deposit.transaction];
    if (status === 'SUCCESS' || status === 'FAILED') return 'transaction-ended';
    this.confirmed(deposit, count);
    return undefined;
  }

  dismiss(index: number): string | undefined {
    const row = this.transactions[this.deposits[index].transaction];
    if (row.status === 'SUCCESS' || row.status === 'FAILED') return 'transaction-ended';
    row.status = 'FAILED';
    return undefined;
  }

  transfer(account: number, currency: string, amount: bigint, from: NaivePlace, to: NaivePlace) {
    if (this.stopped(account)) return 'account-frozen';
    if (from === to) return 'route-invalid';
    const no = this.unfit(account, currency, amount, from);
    if (no !== undefined) return no;
    this.add(from, account, currency, -amount);
    this.add(to, account, currency, amount);
    const word = (place: NaivePlace): string => place.toUpperCase();
    const way = from !== 'wallet' && to !== 'wallet' ? [from, 'wallet' as const, to] : [from, to];
    for (let i = 1; i < way.length; i += 1) {
      const kind = `TRANSFER/${word(way[i - 1])}_TO_${word(way[i])}`;
      this.note(account, kind, currency, amount, 'SUCCESS');
    }
    return undefined;
  }

  withdraw(
    account: number,
    currency: string,
    amount: bigint,
    managedOrder: WithdrawalManagedOrder,
  ) {
    if (this.stopped(account)) return 'account-frozen';
    if (amount <= 0n) return 'amount-invalid';
    const { target, offchain, network } = managedOrder;
    if (target === 'bad' && currency === 'BTC') return 'address-invalid';
    const known = typeof target === 'number' && target !== account ? target : undefined;
    const receiver = offchain === 'never' ? undefined : known;
    if (offchain === 'required' && receiver === undefined) return 'offchain-unavailable';
    const fee = receiver === undefined ? FEES[network] : 0n;
    const sent = managedOrder.includeFee ? amount - fee : amount;
    if (sent <= 0n) return 'amount-below-fee';
    const total = sent + fee;
    if (this.mayNotWithdraw(account)) return 'action-forbidden';
    if (this.beyondDay(account, currency, sent)) return 'withdrawal-limit-reached';
    if (this.free('wallet', account, currency) < total) return 'funds-insufficient';
    const kind = `WITHDRAW/${receiver === undefined ? 'BLOCKCHAIN' : 'OFFCHAIN'}`;
    const transaction = this.note(account, kind, currency, sent, 'CREATED', fee);
    this.hold(account, currency, total);
    const withdrawal = {
      transaction,
      account,
      receiver,
      fault: target === 'bad' || sent % atoms('0.000001') !== 0n,
      lapsesAt: this.at + HOUR,
      sent: false,
    };
    this.withdrawals.push(withdrawal);
    if (managedOrder.autoCommit) this.send(withdrawal);
    return undefined;
  }

  commit(account: number, index: number): string | undefined {
    const withdrawal = this.withdrawals[index];
    if (this.stopped(account)) return 'account-frozen';
    if (withdrawal.account !== account) return 'withdrawal-unknown';
    const { status } = this.transactions[withdrawal.transaction];
    if (status === 'ROLLED_BACK') return 'withdrawal-rolled-back';
    if (!withdrawal.sent) this.send(withdrawal);
    return undefined;
  }

  rollback(account: number, index: number): string | undefined {
    const withdrawal = this.withdrawals[index];
    if (this.stopped(account)) return 'account-frozen';
    if (withdrawal.account !== account) return 'withdrawal-unknown';
    const { status } = this.transactions[withdrawal.transaction];
    if (status === 'ROLLED_BACK') return undefined;
    if (withdrawal.sent) return 'withdrawal-committed';
    this.giveBack(withdrawal, 'ROLLED_BACK');
    return undefined;
  }

  settle(index: number, success: boolean): string | undefined {
    const withdrawal = this.withdrawals[index];
    const row = this.transactions[withdrawal.transaction];
    if (row.status === 'CREATED') return 'withdrawal-not-committed';
    if (row.status !== 'PENDING') return 'transaction-ended';
    if (!success) {
      this.giveBack(withdrawal, 'FAILED');
      return undefined;
    }
    row.status = 'SUCCESS';
    this.change(this.held, `${row.account} ${row.currency}`, -(row.amount + row.fee));
    this.add('wallet', 'house', row.currency, row.fee);
    this.change(this.outside, row.currency, -row.amount);
    return undefined;
  }

  internal(account: number, other: number, currency: string, amount: bigint): string | undefined {
    if (this.stopped(account)) return 'account-frozen';
    if (account === other) return 'route-invalid';
    const unstepped = this.unstepped(currency, amount);
    if (unstepped !== undefined) return unstepped;
    if (this.mayNotWithdraw(account)) return 'action-forbidden';
    if (this.beyondDay(account, currency, amount)) return 'withdrawal-limit-reached';
    if (this.free('wallet', account, currency) < amount) return 'funds-insufficient';
    this.note(account, 'WITHDRAW/OFFCHAIN', currency, amount, 'SUCCESS');
    this.give(account, other, currency, amount, 'DEPOSIT/OFFCHAIN');
    return undefined;
  }

  convert(account: number, from: string, to: string, amount: bigint): string | undefined {
    if (this.stopped(account)) return 'account-frozen';
    if (from === to) return 'route-invalid';
    const unstepped = this.unstepped(from, amount);
    if (unstepped !== undefined) return unstepped;
    const tenths = RATE_TENTHS[`${from} ${to}`] as bigint | undefined;
    if (tenths === undefined) return 'rate-missing';
    const exact = (amount * tenths) / 10n;
    const result = exact - (exact % STEP[to]);
    if (result === 0n) return 'amount-off-precision';
    if (this.free('wallet', account, from) < amount) return 'funds-insufficient';
    this.add('wallet', account, from, -amount);
    this.add('wallet', 'tape', from, amount);
    this.add('wallet', 'tape', to, -result);
    this.add('wallet', account, to, result);
    this.note(account, 'SWAP/INSTANT_EXCHANGE', from, amount, 'SUCCESS');
    this.note(account, 'SWAP/INSTANT_EXCHANGE', to, result, 'SUCCESS');
    return undefined;
  }

  lock(account: number, currency: string, amount: bigint, endsAt: number): string | undefined {
    if (amount <= 0n) return 'amount-invalid';
    if (this.free('wallet', account, currency) < amount) return 'funds-insufficient';
    this.hold(account, currency, amount);
    this.locks.push({ account, currency, amount, endsAt });
    return undefined;
  }

  unlock(lock: NaiveBank['locks'][number]): void {
    this.locks.splice(this.locks.indexOf(lock), 1);
    this.hold(lock.account, lock.currency, -lock.amount);
  }

  toSub(owner: number, sub: number, currency: string, amount: bigint, direction: 'to' | 'from') {
    if (this.members[sub].super !== owner) return 'sub-account-unknown';
    if (direction === 'to' && this.stopped(sub)) return 'account-frozen';
    const [giver, taker] = direction === 'to' ? [owner, sub] : [sub, owner];
    return this.gift(giver, taker, currency, amount);
  }

  up(account: number, currency: string, amount: bigint): string | undefined {
    const owner = this.members[account].super;
    if (owner === undefined) return 'super-account-missing';
    if (this.stopped(account)) return 'account-frozen';
    return this.gift(account, owner, currency, amount);
  }

  across(account: number, sibling: number, currency: string, amount: bigint): string | undefined {
    const owner = this.members[account].super;
    if (owner === undefined) return 'super-account-missing';
    if (this.stopped(account)) return 'account-frozen';
    if (sibling === account || this.members[sibling].super !== owner) return 'sub-account-unknown';
    if (this.stopped(sibling)) return 'account-frozen';
    return this.gift(account, sibling, currency, amount);
  }

  permit(owner: number, subs: readonly number[], mayWithdraw: boolean): string | undefined {
    const no = this.strange(owner, subs);
    if (no !== undefined) return no;
    if (subs.some((sub) => this.stopped(sub))) return 'account-frozen';
    for (const sub of subs) this.members[sub].mayWithdraw = mayWithdraw;
    return undefined;
  }

  stop(owner: number, subs: readonly number[], status: 'frozen' | 'disabled') {
    const no = this.strange(owner, subs);
    if (no !== undefined) return no;
    const final = (sub: number): boolean =>
      this.members[sub].status === 'disabled' ||
      (status === 'frozen' && this.members[sub].status === 'frozen');
    if (subs.some(final)) return 'sub-account-frozen';
    for (const sub of subs) {
      this.cancelAll(sub);
      for (const currency of ['BTC', 'USDT', 'XRP']) {
        const amount = this.free('spot', sub, currency);
        if (amount === 0n) continue;
        this.add('spot', sub, currency, -amount);
        this.add('wallet', sub, currency, amount);
        this.note(sub, 'TRANSFER/SPOT_TO_WALLET', currency, amount, 'SUCCESS');
      }
      this.members[sub].status = status;
    }
    return undefined;
  }

  activate(owner: number, subs: readonly number[]): string | boolean {
    const no = this.strange(owner, subs);
    if (no !== undefined) return no;
    if (subs.some((sub) => this.members[sub].status === 'disabled')) return false;
    for (const sub of subs) this.members[sub].status = 'active';
    return true;
  }

  /** A limit order that nothing meets: a buy of so many at 1, or a sell at 1,000. */
  rest(account: number, side: 'buy' | 'sell', lots: number): string | undefined {
    if (this.stopped(account)) return 'account-frozen';
    const currency = side === 'buy' ? 'USDT' : 'BTC';
    const hold = (atoms('1') * BigInt(lots) * (side === 'buy' ? 1_002n : 1_000n)) / 1_000n;
    const free = this.free('spot', account, currency);
    if (side === 'buy' ? free <= hold : free < hold) return 'funds-insufficient';
    this.add('spot', account, currency, -hold);
    this.orders.push({ account, currency, hold });
    return undefined;
  }

  cancelAll(account: number): void {
    for (const order of [...this.orders]) {
      if (order.account !== account) continue;
      this.orders.splice(this.orders.indexOf(order), 1);
      this.add('spot', account, order.currency, order.hold);
    }
  }

  /** So many sold by one account to another at 100; the buyer takes. */
  trade(seller: number, buyer: number, lots: number): string | undefined {
    if (this.stopped(seller)) return 'account-frozen';
    const size = atoms('1') * BigInt(lots);
    const value = 100n * size;
    if (this.free('spot', seller, 'BTC') < size) return 'funds-insufficient';
    if (this.stopped(buyer)) return 'account-frozen';
    if (this.free('spot', buyer, 'USDT') <= (value * 1_002n) / 1_000n) return 'funds-insufficient';
    this.add('spot', seller, 'BTC', -size);
    this.add('spot', buyer, 'BTC', size);
    this.add('spot', seller, 'USDT', (value * 999n) / 1_000n);
    this.add('spot', buyer, 'USDT', -(value * 1_002n) / 1_000n);
    this.add('spot', 'house', 'USDT', (value * 3n) / 1_000n);
    return undefined;
  }

  gift(giver: number, taker: number, currency: string, amount: bigint): string | undefined {
    const no = this.unfit(giver, currency, amount, 'wallet');
    if (no !== undefined) return no;
    this.note(giver, 'WITHDRAW/SUB_ACCOUNT', currency, amount, 'SUCCESS');
    this.give(giver, taker, currency, amount, 'DEPOSIT/SUB_ACCOUNT');
    return undefined;
  }

  give(giver: number, taker: number, currency: string, amount: bigint, kind: string): void {
    this.add('wallet', giver, currency, -amount);
    this.add('wallet', taker, currency, amount);
    this.welcome(taker);
    this.note(taker, kind, currency, amount, 'SUCCESS');
  }

  send(withdrawal: NaiveWithdrawal): void {
    const row = this.transactions[withdrawal.transaction];
    withdrawal.sent = true;
    if (withdrawal.fault) this.giveBack(withdrawal, 'FAILED');
    else if (withdrawal.receiver === undefined) row.status = 'PENDING';
    else {
      row.status = 'SUCCESS';
      this.hold(row.account, row.currency, -row.amount);
      this.give(row.account, withdrawal.receiver, row.currency, row.amount, 'DEPOSIT/OFFCHAIN');
    }
  }

  giveBack(withdrawal: NaiveWithdrawal, status: string): void {
    const row = this.transactions[withdrawal.transaction];
    withdrawal.sent = true;
    row.status = status;
    this.hold(row.account, row.currency, -(row.amount + row.fee));
  }

  confirmed(deposit: NaiveBank['deposits'][number], count: number): void {
    const row = this.transactions[deposit.transaction];
    deposit.count = count;
    if (count >= CONFIRMATIONS[deposit.network]) {
      row.status = 'SUCCESS';
      this.arrive(row.account, row.currency, row.amount);
    } else if (count > 0) row.status = 'PENDING';
  }
}
