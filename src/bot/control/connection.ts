import type { ClientRequest, RequestOptions } from 'node:http';

/** The response as received. */
export interface ControlAnswer {
  readonly status: number;
  readonly text: string;
}

/** A bot that is flattened answers when it is done. */
const ANSWER_MS = 60_000;
const CONNECT_MS = 3_000;

/**
 * Calls a control API over Node's HTTP alone, as a command that makes one call should not load a client for
 * it.
 */
export class ControlConnection {
  readonly #origin: URL;
  readonly #token: string;
  readonly #requests = new Set<ClientRequest>();

  constructor(origin: string, token: string) {
    this.#origin = new URL(origin);
    this.#token = token;
  }

  /** Makes a call. Throws Node's error if nobody answers. */
  async call(method: 'GET' | 'POST', path: string, body?: object): Promise<ControlAnswer> {
    const isSecure = this.#origin.protocol === 'https:';
    // An import would also load node:http's WebSocket, which takes 30 ms.
    const { request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
    const text = body === undefined ? '' : JSON.stringify(body);
    const options: RequestOptions = {
      method,
      // A connection for each call, closed after it.
      agent: false,
      // Until it is connected; from then on the time that an answer may take holds.
      timeout: CONNECT_MS,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    };
    const { promise, resolve, reject } = Promise.withResolvers<ControlAnswer>();
    const asked = request(new URL(path, this.#origin), options, (response) => {
      let read = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        read += chunk;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: read });
      });
      response.on('error', reject);
    });
    this.#requests.add(asked);
    asked.on('socket', (socket) => {
      socket.once('connect', () => void asked.setTimeout(ANSWER_MS));
    });
    asked.on('timeout', () => {
      asked.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
    });
    asked.on('error', reject);
    asked.end(text);
    try {
      return await promise;
    } finally {
      this.#requests.delete(asked);
    }
  }

  /** Aborts the unanswered calls. */
  close(): void {
    for (const asked of this.#requests) asked.destroy();
  }
}
