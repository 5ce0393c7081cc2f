import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { messageOf } from '../../config/excerpt.ts';
import { openSeries } from '../../feeds/series.ts';
import type { MillraceError } from '../../model/errors.ts';
import { pause } from '../../platform/pause.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { WorkerSlot } from '../sweep/pool.ts';
import type { Job, Outcome, RunFault, RunnerSetup } from '../sweep/runner.ts';
import { areShared, shareRows } from '../sweep/shared-rows.ts';
import { changed } from './definition.ts';
import { isSame, LOST_THREADS_MAX, type RemoteResult } from './protocol.ts';
import type { SweepServer } from './sweep-server.ts';

/** How long the server waits before it answers that there is no job; its minimum. */
const ASK_MS = 1_000;
/** Jobs per thread: one that runs and one that waits. */
const JOBS_PER_THREAD = 2;
/** Delay between attempts to reach a server that is away. */
const RETRY_US = 500 * US_PER_MS;
/** Delay before a job that this worker cannot run is offered to others. */
const GIVEN_BACK_MS = 1_000;
/** Time without a job after which a worker leaves a sweep; the next value applies in any case. */
const IDLE_US = 2 * US_PER_SECOND;
const IDLE_MAX_US = 60 * US_PER_SECOND;

/** Listener of a worker. */
export interface WorkerListener {
  ready(worker: string): void;
  began(sweep: string): void;
  finished(runs: number): void;
  /** A problem with a sweep, or with the server. */
  trouble(code: string, message: string): void;
}

export interface ServiceSetup {
  readonly server: SweepServer;
  readonly sweep: string;
  readonly worker: string;
  readonly threads: number;
  readonly scheduler: Scheduler;
  readonly listener: WorkerListener;
  readonly ackWaitMs: number;
  readonly setup: RunnerSetup;
  /** For each strategy its file here and the coordinator's folder of it. */
  readonly folders: readonly (readonly [file: string, folder: string])[];
}

/** State of a file when the sweep began. */
interface FileState {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * A worker in one sweep: takes jobs, runs them on threads and stores their outcomes. The connection
 * is in this thread, which no backtest blocks, so that the server receives a heartbeat for every
 * job in hand.
 */
export class SweepService {
  readonly #setup: ServiceSetup;
  readonly #files: readonly FileState[];
  readonly #slots: readonly WorkerSlot[];
  readonly #held = new Set<JsMsg>();
  readonly #ready: JsMsg[] = [];
  readonly #over = new AbortController();
  #trouble: MillraceError | undefined;
  #wake: () => void = () => undefined;
  #wakeThreads: (() => void)[] = [];
  #runs = 0;

  /** Decodes the recordings for all threads; throws the errors of reading them. */
  constructor(setup: ServiceSetup) {
    this.#setup = setup;
    const paths = setup.setup.markets.map((market) => market.paths);
    const opened = paths.map((each) => openSeries(each));
    try {
      const isShared = areShared(opened.flat());
      const markets = setup.setup.markets.map((market, index) =>
        isShared ? { ...market, rows: opened[index].map(shareRows) } : market,
      );
      // Recordings in memory may change on disk.
      this.#files = isShared ? [] : paths.flat().map(stateOf);
      const runner: RunnerSetup = { ...setup.setup, markets };
      this.#slots = Array.from({ length: setup.threads }, () => new WorkerSlot(runner));
    } finally {
      for (const series of opened.flat()) series.close();
    }
  }

