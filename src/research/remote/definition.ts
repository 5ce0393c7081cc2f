import { createReadStream, statSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { sourceOf, strategyTexts } from '../../backtest/strategy-source.ts';
import { openRecording } from '../../feeds/reader.ts';
import { recordingPaths } from '../../feeds/series.ts';
import { MillraceError } from '../../model/errors.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { US_PER_MS } from '../../platform/time.ts';
import type { SweepMarket } from '../sweep/options.ts';
import {
  runtime,
  textHash,
  type Definition,
  type SentRecording,
  type SentStrategy,
} from './protocol.ts';
import { RETENTION_MS, type SweepServer } from './sweep-server.ts';

/** Largest message, below the NATS default of a megabyte. */
const BYTES_MAX = 900_000;
/** Longest upload of a recording. */
const UPLOAD_MS = 3_600_000;
const CHUNK_BYTES = 512 * 1024;

export interface Defining {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly loaded: readonly LoadedStrategy[];
  readonly markets: readonly SweepMarket[];
  readonly ackWaitMs: number;
}

/** The definition of a sweep for workers. Throws `usage` for a strategy without a file. */
export function definitionOf({ settings, loaded, markets, ackWaitMs }: Defining): Definition {
  const { recordings: _, ...common } = settings;
  const definition: Definition = {
    format: 1,
    ...runtime(),
    ackWaitMs,
    settings: common,
    strategies: loaded.map(sentStrategy),
    markets: markets.map(({ recordings }) => ({
      recordings: recordingPaths(recordings).map(sent),
    })),
  };
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes <= BYTES_MAX) return definition;
  throw new MillraceError(
    'out-of-range',
    `The texts of the strategies and the names of the recordings have ${bytes} bytes, and ${BYTES_MAX} are the most that workers are sent: let a strategy import fewer local modules, or join recordings.`,
    { field: 'nats' },
  );
}

function sentStrategy({ strategy, strategyFile, sourceFile }: LoadedStrategy): SentStrategy {
  const path = sourceFile ?? strategyFile;
  const modules = path === undefined ? undefined : strategyTexts(path);
  if (path === undefined || modules === undefined) {
    throw new MillraceError(
      'usage',
      `Workers load a strategy from its file: name ${strategy.name} or give the path of its file.`,
      { field: 'strategy' },
    );
  }
  const below = relative(process.cwd(), path).split(sep).join('/');
  return {
    name: strategy.name,
    file: below.startsWith('..') ? basename(path) : below,
    folder: dirname(path),
    sha256: textHash(sourceOf(modules)),
    modules: modules.map(({ name, text }) => ({ name, text })),
  };
}

function sent(path: string): SentRecording {
  const recording = openRecording(path);
  try {
    return {
      path: resolve(path),
      sha256: recording.fingerprint,
      bytes: statSync(path).size,
    };
  } finally {
    recording.close();
  }
}

/**
 * Uploads recordings to the server under the hash of their bytes, if they are absent or would
 * expire soon. Throws `recording-changed` for one that changed meanwhile.
 */
export async function upload(
  { files }: SweepServer,
  { markets }: Definition,
  onUpload: (path: string) => void,
  now = new SystemScheduler().now(),
): Promise<void> {
  const renewedMs = now / US_PER_MS - RETENTION_MS / 2;
  for (const { path, sha256, bytes } of markets.flatMap(({ recordings }) => recordings)) {
    const known = await files.info(sha256);
    const isThere = known !== null && !known.deleted && known.size === bytes;
    if (isThere && Date.parse(known.mtime) > renewedMs) continue;
    onUpload(path);
    const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const { digest } = await files.put(
      { name: sha256, options: { max_chunk_size: CHUNK_BYTES } },
      stream,
      { timeout: UPLOAD_MS },
    );
    if (digest.replace(/=+$/, '') === digestOf(sha256)) continue;
    await files.delete(sha256);
    throw changed(path);
  }
}

const digestOf = (sha256: string): string =>
  `SHA-256=${Buffer.from(sha256, 'hex').toString('base64url')}`;

/** Error for a changed recording. */
export const changed = (path: string): MillraceError =>
  new MillraceError(
    'recording-changed',
    `${path} changed since the sweep began: its bytes have another hash. Restore the earlier recording, or start a new sweep.`,
    { where: path },
  );
