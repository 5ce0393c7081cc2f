import { statSync } from 'node:fs';
import { pause } from '../../platform/pause.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MS, type Micros } from '../../platform/time.ts';

/** Looking at a few files costs nothing, and finds changes on network drives and in containers too. */
const POLL_US = 200 * US_PER_MS;

/** Files of a run, and how each was when the run began. */
export class WatchedFiles {
  readonly #scheduler: Scheduler;
  readonly #stamps = new Map<string, string>();
  #since: Micros;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#since = scheduler.now();
  }

  get count(): number {
    return this.#stamps.size;
  }

  /** A run begins, which reads the files as they are now. */
  begin(): void {
    this.#since = this.#scheduler.now();
    for (const path of this.#stamps.keys()) this.#stamps.set(path, stampOf(path));
  }

  /** Adds a file of the run. One written since the run began counts as changed. */
  add(path: string): void {
    if (this.#stamps.has(path)) return;
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    this.#stamps.set(path, writtenMs * US_PER_MS > this.#since ? '' : stampOf(path));
  }

  /** Waits for a change, and until nothing more changes; returns the changed files, none at the signal. */
  async changed(signal: AbortSignal): Promise<readonly string[]> {
    let before: readonly string[] = [];
    for (;;) {
      await pause(this.#scheduler, POLL_US, signal);
      if (signal.aborted) return [];
      const stamps = [...this.#stamps.keys()].map((path) => `${path}\0${stampOf(path)}`);
      const paths = [...this.#stamps].flatMap(([path, old]) =>
        stampOf(path) === old ? [] : [path],
      );
      // An editor may write a file in several steps.
      if (paths.length > 0 && stamps.join() === before.join()) return paths;
      before = stamps;
    }
  }
}

/** Differs after each save; a missing file has a stamp too, so that its creation is a change. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'missing' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}
