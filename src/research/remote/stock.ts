import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sourceOf, strategyTexts } from '../../backtest/strategy-source.ts';
import { messageOf } from '../../config/excerpt.ts';
import { openRecording } from '../../feeds/reader.ts';
import { MillraceError } from '../../model/errors.ts';
import { listStrategies, strategySourceFile } from '../../modules/strategy-files.ts';
import { changed } from './definition.ts';
import {
  runtime,
  textHash,
  type Definition,
  type SentRecording,
  type SentStrategy,
} from './protocol.ts';
import type { SweepServer } from './sweep-server.ts';

export interface StockSettings {
  /** Folders in which recordings are searched by name, besides the paths of the sweep. */
  readonly recordings: readonly string[];
  /** Folder for files fetched from the server. */
  readonly cache: string;
  /** True to run strategies that the sweep sends, and not only those of the own folder. */
  readonly acceptsStrategies: boolean;
}

/** Files that a sweep needs: paths on this machine. */
export interface Stocked {
  readonly strategies: readonly string[];
  readonly markets: readonly { readonly paths: readonly string[] }[];
}

/**
 * Finds or fetches all files of a sweep, by hash. Throws `worker-unfit` for another release and for
 * a missing strategy, `file-missing` and `recording-changed` for a recording, and
 * `file-unwritable`.
 */
export async function stockUp(
  server: SweepServer,
  definition: Definition,
  settings: StockSettings,
): Promise<Stocked> {
  checkRuntime(definition);
  const strategies = definition.strategies.map((each) => strategyPath(each, settings));
  const markets: { paths: string[] }[] = [];
  for (const { recordings } of definition.markets) {
    const paths: string[] = [];
    for (const each of recordings) paths.push(await recordingPath(server, each, settings));
    markets.push({ paths });
  }
  return { strategies, markets };
}

function checkRuntime({ millrace, node }: Definition): void {
  const own = runtime();
  if (millrace === own.millrace && node === own.node) return;
  throw new MillraceError(
    'worker-unfit',
    `The sweep is of Millrace ${millrace} on Node ${node}, and this worker is Millrace ${own.millrace} on Node ${own.node}: results of the two would not belong together. Install the same here.`,
  );
}

/** File of a strategy with the same source: in the own folder, or else as sent. */
function strategyPath(sent: SentStrategy, { acceptsStrategies, cache }: StockSettings): string {
  const { name, file, sha256 } = sent;
  const named = listStrategies().find((each) => each.name === parse(file).name);
  const below = resolve(file);
  const isBelow = !relative(process.cwd(), below).startsWith('..');
  const here = [...(isBelow ? [below] : []), ...(named === undefined ? [] : [named.path])].filter(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  );
  const same = here.find(
    (path) => textHash(sourceOf(strategyTexts(strategySourceFile(path)) ?? [])) === sha256,
  );
  if (same !== undefined) return same;
  if (acceptsStrategies) return writeStrategy(sent, join(cache, 'strategies', sha256));
  throw new MillraceError(
    'worker-unfit',
    `${here.length === 0 ? `There is no strategy ${name} here` : `${here[0]} has another text than the strategy ${name} of the sweep`}: put the same file into strategies/, or start the worker with --accept-strategies, which lets it run code that the sweep sends.`,
    { field: name },
  );
}

/** Writes the modules of a strategy so that their imports resolve; returns the path of its file. */
function writeStrategy({ file, sha256, modules }: SentStrategy, folder: string): string {
  const texts = modules.map(({ name, text }) => ({ name, text }));
  if (textHash(sourceOf(texts)) !== sha256) {
    throw new MillraceError('worker-unfit', 'The text that came with the strategy is not whole.');
  }
  const ups = (name: string): number => name.split('/').filter((part) => part === '..').length;
  const depth = Math.max(...modules.map(({ name }) => ups(name)));
  const home = join(folder, ...Array.from({ length: depth }, () => 'in'));
  const main = join(home, basename(file));
  guard(folder, () => {
    for (const { name, text } of texts) {
      const path = name === '' ? main : resolve(home, name);
      if (isAbsolute(name) || relative(folder, path).startsWith('..')) {
        throw new MillraceError('worker-unfit', `A strategy must not have a module at ${name}.`);
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  });
  return main;
}

async function recordingPath(
  server: SweepServer,
  sent: SentRecording,
  { recordings, cache }: StockSettings,
): Promise<string> {
  const name = basename(sent.path);
  const cached = join(cache, 'recordings', sent.sha256, name);
  const places = [cached, sent.path, ...recordings.map((folder) => join(folder, name))];
  const there = places.filter(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  );
  const same = there.find((path) => isRecording(path, sent));
  if (same !== undefined) return same;
  if (await fetchRecording(server, sent, cached)) return cached;
  const [other] = there.filter((path) => path !== cached);
  if (other !== undefined) throw changed(other);
  throw new MillraceError(
    'file-missing',
    `${sent.path} is not on this machine, and not on the server either: mount the folder that the sweep reads, name it with --recordings, or start the sweep without --shared-recordings, so that it uploads them.`,
    { where: sent.path },
  );
}

function isRecording(path: string, { sha256, bytes }: SentRecording): boolean {
  if (statSync(path).size !== bytes) return false;
  try {
    const recording = openRecording(path);
    try {
      return recording.fingerprint === sha256;
    } finally {
      recording.close();
    }
  } catch (error) {
    if (error instanceof MillraceError) return false;
    throw error;
  }
}

async function fetchRecording(
  { files }: SweepServer,
  { sha256 }: SentRecording,
  path: string,
): Promise<boolean> {
  const found = await files.get(sha256);
  if (found === null) return false;
  const fresh = `${path}.${process.pid}.new`;
  const hash = createHash('sha256');
  try {
    mkdirSync(dirname(path), { recursive: true });
    await pipeline(
      Readable.fromWeb(found.data),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(fresh),
    );
    const fault: unknown = await found.error;
    if (fault instanceof Error) throw fault;
    if (hash.digest('hex') !== sha256) throw new Error('what came has another hash');
    renameSync(fresh, path);
    return true;
  } catch (cause) {
    rmSync(fresh, { force: true });
    throw unwritable(path, cause);
  }
}

function guard(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw cause instanceof MillraceError ? cause : unwritable(path, cause);
  }
}

const unwritable = (path: string, cause: unknown): MillraceError =>
  new MillraceError(
    'file-unwritable',
    `What the sweep needs could not be kept in ${path} (${messageOf(cause)}). Free some space, or name another folder with --cache.`,
    { where: path, cause },
  );
