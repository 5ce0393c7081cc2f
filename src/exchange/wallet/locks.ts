import type { Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { amountRejection, coverRejection } from '../../rules/movement.ts';
import { TIMER } from '../queues/timers.ts';
import type { AmountLock, Bank } from './bank.ts';
import { type Page, paged, pageRejection } from './query.ts';

/** A lock request. */
export interface LockRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly endsAt: Micros;
  readonly description: string;
}

/** A filter of locks; absent members do not filter. */
export interface LockQuery extends Page {
  readonly currency?: string;
  readonly active?: boolean;
  /** Bounds of the creation time, both inclusive. */
  readonly from?: number;
  readonly till?: number;
}

/** Amounts that the exchange locks in wallets, until a time or until it unlocks them. */
/** Locks an amount and returns the id of the lock. */
export function lockAmount(
  bank: Bank,
  account: number,
  request: LockRequest,
  at: Micros,
): number | Rejection {
  const found = bank.currencies.find(request.currency);
  if (isRejection(found)) return found;
  const { accountLedgers } = bank;
  const { amount, endsAt } = request;
  const rejection =
    amountRejection(amount) ??
    coverRejection(
      amount,
      accountLedgers.available('wallet', account, found.index),
      found.currency.code,
    );
  if (rejection !== undefined) return rejection;
  accountLedgers.hold(account, found.index, amount);
  const index = bank.locks.length;
  const id = index + 1;
  bank.locks.push({ ...request, id, account, cancelled: false, createdAt: at });
  const ticket = bank.timers.add(Math.max(at, endsAt), TIMER.LOCK, index);
  bank.activeLocks.set(index, { ticket, currency: found.index });
  return id;
}

/** Ends a lock before its time. */
export function cancelLock(
  bank: Bank,
  id: number,
  description: string,
  at: Micros,
): Rejection | undefined {
  const index = id - 1;
  const active = bank.activeLocks.get(index);
  if (active === undefined) {
    return {
      code: 'lock-unknown',
      field: 'id',
      message: `There is no active amount lock ${id}.`,
    };
  }
  bank.timers.remove(active.ticket);
  endLock(bank, index);
  bank.locks[index] = {
    ...bank.locks[index],
    cancelled: true,
    cancelledAt: at,
    cancelDescription: description,
  };
  return undefined;
}

/** The locks of an account, newest first. */
export function listLocks(bank: Bank, account: number, query: LockQuery): AmountLock[] | Rejection {
  const rejection = pageRejection(query);
  if (rejection !== undefined) return rejection;
  const { currency, active, from = -Infinity, till = Infinity } = query;
  const found = bank.locks.filter(
    (lock, index) =>
      lock.account === account &&
      (currency === undefined || lock.currency === currency) &&
      (active === undefined || active === bank.activeLocks.has(index)) &&
      lock.createdAt >= from &&
      lock.createdAt <= till,
  );
  return paged(found.reverse(), query);
}

export function endLock(bank: Bank, index: number): void {
  const active = bank.activeLocks.get(index);
  if (active === undefined) return;
  bank.activeLocks.delete(index);
  const { account, amount } = bank.locks[index];
  bank.accountLedgers.release(account, active.currency, amount);
}
