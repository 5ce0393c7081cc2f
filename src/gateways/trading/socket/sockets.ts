import type { Random } from '../../../platform/random.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import type { SocketOptions, SocketSetup } from './options.ts';
import { RequestLimiter } from './request-limiter.ts';

/** Settings of a client for its sockets. */
export interface SocketHome {
  /** `wss://HOST/api/3/ws` and so on; the name of a socket follows. */
  readonly wsUrl: string;
  readonly credentials: TradingCredentials | undefined;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly timeoutUs: number;
  /** False: the caller keeps the limits itself, and nothing waits. */
  readonly paced: boolean;
}

/** The sockets of a client; they are closed with it. */
export class ServiceSockets {
  readonly #home: SocketHome;
  readonly #made = new Set<{ close(): Promise<void> }>();

  constructor(home: SocketHome) {
    this.#home = home;
  }

  /** Makes one at `/public` and so on; those whose requests are counted together share a `pace`. */
  make<Listener, S extends { close(): Promise<void> }>(
    Kind: new (setup: SocketSetup<Listener>) => S,
    path: 'public' | 'trading' | 'wallet' | 'account',
    listener: Listener,
    options: Partial<SocketOptions> | undefined,
  ): S {
    const { wsUrl, credentials, scheduler, random, timeoutUs, paced } = this.#home;
    const uncounted = paced ? {} : { limiter: new RequestLimiter({}, () => undefined, scheduler) };
    const socket = new Kind({
      credentials,
      scheduler,
      random,
      listener,
      url: `${wsUrl}/${path}`,
      options: { timeoutUs, ...options, ...uncounted },
    });
    this.#made.add(socket);
    return socket;
  }

  /** Closes all. */
  async close(): Promise<void> {
    await Promise.all([...this.#made].map(async (socket) => socket.close()));
    this.#made.clear();
  }
}