  /**
   * Serves until the sweep is over or has no job, or until the signal. Throws what it cannot
   * handle.
   */
  async run(signal: AbortSignal): Promise<void> {
    const end = (): void => this.#end();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) this.#end();
    const beating = this.#beat();
    try {
      await Promise.all([this.#fetch(), ...this.#slots.map((slot) => this.#work(slot))]);
    } finally {
      beating();
      signal.removeEventListener('abort', end);
      this.#end();
      // Returns unfinished jobs to the queue at once.
      for (const message of this.#held) message.nak();
      await Promise.all(this.#slots.map((slot) => slot.closed));
      this.#setup.listener.finished(this.#runs);
    }
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  #end(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    for (const slot of this.#slots) slot.close();
    this.#wake();
    for (const wake of this.#wakeThreads.splice(0)) wake();
  }

  /** Sends a heartbeat for every job in hand or waiting. */
  #beat(): Cancel {
    const { scheduler, ackWaitMs } = this.#setup;
    let cancel: Cancel = () => undefined;
    const next = (): void => {
      cancel = scheduler.at(micros(scheduler.now() + (ackWaitMs * US_PER_MS) / 3), () => {
        for (const message of this.#held) message.working();
        next();
      });
    };
    next();
    return () => cancel();
  }

  async #fetch(): Promise<void> {
    const { server, sweep, scheduler, threads } = this.#setup;
    let consumer: Consumer | undefined;
    let idleSince = scheduler.now();
    while (!this.#over.signal.aborted) {
      if (this.#held.size >= JOBS_PER_THREAD * threads) {
        await this.#room();
        continue;
      }
      try {
        consumer ??= await server.jobs(sweep);
        const message = await consumer.next({ expires: ASK_MS });
        if (message !== null) {
          this.#take(message);
          idleSince = scheduler.now();
        } else if ((await server.definition(sweep)) === undefined) this.#end();
        else if (await this.#isIdle(scheduler.now() - idleSince)) this.#end();
      } catch {
        consumer = undefined;
        await pause(scheduler, RETRY_US, this.#over.signal);
        if (await this.#isGone()) this.#end();
      }
    }
  }

  async #isIdle(us: number): Promise<boolean> {
    if (this.#held.size > 0 || us < IDLE_US) return false;
    return us >= IDLE_MAX_US || (await this.#setup.server.sweeps()).length > 1;
  }

  /** True if the sweep has ended; false while the server is away. */
  async #isGone(): Promise<boolean> {
    const { server, sweep } = this.#setup;
    try {
      return (await server.definition(sweep)) === undefined;
    } catch {
      return server.connection.isClosed();
    }
  }

  #take(message: JsMsg): void {
    // A job that arrives after the end is returned.
    this.#held.add(message);
    this.#ready.push(message);
    this.#wakeThreads.shift()?.();
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #work(slot: WorkerSlot): Promise<void> {
    while (!this.#over.signal.aborted) {
      const message = this.#ready.shift();
      if (message === undefined) {
        await new Promise<void>((resolve) => this.#wakeThreads.push(resolve));
        continue;
      }
      this.#checkFiles();
      if (this.#trouble !== undefined) return;
      const outcome = await slot.run(message.json<Job>());
      if (this.#over.signal.aborted) return;
      // The thread continues meanwhile.
      void this.#store(message, outcome);
    }
  }

  /** Ends the service of this sweep if a recording has changed. */
  #checkFiles(): void {
    const other = this.#files.find(({ path, size, mtimeMs }) => {
      const now = statSync(path, { throwIfNoEntry: false });
      return now?.size !== size || now.mtimeMs !== mtimeMs;
    });
    if (other === undefined) return;
    this.#trouble = changed(other.path);
    this.#end();
  }

  /** Stores an outcome, repeating until it succeeds, and removes its job from the queue. */
  async #store(message: JsMsg, outcome: Outcome): Promise<void> {
    const { server, sweep, worker, scheduler } = this.#setup;
    const isLost = outcome.fault?.code === 'worker-lost';
    if (isLost && message.info.deliveryCount < LOST_THREADS_MAX) {
      message.nak(GIVEN_BACK_MS);
      this.#release(message);
      return;
    }
    const key = message.subject.slice(message.subject.lastIndexOf('.') + 1);
    const result: RemoteResult = { outcome: this.#asSent(outcome), worker };
    while (!this.#over.signal.aborted) {
      try {
        const other = await server.store(sweep, key, result);
        if (other !== undefined && !isSame(other, result)) await server.dispute(sweep, key, result);
        message.ack();
        this.#runs += 1;
        break;
      } catch (error) {
        this.#setup.listener.trouble(
          'unreachable',
          `A result could not be stored (${messageOf(error)}); it is tried again.`,
        );
        await pause(scheduler, RETRY_US, this.#over.signal);
      }
    }
    this.#release(message);
  }

  #release(message: JsMsg): void {
    this.#held.delete(message);
    this.#wake();
  }

  /**
   * Replaces strategy paths in errors by the coordinator's, so that the same run has the same row.
   */
  #asSent(outcome: Outcome): Outcome {
    const { fault } = outcome;
    if (fault === undefined) return outcome;
    const renamed = (text: string): string =>
      this.#setup.folders.reduce(
        (so, [file, folder]) => so.replaceAll(dirname(file), folder),
        text,
      );
    const { code, message, where } = fault;
    const reported: RunFault = { code, message: renamed(message) };
    return {
      ...outcome,
      fault: where === undefined ? reported : { ...reported, where: renamed(where) },
    };
  }
}

function stateOf(path: string): FileState {
  const { size, mtimeMs } = statSync(path);
  return { path, size, mtimeMs };
}
