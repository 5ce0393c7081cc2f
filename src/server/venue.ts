import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { V2_CALLS, V2_PREFIX } from '../wire/trading/v2/calls/table.ts';
import { V3_CALLS, V3_PREFIX } from '../wire/trading/v3/calls/table.ts';
import { httpApp } from './http/app.ts';
import type { SessionMaker } from './socket/connection.ts';
import { Sockets } from './socket/sockets.ts';
import { mount, mountNothing } from './trading/rest/mount.ts';
import { V2_HANDLERS } from './trading/rest/v2/table.ts';
import { V3_HANDLERS } from './trading/rest/v3/table.ts';
import type { TradingService } from './trading/service.ts';
import { tradingDoors } from './trading/streams/doors.ts';

export interface VenueSetup {
  readonly trading: TradingService;
  /** Where to listen; loopback where absent. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** The simulated services, listening. */
export class Venue {
  readonly trading: TradingService;
  /** Where it listens. */
  readonly host: string;
  readonly port: number;
  readonly #app: FastifyInstance;
  readonly #sockets: Sockets;

  private constructor(trading: TradingService, app: FastifyInstance, sockets: Sockets) {
    const { address, port } = app.server.address() as AddressInfo;
    this.trading = trading;
    this.host = address;
    this.port = port;
    this.#app = app;
    this.#sockets = sockets;
  }

  /** Opens the doors; resolves once it listens. */
  static async open({ trading, host = '127.0.0.1', port }: VenueSetup): Promise<Venue> {
    const app = httpApp();
    mount(app, trading, 3, V3_PREFIX, V3_CALLS, V3_HANDLERS);
    mount(app, trading, 2, V2_PREFIX, V2_CALLS, V2_HANDLERS);
    mountNothing(app);
    const doors: ReadonlyMap<string, SessionMaker> = tradingDoors(trading);
    const sockets = new Sockets(app.server, doors);
    await app.listen({ host, port });
    return new Venue(trading, app, sockets);
  }

  /** Closes sockets and port; resolves when nothing is open any more. */
  async close(): Promise<void> {
    this.trading.close();
    this.#sockets.close();
    await this.#app.close();
  }
}
