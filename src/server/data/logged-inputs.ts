import { MillraceError } from '../../model/errors.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { afterTurn, nextTurn } from '../../platform/turn.ts';
import { isoTime, US_PER_MS, US_PER_SECOND, micros, type Micros } from '../../platform/time.ts';
import { readJson, writeJson } from '../../wire/json.ts';
import type { LogRecord } from './frame.ts';
import { InputClock } from '../../platform/input-clock.ts';
import type { InputLog } from './input-log.ts';
import { KINDS, type Inputs } from './inputs.ts';

/** Inputs and timers between two digests of the state in the log. */
const STEPS_PER_CHECK = 4_096;
/** A replay yields to the event loop after this time, and reports its progress. */
const SLICE_US = 50 * US_PER_MS;
const PROGRESS_US = 5 * US_PER_SECOND;
/** Timers yield to the event loop after this time. */
const TURN_US = 2 * US_PER_MS;
/** A market that is this late for lack of speed counts as having stood still. */
const LATE_US = 100 * US_PER_MS;
/** Longest time by which an unwatched market may be ahead of the disk. */
const REACH_US = 10 * US_PER_SECOND;
/** How often a venue whose disk is full checks for room. */
const ROOM_US = US_PER_SECOND;

export interface LoggedSetup {
  readonly log: InputLog;
  /** When the venue was opened for the first time. */
  readonly openedAt: Micros;
  readonly present: Scheduler;
}

/** Market rows that are replayed besides the inputs. */
export interface ReplayedMarket {
  /** Time of its next rows, +Infinity if there are none. */
  readonly nextAt: number;
  /** It stood still for this time, and continues where it was. */
  stand(us: number): void;
}

/** Progress of a replay. */
export interface Progress {
  readonly inputs: number;
  /** Of the log. */
  readonly bytes: number;
  readonly bytesTotal: number;
  /** The venue's time that the replay has reached. */
  readonly reached: Micros;
  readonly tookUs: number;
}

/** Result of a replay. */
export interface Replayed {
  readonly inputs: number;
  /** How many timers ran again: turns of the market, and what was due. */
  readonly timers: number;
  /** Time reached by the state. */
  readonly until: Micros;
  /** Of a record that was not written to its end. */
  readonly bytesCut: number;
  /** How large the log is. */
  readonly bytes: number;
  readonly tookUs: number;
}

const NO_MARKET: ReplayedMarket = { nextAt: Number.POSITIVE_INFINITY, stand: () => undefined };

/**
 * Logs the inputs of a venue, and does those again that are in its log. While the venue is put
 * together and while it is replayed, whatever it does is part of that.
 *
 * Before an input everything happens that was due by then, in the order of its times. So only
 * inputs and their times are logged: timers and markets follow from them.
 */
export class LoggedInputs implements Inputs {
  readonly clock: InputClock;
  readonly #log: InputLog;
  readonly #present: Scheduler;
  readonly #replays = new Map<string, (payload: unknown) => void>();
  /** Digest of the state. */
  #state: () => string = () => '';
  #market = NO_MARKET;
  #isInside = true;
  #isLive = false;
  #sinceCheck = 0;
  #timers = 0;
  /** True if timers ran since the last record, and the disk does not have the reached time. */
  #isBehind = false;
  #cancelReach: Cancel | undefined;
  #cancelLook: Cancel | undefined;
  /** Callers that wait for the present input. */
  #waiters: (() => void)[] = [];

  constructor({ log, openedAt, present }: LoggedSetup) {
    this.#log = log;
    this.#present = present;
    this.clock = new InputClock(openedAt, present, () => {
      const by = this.#runDue();
      if (by !== undefined) this.#checkWhereDue(by);
    });
  }

  replays(kind: string, replay: (payload: unknown) => void): void {
    this.#replays.set(kind, replay);
  }

  /** Sets the digest that a replay is compared with. */
  checks(state: () => string): void {
    this.#state = state;
  }

