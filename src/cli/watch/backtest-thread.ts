import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { PACKAGE_ROOT } from '../../modules/package.ts';
import { pause } from '../../platform/pause.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type { BacktestFlags } from '../actions/backtest.ts';
import { reportFailure } from '../failure.ts';
import { bare } from '../printable.ts';
import { isTerminal, type Terminal } from '../terminal.ts';
import type { KeyFigures } from './figures.ts';

/** Inputs of a thread. */
export interface WatchedRun {
  readonly configPath: string | undefined;
  readonly flags: BacktestFlags;
  /** The figures of the run before. */
  readonly before: KeyFigures | undefined;
  readonly isCached: boolean;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
}

/** Outcome of a run: figures if it has a result, a sentence if the call was wrong. */
export interface RunEnd {
  readonly figures?: KeyFigures;
  readonly usage?: string;
}

export type FromThread =
  | { readonly kind: 'text'; readonly to: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  | ({ readonly kind: 'ended' } & RunEnd);

/** From the sources a thread has to find the sources too; built, it has the flags of the process. */
const isSource = import.meta.url.endsWith('.ts');
const FILE = isSource
  ? new URL('./thread.ts', import.meta.url)
  : join(PACKAGE_ROOT, 'dist/src/cli/watch/thread.js');
const FLAGS = isSource ? { execArgv: ['--conditions=millrace-source'] } : {};

/** A strategy that never yields, as in an endless loop, cannot stop by itself. */
const STOP_US = US_PER_SECOND;

/**
 * One backtest in its own thread: each reads the strategy and its imports again, leaves nothing behind, and
 * can be ended at any time.
 */
export class BacktestThread {
  /** Resolves when the run is over; never rejects. */
  readonly ended: Promise<RunEnd>;
  readonly #worker: Worker;
  readonly #scheduler: Scheduler;
  /** True once the run has ended or was stopped; nothing more is reported. */
  #isOver = false;

  constructor(
    run: Pick<WatchedRun, 'configPath' | 'flags' | 'before'>,
    onFile: (path: string) => void,
    scheduler: Scheduler,
    terminal: Terminal,
  ) {
    const workerData: WatchedRun = {
      ...run,
      isCached: getCompileCacheDir() !== undefined,
      outIsTerminal: isTerminal(terminal.out),
      errIsTerminal: isTerminal(terminal.err),
    };
    this.#scheduler = scheduler;
    this.#worker = new Worker(FILE, { ...FLAGS, workerData });
    this.ended = new Promise((resolve) => {
      let why = '';
      this.#worker.on('message', (message: FromThread) => {
        if (message.kind === 'file') onFile(message.path);
        else if (message.kind === 'ended') {
          this.#isOver = true;
          resolve(message);
          // Whatever the strategy left running, a timer or a socket, ends with the run.
          void this.#worker.terminate();
        } else if (!this.#isOver) bare(terminal[message.to]).write(message.text);
      });
      this.#worker.on('error', (error) => {
        why = messageOf(error);
      });
      this.#worker.on('exit', (code) => {
        const lost = new MillraceError(
          'worker-lost',
          `The thread of the backtest ended before the run did (${why === '' ? `exit code ${code}` : why}). Look whether the strategy ends the process, or needs more memory.`,
        );
        if (!this.#isOver) reportFailure(lost, terminal, run.flags.json === true);
        resolve({});
      });
    });
  }

  /** Ends the run, by force if necessary. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#worker.postMessage('stop');
    const waiting = new AbortController();
    await Promise.race([this.ended, pause(this.#scheduler, STOP_US, waiting.signal)]);
    waiting.abort();
    await this.#worker.terminate();
  }
}
