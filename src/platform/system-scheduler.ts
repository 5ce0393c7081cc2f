import type { Cancel, Scheduler } from './scheduler.ts';
import { micros, US_PER_MS, type Micros } from './time.ts';

/** Node fires a timer at once when its delay passes this; longer waits are made of several. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** The real clock, with microseconds, and real timers. */
export class SystemScheduler implements Scheduler {
  now(): Micros {
    return micros(Math.floor((performance.timeOrigin + performance.now()) * US_PER_MS));
  }

  at(at: Micros, task: () => void): Cancel {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const ms = Math.max(0, Math.ceil((at - this.now()) / US_PER_MS));
      timer = ms > LONGEST_WAIT_MS ? setTimeout(wait, LONGEST_WAIT_MS) : setTimeout(task, ms);
    };
    wait();
    return () => {
      clearTimeout(timer);
    };
  }
}