  /** Lets a market stand still when the venue does; its turns are timers of `clock`. */
  stands(market: ReplayedMarket): void {
    this.#market = market;
    this.#replays.set(KINDS.stood, (us) => {
      market.stand(us as number);
    });
  }

  take<R>(kind: string, run: () => R, payload: () => unknown): R {
    if (this.#isInside) return run();
    const text = `${kind} ${writeJson(payload())}`;
    const at = this.#enter();
    try {
      return run();
    } finally {
      this.#leave(() => {
        this.#append(at, text);
      });
    }
  }

  look<R>(run: () => R): R {
    if (this.#isInside) return run();
    this.#enter();
    try {
      return run();
    } finally {
      this.#leave();
    }
  }

  get isFull(): boolean {
    return this.#log.isFull;
  }

  /** Nothing is sent in the middle of an input, which is not logged then. */
  get isDurable(): boolean {
    return !this.#isInside && !this.#isBehind && this.#log.isDurable;
  }

  whenDurable(then: () => void): void {
    if (this.#isInside) {
      this.#waiters.push(then);
      return;
    }
    this.#reach();
    this.#log.whenDurable(then);
  }

  /** The disk is full: checks for room repeatedly. */
  awaitRoom(): void {
    this.#cancelLook = this.#present.at(micros(this.#present.now() + ROOM_US), () => {
      if (!this.#log.makeRoom()) this.awaitRoom();
    });
  }

  /**
   * Repeats all inputs of the log, then follows the present. Throws `venue-data-invalid` if the log is
   * damaged, or its inputs lead to another state than before.
   */
  async replay(progress: (progress: Progress) => void = () => undefined): Promise<Replayed> {
    const startedAt = this.#present.now();
    const bytesTotal = this.#log.size;
    let inputs = 0;
    let reportedAt = startedAt;
    const breathe = async (): Promise<void> => {
      await nextTurn();
      const now = this.#present.now();
      if (now - reportedAt < PROGRESS_US) return;
      reportedAt = now;
      const reached = this.clock.reached;
      const bytes = this.#log.readTo;
      progress({ inputs, bytes, bytesTotal, reached, tookUs: now - startedAt });
    };
    for (let next = this.#log.read(); next !== undefined; next = this.#log.read()) {
      await this.#runUntil(next.at, breathe);
      this.#again(next);
      inputs += 1;
      if (inputs % 1_024 === 0) await breathe();
    }
    await this.#runUntil(this.#log.readReached(), breathe);
    const until = this.clock.reached;
    const bytesCut = this.#log.continueLog();
    const timers = this.#timers;
    const stoodUs = this.clock.catchUp();
    this.#isLive = true;
    // The market stands from where it was, so that everything due in between finds it as it was.
    if (stoodUs > LATE_US) this.#stand(stoodUs);
    await this.#runUntil(this.clock.present, breathe);
    this.clock.goLive();
    this.#isInside = false;
    this.#endInput();
    const tookUs = this.#present.now() - startedAt;
    return { inputs, timers, until, bytesCut, bytes: this.#log.size, tookUs };
  }

  /** Syncs everything and ends. */
  close(): void {
    if (!this.#isInside) {
      try {
        const by = this.#runDue();
        if (by !== undefined) this.#check(by);
      } catch {
        // A log that cannot be written was reported when that happened.
      }
    }
    this.#isInside = true;
    this.#cancelReach?.();
    this.#cancelLook?.();
    this.clock.close();
    this.#log.close();
  }

  /** Runs everything due, and stops at the present, or at the time reached. */
  #enter(): Micros {
    const by = this.#runDue();
    if (by !== undefined) this.#checkWhereDue(by);
    this.clock.holdAt(by ?? this.clock.reached);
    this.#isInside = true;
    return this.clock.reached;
  }

  #leave(log: () => void = () => undefined): void {
    this.clock.release();
    this.#isInside = false;
    try {
      log();
      this.#sinceCheck += 1;
    } finally {
      this.#endInput();
    }
  }

  #endInput(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const then of waiters) this.whenDurable(then);
  }

  /** Writes the reached time, if timers ran since it was last written. */
  #reach(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#log.reach(this.clock.reached);
  }

  /** A record's time marks the progress of everything. */
  #append(at: Micros, text: string): void {
    this.#isBehind = false;
    this.#log.append(at, text);
  }

  #checkWhereDue(by: Micros): void {
    if (this.#sinceCheck >= STEPS_PER_CHECK) this.#check(by);
  }

  /** Logs the digest of the state at a time by which everything due has happened. */
  #check(at: Micros): void {
    this.#isInside = true;
    this.clock.holdAt(at);
    this.#sinceCheck = 0;
    try {
      this.#append(at, `${KINDS.check} ${JSON.stringify(this.#state())}`);
    } finally {
      this.clock.release();
      this.#isInside = false;
    }
  }

  /** The market stands still from the time of the state. */
  #stand(us: number): void {
    const at = this.clock.reached;
    this.clock.holdAt(at);
    this.#append(at, `${KINDS.stood} ${us}`);
    this.#market.stand(us);
  }

  /**
   * Runs the timers that are due, and returns by when all has happened; nothing if there is too much for
   * this turn. A market faster than the machine is late: only it waits for its next turn, and it stands
   * still if that is long.
   */
  #runDue(): Micros | undefined {
    const until = this.clock.present;
    if (this.clock.nextAt > until) return until;
    const turnEnd = this.#present.now() + TURN_US;
    this.#isInside = true;
    try {
      while (this.clock.nextAt <= until) {
        if (this.#mayWait(until) && this.#present.now() >= turnEnd) {
          const lateUs = until - this.#market.nextAt;
          if (lateUs <= LATE_US) return undefined;
          this.#stand(lateUs);
        }
        this.#runTimer();
      }
      return until;
    } finally {
      this.clock.release();
      this.#isInside = false;
      this.#endInput();
    }
  }

  /** True between two times when only the market is due. */
  #mayWait(until: Micros): boolean {
    return this.#market.nextAt <= until && this.clock.nextAt > this.clock.reached;
  }

  #runTimer(): void {
    this.#timers += 1;
    this.#sinceCheck += 1;
    try {
      this.clock.runNext();
    } catch (error) {
      // It fails again in a replay; this process ends by it as by any other bug.
      if (this.#isLive) afterTurn(() => fail(error));
    }
    if (!this.#isLive) return;
    this.#isBehind = true;
    this.#cancelReach ??= this.#present.at(micros(this.#present.now() + REACH_US), () => {
      this.#cancelReach = undefined;
      this.whenDurable(() => undefined);
    });
  }

  /** Runs the timers that are due by `at`, however long that takes. */
  async #runUntil(at: number, breathe: () => Promise<void>): Promise<void> {
    let sliceEnd = this.#present.now() + SLICE_US;
    for (let count = 1; this.clock.nextAt <= at; count += 1) {
      this.#runTimer();
      if (count % 64 !== 0 || this.#present.now() < sliceEnd) continue;
      await breathe();
      sliceEnd = this.#present.now() + SLICE_US;
    }
    this.clock.holdAt(at);
  }

  #again({ at, text }: LogRecord): void {
    const gap = text.indexOf(' ');
    const kind = text.slice(0, gap);
    const payload = text.slice(gap + 1);
    this.#sinceCheck += 1;
    if (kind === KINDS.check) {
      this.#sinceCheck = 0;
      if (JSON.parse(payload) !== this.#state()) throw this.#differs(at);
      return;
    }
    const run = this.#replays.get(kind);
    if (run === undefined) throw this.#differs(at);
    try {
      run(readJson(payload));
    } catch {
      // It failed when it was done, too, and the caller got the error then.
    }
  }

  #differs(at: Micros): MillraceError {
    return new MillraceError(
      'venue-data-invalid',
      `The inputs of ${this.#log.path} do not make the state again that they made by ${isoTime(at)}: another release wrote them, or a recording has changed. Run the venue with what wrote them, or begin with another folder.`,
      { where: this.#log.path },
    );
  }
}

function fail(error: unknown): never {
  throw error;
}
