import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import { holdingName, type HoldingKey } from '../../../src/model/portfolio.ts';
import { micros, type Micros } from '../../../src/platform/time.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';

/** What becomes of an intent that is paid. */
export type Course = 'delivers' | 'deliversLess' | 'deliversLate' | 'refunds' | 'declines';

export interface ScriptedIntent {
  readonly id: string;
  readonly transfer: string;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  readonly send: Decimal;
  readonly least: Decimal;
  readonly deadline: Micros;
  state: 'Created' | 'Approved' | 'Deposited' | 'Finished' | 'Refunded' | 'Expired' | 'Failed';
  arrived?: Decimal;
}

export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
const REFUND_FEE = new Decimal('0.1');

/** A service that swaps, in the hands of a test: what it does with money it does exactly. */
export class ScriptedService {
  readonly balances = new Map<string, Decimal>();
  readonly intents: ScriptedIntent[] = [];
  /** What becomes of the intents that are paid, in turn; delivered where it is at its end. */
  readonly courses: Course[] = [];
  /** Payments that were taken, by transfer. */
  readonly payments = new Map<string, number>();
  /** Where it is false, each request to pay takes the money again, as a transfer on a chain would. */
  paysOnce = true;
  quoteUs = MINUTE;
  intentUs = 5 * MINUTE;
  /** What arrives at the least for one that is sent. */
  rate = new Decimal('0.99');
  /** What it keeps of every transfer, however small. */
  fee = ZERO;
  readonly #scheduler: VirtualScheduler;

  constructor(scheduler: VirtualScheduler) {
    this.#scheduler = scheduler;
  }

  create(terms: Omit<ScriptedIntent, 'id' | 'state' | 'deadline'>): ScriptedIntent {
    const id = `intent-${this.intents.length + 1}`;
    const deadline = micros(this.#scheduler.now() + this.intentUs);
    const intent: ScriptedIntent = { ...terms, id, deadline, state: 'Created' };
    this.intents.push(intent);
    this.#scheduler.at(deadline, () => {
      if (intent.state === 'Created') intent.state = 'Expired';
    });
    return intent;
  }

  /** Takes an approval; false where the intent is not open for it. */
  approve(id: string): boolean {
    const intent = this.find(id);
    if (intent.state !== 'Created' && (this.paysOnce || intent.state === 'Expired')) return false;
    intent.state = 'Approved';
    const course = this.courses.shift() ?? 'delivers';
    this.#after(2 * SECOND, () => {
      if (course === 'declines') intent.state = 'Failed';
      else this.#deposit(intent, course);
    });
    return true;
  }

  find(id: string): ScriptedIntent {
    const intent = this.intents.find((one) => one.id === id);
    if (intent === undefined) throw new Error(`there is no intent ${id}`);
    return intent;
  }

  balance(holding: HoldingKey): Decimal {
    return this.balances.get(holdingName(holding)) ?? ZERO;
  }

  #deposit(intent: ScriptedIntent, course: Course): void {
    const { transfer, from, to, send, least } = intent;
    intent.state = 'Deposited';
    this.payments.set(transfer, (this.payments.get(transfer) ?? 0) + 1);
    this.#add(from, send.negated());
    this.#after(course === 'deliversLate' ? 300 * MINUTE : 5 * SECOND, () => {
      intent.state = course === 'refunds' ? 'Refunded' : 'Finished';
      if (course === 'refunds') {
        this.#add(from, send.minus(REFUND_FEE));
        intent.arrived = send.minus(REFUND_FEE);
      } else {
        intent.arrived = course === 'deliversLess' ? least : least.times('1.005');
        this.#add(to, intent.arrived);
      }
    });
  }

  #after(us: number, task: () => void): void {
    this.#scheduler.at(micros(this.#scheduler.now() + us), task);
  }

  #add(holding: HoldingKey, amount: Decimal): void {
    this.balances.set(holdingName(holding), this.balance(holding).plus(amount));
  }
}
