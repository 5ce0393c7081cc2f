import { connect, type Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** An answer as its bytes say. */
export interface RawAnswer {
  readonly version: string;
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** A connection that sends what it is told byte for byte. */
export class RawClient {
  readonly answers: RawAnswer[] = [];
  /** True when the other side has closed. */
  ended = false;
  readonly #socket: Socket;
  #received = Buffer.alloc(0);

  /** `from` is the address of this machine that it comes from: any of 127.0.0.0/8. */
  constructor(port: number, from = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress: from });
    this.#socket.on('data', (data: Buffer) => {
      this.#received = Buffer.concat([this.#received, data]);
      this.#read();
    });
    this.#socket.on('close', () => {
      this.ended = true;
    });
    this.#socket.on('error', () => undefined);
    onTestFinished(() => {
      this.#socket.destroy();
    });
  }

  /** What has come of an answer that is not whole. */
  get unread(): string {
    return this.#received.toString();
  }

  /** Sends lines, each ended as HTTP has it, a blank one after them, and the body. */
  send(lines: readonly string[], body: string | Buffer = ''): void {
    this.#socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (body.length > 0) this.#socket.write(body);
  }

  /** Sends bytes. */
  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Sends no more. */
  end(): void {
    this.#socket.end();
  }

  /** Waits until so many answers have come. */
  async until(count: number): Promise<readonly RawAnswer[]> {
    await vi.waitFor(
      () => {
        if (this.answers.length >= count) return;
        throw new Error(
          `${this.answers.length} answers, then ${JSON.stringify(this.#received.toString())}`,
        );
      },
      { timeout: 5_000, interval: 2 },
    );
    return this.answers;
  }

  /** Waits until the other side closes. */
  async closed(): Promise<void> {
    await vi.waitFor(
      () => {
        if (!this.ended) throw new Error('the connection is open');
      },
      { timeout: 5_000, interval: 2 },
    );
  }

  #read(): void {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const [first = '', ...rest] = this.#received.subarray(0, end).toString().split('\r\n');
      const headers = Object.fromEntries(
        rest.map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const [version = '', status = ''] = first.split(' ');
      const length = Number(headers['content-length'] ?? '0');
      const from = end + 4;
      if (this.#received.length < from + length) return;
      const text = this.#received.subarray(from, from + length).toString();
      this.#received = this.#received.subarray(from + length);
      // An interim answer, as to Expect, is none.
      if (status === '100') continue;
      this.answers.push({ version, status: Number(status), headers, text, body: parsed(text) });
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not every answer is JSON.
    return undefined;
  }
}

/** One request over a connection of its own, and its answer. */
export async function ask(
  port: number,
  lines: readonly string[],
  body: string | Buffer = '',
): Promise<RawAnswer> {
  const client = new RawClient(port);
  client.send(lines, body);
  const [answer] = await client.until(1);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}
