import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** One connection over the hop. */
interface Pair {
  readonly path: string;
  readonly bot: WebSocket;
  readonly venue: WebSocket;
}

/** Stands between a bot and the venue, for HTTP and sockets on one address. */
export class Hop {
  readonly port: number;
  /** False keeps a frame of the bot from the venue. */
  passes: (frame: string) => boolean = () => true;
  /** False breaks the connection once the venue has answered a call, so that the bot never receives the answer. */
  answers: (method: string, path: string) => boolean = () => true;
  /** True for the paths of sockets that are refused, as in a maintenance. */
  refuses: (path: string) => boolean = () => false;
  /** While true, nothing passes either way and nothing is closed: a cable that was pulled. */
  isSilent = false;
  /** Paths of the sockets that the bot opened. */
  readonly paths: string[] = [];
  /** The frames of orders that the bot sent, whether they passed or not. */
  readonly sent: string[] = [];
  /** What the bot asked of the market data socket, as `method channel`. */
  readonly subscribed: string[] = [];
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();

  private constructor(server: Server, venuePort: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    const sockets = new WebSocketServer({ noServer: true, autoPong: false });
    server.on('upgrade', (request, socket, head) => {
      const path = request.url ?? '';
      this.paths.push(path);
      if (this.refuses(path)) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
        return;
      }
      const venue = new WebSocket(`ws://127.0.0.1:${venuePort}${path}`, { autoPong: false });
      venue.on('error', () => socket.destroy());
      venue.once('open', () => {
        sockets.handleUpgrade(request, socket, head, (bot) => this.#join({ path, bot, venue }));
      });
    });
  }

  static async open(venuePort: number): Promise<Hop> {
    const server = createServer();
    server.on('request', (asked, answer) => {
      const { method = 'GET', url: path = '', headers } = asked;
      const onward = ask({ host: '127.0.0.1', port: venuePort, method, path, headers }, (reply) => {
        if (!hop.answers(method, path)) {
          reply.resume();
          reply.on('end', () => answer.destroy());
          return;
        }
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const hop = new Hop(server, venuePort);
    return hop;
  }

  /** Breaks the connections to a path, or all. */
  cut(path = ''): void {
    for (const { path: own, bot, venue } of this.#pairs) {
      if (!own.includes(path)) continue;
      bot.terminate();
      venue.terminate();
    }
  }

  close(): void {
    this.cut();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #join(pair: Pair): void {
    const { bot, venue } = pair;
    this.#pairs.add(pair);
    bot.on('message', (data: Buffer) => {
      const frame = data.toString('utf8');
      if (frame.includes('_order')) this.sent.push(frame);
      if (pair.path.endsWith('/ws/public')) {
        const { method, ch } = JSON.parse(frame) as { method: string; ch: string };
        this.subscribed.push(`${method} ${ch}`);
      }
      if (!this.isSilent && this.passes(frame)) venue.send(frame);
    });
    venue.on('message', (data: Buffer) => {
      if (!this.isSilent) bot.send(data.toString('utf8'));
    });
    // Pings pass too, so that a silent hop leaves them unanswered.
    for (const [from, to] of [
      [bot, venue],
      [venue, bot],
    ] as const) {
      from.on('ping', (data: Buffer) => {
        if (!this.isSilent) to.ping(data);
      });
      from.on('pong', (data: Buffer) => {
        if (!this.isSilent) to.pong(data);
      });
    }
    const over = (): void => {
      this.#pairs.delete(pair);
      bot.terminate();
      venue.terminate();
    };
    bot.on('close', over);
    venue.on('close', over);
  }
}
