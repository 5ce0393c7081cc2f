import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS } from '../../platform/time.ts';
import { SkewedClock } from './clock.ts';
import { fitsRequest, type HttpFault, type HttpRule } from './http-rule.ts';
import { NO_FAULTS, type FaultPlan } from './plan.ts';
import { FaultRules, type Tally } from './rule.ts';
import type { StreamRule } from './stream-rule.ts';

/** The plan that is played, and what each of its rules has done. */
export interface FaultsState {
  readonly plan: FaultPlan;
  readonly http: readonly Tally[];
  readonly streams: readonly Tally[];
}

/** Makes things go wrong on purpose, by a plan that can be changed while the service runs. */
export class Faults {
  /** The clock that the service is to go by, so that it can be set wrong. */
  readonly clock: SkewedClock;
  /** The same clock with timers for what is no state of the service. */
  readonly timers: SkewedClock;
  #plan: FaultPlan = NO_FAULTS;
  #http = new FaultRules<HttpRule>([], 0);
  #streams = new FaultRules<StreamRule>([], 0);
  readonly #scheduler: Scheduler;
  readonly #waiting = new Set<Cancel>();

  /** `clock` is what the state goes by, where that is another one than what waits here. */
  constructor(scheduler: Scheduler, plan: FaultPlan = NO_FAULTS, clock: Scheduler = scheduler) {
    this.#scheduler = scheduler;
    this.clock = new SkewedClock(clock);
    this.timers = new SkewedClock(scheduler);
    this.play(plan);
  }

  /** Plays a plan from its beginning, in place of the one before. */
  play(plan: FaultPlan): void {
    this.#plan = plan;
    this.#http = new FaultRules(plan.http, plan.seed);
    this.#streams = new FaultRules(plan.streams, plan.seed);
    this.clock.skewMs = plan.clockSkewMs;
    this.timers.skewMs = plan.clockSkewMs;
  }

  get state(): FaultsState {
    return { plan: this.#plan, http: this.#http.tallies, streams: this.#streams.tallies };
  }

  /** True while every request is to be answered with 503. */
  get maintenance(): boolean {
    return this.#plan.maintenance;
  }

  /** The rules for frames. */
  get streams(): FaultRules<StreamRule> {
    return this.#streams;
  }

  /** What goes wrong with a request at this point of its way; `path` has no slash at its end. */
  ofRequest(when: HttpRule['when'], method: string, path: string): HttpFault | undefined {
    if (this.#http.isEmpty) return undefined;
    return this.#http.strike((rule) => fitsRequest(rule, when, method, path))?.fault;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits so many milliseconds; for ever once it is closed. */
  async wait(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const due = micros(this.#scheduler.now() + delayMs * US_PER_MS);
      const cancel = this.#scheduler.at(due, () => {
        this.#waiting.delete(cancel);
        resolve();
      });
      this.#waiting.add(cancel);
    });
  }

  /** Ends all waiting; what waited does not go on. */
  close(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }
}
