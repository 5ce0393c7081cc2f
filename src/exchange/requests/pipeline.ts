import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { examineAll } from '../margin/margin-check.ts';
import { reachFunding } from '../margin/fundings.ts';
import {
  chargeInterest,
  expireContract,
  startFundingSchedule,
  takeSample,
} from '../margin/schedule.ts';
import type { MarginReport } from '../positions/report.ts';
import { TIMER } from '../queues/timers.ts';
import { cancelOrder } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';
import { endLock } from '../wallet/locks.ts';
import { lapseWithdrawal } from '../wallet/withdrawals.ts';

/**
 * Steps of every request: time advances, what is due by then runs, the request is done or rejected,
 * margin accounts are checked, then the changes are emitted and published.
 */

/** Begins a request of an account. Throws `internal` if there is no such account. */
export function begin(state: State, account: number, at: Micros): void {
  state.ledger.know(account);
  advanceTo(state, at);
  state.index.sweep(state.now);
}

/** Begins a request, unless the account is frozen. */
export function beginActive(state: State, account: number, at: Micros): Rejection | undefined {
  begin(state, account, at);
  return state.bank.members.rejection(account);
}

/** Advances to `at`, after everything due by then has run. */
export function advanceTo(state: State, at: Micros): void {
  if (at >= state.index.expiries.nextAt || at >= state.timers.nextAt) advance(state, at);
  arrive(state, at);
}

/** Ends a request: checks margin accounts unless it was rejected, then emits all changes. */
export function finish(state: State, rejection?: Rejection): Rejection | undefined {
  if (rejection === undefined && state.marginAccounts.areUsed) examineAll(state);
  emit(state);
  return rejection;
}

/** Runs a request of an account, unless it is frozen. */
export function runRequest<T>(
  state: State,
  account: number,
  at: Micros,
  work: (now: Micros) => T | Rejection,
): T | Rejection {
  const outcome = beginActive(state, account, at) ?? work(state.now as Micros);
  finish(state, isRejection(outcome) ? outcome : undefined);
  return outcome;
}

/** Runs an event that no account requested; `account` if it affects one. */
export function runEvent<T>(
  state: State,
  at: Micros,
  work: (now: Micros) => T,
  account?: number,
): T {
  if (account === undefined) advanceTo(state, at);
  else begin(state, account, at);
  const outcome = work(state.now as Micros);
  finish(state, isRejection(outcome) ? outcome : undefined);
  return outcome;
}

/** Runs what is due by `at`, at its time. At equal times orders expire first, then timers run. */
export function advance(state: State, at: Micros): void {
  const { expiries } = state.index;
  startFundingSchedule(state, at);
  for (let next = nextDueAt(state); next <= at; next = nextDueAt(state)) {
    arrive(state, next);
    if (expiries.nextAt === next) cancelOrder(state, expiries.next(), 'expired');
    else runTimer(state);
  }
  arrive(state, at);
  finish(state);
}

/** Time of the next scheduled event, else +Infinity. */
export const nextDueAt = ({ index, timers }: State): number =>
  Math.min(index.expiries.nextAt, timers.nextAt);

/** Sets the time to `at`, unless it is later already. */
function arrive(state: State, at: number): void {
  state.setNow(at);
  if (at > state.closesEndAt) endCloses(state, at);
  if (state.marketData !== undefined) state.marketData.advance(state.now);
}

/** Drops the closes of candles whose next candle was due before `at`, as their prices are old. */
function endCloses(state: State, at: number): void {
  let first = Number.POSITIVE_INFINITY;
  for (const market of state.recorded) {
    if (market.printEndsAt < at) market.print(0, 0);
    first = Math.min(first, market.printEndsAt);
  }
  state.closesEndAt = first;
}

function runTimer(state: State): void {
  const { kind, number, at } = state.timers.take();
  switch (kind) {
    case TIMER.WITHDRAWAL:
      lapseWithdrawal(state.bank, number, at as Micros);
      return;
    case TIMER.LOCK:
      endLock(state.bank, number);
      return;
    case TIMER.EXPIRY:
      expireContract(state, number);
      return;
    case TIMER.INTEREST:
      chargeInterest(state, at);
      return;
    case TIMER.FUNDING:
      reachFunding(state, number, at);
      return;
    case TIMER.SAMPLE:
      takeSample(state, number, at);
  }
}

/**
 * Emits margin reports and changed balances, and publishes market data. Balances come first if
 * funds moved, so that a listener never sees the same funds twice.
 */
export function emit(state: State): void {
  const { marginReports } = state;
  const isMargin = state.marginAccounts.areUsed && !marginReports.isEmpty;
  const { pending } = marginReports;
  const areFunds = isMargin && pending.length > 0 && pending.every(isOfFunds);
  if (isMargin && !areFunds) emitMargin(state);
  const { dirty } = state.ledger;
  if (dirty.count === 1) {
    state.listener.balance(dirty.account(0), dirty.currency(0));
    dirty.clear();
  } else if (dirty.count > 1) emitBalances(state);
  if (areFunds) emitMargin(state);
  if (state.wallets.dirty.count > 0 || state.derivatives.dirty.count > 0) emitOthers(state);
  if (state.marketData !== undefined) state.marketData.publish(state.now);
}

const isOfFunds = ({ reason, position }: MarginReport): boolean =>
  position === undefined && FUNDS_MOVED.has(reason);

const FUNDS_MOVED: ReadonlySet<MarginReport['reason']> = new Set([
  'created',
  'reopened',
  'marginChanged',
  'closed',
]);

function emitMargin({ marginReports, listener }: State): void {
  const { pending, covers } = marginReports;
  marginReports.pending = [];
  marginReports.covers = [];
  for (const report of pending) listener.marginAccount?.(report);
  for (const cover of covers) listener.covered?.(cover);
}

function emitBalances({ ledger: { dirty }, listener }: State): void {
  for (let i = 0; i < dirty.count; i += 1) listener.balance(dirty.account(i), dirty.currency(i));
  dirty.clear();
}

function emitOthers({ wallets, derivatives, listener }: State): void {
  for (let { dirty } = wallets, i = 0; i < dirty.count; i += 1) {
    listener.walletBalance?.(dirty.account(i), dirty.currency(i));
  }
  wallets.dirty.clear();
  for (let { dirty } = derivatives, i = 0; i < dirty.count; i += 1) {
    listener.derivativesBalance?.(dirty.account(i), dirty.currency(i));
  }
  derivatives.dirty.clear();
}

/** Opens an account with empty balances and returns its number. */
export function openAccount({ ledger, wallets, derivatives, index }: State): number {
  const account = ledger.open();
  wallets.open();
  derivatives.open();
  index.grow(ledger.accounts);
  return account;
}
