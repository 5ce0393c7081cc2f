import type { Engine } from '../../engine/engine.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Micros } from '../../platform/time.ts';
import { RateWindow } from '../../risk/rate-window.ts';
import { riskMarket, type RiskMarket } from '../../risk/view.ts';
import type { MarketHub } from './market-hub.ts';
import type { BookBest } from './unshown.ts';

/** What the limits of a strategy that trades are compared with: its rate, and the markets as its engine knows them. */
export class StrategyRisk {
  readonly #engine: Engine;
  readonly #hub: MarketHub;
  readonly #rate = new RateWindow();

  constructor(engine: Engine, hub: MarketHub) {
    this.#engine = engine;
    this.#hub = hub;
  }

  market(symbol: string): RiskMarket | undefined {
    const market = this.#engine.marketOf(symbol);
    // A market of which nothing was received is unknown, however alive its connection is.
    if (market === undefined || this.#hub.pulse(symbol)?.lastAt === undefined) return undefined;
    return riskMarket(market, this.#hub.knownAt(symbol));
  }

  /** The best of a symbol's book. */
  best(symbol: string): BookBest | undefined {
    return this.#engine.marketOf(symbol)?.best;
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
