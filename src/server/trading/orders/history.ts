import { MillraceError } from '../../../model/errors.ts';
import type { Micros } from '../../../platform/time.ts';
import { AccountHistory, type Retention } from './account-history.ts';
import type { OrderReport } from './order-record.ts';

/** Reach of unbounded pages: an offset of 100,000 and a limit of 1,000. */
const KEPT = 101_000;

/** The order histories of all accounts. */
export class History {
  readonly #accounts: AccountHistory[] = [];
  readonly #retention: Retention;

  /** Throws `out-of-range` for negative limits. */
  constructor({ orders = KEPT, trades = KEPT }: Partial<Retention> = {}) {
    for (const [field, most] of Object.entries({ orders, trades })) {
      if (Number.isSafeInteger(most) && most >= 0) continue;
      throw new MillraceError('out-of-range', `A history keeps a whole number of ${field}.`, {
        field,
      });
    }
    this.#retention = { orders, trades };
  }

  /** The history of an account, which is empty at first. */
  of(account: number): AccountHistory {
    return (this.#accounts[account] ??= new AccountHistory(this.#retention));
  }

  /** The same at a time: without records whose retention has ended by then. */
  at(now: Micros, account: number): AccountHistory {
    const history = this.of(account);
    history.prune(now);
    return history;
  }

  /** Records a report. */
  record(report: OrderReport): void {
    this.of(report.order.account).record(report);
  }
}
