import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ERRORS, MillraceError, type ErrorCode } from '../../model/errors.ts';
import { PACKAGE_ROOT } from '../../modules/package.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND } from '../../platform/time.ts';
import type { ProgressListener } from '../terminal.ts';

/** How long a command may take to end in order before it is killed: a strategy may never return. */
const GRACE_US = 3 * US_PER_SECOND;
/** Most characters kept of an output's end; its last line is the result. */
const KEPT_LENGTH = 4 << 20;
const SHOWN_LENGTH = 2_000;

/** Variables that a command receives: no secret, only what a process needs to run. */
const ENVIRONMENT = [
  ...['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ'],
  ...['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'NODE_PATH'],
];

/** The caller that waits for a command. */
export interface JobContext {
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

/** Reads do not wait for a long run. */
type QueueName = 'look' | 'run';

/**
 * Runs commands of Millrace as separate processes. A strategy is read again each time, its output does not
 * reach the protocol, and one that never returns is killed.
 */
export class Jobs {
  readonly #cwd: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #scheduler: Scheduler;
  readonly #closing = new AbortController();
  /** Each starts when the one before has ended: two runs would share the cores. */
  readonly #last: Record<QueueName, Promise<unknown>> = {
    look: Promise.resolve(),
    run: Promise.resolve(),
  };

  constructor(cwd: string, environment: NodeJS.ProcessEnv, scheduler: Scheduler) {
    this.#cwd = cwd;
    this.#scheduler = scheduler;
    this.#environment = Object.fromEntries(
      ENVIRONMENT.flatMap((name) => (name in environment ? [[name, environment[name]]] : [])),
    );
  }

  /**
   * Runs a command that prints JSON, after the earlier ones in its queue, and returns its lines. Throws the
   * error that it ended with.
   */
  run(queue: QueueName, args: readonly string[], context: JobContext): Promise<readonly unknown[]> {
    const turn = this.#last[queue].then(() => this.#run(args, context));
    this.#last[queue] = turn.catch(() => undefined);
    return turn;
  }

  /** Ends every command that runs. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server ends'));
    await Promise.all(Object.values(this.#last));
  }

  async #run(args: readonly string[], context: JobContext): Promise<readonly unknown[]> {
    const signal = AbortSignal.any([context.signal, this.#closing.signal]);
    signal.throwIfAborted();
    const { code, out, err } = await this.#ended(args, { ...context, signal });
    signal.throwIfAborted();
    const lines = out.split('\n').flatMap(objectIn);
    if (code === 0) return lines;
    throw failure(lines.at(-1), err);
  }

  async #ended(
    args: readonly string[],
    { signal, onProgress }: JobContext,
  ): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
    const child = fork(join(PACKAGE_ROOT, 'bin', 'millrace.js'), args, {
      cwd: this.#cwd,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let [out, err] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out = (out + text).slice(-KEPT_LENGTH);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(-KEPT_LENGTH);
    });
    child.on('message', (message: { readonly share: number; readonly note: string }) => {
      onProgress(message.share, message.note);
    });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.on('error', reject).on('close', resolve);
    let cancel = (): void => undefined;
    const end = (): void => {
      child.kill('SIGINT');
      const at = micros(this.#scheduler.now() + GRACE_US);
      cancel = this.#scheduler.at(at, () => void child.kill('SIGKILL'));
    };
    signal.addEventListener('abort', end, { once: true });
    try {
      return { code: await promise, out, err };
    } finally {
      cancel();
      signal.removeEventListener('abort', end);
    }
  }
}

/** A line with a JSON object; a strategy may print others. */
function objectIn(line: string): readonly unknown[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** The error that a command ended with, as it reported it. */
function failure(last: unknown, err: string): MillraceError {
  const reported = (last as { readonly error?: Readonly<Record<string, string>> } | undefined)
    ?.error;
  const { code = '', message, field, where } = reported ?? {};
  if (message !== undefined && Object.hasOwn(ERRORS, code)) {
    return new MillraceError(code as ErrorCode, message, {
      ...(field === undefined ? {} : { field }),
      ...(where === undefined ? {} : { where }),
    });
  }
  return new MillraceError(
    'internal',
    `The command ended without telling why: ${err.slice(-SHOWN_LENGTH).trim() || 'it printed nothing'}`,
  );
}
