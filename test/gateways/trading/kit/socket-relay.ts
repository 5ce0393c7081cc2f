import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

/** A frame that a client sent, parsed. */
export interface Asked {
  readonly method: string;
  readonly params: unknown;
  readonly id: unknown;
}

/** One connection of a client, and the one that the relay has to the venue for it. */
interface Pair {
  readonly client: WebSocket;
  readonly venue: WebSocket;
}

/**
 * Stands between the sockets of a client and a venue: keeps each frame that the client sent, hands
 * all on unchanged, and tells or answers the client what a test gives it.
 */
export class SocketRelay {
  readonly url: string;
  /** Where the client connected, in order. */
  readonly paths: string[] = [];
  /** Everything that was asked, logins too, oldest first. */
  readonly asked: Asked[] = [];
  /** How many frames went either way. */
  frames = 0;
  readonly #pairs: Pair[] = [];
  readonly #planned: object[] = [];

  constructor(url: string) {
    this.url = url;
  }

  /** The latest request, its id apart. */
  get sent(): Omit<Asked, 'id'> | undefined {
    const last = this.asked.at(-1);
    return last === undefined ? undefined : { method: last.method, params: last.params };
  }

  /** The next request is answered with this, and its id; the venue does not hear of it. */
  answer(reply: object): void {
    this.#planned.push(reply);
  }

  /** Sends a frame to the client as it is, or as JSON. */
  emit(frame: unknown): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.#pairs.at(-1)?.client.send(text);
  }

  /** Waits until the client has heard everything that the venue said. */
  async settle(): Promise<void> {
    for (const { client, venue } of this.#pairs) {
      await pong(venue);
      await pong(client);
    }
  }

  join(client: WebSocket, venue: WebSocket, path: string): void {
    this.paths.push(path);
    this.#pairs.push({ client, venue });
    client.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      const asked = JSON.parse(text) as Asked;
      this.asked.push(asked);
      this.frames += 1;
      const reply = asked.method === 'login' ? undefined : this.#planned.shift();
      if (reply === undefined) venue.send(text);
      else client.send(JSON.stringify({ jsonrpc: '2.0', ...reply, id: asked.id }));
    });
    venue.on('message', (data: Buffer) => {
      this.frames += 1;
      client.send(data.toString('utf8'));
    });
    client.on('close', () => venue.terminate());
    venue.on('close', () => client.terminate());
  }

  end(): void {
    for (const { client, venue } of this.#pairs) {
      client.terminate();
      venue.terminate();
    }
  }
}

/** Of a socket that is closed, or is being closed, nothing is waited for. */
const pong = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState !== WebSocket.OPEN) {
      resolve();
      return;
    }
    const over = (): void => {
      socket.off('pong', over);
      socket.off('close', over);
      resolve();
    };
    socket.on('pong', over);
    socket.on('close', over);
    socket.ping();
  });

/** Opens a relay to a venue for the test that asks. */
export async function openSocketRelay(base: string): Promise<SocketRelay> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const path = request.url ?? '';
    const venue = new WebSocket(base.replace(/^http/, 'ws') + path);
    venue.on('error', () => socket.destroy());
    venue.once('open', () => {
      sockets.handleUpgrade(request, socket, head, (client) => {
        relay.join(client, venue, path);
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const relay = new SocketRelay(`http://127.0.0.1:${port}`);
  onTestFinished(() => {
    relay.end();
    server.close();
  });
  return relay;
}
