import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { interruptible, Stopped } from '../../platform/interruption.ts';
import { runWorker } from '../../research/remote/worker.ts';
import { requirePath, wholeNumber, usageError } from '../arguments.ts';
import { internalError } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace worker`. */
export interface WorkerFlags {
  readonly nats?: string;
  readonly threads?: string;
  readonly recordings?: readonly string[];
  readonly cache: string;
  readonly acceptStrategies?: true;
}

/** Runs jobs of sweeps until it is stopped, which is its usual end. */
export async function work(flags: WorkerFlags, { env, err, signals }: Terminal): Promise<void> {
  const threads =
    flags.threads === undefined ? availableParallelism() : wholeNumber(flags.threads, '--threads');
  if (threads < 1) throw usageError('--threads', 'at least 1');
  const emit = (text: string): void => void err.write(`${text}\n`);
  const settings = {
    url: natsUrl(flags.nats, env),
    env,
    threads,
    recordings: (flags.recordings ?? []).map((each) => resolve(requirePath(each, '--recordings'))),
    cache: resolve(requirePath(flags.cache, '--cache')),
    acceptsStrategies: flags.acceptStrategies === true,
    listener: {
      ready: (worker: string) => emit(`worker ${worker}, ${threads} threads: waiting for sweeps`),
      began: (sweep: string) => emit(`sweep ${sweep.slice(0, 8)}: running`),
      finished: (runs: number) => emit(`${runs} runs done`),
      trouble: (code: string, message: string) => emit(`warning [${code}] ${message}`),
    },
  };
  try {
    await interruptible(
      (signal) => runWorker({ ...settings, signal }),
      internalError,
      signals,
      'what was not finished goes to other workers',
    );
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    emit(error.message);
  }
}

/** The address of a NATS server from an option or the environment. Throws `usage` without one. */
export function natsUrl(given: string | undefined, env: Terminal['env']): string {
  const url = given ?? env['NATS_URL'];
  if (url !== undefined && url.trim() !== '') return url;
  throw new MillraceError(
    'usage',
    'No NATS server is named: give --nats nats://127.0.0.1:4222, or set NATS_URL.',
    { field: 'nats' },
  );
}
