import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from '../../src/platform/pause.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../src/platform/time.ts';
import { zipOf } from './zip.ts';

/** So long a client has for what came before the cut. */
const CUT_US = 20 * US_PER_MS;

/** What goes wrong with the next answer to a path. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** The body is another one. */
  | { readonly kind: 'wrong' };

/** A server that keeps files as public archives do: a checksum beside each, parts on demand, 404 for what is not there. */
export class ArchiveServer {
  readonly #files = new Map<string, Buffer>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #server: Server;
  /** The requests so far: the path, and the range where one was asked for. */
  readonly asked: string[] = [];
  /** How many were answered at once, at most. */
  atOnce = 0;
  /** How long an answer takes, in milliseconds. */
  delayMs = 0;
  ranges = true;
  readonly #scheduler = new SystemScheduler();
  #now = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Puts a zip there whose member has the stem of its name, in place of one that is there. */
  put(path: string, text: string): Buffer {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.zip$/, '.csv');
    const bytes = zipOf({ [name]: text });
    this.#files.set(path, bytes);
    return bytes;
  }

  fail(path: string, ...faults: readonly Fault[]): void {
    this.#faults.set(path, [...faults]);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').slice(1);
    const { range } = request.headers;
    this.asked.push(range === undefined ? path : `${path} ${range}`);
    this.#now += 1;
    this.atOnce = Math.max(this.atOnce, this.#now);
    if (this.delayMs > 0) await pause(this.#scheduler, this.delayMs * US_PER_MS);
    this.#now -= 1;
    const fault = this.#faults.get(path)?.shift();
    const file = this.#files.get(path.replace(/\.CHECKSUM$/, ''));
    if (fault?.kind === 'status') {
      const { status, retryAfter } = fault;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.writeHead(status).end('no');
    } else if (file === undefined) response.writeHead(404).end('<Error>NoSuchKey</Error>');
    else if (path.endsWith('.CHECKSUM')) response.end(checksumOf(path, file));
    else
      this.#body(
        response,
        fault?.kind === 'wrong' ? Buffer.alloc(file.length) : file,
        range,
        fault,
      );
  }

  #body(
    response: ServerResponse,
    file: Buffer,
    range: string | undefined,
    fault: Fault | undefined,
  ): void {
    const from = this.ranges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    if (from > 0 && from >= file.length) {
      response.writeHead(416).end();
      return;
    }
    const part = file.subarray(from);
    const partial =
      from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, ...partial });
    if (fault?.kind !== 'cut') {
      response.end(part);
      return;
    }
    response.write(part.subarray(0, fault.after), () => {
      void pause(this.#scheduler, CUT_US).then(() => response.destroy());
    });
  }
}

function checksumOf(path: string, file: Buffer): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.CHECKSUM$/, '');
  return `${createHash('sha256').update(file).digest('hex')}  ${name}\n`;
}
