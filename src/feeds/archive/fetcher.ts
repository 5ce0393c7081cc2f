import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Agent, request, type Dispatcher } from 'undici';
import { MillraceError } from '../../model/errors.ts';
import { pause } from '../../platform/pause.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import type { Archive } from './archive.ts';

/** Result of one file. */
export type Fetched =
  | {
      readonly kind: 'downloaded' | 'cached' | 'replaced';
      readonly path: string;
      readonly file: string;
    }
  | { readonly kind: 'missing'; readonly path: string };

/** Number of attempts, and the timeout of the server. */
export interface FetchTerms {
  readonly attempts: number;
  readonly firstPauseUs: number;
  readonly timeoutUs: number;
}

export const FETCH_TERMS: FetchTerms = {
  attempts: 5,
  firstPauseUs: US_PER_SECOND,
  timeoutUs: 60 * US_PER_SECOND,
};

const DIGEST = /^([0-9a-f]{64})\s+\*?(\S+)\s*$/i;
const CHECKSUM_BYTES_MAX = 4_096;
/** Status of a missing file, of an overloaded server, and of a refusal. */
const MISSING = 404;
const BLOCKED = new Set([401, 403, 451]);
const RANGE_BEYOND = 416;

/** A failed attempt that may be repeated. */
class FailedTry extends Error {
  readonly pauseUs: number;

  constructor(message: string, pauseUs = 0, cause?: unknown) {
    super(message, { cause });
    this.pauseUs = pauseUs;
  }
}

/**
 * Fetches files of an archive into a folder, each under its whole path. A file gets its name only when it
 * is complete and matches its checksum in the archive; a partial download is continued.
 */
export class Fetcher {
  readonly #archive: Archive;
  readonly #folder: string;
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #terms: FetchTerms;
  readonly #signal: AbortSignal | undefined;
  readonly #agent: Dispatcher;
  bytes = 0;

  constructor(
    archive: Archive,
    folder: string,
    scheduler: Scheduler,
    random: Random,
    terms: FetchTerms = FETCH_TERMS,
    signal?: AbortSignal,
  ) {
    this.#archive = archive;
    this.#folder = folder;
    this.#scheduler = scheduler;
    this.#random = random;
    this.#terms = terms;
    this.#signal = signal;
    const timeout = terms.timeoutUs / US_PER_MS;
    this.#agent = new Agent({
      connect: { timeout },
      headersTimeout: timeout,
      bodyTimeout: timeout,
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * Fetches one file. For an existing one only the checksum is fetched: the archive replaces faulty files.
   * Throws `download-failed` if the archive cannot be reached, refuses, or sends data that differ from the
   * checksum.
   */
  async fetch(path: string): Promise<Fetched> {
    const file = join(this.#folder, path);
    const digest = await this.#again(path, () => this.#checksum(path));
    const before = await digestOf(file);
    if (before !== undefined && digest !== undefined && before === digest) {
      return { kind: 'cached', path, file };
    }
    if (digest === undefined) return { kind: 'missing', path };
    await onDisk(file, () => mkdir(dirname(file), { recursive: true }));
    const isThere = await this.#again(path, () => this.#body(path, file, digest));
    if (!isThere) return { kind: 'missing', path };
    return { kind: before === undefined ? 'downloaded' : 'replaced', path, file };
  }

  /** The archive's SHA-256 of a file; `undefined` if it has none. */
  async #checksum(path: string): Promise<string | undefined> {
    const url = `${this.#archive.baseUrl}/${this.#archive.checksumPath(path)}`;
    const answer = await this.#ask(url, {});
    if (answer.statusCode === MISSING) {
      await answer.body.dump();
      return undefined;
    }
    let text = '';
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      text += chunk.toString('latin1');
      if (text.length > CHECKSUM_BYTES_MAX) break;
    }
    const [, digest, name] = DIGEST.exec(text) ?? [];
    if (digest !== undefined && name === basename(path)) return digest.toLowerCase();
    throw failed(`${url} is no checksum of ${basename(path)}`, url);
  }

