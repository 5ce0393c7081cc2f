import type { OrderRequest } from '../../model/order-request.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Seat } from '../account/seat.ts';
import type { BookBest } from '../account/unshown.ts';
import { orderRefusal } from '../../risk/order-refusal.ts';
import { RateWindow } from '../../risk/rate-window.ts';
import type { RiskMarket } from '../../risk/view.ts';
import { floorOf, runnerOf, type BotParts } from './parts.ts';

/** Says what may leave: by the limits of the strategy first, then by those of its whole account. */
export class Limits {
  readonly #parts: BotParts;
  readonly #isOperators: (clientOrderId: string) => boolean;
  readonly #rates = new Map<string, RateWindow>();

  /** `isOperators` tells the orders of operators, which no limit holds up. */
  constructor(parts: BotParts, isOperators: (clientOrderId: string) => boolean) {
    this.#parts = parts;
    this.#isOperators = isOperators;
  }

  /** The reason why a request may not leave; one that may is counted. */
  refusal(seat: Seat, request: OrderRequest): Refusal | undefined {
    if (request.kind === 'cancel') return undefined;
    const { scheduler, states } = this.#parts;
    const runner = runnerOf(this.#parts, seat);
    const floor = floorOf(this.#parts, seat);
    if (runner === undefined || floor === undefined) return TOO_EARLY;
    if (request.kind === 'place' && this.#isOperators(request.clientOrderId)) return undefined;
    const now = scheduler.now();
    const { account } = floor;
    const state = states.effective(`strategy:${seat.name}`);
    const rate = this.#rate(account.name);
    const refusal =
      runner.refusal(request, state, now) ??
      orderRefusal(
        request,
        {
          ...{ now, state, instruments: account.instruments },
          instrument: (symbol) => account.instrumentOf(symbol),
          market: (symbol) => this.#market(account.name, symbol),
          orders: account.openOrders(),
          accountOrders: account.openOrders(),
          holding: (currency) => account.holding(currency),
          requestsInSecond: rate.count(now),
        },
        floor.limits,
      );
    if (refusal !== undefined) return refusal;
    rate.add(now);
    runner.count(request, now);
    return undefined;
  }

  /** The best of a symbol's book as one of the strategies of an account knows it. */
  best(account: string, symbol: string): BookBest | undefined {
    for (const { account: own, engine } of this.#parts.runners) {
      const market = own.name === account ? engine.marketOf(symbol) : undefined;
      if (market !== undefined) return market.best;
    }
    return undefined;
  }

  /** A market of the account as one of the strategies knows it that trade there. */
  #market(account: string, symbol: string): RiskMarket | undefined {
    for (const runner of this.#parts.runners) {
      const market = runner.account.name === account ? runner.market(symbol) : undefined;
      if (market !== undefined) return market;
    }
    return undefined;
  }

  #rate(account: string): RateWindow {
    let rate = this.#rates.get(account);
    if (rate === undefined) this.#rates.set(account, (rate = new RateWindow()));
    return rate;
  }
}

const TOO_EARLY: Refusal = {
  code: 'trading-halted',
  message: 'The bot is still starting: nothing new may be sent.',
};
