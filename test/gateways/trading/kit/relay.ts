import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came over the socket. */
export interface Received {
  /** Method and target as they were sent: `GET /api/3/margin/order?symbol=BTCUSDT`. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty where there was none. */
  readonly body: string;
}

/** Bytes that are answered in the venue's place. */
interface Planned {
  readonly status: number;
  readonly body: string;
}

/**
 * Stands between a client and a venue: keeps each request as it came over the socket and hands it
 * on unchanged, or answers it with bytes that a test gave, for what the venue itself never sends.
 */
export class Relay {
  url = '';
  /** Every request, oldest first. */
  readonly received: readonly Received[];
  /** Requests that are not answered yet. */
  pending = 0;
  readonly #planned: Planned[];

  constructor(received: readonly Received[], planned: Planned[]) {
    this.received = received;
    this.#planned = planned;
  }

  /** The next request is answered with these bytes; the venue does not hear of it. */
  answer(body: unknown, status = 200): void {
    this.#planned.push({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });
  }

  /** The latest request as its line and, where it had a body, that of it, parsed. */
  get sent(): readonly unknown[] {
    const last = this.received.at(-1);
    if (last === undefined) throw new Error('nothing was sent');
    return last.body === '' ? [last.line] : [last.line, JSON.parse(last.body) as unknown];
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Sends a request on as it is, and its answer back as it is. */
function handOn(
  base: string,
  received: Received,
  asked: IncomingMessage,
  answer: ServerResponse,
): void {
  const { 'transfer-encoding': _, ...headers } = received.headers;
  const target = new URL(base);
  const onward = request(
    {
      host: target.hostname,
      port: target.port,
      method: asked.method,
      path: asked.url,
      headers,
      agent: false,
    },
    (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    },
  );
  onward.on('error', () => answer.destroy());
  onward.end(received.body);
}

/** Opens a relay to a venue for the test that asks; without a base all answers must be planned. */
export async function openRelay(base?: string): Promise<Relay> {
  const planned: Planned[] = [];
  const received: Received[] = [];
  const relay = new Relay(received, planned);
  const server = createServer((asked, answer) => {
    relay.pending += 1;
    answer.once('close', () => {
      relay.pending -= 1;
    });
    void textOf(asked).then((body) => {
      const { method = '', url = '' } = asked;
      const one = { line: `${method} ${url}`, headers: asked.headers, body };
      received.push(one);
      const bytes = planned.shift();
      if (bytes !== undefined) {
        answer.writeHead(bytes.status, { 'content-type': 'application/json' });
        answer.end(bytes.body);
      } else if (base === undefined) {
        answer.destroy();
      } else {
        handOn(base, one, asked, answer);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  relay.url = `http://127.0.0.1:${port}`;
  return relay;
}
