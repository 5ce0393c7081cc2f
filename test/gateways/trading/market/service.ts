import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { isoTime } from '../../../../src/platform/time.ts';
import type { Timed } from './kit.ts';

/** A request that a client sent over the socket. */
export interface Asked {
  readonly method: string;
  readonly ch: string;
  readonly params: { readonly symbols: readonly string[]; readonly limit?: number };
  readonly id: number;
}

/** A service of market data that says just what a test lets it say. */
export class Service {
  readonly url: string;
  /** Requests over the socket, oldest first, as `method channel`. */
  readonly asked: string[] = [];
  /** Targets of HTTP requests, oldest first, those for the time apart. */
  readonly targets: string[] = [];
  /** What HTTP requests are answered with, by how their targets begin; the first that fits. */
  readonly answers = new Map<string, unknown>();
  /** What the next request is answered with instead, whatever it is. */
  readonly next: unknown[] = [];
  /** Called for each request over the socket, behind its reply. */
  received: (asked: Asked) => void = () => undefined;
  socket: WebSocket | undefined;

  constructor(url: string) {
    this.url = url;
  }

  /** Sends a frame of a channel of BTCUSDT. */
  emit(ch: string, part: 'snapshot' | 'update' | 'data', payload: unknown): void {
    this.say({ ch, [part]: { BTCUSDT: payload } });
  }

  say(frame: unknown): void {
    this.socket?.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }
}

/** Opens a service on the clock of a test. */
export async function openService({ scheduler }: Timed): Promise<Service> {
  const home: { service?: Service } = {};
  const server = createServer((request, response) => {
    const target = request.url ?? '';
    const found = [...(home.service?.answers ?? [])].find(([start]) => target.startsWith(start));
    if (found !== undefined) home.service?.targets.push(target);
    const timestamp = isoTime(scheduler.now());
    const unknown = { timestamp, error: { code: 800, message: 'Not found' } };
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    const planned = found === undefined ? undefined : home.service?.next.shift();
    response.end(JSON.stringify(planned ?? found?.[1] ?? unknown));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const { service: one } = home;
    if (one === undefined) return;
    one.socket = socket;
    socket.on('message', (data: Buffer) => {
      const asked = JSON.parse(data.toString('utf8')) as Asked;
      const { method, ch, params, id } = asked;
      one.asked.push(`${method} ${ch}`);
      const subscriptions = method === 'subscribe' ? params.symbols : [];
      socket.send(JSON.stringify({ result: { ch, subscriptions }, id }));
      one.received(asked);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const service = new Service(`http://127.0.0.1:${port}`);
  home.service = service;
  return service;
}