  /** Fetches the missing part of a file, then renames it; false if the archive has no such file. */
  async #body(path: string, file: string, digest: string): Promise<boolean> {
    const url = `${this.#archive.baseUrl}/${path}`;
    const [part, tag] = [`${file}.part`, `${file}.part.digest`];
    // A part of a file that has been replaced is of no use.
    const isSame = (await textOf(tag)) === digest;
    const have = isSame ? await sizeOf(part) : 0;
    await onDisk(tag, () => writeFile(tag, digest));
    const answer = await this.#ask(url, have > 0 ? { range: `bytes=${have}-` } : {});
    if (answer.statusCode === MISSING) {
      await answer.body.dump();
      return false;
    }
    if (answer.statusCode === RANGE_BEYOND) await answer.body.dump();
    else {
      const isRest = answer.statusCode === 206 && contentFrom(answer.headers) === have;
      await this.#write(answer.body, part, isRest, url);
    }
    const found = await digestOf(part);
    if (found !== digest) {
      await rm(part, { force: true });
      throw new FailedTry(
        `${url} differs from its checksum: ${found ?? 'nothing'} is not ${digest}`,
      );
    }
    await rename(part, file);
    await rm(tag, { force: true });
    return true;
  }

  async #write(
    body: Dispatcher.ResponseData['body'],
    part: string,
    isRest: boolean,
    url: string,
  ): Promise<void> {
    // Received data are on disk before more are awaited, so that nothing is fetched twice.
    await using target = await onDisk(part, () => open(part, isRest ? 'a' : 'w'));
    const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    for (;;) {
      let next: IteratorResult<Buffer>;
      try {
        next = await chunks.next();
      } catch (cause) {
        this.#signal?.throwIfAborted();
        throw new FailedTry(`${url} broke off: ${messageOf(cause)}`, 0, cause);
      }
      if (next.done === true) return;
      const chunk = next.value;
      await onDisk(part, () => target.writeFile(chunk));
      this.bytes += chunk.length;
    }
  }

  /** Makes one request. Throws `FailedTry` for a temporary failure, `download-failed` for others. */
  async #ask(
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Dispatcher.ResponseData> {
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(url, {
        dispatcher: this.#agent,
        headers,
        signal: this.#signal,
      });
    } catch (cause) {
      this.#signal?.throwIfAborted();
      throw new FailedTry(`${url} cannot be reached: ${messageOf(cause)}`, 0, cause);
    }
    const { statusCode: status } = answer;
    if (status === 200 || status === 206 || status === MISSING || status === RANGE_BEYOND) {
      return answer;
    }
    await answer.body.dump();
    if (BLOCKED.has(status)) {
      throw failed(
        `${url} is not served to this place (${status}): that says nothing of whether there is data`,
        url,
      );
    }
    const wait = Number(answer.headers['retry-after'] ?? 0);
    const pauseUs = Number.isFinite(wait) ? wait * US_PER_SECOND : 0;
    if (status === 429 || status >= 500) throw new FailedTry(`${url} answered ${status}`, pauseUs);
    throw failed(`${url} answered ${status}`, url);
  }

  /** Repeats an attempt after pauses that double, each of a random length up to that. */
  async #again<T>(path: string, attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      this.#signal?.throwIfAborted();
      try {
        return await attempt();
      } catch (cause) {
        if (!(cause instanceof FailedTry)) throw cause;
        if (count >= this.#terms.attempts) {
          throw failed(`${cause.message}, after ${count} attempts`, path, cause);
        }
        const bound = this.#terms.firstPauseUs * 2 ** (count - 1);
        const us = Math.max(cause.pauseUs, Math.floor(this.#random.unit() * bound));
        await pause(this.#scheduler, us, this.#signal);
      }
    }
  }
}

function contentFrom(headers: Dispatcher.ResponseData['headers']): number | undefined {
  const range = headers['content-range'];
  const from = typeof range === 'string' ? /^bytes (\d+)-/.exec(range)?.[1] : undefined;
  return from === undefined ? undefined : Number(from);
}

/** Throws `download-failed` if the disk fails. */
async function onDisk<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw failed(`${path} cannot be written: ${messageOf(cause)}`, path, cause);
  }
}

const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

const failed = (what: string, where: string, cause?: unknown): MillraceError =>
  new MillraceError('download-failed', `${what}.`, { where, cause });

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** SHA-256 of a file; `undefined` if it does not exist. */
async function digestOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw failed(`${file} cannot be read: ${messageOf(cause)}`, file, cause);
  }
  return hash.digest('hex');
}
