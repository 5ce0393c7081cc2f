import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the network does to a request: loses it, or loses the answer after it was done. */
export type Loss = 'request' | 'answer';

interface PlannedLoss {
  readonly what: Loss;
  readonly fits: (line: string, body: string) => boolean;
}

/** Stands between a client and a service and loses what a test tells it to, each loss once. */
export class LossyRelay {
  readonly url: string;
  /** Method and path of every request, oldest first. */
  readonly lines: readonly string[];
  readonly #losses: PlannedLoss[];

  constructor(url: string, lines: readonly string[], losses: PlannedLoss[]) {
    this.url = url;
    this.lines = lines;
    this.#losses = losses;
  }

  /** The next request whose line or body holds that is lost, or its answer. */
  lose(what: Loss, part: string): void {
    this.#losses.push({ what, fits: (line, body) => line.includes(part) || body.includes(part) });
  }

  /** True once every planned loss has happened. */
  get hasLostAll(): boolean {
    return this.#losses.length === 0;
  }

  /** How many requests had a line that holds that. */
  count(part: string): number {
    return this.lines.filter((line) => line.includes(part)).length;
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function handOn(
  base: string,
  asked: IncomingMessage,
  body: string,
  answer: ServerResponse,
  isLost: boolean,
): void {
  const { hostname, port } = new URL(base);
  const { 'transfer-encoding': _, ...headers } = asked.headers;
  const onward = request(
    { host: hostname, port, method: asked.method, path: asked.url, headers, agent: false },
    (reply) => {
      if (isLost) {
        reply.resume();
        reply.on('end', () => answer.destroy());
        return;
      }
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    },
  );
  onward.on('error', () => answer.destroy());
  onward.end(body);
}

/** Opens a relay to a service for the test that asks. */
export async function openLossyRelay(base: string): Promise<LossyRelay> {
  const losses: PlannedLoss[] = [];
  const lines: string[] = [];
  const server = createServer((asked, answer) => {
    void textOf(asked).then((body) => {
      const line = `${asked.method ?? ''} ${asked.url ?? ''}`;
      lines.push(line);
      const index = losses.findIndex(({ fits }) => fits(line, body));
      const [loss] = index === -1 ? [] : losses.splice(index, 1);
      if (loss?.what === 'request') answer.destroy();
      else handOn(base, asked, body, answer, loss?.what === 'answer');
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
  return new LossyRelay(`http://127.0.0.1:${port}`, lines, losses);
}
