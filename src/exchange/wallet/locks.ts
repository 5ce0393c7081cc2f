import type { Decimal } from '../../model/decimal.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import { amountRefusal, coverRefusal } from '../../rules/movement.ts';
import type { TimerQueue } from '../queues/timers.ts';
import type { Bank } from './bank.ts';
import { paged, pageRefusal, type Page } from './query.ts';

/** An amount of a wallet that nobody may touch until a time. */
export interface AmountLock {
  /** Rising in the order of creation, from 1. */
  readonly id: number;
  readonly account: number;
  readonly currency: string;
  readonly amount: Decimal;
  readonly endsAt: Micros;
  readonly description: string;
  readonly cancelled: boolean;
  readonly cancelledAt?: Micros;
  readonly cancelDescription?: string;
  readonly createdAt: Micros;
}

/** What is to be locked, and why. */
export interface LockRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly endsAt: Micros;
  readonly description: string;
}

/** Which locks are wanted; what is absent asks for nothing. */
export interface LockQuery extends Page {
  readonly currency?: string;
  readonly active?: boolean;
  /** Bounds of the time of creation, both included. */
  readonly from?: number;
  readonly till?: number;
}

/** Amounts that the exchange holds back in wallets, until a time or until it thinks better of it. */
export class Locks {
  readonly #bank: Bank;
  readonly #due: TimerQueue;
  readonly #end: number;
  readonly #locks: AmountLock[] = [];
  /** By place of the lock: what ends it by time, and its currency among the purses. */
  readonly #active = new Map<number, { readonly ticket: number; readonly currency: number }>();

  constructor(bank: Bank, due: TimerQueue) {
    this.#bank = bank;
    this.#due = due;
    this.#end = due.kind((place) => {
      this.#release(place);
    });
  }

  /** Locks an amount and gives the id of the lock. */
  lock(account: number, request: LockRequest, at: Micros): number | Refusal {
    const found = this.#bank.currencies.find(request.currency);
    if (isRefusal(found)) return found;
    const { vaults } = this.#bank;
    const { amount, endsAt } = request;
    const refusal =
      amountRefusal(amount) ??
      coverRefusal(amount, vaults.available('wallet', account, found.index), found.currency.code);
    if (refusal !== undefined) return refusal;
    vaults.hold(account, found.index, amount);
    const place = this.#locks.length;
    const id = place + 1;
    this.#locks.push({ ...request, id, account, cancelled: false, createdAt: at });
    const ticket = this.#due.add(Math.max(at, endsAt), this.#end, place);
    this.#active.set(place, { ticket, currency: found.index });
    return id;
  }

  /** Ends a lock before its time. */
  cancel(id: number, description: string, at: Micros): Refusal | undefined {
    const place = id - 1;
    const active = this.#active.get(place);
    if (active === undefined) {
      return {
        code: 'lock-unknown',
        field: 'id',
        message: `There is no active amount lock ${id}.`,
      };
    }
    this.#due.remove(active.ticket);
    this.#release(place);
    this.#locks[place] = {
      ...this.#locks[place],
      cancelled: true,
      cancelledAt: at,
      cancelDescription: description,
    };
    return undefined;
  }

  /** The locks of an account, newest first. */
  list(account: number, query: LockQuery): AmountLock[] | Refusal {
    const refusal = pageRefusal(query);
    if (refusal !== undefined) return refusal;
    const { currency, active, from = -Infinity, till = Infinity } = query;
    const found = this.#locks.filter(
      (lock, place) =>
        lock.account === account &&
        (currency === undefined || lock.currency === currency) &&
        (active === undefined || active === this.#active.has(place)) &&
        lock.createdAt >= from &&
        lock.createdAt <= till,
    );
    return paged(found.reverse(), query);
  }

  #release(place: number): void {
    const active = this.#active.get(place);
    if (active === undefined) return;
    this.#active.delete(place);
    const { account, amount } = this.#locks[place];
    this.#bank.vaults.release(account, active.currency, amount);
  }
}
