import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../config/excerpt.ts';
import { PACKAGE_ROOT } from '../../modules/package.ts';
import { TrialRunner, type Job, type Outcome, type RunnerSetup } from './runner.ts';

/** How often a job is started if its thread ends. */
const ATTEMPTS_MAX = 2;

export interface PoolOptions {
  readonly setup: RunnerSetup;
  /** Threads; 0 runs all jobs in this one. */
  readonly workers: number;
  readonly signal: AbortSignal | undefined;
  /** Called in this thread for each job, in the order of their ends. */
  readonly onOutcome: (job: Job, outcome: Outcome) => void;
}

/** Jobs as they become known; the next may depend on earlier outcomes. */
export type Jobs = Iterable<Job> | AsyncIterable<Job>;

/**
 * Runs jobs on threads, each job once. A thread that ends is replaced, and its job started once
 * more; then it counts as lost. Throws the errors of `onOutcome`, and the reason of the signal; no
 * thread stays behind.
 */
export async function runJobs(
  jobs: Jobs,
  { setup, workers, signal, onOutcome }: PoolOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const waiting = oneByOne(jobs);
  const over = Promise.withResolvers<IteratorResult<Job>>();
  let isOver = false;
  const slots = Array.from({ length: Math.max(1, workers) }, () =>
    workers === 0 ? new LocalSlot(setup) : new WorkerSlot(setup),
  );
  const end = (): void => {
    isOver = true;
    over.resolve({ done: true, value: undefined });
    for (const slot of slots) slot.close();
  };
  signal?.addEventListener('abort', end, { once: true });
  const work = async (slot: Slot): Promise<void> => {
    for (;;) {
      // The next job may wait for an outcome that will never come.
      const next = await Promise.race([waiting.next(), over.promise]);
      if (next.done === true || isOver) return;
      const outcome = await slot.run(next.value);
      if (isOver) return;
      onOutcome(next.value, outcome);
    }
  };
  try {
    await Promise.all(slots.map(work));
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', end);
    end();
    await Promise.all(slots.map((slot) => slot.closed));
  }
}

/** Serves concurrent requests for the next job, each with another one. */
async function* oneByOne(jobs: Jobs): AsyncGenerator<Job, undefined> {
  yield* jobs;
  return undefined;
}

interface Slot {
  run(job: Job): Promise<Outcome>;
  close(): void;
  readonly closed: Promise<unknown>;
}

class LocalSlot implements Slot {
  readonly #runner: TrialRunner;
  readonly closed = Promise.resolve();

  constructor(setup: RunnerSetup) {
    this.#runner = new TrialRunner(setup);
  }

  run(job: Job): Promise<Outcome> {
    return this.#runner.run(job);
  }

  close(): void {
    this.#runner.close();
  }
}

/**
 * Run from the sources, a thread must find the sources too; built, it has the flags of the process.
 */
const isSource = import.meta.url.endsWith('.ts');
const FILE = isSource
  ? new URL('./worker.ts', import.meta.url)
  : join(PACKAGE_ROOT, 'dist/src/research/sweep/worker.js');
const FLAGS = isSource ? { execArgv: ['--conditions=millrace-source'] } : {};

/** Start data of a thread. */
export interface ThreadSetup {
  readonly setup: RunnerSetup;
  /** True if the process uses Node's compile cache. */
  readonly isCached: boolean;
}

/** A thread that runs jobs one after the other, and is replaced when it ends. */
export class WorkerSlot implements Slot {
  readonly #setup: RunnerSetup;
  #worker: Worker | undefined;
  #isClosed = false;
  closed: Promise<unknown> = Promise.resolve();

  constructor(setup: RunnerSetup) {
    this.#setup = setup;
  }

  async run(job: Job): Promise<Outcome> {
    let why = '';
    for (let attempt = 0; attempt < ATTEMPTS_MAX && !this.#isClosed; attempt += 1) {
      const reported = await this.#ask(job);
      if (typeof reported !== 'string') return reported;
      why = reported;
      this.#worker = undefined;
    }
    const message = `The thread of this run ended before the run did, ${ATTEMPTS_MAX} times (${why}). Look whether the strategy ends the process, or needs more memory.`;
    return { fault: { code: 'worker-lost', message }, ms: 0 };
  }

  close(): void {
    this.#isClosed = true;
    if (this.#worker !== undefined) this.closed = this.#worker.terminate();
  }

  /** The outcome, or why there is none. */
  #ask(job: Job): Promise<Outcome | string> {
    const workerData: ThreadSetup = {
      setup: this.#setup,
      isCached: getCompileCacheDir() !== undefined,
    };
    const worker = (this.#worker ??= new Worker(FILE, { ...FLAGS, workerData }));
    return new Promise((resolve) => {
      let why = '';
      const ended = (code: number): void => {
        resolve(why === '' ? `exit code ${code}` : why);
      };
      const failed = (error: unknown): void => {
        why = messageOf(error);
      };
      worker.once('exit', ended);
      worker.on('error', failed);
      worker.once('message', (outcome: Outcome) => {
        worker.off('exit', ended);
        worker.off('error', failed);
        resolve(outcome);
      });
      worker.postMessage(job);
    });
  }
}
