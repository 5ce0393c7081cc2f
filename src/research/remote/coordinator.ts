import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { pause } from '../../platform/pause.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { unlessAborted } from '../../platform/aborted.ts';
import type { SweepMarket, SweepNats } from '../sweep/options.ts';
import type { Jobs } from '../sweep/pool.ts';
import type { Job, Outcome } from '../sweep/runner.ts';
import { definitionOf, upload } from './definition.ts';
import { jobKey, sweepId, type Definition, type RemoteResult } from './protocol.ts';
import { SweepServer } from './sweep-server.ts';

/** Most jobs in the queue or with workers. */
const AHEAD_MAX = 500;
/** How often a job is sent that left the queue without a result. */
const SENDS_MAX = 3;
/** Time without a result after which stuck jobs are checked. */
const LOOK_US = 3 * US_PER_SECOND;
const DEFAULT_ACK_WAIT_MS = 30_000;

export interface RemoteOptions {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly loaded: readonly LoadedStrategy[];
  readonly markets: readonly SweepMarket[];
  readonly nats: SweepNats;
  readonly signal: AbortSignal | undefined;
  /** Called once for each job, in the order of results. */
  readonly onOutcome: (job: Job, outcome: Outcome) => void;
}

/**
 * Runs jobs on the workers of a NATS server, as `runJobs` does on threads. Throws the errors of
 * `onOutcome` and of the connection, the reason of the signal, and `run-not-deterministic` if two
 * runs of a job had different results.
 */
export async function runJobsOnWorkers(
  jobs: Jobs,
  { settings, loaded, markets, nats, signal, onOutcome }: RemoteOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const { ackWaitMs = DEFAULT_ACK_WAIT_MS, env = process.env, onNotice = () => undefined } = nats;
  const definition = definitionOf({ settings, loaded, markets, ackWaitMs });
  const server = await SweepServer.open({ url: nats.url, env, name: 'millrace sweep' });
  const sweep = sweepId(definition);
  let isDone = false;
  try {
    if (nats.sharedRecordings !== true) {
      await unlessAborted(
        upload(server, definition, (path) => onNotice(`Uploading ${path}.`)),
        signal,
      );
    }
    const coordinator = new Coordinator(server, { sweep, definition, jobs, onOutcome, onNotice });
    await coordinator.run(signal);
    isDone = true;
  } finally {
    // A lost server has nothing to be cleared.
    await Promise.race([
      server.end(sweep, { keepsResults: !isDone }).catch(() => undefined),
      pause(new SystemScheduler(), LOOK_US),
    ]);
    await server.close();
  }
}

interface Coordinated {
  readonly sweep: string;
  readonly definition: Definition;
  readonly jobs: Jobs;
  readonly onOutcome: (job: Job, outcome: Outcome) => void;
  readonly onNotice: (text: string) => void;
}

interface Pending {
  readonly job: Job;
  sends: number;
}

class Coordinator {
  readonly #server: SweepServer;
  readonly #setup: Coordinated;
  readonly #scheduler = new SystemScheduler();
  /** Jobs without a result, by key, in order. */
  readonly #pending = new Map<string, Pending>();
  readonly #sent = new Set<string>();
  /** Stored results of jobs that the sweep has not reached. */
  readonly #there = new Map<string, RemoteResult>();
  /** True once every job is known. */
  #isListed = false;
  readonly #reported = new Set<string>();
  readonly #over = new AbortController();
  #hasNews = false;
  #wakeUp: () => void = () => undefined;
  #roomMade: () => void = () => undefined;
  #lastAt = micros(0);
  #idleLooks = 0;

  constructor(server: SweepServer, setup: Coordinated) {
    this.#server = server;
    this.#setup = setup;
  }

