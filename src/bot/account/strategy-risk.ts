import type { OrderRequest } from '../../model/order-request.ts';
import type { Micros } from '../../platform/time.ts';
import { RateWindow } from '../../risk/rate-window.ts';
import { riskMarket, type RiskMarket } from '../../risk/view.ts';
import type { MarketHub } from './market-hub.ts';
import type { BookBest } from './unshown.ts';

/** Inputs of the limits of a trading strategy: its request rate, and the markets. */
export class StrategyRisk {
  readonly #hub: MarketHub;
  readonly #rate = new RateWindow();

  constructor(hub: MarketHub) {
    this.#hub = hub;
  }

  market(symbol: string): RiskMarket | undefined {
    const state = this.#hub.states.get(symbol);
    // A market of which nothing was received is unknown, however alive its connection is.
    if (state === undefined || this.#hub.pulse(symbol)?.lastAt === undefined) return undefined;
    return riskMarket(state, this.#hub.knownAt(symbol));
  }

  /** The best of a symbol's book. */
  best(symbol: string): BookBest | undefined {
    return this.#hub.states.get(symbol)?.best;
  }

  /** Order requests sent in the second that ends now. */
  requestsInSecond(now: Micros): number {
    return this.#rate.count(now);
  }

  /** Counts a request that is sent. */
  count(request: OrderRequest, now: Micros): void {
    if (request.kind !== 'cancel') this.#rate.add(now);
  }
}
