import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../backtest/canonical.ts';
import { RESULT_FORMAT } from '../../backtest/result.ts';
import type { SourceModule } from '../../backtest/strategy-source.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { version } from '../../modules/package.ts';
import type { Job, Outcome } from '../sweep/runner.ts';

/** How often a job is delivered to workers before it counts as one that no worker finishes. */
export const DELIVERIES_MAX = 5;
/** How often a job whose thread ended is delivered to a worker; each worker starts it twice. */
export const LOST_THREADS_MAX = 2;

const HASH = z.string().regex(/^[0-9a-f]{64}$/);

const DEFINITION = z.object({
  format: z.literal(1),
  millrace: z.string(),
  node: z.string(),
  ackWaitMs: z.number().min(1_000),
  settings: z.record(z.string(), z.unknown()),
  strategies: z.array(
    z.object({
      name: z.string(),
      /**
       * Relative to the folder in which the sweep was started; only the name if it is not below.
       */
      file: z.string(),
      /** The coordinator's folder of it, for errors. */
      folder: z.string(),
      sha256: HASH,
      modules: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  ),
  markets: z.array(
    z.object({
      recordings: z.array(z.object({ path: z.string(), sha256: HASH, bytes: z.number() })),
    }),
  ),
});

/** A sweep as sent to its workers: the common part of all runs. */
export type Definition = z.output<typeof DEFINITION>;
export type SentStrategy = Definition['strategies'][number];
export type SentRecording = Definition['markets'][number]['recordings'][number];

/** Reads a definition. Throws `worker-unfit` for one of another release. */
export function readDefinition(bytes: Uint8Array): Definition {
  try {
    return DEFINITION.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new MillraceError(
      'worker-unfit',
      `The sweep is of another release of Millrace than this worker, which is ${runtime().millrace} (${messageOf(cause)}).`,
      { cause },
    );
  }
}

/**
 * Versions that coordinator and workers must share, as another release or Node may compute
 * differently.
 */
export const runtime = (): Pick<Definition, 'millrace' | 'node'> => ({
  millrace: `${version()}, results ${RESULT_FORMAT}`,
  node: process.versions.node.split('.')[0],
});

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);

/** Identity of a sweep: equal definitions share their results. */
export const sweepId = ({ ackWaitMs: _, strategies, markets, ...rest }: Definition): string =>
  hashOf({
    ...rest,
    strategies: strategies.map(({ name, sha256 }) => ({ name, sha256 })),
    markets: markets.map(({ recordings }) => recordings.map(({ sha256 }) => sha256)),
  });

/** Identity of a job within its sweep, without its index. */
export const jobKey = ({ index: _, ...job }: Job): string => hashOf(job);

/** Identity of a strategy's source. */
export const textHash = (modules: readonly SourceModule[]): string =>
  createHash('sha256').update(canonicalJson(modules)).digest('hex');

/** A result as stored under the key of its job. */
export interface RemoteResult {
  readonly outcome: Outcome;
  /** The worker that computed it. */
  readonly worker: string;
}

/** A worker's status for those who wait for it. */
export interface WorkerNote {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
}

/** True if two workers had the same result, as deterministic runs do. */
export const isSame = (one: RemoteResult, other: RemoteResult): boolean =>
  one.outcome.figures?.hash === other.outcome.figures?.hash &&
  one.outcome.fault?.code === other.outcome.fault?.code;
