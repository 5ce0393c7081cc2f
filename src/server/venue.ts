import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { V2_CALLS, V2_PREFIX } from '../wire/trading/v2/calls/table.ts';
import { V3_CALLS, V3_PREFIX } from '../wire/trading/v3/calls/table.ts';
import type { AdminCall } from './admin/call.ts';
import { adminCalls } from './admin/calls.ts';
import { mountAdmin } from './admin/mount.ts';
import type { Faults } from './faults/faults.ts';
import { mountDescription } from './description/mount.ts';
import type { Admission } from './http/admission.ts';
import { guard } from './http/gatekeeper.ts';
import { Answers } from './http/answers.ts';
import { httpApp } from './http/app.ts';
import type { Log } from './http/failures.ts';
import { rehearse } from './http/rehearsal.ts';
import { mountHealth, refuseWithoutRoom } from './http/room.ts';
import type { SessionMaker } from './socket/connection.ts';
import { SocketServer } from './socket/sockets.ts';
import { mount, mountNothing } from './trading/rest/mount.ts';
import { V2_HANDLERS } from './trading/rest/v2/table.ts';
import { V3_HANDLERS } from './trading/rest/v3/table.ts';
import type { TradingService } from './trading/service.ts';
import { tradingSockets } from './trading/streams/sockets.ts';

export interface VenueSetup {
  readonly trading: TradingService;
  /** Address to listen on; loopback if absent. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Allowed names and origins of requests; any if absent. */
  readonly admission?: Admission;
  /** Injected faults; none if absent. The service uses their clock. */
  readonly faults?: Faults;
  /** Adds other services to the same server, each below its own paths. */
  readonly services?: readonly ((app: FastifyInstance) => void)[];
  /** Further calls below `/admin`. */
  readonly adminCalls?: readonly AdminCall[];
  /** Opens the calls below `/admin`, which are not there without it. */
  readonly adminToken?: string;
  /** Called with internal errors, if present. */
  readonly log?: Log;
  /** Called once everything is served and before any request. */
  readonly ready?: () => Promise<void>;
}

/** The simulated services, listening. */
export class Venue {
  readonly trading: TradingService;
  /** Address where it listens. */
  readonly host: string;
  readonly port: number;
  readonly #app: FastifyInstance;
  readonly #sockets: SocketServer;
  readonly #faults: Faults | undefined;

  private constructor(setup: VenueSetup, app: FastifyInstance, sockets: SocketServer) {
    const { address, port } = app.server.address() as AddressInfo;
    this.trading = setup.trading;
    this.#faults = setup.faults;
    this.host = address;
    this.port = port;
    this.#app = app;
    this.#sockets = sockets;
  }

  /** Starts the server; resolves once it listens. */
  static async open(setup: VenueSetup): Promise<Venue> {
    const { trading, faults, adminToken, host = '127.0.0.1', port, log = () => undefined } = setup;
    const answers = new Answers(() => trading.now());
    const app = httpApp(answers, log);
    if (setup.admission !== undefined) guard(app, answers, setup.admission);
    if (faults !== undefined) rehearse(app, answers, faults);
    const { inputs } = trading;
    refuseWithoutRoom(app, answers, inputs);
    app.addHook('onSend', async () => {
      if (!inputs.isDurable) await new Promise<void>((resolve) => inputs.whenDurable(resolve));
    });
    const v3 = { version: 3, prefix: V3_PREFIX } as const;
    const v2 = { version: 2, prefix: V2_PREFIX } as const;
    mount(app, answers, trading, v3, V3_CALLS, V3_HANDLERS);
    mount(app, answers, trading, v2, V2_CALLS, V2_HANDLERS);
    for (const mountService of setup.services ?? []) mountService(app);
    mountDescription(app);
    mountHealth(app, inputs);
    mountNothing(app, answers, trading.limits);
    if (adminToken !== undefined) {
      const calls = [...adminCalls(trading, faults), ...(setup.adminCalls ?? [])];
      mountAdmin(app, answers, adminToken, calls, inputs);
    }
    const endpoints: ReadonlyMap<string, SessionMaker> = tradingSockets(trading);
    const { timers: scheduler, limits } = trading;
    const sockets = new SocketServer({
      http: app.server,
      endpoints,
      answers,
      scheduler,
      limits,
      faults,
      inputs,
      admission: setup.admission,
      log,
    });
    if (setup.ready !== undefined) {
      // Some services are served only then.
      await app.ready();
      await setup.ready();
    }
    await app.listen({ host, port });
    return new Venue(setup, app, sockets);
  }

  /** Closes sockets and port; resolves when nothing is open any more. */
  async close(): Promise<void> {
    this.trading.close();
    this.#faults?.close();
    this.#sockets.close();
    await this.#app.close();
  }
}
