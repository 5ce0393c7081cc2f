import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as its bytes came over the socket. */
export interface RawRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
}

/** What a service does with a request: gives it bytes, or keeps silent. */
export type Reaction = (request: RawRequest, socket: Socket) => void;

/** The bytes of an answer; a body that is no text is written as JSON. */
export function answerBytes(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = Object.entries({
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n${text}`;
}

/** Answers with a body, whatever the request is. */
export const answer =
  (status: number, body: unknown, headers?: Readonly<Record<string, string>>): Reaction =>
  (_, socket) => {
    socket.write(answerBytes(status, body, headers));
  };

/** Breaks the connection off without an answer. */
export const breakOff: Reaction = (_, socket) => {
  socket.destroy();
};

/** Says nothing at all. */
export const silence: Reaction = () => {
  // A service that hangs.
};

/** A small HTTP service of a test: keeps the bytes of requests, sends the bytes it is told to. */
export class RawService {
  readonly url: string;
  /** Every request, oldest first. */
  readonly requests: RawRequest[] = [];
  /** How many connections there were. */
  connections = 0;
  readonly #reactions: Reaction[];

  constructor(url: string, reactions: Reaction[]) {
    this.url = url;
    this.#reactions = reactions;
  }

  /** The latest request. */
  get last(): RawRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('nothing was sent');
    return request;
  }

  /** Adds what the next requests are met with; the last reaction is for all that follow. */
  next(...reactions: readonly Reaction[]): this {
    this.#reactions.push(...reactions);
    return this;
  }

  react(request: RawRequest, socket: Socket): void {
    this.requests.push(request);
    const [next] = this.#reactions;
    if (this.#reactions.length > 1) this.#reactions.shift();
    if (next === undefined) throw new Error('the test says no answer');
    next(request, socket);
  }
}

/** Takes whole requests off the front of what has come; `rest` is what is not whole yet. */
function cut(
  text: string,
): { readonly head: string; readonly body: string; readonly rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const bytes = Buffer.from(text.slice(end + 4));
  if (bytes.length < length) return undefined;
  const body = bytes.subarray(0, length).toString('utf8');
  return { head, body, rest: bytes.subarray(length).toString('utf8') };
}

function requestOf(head: string, body: string, connection: number): RawRequest {
  const [line = '', ...fields] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  return { method, target, headers, body, connection };
}

/** Opens a service for the test that asks; each request meets the next reaction, the last for ever. */
export async function openRawService(...reactions: readonly Reaction[]): Promise<RawService> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const connection = service.connections;
    service.connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
      for (let whole = cut(text); whole !== undefined; whole = cut(text)) {
        text = whole.rest;
        service.react(requestOf(whole.head, whole.body, connection), socket);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const service = new RawService(`http://127.0.0.1:${port}`, [...reactions]);
  return service;
}
