import { config } from 'rxjs';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import { MillraceError } from '../model/errors.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../platform/time.ts';

/** Holder of RxJS' time: RxJS has one clock for the whole thread. */
let holder: EventTime | undefined;

/**
 * Makes RxJS run on the time of `scheduler`: `debounceTime`, `timer`, `auditTime`, `timestamp` and
 * all others with an optional scheduler. Returns the function that releases the clock, which must
 * be called in any case.
 *
 * Timers behave as Node's do: whole milliseconds, at least one, so that a strategy sees the same in
 * a backtest and live. Tasks of `asapScheduler` run at the same time, before the next event.
 * `unhandled` receives errors for which RxJS has no handler, such as one thrown in a `subscribe`
 * inside a strategy; without it they are thrown out of the scheduler.
 *
 * Throws `internal` while the clock is held already: one clock drives one thread at a time.
 */
export function takeRxjsTime(
  scheduler: Scheduler,
  unhandled?: (error: unknown) => void,
): () => void {
  if (holder !== undefined) {
    throw new MillraceError(
      'internal',
      'RxJS runs on the clock of another run in this thread; end that run first, or use a thread for each.',
    );
  }
  const time = new EventTime(scheduler);
  const before = {
    date: dateTimestampProvider.delegate,
    interval: intervalProvider.delegate,
    timeout: timeoutProvider.delegate,
    immediate: immediateProvider.delegate,
    unhandled: config.onUnhandledError,
  };
  holder = time;
  dateTimestampProvider.delegate = { now: () => time.nowMs() };
  intervalProvider.delegate = {
    setInterval: (handler, ms) => time.repeat(handler, ms),
    clearInterval: (handle) => time.clear(handle),
  };
  timeoutProvider.delegate = {
    setTimeout: (handler, ms) => time.once(handler, ms),
    clearTimeout: (handle) => time.clear(handle),
  };
  immediateProvider.delegate = {
    setImmediate: (handler) => time.soon(handler),
    clearImmediate: (handle) => time.clear(handle),
  };
  if (unhandled !== undefined) config.onUnhandledError = unhandled;
  return () => {
    if (holder !== time) return;
    time.end();
    holder = undefined;
    dateTimestampProvider.delegate = before.date;
    intervalProvider.delegate = before.interval;
    timeoutProvider.delegate = before.timeout;
    immediateProvider.delegate = before.immediate;
    config.onUnhandledError = before.unhandled;
  };
}

const noDelay = (ms: unknown): MillraceError =>
  new MillraceError(
    'delay-invalid',
    `A timer of RxJS was given a delay of ${String(ms)} ms; a delay is a finite number. Look at what timer, interval, delay, debounceTime and the like are computed from.`,
    { field: 'delay' },
  );

/** RxJS timers on a scheduler, by handle. */
class EventTime {
  readonly #scheduler: Scheduler;
  #handle = 0;
  readonly #timers = new Map<unknown, Cancel>();
  readonly #soon = new Map<number, () => void>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Whole milliseconds as of Date.now: sums of them are exact, which debounceTime relies on. */
  nowMs(): number {
    return Math.floor(this.#scheduler.now() / US_PER_MS);
  }

  once(handler: () => void, ms: number | undefined): number {
    const handle = ++this.#handle;
    this.#set(handle, this.#due(ms), () => {
      this.#timers.delete(handle);
      handler();
    });
    return handle;
  }

  repeat(handler: () => void, ms: number | undefined): number {
    const handle = ++this.#handle;
    const tick = (): void => {
      this.#set(handle, this.#due(ms), tick);
      handler();
    };
    this.#set(handle, this.#due(ms), tick);
    return handle;
  }

  soon(handler: () => void): number {
    const handle = ++this.#handle;
    const run = (): void => {
      this.#timers.delete(handle);
      this.#soon.delete(handle);
      handler();
    };
    this.#soon.set(handle, run);
    this.#set(handle, this.#scheduler.now(), run);
    return handle;
  }

  clear(handle: unknown): void {
    this.#timers.get(handle)?.();
    this.#timers.delete(handle);
    if (typeof handle === 'number') this.#soon.delete(handle);
  }

  /**
   * Drops every timer. Tasks of asapScheduler run first: that scheduler lives as long as the
   * process and would wait for them forever.
   */
  end(): void {
    for (const run of [...this.#soon.values()]) run();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #set(handle: number, at: Micros, task: () => void): void {
    this.#timers.set(handle, this.#scheduler.at(at, task));
  }

  /** Throws `delay-invalid`: a timer at NaN would stop time, and an infinite one is a mistake. */
  #due(ms = 0): Micros {
    if (!Number.isFinite(ms)) throw noDelay(ms);
    return micros(this.#scheduler.now() + Math.max(1, Math.trunc(ms)) * US_PER_MS);
  }
}
