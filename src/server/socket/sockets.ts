import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Scheduler } from '../../platform/scheduler.ts';
import { fault } from '../../wire/trading/faults.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Faults } from '../faults/faults.ts';
import type { Admission } from '../http/admission.ts';
import type { Answers } from '../http/answers.ts';
import type { Log } from '../http/failures.ts';
import { venueDenial } from '../http/gatekeeper.ts';
import { targetOf, withoutEndSlash } from '../http/target.ts';
import type { ServiceLimits } from '../trading/limits.ts';
import { Connection, type SocketSession, type SessionMaker } from './connection.ts';
import { Heartbeat } from './heartbeat.ts';
import { Inbox } from './inbox.ts';
import { refuseUpgrade } from './rejection.ts';

/** The longest message that is read; a longer one closes its socket with 1009. */
const MESSAGE_BYTES_MAX = 1 << 20;

/** How long the other side may take to confirm a close. */
const CLOSING_MS_MAX = 5_000;

const TRANSPORT = {
  noServer: true,
  perMessageDeflate: false,
  maxPayload: MESSAGE_BYTES_MAX,
  clientTracking: true,
  // Pings are answered in their order among the frames.
  autoPong: false,
  closeTimeout: CLOSING_MS_MAX,
};

export interface SocketsSetup {
  readonly http: Server;
  /** Paths without a slash at the end. */
  readonly endpoints: ReadonlyMap<string, SessionMaker>;
  readonly answers: Answers;
  readonly scheduler: Scheduler;
  readonly limits?: ServiceLimits | undefined;
  readonly faults?: Faults | undefined;
  readonly inputs?: Inputs | undefined;
  readonly admission?: Admission | undefined;
  /** Called with internal errors. */
  readonly log: Log;
}

/**
 * Serves sockets beside HTTP on the same port, each path by its own kind of session. The first offered
 * subprotocol is accepted and has no meaning.
 */
export class SocketServer {
  readonly #setup: SocketsSetup;
  readonly #heartbeat: Heartbeat;
  readonly #server = new WebSocketServer(TRANSPORT);

  constructor(setup: SocketsSetup) {
    this.#setup = setup;
    this.#heartbeat = new Heartbeat(setup.scheduler, () => this.#server.clients);
    setup.http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      this.#upgrade(request, stream, head);
    });
    // The library would answer an invalid handshake in no shape at all.
    this.#server.on('wsClientError', (error, stream, request) => {
      const { path } = targetOf(request.url ?? '');
      refuseUpgrade(setup.answers, stream, path, fault(10001, error.message));
    });
  }

  /** Closes every socket. */
  close(): void {
    this.#heartbeat.stop();
    for (const socket of this.#server.clients) socket.close(1001, 'The venue closes');
    this.#server.close();
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { endpoints, answers, limits, faults, admission } = this.#setup;
    const path = withoutEndSlash(targetOf(request.url ?? '').path);
    const open = endpoints.get(path);
    const ip = request.socket.remoteAddress ?? '';
    const denial = admission && venueDenial(request, admission);
    if (denial !== undefined) {
      refuseUpgrade(answers, stream, path, fault(10001, denial.message), denial.status);
    } else if (open === undefined) {
      refuseUpgrade(answers, stream, path, fault(800, `There is no socket at ${path}`));
    } else if (faults?.maintenance === true) {
      refuseUpgrade(answers, stream, path, fault(503));
    } else if (limits?.connects(path, ip) === false) {
      refuseUpgrade(answers, stream, path, fault(429, 'Connections of this address come too fast'));
    } else {
      this.#server.handleUpgrade(request, stream, head, (socket) => {
        this.#serve(
          socket,
          stream,
          open,
          new Connection(socket, { stream, ip, path }, this.#setup),
        );
      });
    }
  }

  #serve(socket: WebSocket, stream: Duplex, open: SessionMaker, connection: Connection): void {
    const { faults } = this.#setup;
    const session = open(connection);
    this.#heartbeat.watch(socket);
    const inbox = new Inbox(socket, stream, connection);
    const receive = (message: Buffer): void => {
      if (faults?.maintenance !== true) this.#receive(session, connection, message);
      else connection.close(1012, 'The service is closed for maintenance');
    };
    const pong = (data: Buffer): void => {
      connection.pong(data);
    };
    socket.on('message', (data: Buffer) => {
      inbox.take(receive, data);
    });
    socket.on('ping', (data: Buffer) => {
      inbox.take(pong, data);
    });
    socket.on('close', () => {
      connection.forget();
      session.closed();
    });
    // A too long or invalid message closes the socket with its code.
    socket.on('error', () => undefined);
  }

  /** A bug ends only the socket where it occurs. */
  #receive(session: SocketSession, connection: Connection, data: Buffer): void {
    try {
      session.frame(data.toString('utf8'));
    } catch (error) {
      this.#setup.log(error, connection.path);
      connection.close(1011, 'Internal Server Error');
    }
  }
}
