import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

/** A request as it came over a socket. */
export interface Asked {
  /** The frame as it came. */
  readonly text: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly id: number;
  readonly ch?: string;
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
  readonly peer: Peer;
}

/** The service's end of one connection. */
export class Peer {
  readonly raw: WebSocket;
  readonly path: string;
  pings = 0;
  pongs = 0;
  /** The code that the client closed with. */
  closed: number | undefined;

  constructor(raw: WebSocket, path: string) {
    this.raw = raw;
    this.path = path;
  }

  /** Sends text as it is, anything else as JSON. */
  send(frame: unknown): void {
    this.raw.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Answers a request. */
  answer(asked: Asked, result: unknown): void {
    this.send({ jsonrpc: '2.0', result, id: asked.id });
  }

  /** Answers it with an error. */
  refuse(asked: Asked, code: number, message: string, description?: string): void {
    this.send({ jsonrpc: '2.0', error: { code, message, description }, id: asked.id });
  }
}

export interface ServiceOptions {
  /** What is done with a request; what is `usual` where absent. */
  readonly hears?: (asked: Asked) => void;
  /** False: pings are not answered. */
  readonly pongs?: boolean;
  /** The status that a connection is refused with, by its number; 101 to take it. */
  readonly status?: (connection: number) => number;
}

/** Takes a login, and grants whatever is asked for. */
export const defaults = (asked: Asked): void => {
  const { ch, id, params, peer } = asked;
  const subscriptions = params['symbols'] ?? params['currencies'] ?? [];
  if (ch === undefined) peer.answer(asked, true);
  else peer.send({ result: { ch, subscriptions }, id });
};

/** A small real service that keeps what it heard and says what a test has it say. */
export class Service {
  readonly asked: Asked[] = [];
  readonly peers: Peer[] = [];
  /** Connections that were tried, those that were refused too. */
  tried = 0;
  hears: (asked: Asked) => void;
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer, { hears = defaults }: ServiceOptions) {
    this.#server = server;
    this.hears = hears;
    server.on('connection', (raw: WebSocket, request: IncomingMessage) => {
      this.#serve(raw, request.url ?? '');
    });
  }

  static async open(options: ServiceOptions = {}): Promise<Service> {
    const { pongs = true, status } = options;
    const server: WebSocketServer = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      autoPong: pongs,
      perMessageDeflate: false,
      verifyClient: (_, done) => {
        const code = status?.(service.tried) ?? 101;
        service.tried += 1;
        done(code === 101, code);
      },
    });
    const service: Service = new Service(server, options);
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => service.close());
    return service;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The names of what was asked on a connection, or on all. */
  methods(connection?: number): readonly string[] {
    return this.asked
      .filter((one) => connection === undefined || one.connection === connection)
      .map(({ method }) => method);
  }

  /** The latest connection. */
  get peer(): Peer {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error('nobody has connected');
    return peer;
  }

  /** Waits until so many requests of a method were heard; gives the last of them. */
  async received(method: string, times = 1): Promise<Asked> {
    return until(() => {
      const those = this.asked.filter((asked) => asked.method === method);
      const last = those.at(-1);
      if (last === undefined || those.length < times) throw new Error(`${method} was not heard`);
      return last;
    });
  }

  async close(): Promise<void> {
    for (const peer of this.peers) peer.raw.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(raw: WebSocket, path: string): void {
    const peer = new Peer(raw, path);
    const connection = this.peers.push(peer) - 1;
    raw.on('error', () => undefined);
    raw.on('ping', () => (peer.pings += 1));
    raw.on('pong', () => (peer.pongs += 1));
    raw.on('close', (code) => (peer.closed = code));
    raw.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      const asked = { ...(JSON.parse(text) as Asked), text, connection, peer };
      this.asked.push(asked);
      this.hears(asked);
    });
  }
}

/** Waits until something can be had without a throw. */
export const until = <T>(get: () => T): Promise<T> =>
  vi.waitFor(get, { timeout: 5_000, interval: 1 });
