import type { Scope } from './limits.ts';
import { SlidingWindows, type Quota } from '../sliding-window.ts';

/** The caller. Before a login there is no account, and its limits do not count. */
export interface Caller {
  readonly ip: string;
  readonly account?: string | undefined;
}

/**
 * Counts calls in a table of limits. A call passes if it passes in every limit that it counts in, and
 * counts in none otherwise: a caller rejected for its account has not used its address.
 */
export class RateLimiter<Name extends string> {
  readonly #limits: Readonly<Record<Name, { readonly scope: Scope }>>;
  readonly #windows: ReadonlyMap<Name, SlidingWindows<string>>;

  constructor(limits: Readonly<Record<Name, Quota & { readonly scope: Scope }>>) {
    this.#limits = limits;
    this.#windows = new Map(
      (Object.keys(limits) as Name[]).map((name) => [name, new SlidingWindows(limits[name])]),
    );
  }

  /** Passes a call at `nowUs`, or returns the limit that rejects it. */
  take(names: readonly Name[], caller: Caller, nowUs: number): Name | undefined {
    for (const name of names) {
      if (this.#waitUs(name, caller, nowUs) > 0) return name;
    }
    for (const name of names) {
      const key = this.#key(name, caller);
      if (key !== undefined) this.#windows.get(name)?.take(key, nowUs);
    }
    return undefined;
  }

  /** How long from `nowUs` until the call passes in every limit. */
  waitUs(names: readonly Name[], caller: Caller, nowUs: number): number {
    return names.reduce((longest, name) => Math.max(longest, this.#waitUs(name, caller, nowUs)), 0);
  }

  #waitUs(name: Name, caller: Caller, nowUs: number): number {
    const key = this.#key(name, caller);
    return key === undefined ? 0 : (this.#windows.get(name)?.waitUs(key, nowUs) ?? 0);
  }

  #key(name: Name, { ip, account }: Caller): string | undefined {
    return this.#limits[name].scope === 'ip' ? ip : account;
  }
}