  async run(signal: AbortSignal | undefined): Promise<void> {
    const { sweep } = this.#setup;
    const failed = Promise.withResolvers<never>();
    const fail = (error: unknown): void => {
      failed.reject(error instanceof Error ? error : new Error(messageOf(error)));
    };
    this.#server.onNote(sweep, ({ worker, message }) => {
      this.#emit(`Worker ${worker}: ${message}`);
    });
    this.#server.onGivenUp(sweep, (key) => {
      this.#giveUp(key).catch(fail);
    });
    void this.#server.connection.closed().then((error) => {
      if (!this.#over.signal.aborted) fail(error ?? new Error('the connection was closed'));
    });
    this.#lastAt = this.#scheduler.now();
    try {
      await unlessAborted(Promise.race([this.#work(fail), failed.promise]), signal);
    } finally {
      this.#over.abort();
    }
  }

  /** Sends jobs until each has its result. */
  async #work(fail: (error: unknown) => void): Promise<void> {
    const { sweep, definition } = this.#setup;
    // Read in this order, a job is in the queue or has its result: a worker stores the result
    // first.
    for (const key of await this.#server.queued(sweep)) this.#sent.add(key);
    await this.#takeThere();
    await this.#server.define(sweep, definition);
    this.#follow().catch(fail);
    this.#list().catch(fail);
    while (!this.#over.signal.aborted) {
      await this.#repeating(() => this.#send());
      if (this.#isListed && this.#pending.size === 0) break;
      await this.#news();
      if (this.#sent.size === 0 || this.#scheduler.now() - this.#lastAt < LOOK_US) continue;
      this.#lastAt = this.#scheduler.now();
      await this.#repeating(() => this.#poll());
    }
  }

  /**
   * Takes jobs as they become known, which may depend on earlier results; limits how far it is
   * ahead.
   */
  async #list(): Promise<void> {
    for await (const job of this.#setup.jobs) {
      if (this.#over.signal.aborted) return;
      const key = jobKey(job);
      this.#pending.set(key, { job, sends: 0 });
      const there = this.#there.get(key);
      if (there !== undefined) this.#take(key, there);
      else this.#wake();
      while (this.#pending.size >= AHEAD_MAX && !this.#over.signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        this.#roomMade = () => resolve(undefined);
        await promise;
      }
    }
    this.#isListed = true;
    this.#wake();
  }

  /** Takes results of an earlier coordinator, except those of runs with lost workers. */
  async #takeThere(): Promise<void> {
    const { sweep } = this.#setup;
    for (const key of await this.#server.resultKeys(sweep)) {
      const result = await this.#server.result(sweep, key);
      if (result?.outcome.fault?.code === 'worker-lost') await this.#server.forget(sweep, key);
      else if (result !== undefined) this.#take(key, result);
    }
  }

  async #follow(): Promise<void> {
    for await (const { key, result } of this.#server.results(this.#setup.sweep)) {
      if (this.#over.signal.aborted) return;
      this.#take(key, result);
    }
  }

  #take(key: string, result: RemoteResult): void {
    const { onOutcome, sweep } = this.#setup;
    if (key.endsWith('.other')) throw disputed(sweep, key, result);
    const found = this.#pending.get(key);
    if (found === undefined) {
      this.#there.set(key, result);
      return;
    }
    this.#pending.delete(key);
    this.#there.delete(key);
    this.#sent.delete(key);
    this.#lastAt = this.#scheduler.now();
    this.#idleLooks = 0;
    onOutcome(found.job, result.outcome);
    this.#roomMade();
    this.#wake();
  }

  async #send(): Promise<void> {
    const { sweep } = this.#setup;
    const next: Promise<void>[] = [];
    for (const [key, { job }] of this.#pending) {
      if (this.#sent.has(key)) continue;
      this.#sent.add(key);
      const sending = this.#server.send(sweep, key, job);
      next.push(
        sending.catch((error: unknown) => {
          this.#sent.delete(key);
          throw error;
        }),
      );
    }
    await Promise.all(next);
  }

  /** Resolves at the next result or job since the last call, or when a check is due. */
  async #news(): Promise<void> {
    if (!this.#hasNews) {
      const wait = new AbortController();
      this.#wakeUp = () => wait.abort();
      await pause(this.#scheduler, LOOK_US, wait.signal);
    }
    this.#hasNews = false;
  }

  #wake(): void {
    this.#hasNews = true;
    this.#wakeUp();
  }

  /**
   * Without a result for a while: reads results that the watch missed, and sends stuck jobs again.
   */
  async #poll(): Promise<void> {
    const { sweep, definition } = this.#setup;
    const queue = await this.#server.queue(sweep);
    if (queue === undefined) {
      await this.#server.define(sweep, definition);
      await this.#resend();
      return;
    }
    const { num_pending: waiting, num_ack_pending: inHand, num_waiting: asking } = queue;
    if (asking === 0 && inHand === 0) {
      this.#emit('No worker takes jobs of this sweep. Start one: millrace worker --nats URL');
    }
    this.#idleLooks = waiting === 0 && inHand === 0 ? this.#idleLooks + 1 : 0;
    // The result of a job that has just left the queue may be in flight.
    if (this.#idleLooks >= 2) await this.#resend();
  }

  /**
   * Sends jobs again that are not waiting or with a worker and have no result, as the server lost
   * them or delivers them to nobody.
   */
  async #resend(): Promise<void> {
    const { sweep } = this.#setup;
    this.#idleLooks = 0;
    for (const key of [...this.#sent]) {
      const result = await this.#server.result(sweep, key);
      const pending = this.#pending.get(key);
      if (result !== undefined) this.#take(key, result);
      else if (pending !== undefined && pending.sends + 1 >= SENDS_MAX) await this.#giveUp(key);
      else if (pending !== undefined) {
        pending.sends += 1;
        await this.#server.drop(sweep, key);
        this.#sent.delete(key);
      }
    }
  }

  /** Fails a job that no worker finishes, unless there is a result after all. */
  async #giveUp(key: string): Promise<void> {
    const { sweep } = this.#setup;
    const message =
      'No worker finished this run, though several were given it: each ended or was lost before. Look whether it needs more memory than they have.';
    const lost: RemoteResult = {
      outcome: { fault: { code: 'worker-lost', message }, ms: 0 },
      worker: 'coordinator',
    };
    const there = await this.#server.store(sweep, key, lost);
    await this.#server.drop(sweep, key);
    this.#take(key, there ?? lost);
  }

  /** Repeats work while the server is away. */
  async #repeating(work: () => Promise<void>): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        await work();
        return;
      } catch (error) {
        if (error instanceof MillraceError) throw error;
        this.#emit(`The NATS server does not answer (${messageOf(error)}); it is asked again.`);
        await pause(this.#scheduler, 500 * US_PER_MS, this.#over.signal);
      }
    }
  }

  /** Emits each notice once. */
  #emit(text: string): void {
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    this.#setup.onNotice(text);
  }
}

const disputed = (sweep: string, key: string, { worker, outcome }: RemoteResult): MillraceError =>
  new MillraceError(
    'run-not-deterministic',
    `The run ${key.slice(0, 8)} of the sweep ${sweep.slice(0, 8)} ran twice with two results; the second is from the worker ${worker}, with the hash ${outcome.figures?.hash ?? 'of none'}. Look whether the strategy reads a clock, draws by chance of its own, or keeps something from one run to the next.`,
  );
