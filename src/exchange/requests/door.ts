import type { Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';

/** What the exchange lends to its wallet side: the passing of time, and what it does with accounts. */
export interface Door {
  /** Time of the latest call. */
  now(): Micros;
  /** Lets time come to `at` for a request of an account; throws where there is no such account. */
  begin(account: number, at: Micros): void;
  /** The same for what nobody here has asked for. */
  come(at: Micros): void;
  /** Tells the balances that changed; after a refusal nobody's margin is looked at. */
  finish(refusal?: Refusal): void;
  /** Opens an account. */
  open(): number;
  /** Cancels all active orders of an account and gives their number. */
  cancelAll(account: number, at: Micros): number;
}
