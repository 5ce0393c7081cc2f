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

/** Injects faults by a plan that can be changed while the service runs. */
export class Faults {
  /** The clock that the service is to go by, so that it can be set wrong. */
  readonly clock: SkewedClock;
  /** The same clock with timers that are not part of the service's state. */
  readonly timers: SkewedClock;
  #plan: FaultPlan = NO_FAULTS;
  #http = new FaultRules<HttpRule>([], 0);
  #streams = new FaultRules<StreamRule>([], 0);
  readonly #scheduler: Scheduler;
  readonly #waiting = new Set<Cancel>();

  /** `clock` is that of the state, if it differs from that of the waits here. */
  constructor(scheduler: Scheduler, plan: FaultPlan = NO_FAULTS, clock: Scheduler = scheduler) {
    this.#scheduler = scheduler;
    this.clock = new SkewedClock(clock);
    this.timers = new SkewedClock(scheduler);
    this.play(plan);
  }

  /** Plays a plan from its beginning, replacing the previous one. */
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

  /** The fault of a request at this point; `path` has no slash at its end. */
  ofRequest(when: HttpRule['when'], method: string, path: string): HttpFault | undefined {
    if (this.#http.isEmpty) return undefined;
    return this.#http.strike((rule) => fitsRequest(rule, when, method, path))?.fault;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a time; for ever once it is closed. */
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

  /** Ends all waiting; waiting requests do not continue. */
  close(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }
}
