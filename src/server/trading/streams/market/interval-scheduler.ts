import type { Cancel } from '../../../../platform/scheduler.ts';
import { micros, US_PER_MS } from '../../../../platform/time.ts';
import type { TradingService } from '../../service.ts';

interface Beat {
  readonly tasks: Set<() => void>;
  cancel: Cancel;
}

/** Runs tasks again and again, at whole multiples of their intervals since 1970. */
export class IntervalScheduler {
  readonly #service: TradingService;
  readonly #beats = new Map<number, Beat>();

  constructor(service: TradingService) {
    this.#service = service;
  }

  /** Runs a task at an interval in milliseconds until it is canceled. */
  every(ms: number, task: () => void): Cancel {
    let beat = this.#beats.get(ms);
    if (beat === undefined) {
      beat = { tasks: new Set(), cancel: () => undefined };
      this.#beats.set(ms, beat);
      this.#await(ms, beat);
    }
    const { tasks } = beat;
    tasks.add(task);
    return () => {
      if (!tasks.delete(task) || tasks.size > 0) return;
      this.#beats.get(ms)?.cancel();
      this.#beats.delete(ms);
    };
  }

  /** A missed beat is skipped, not made up for. */
  #await(ms: number, beat: Beat): void {
    const us = ms * US_PER_MS;
    const next = (Math.floor(this.#service.now() / us) + 1) * us;
    beat.cancel = this.#service.timers.at(micros(next), () => {
      this.#await(ms, beat);
      this.#service.look();
      for (const task of [...beat.tasks]) task();
    });
  }
}
