import {
  V2_LIMITS,
  V3_CONNECTION_LIMIT,
  V3_REST_LIMITS,
  V3_TRADING_LIMITS,
  V3_WALLET_LIMITS,
  v2Limit,
  v3RestLimits,
} from '../../wire/trading/limits.ts';
import { RateLimiter, type Caller } from '../../wire/trading/rate-limiter.ts';
import type { Version } from '../../wire/trading/rejections.ts';
import { SlidingWindows } from '../../wire/sliding-window.ts';

/** The counters that a call counts in. */
export interface Gate {
  /** Wait of the caller in microseconds, 0 for none; counts nothing. */
  waitUs(caller: Caller): number;
  /** Counts a call that passes. */
  count(caller: Caller): void;
}

/**
 * All counters of a service, for REST and sockets: the calls of an account count together wherever they
 * come from. A service without them has no limits.
 */
export class ServiceLimits {
  readonly rest = new RateLimiter(V3_REST_LIMITS);
  /** Of REST and sockets of version 2. */
  readonly v2 = new RateLimiter(V2_LIMITS);
  /** Of the methods of `/api/3/ws/trading`. */
  readonly trading = new RateLimiter(V3_TRADING_LIMITS);
  /** Of the methods of `/api/3/ws/wallet`. */
  readonly wallet = new RateLimiter(V3_WALLET_LIMITS);
  /** New connections of an address to each socket of version 3, by the path of the socket. */
  readonly #connections = new Map<string, SlidingWindows<string>>();
  readonly #now: () => number;

  /** `now` returns microseconds and never goes back, whatever the service's own clock does. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The limits of a REST call; `path` is below the prefix. */
  ofCall(version: Version, method: string, path: string): Gate {
    return version === 3
      ? this.gate(this.rest, v3RestLimits(path))
      : this.gate(this.v2, [v2Limit(method, path)]);
  }

  /** The limits of a call, by their names. */
  gate<Name extends string>(limiter: RateLimiter<Name>, names: readonly Name[]): Gate {
    return {
      waitUs: (caller) => limiter.waitUs(names, caller, this.#now()),
      count: (caller) => {
        limiter.take(names, caller, this.#now());
      },
    };
  }

  /** Counts a connection of an address to a socket; false if it comes too fast. */
  connects(socket: string, ip: string): boolean {
    const windows = this.#connections.get(socket) ?? new SlidingWindows(V3_CONNECTION_LIMIT);
    this.#connections.set(socket, windows);
    return windows.take(ip, this.#now());
  }
}
