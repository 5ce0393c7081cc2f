import { MillraceError } from '../../model/errors.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { nextTurn } from '../../platform/turn.ts';
import { isoTime, US_PER_MS, type Micros } from '../../platform/time.ts';
import { readJson, writeJson } from '../../wire/json.ts';
import type { LogRecord } from './frame.ts';
import { InputClock } from './input-clock.ts';
import type { InputLog } from './input-log.ts';
import { KINDS, type Inputs } from './inputs.ts';

/** After so many inputs the log says what the state comes to. */
const INPUTS_PER_CHECK = 1_024;
/** A replay lets others have their turn after so much time. */
const SLICE_US = 50 * US_PER_MS;

export interface LoggedSetup {
  readonly log: InputLog;
  /** When the venue was opened for the first time. */
  readonly openedAt: Micros;
  readonly present: Scheduler;
}

/** What a replay has found. */
export interface Replayed {
  readonly inputs: number;
  /** When the last of them was done. */
  readonly until: Micros;
  /** Of a record that was not written to its end. */
  readonly bytesCut: number;
}

/**
 * Logs the inputs of a venue, and does those again that are in its log. While the venue is put
 * together and while it is replayed, whatever it does is part of that.
 */
export class LoggedInputs implements Inputs {
  readonly clock: InputClock;
  readonly #log: InputLog;
  readonly #present: Scheduler;
  readonly #replays = new Map<string, (payload: unknown) => void>();
  /** What the state comes to. */
  #state: () => string = () => '';
  #isInside = true;
  #sinceCheck = 0;

  constructor({ log, openedAt, present }: LoggedSetup) {
    this.#log = log;
    this.#present = present;
    this.clock = new InputClock(openedAt, present, () => {
      this.#runTimers();
    });
  }

  replays(kind: string, replay: (payload: unknown) => void): void {
    this.#replays.set(kind, replay);
  }

  /** Has a replay held against what `state` says. */
  checks(state: () => string): void {
    this.#state = state;
  }

  take<R>(kind: string, run: () => R, payload: () => unknown): R {
    if (this.#isInside) return run();
    const at = this.#enter();
    try {
      return run();
    } finally {
      this.#leave(at, `${kind} ${writeJson(payload())}`, true);
    }
  }

  look<R>(run: () => R): R {
    if (this.#isInside) return run();
    const at = this.#enter();
    try {
      return run();
    } finally {
      this.#leave(at, KINDS.time, false);
    }
  }

  get isDurable(): boolean {
    return this.#log.isDurable;
  }

  whenDurable(then: () => void): void {
    this.#log.whenDurable(then);
  }

  /**
   * Does all inputs again that are in the log, then follows the present. `resume` is told for how
   * long the venue has stood still. Throws `venue-data-invalid` where the log is damaged, or where its
   * inputs no longer make the state that they made.
   */
  async replay(resume: (stoodUs: number) => void): Promise<Replayed> {
    this.#replays.set(KINDS.resumed, (stoodUs) => {
      resume(stoodUs as number);
    });
    let inputs = 0;
    let sliceEnd = this.#present.now() + SLICE_US;
    for (let next = this.#log.read(); next !== undefined; next = this.#log.read()) {
      this.#again(next);
      inputs += 1;
      if (inputs % 64 !== 0 || this.#present.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = this.#present.now() + SLICE_US;
    }
    const until = this.clock.now();
    const bytesCut = this.#log.goOn();
    const stoodUs = this.clock.goLive();
    this.#isInside = false;
    if (inputs > 0) {
      const run = (): void => {
        resume(stoodUs);
      };
      this.take(KINDS.resumed, run, () => stoodUs);
    }
    return { inputs, until, bytesCut };
  }

  /** Brings all to the disk and ends. */
  close(): void {
    if (!this.#isInside) {
      try {
        this.#check(this.clock.now());
      } catch {
        // A log that cannot be written was told of when that happened.
      }
    }
    this.#isInside = true;
    this.clock.close();
    this.#log.close();
  }

  #enter(): Micros {
    this.#isInside = true;
    return this.clock.hold();
  }

  #leave(at: Micros, text: string, isNeeded: boolean): void {
    this.clock.release();
    this.#isInside = false;
    this.#log.append(at, text, isNeeded);
    this.#sinceCheck += 1;
    if (this.#sinceCheck >= INPUTS_PER_CHECK) this.#check(at);
  }

  #check(at: Micros): void {
    this.#sinceCheck = 0;
    this.#log.append(at, `${KINDS.check} ${JSON.stringify(this.#state())}`, false);
  }

  #runTimers(): void {
    while (this.clock.nextAt <= this.clock.now()) {
      const at = this.#enter();
      try {
        this.clock.takeNext()();
      } finally {
        this.#leave(at, KINDS.timer, true);
      }
    }
  }

  #again({ at, text }: LogRecord): void {
    const gap = text.indexOf(' ');
    const kind = gap === -1 ? text : text.slice(0, gap);
    if (kind === KINDS.check) {
      if (JSON.parse(text.slice(gap + 1)) !== this.#state()) throw this.#differs(at);
      return;
    }
    this.clock.holdAt(at);
    const run = kind === KINDS.timer ? this.#nextTimer(at) : this.#replays.get(kind);
    if (run === undefined) throw this.#differs(at);
    try {
      run(gap === -1 ? undefined : readJson(text.slice(gap + 1)));
    } catch {
      // It failed when it was done, too, and whoever asked was told.
    }
  }

  #nextTimer(at: Micros): () => void {
    if (this.clock.nextAt > at) throw this.#differs(at);
    return this.clock.takeNext();
  }

  #differs(at: Micros): MillraceError {
    return new MillraceError(
      'venue-data-invalid',
      `The inputs of ${this.#log.path} do not make the state again that they made by ${isoTime(at)}: another release wrote them, or a recording has changed. Run the venue with what wrote them, or begin with another folder.`,
      { where: this.#log.path },
    );
  }
}
