import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MINUTE } from '../../platform/time.ts';

/** Equal lines logged within a minute; more are only counted. */
const BURST = 5;
const SPAN_US = US_PER_MINUTE;

/** Different messages that are counted; beyond it the oldest count is dropped. */
const KINDS_MAX = 1_000;

interface Kind {
  reported: number;
  held: number;
  readonly cancel: Cancel;
  readonly emit: (held: number) => void;
}

/**
 * Rate-limits repeated log lines: of lines that differ only in their numbers, five a minute are logged, and
 * at its end how many were not.
 */
export class Repetition {
  readonly #scheduler: Scheduler;
  readonly #kinds = new Map<string, Kind>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /**
   * True if it should be logged now; `emit` is called once at the end of the minute if some were
   * suppressed.
   */
  admits(key: string, message: string, emit: (held: number) => void): boolean {
    const name = `${key} ${message.replace(/\d+/g, '#')}`;
    const kind = this.#kinds.get(name) ?? this.#begin(name, emit);
    if (kind.reported < BURST) {
      kind.reported += 1;
      return true;
    }
    kind.held += 1;
    return false;
  }

  /** Reports the suppressed counts so far. */
  close(): void {
    for (const name of [...this.#kinds.keys()]) this.#end(name);
  }

  #begin(name: string, emit: (held: number) => void): Kind {
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size >= KINDS_MAX && oldest !== undefined) this.#end(oldest);
    const cancel = this.#scheduler.at(micros(this.#scheduler.now() + SPAN_US), () => {
      this.#end(name);
    });
    const kind: Kind = { reported: 0, held: 0, cancel, emit };
    this.#kinds.set(name, kind);
    return kind;
  }

  #end(name: string): void {
    const kind = this.#kinds.get(name);
    if (kind === undefined) return;
    this.#kinds.delete(name);
    kind.cancel();
    if (kind.held > 0) kind.emit(kind.held);
  }
}
