import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { Connection, type SessionMaker } from './connection.ts';

/** The longest frame that is read; a longer one closes its socket. */
const FRAME_MAX = 1 << 20;

/** Serves sockets beside HTTP on the same port, each path by its own kind of session. */
export class Sockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: FRAME_MAX,
    clientTracking: true,
  });
  readonly #doors: ReadonlyMap<string, SessionMaker>;

  /** `doors` are the paths, without a slash at the end. */
  constructor(http: Server, doors: ReadonlyMap<string, SessionMaker>) {
    this.#doors = doors;
    http.on('upgrade', (request: IncomingMessage, socket, head) => {
      const [path = ''] = (request.url ?? '').split('?');
      const open = this.#doors.get(path.replace(/\/+$/, ''));
      if (open === undefined) {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (ws) => {
        serve(ws, request, open);
      });
    });
  }

  /** Closes every socket. */
  close(): void {
    for (const socket of this.#server.clients) socket.close(1001, 'The venue closes.');
    this.#server.close();
  }
}

function serve(socket: WebSocket, request: IncomingMessage, open: SessionMaker): void {
  const session = open(new Connection(socket, request.socket.remoteAddress ?? ''));
  socket.on('message', (data: Buffer) => {
    session.frame(data.toString('utf8'));
  });
  socket.on('close', () => {
    session.closed();
  });
  socket.on('error', () => {
    socket.terminate();
  });
}
