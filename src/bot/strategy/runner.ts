import type { AuditListener } from '../../engine/audit.ts';
import { Engine } from '../../engine/engine.ts';
import type { PortfolioGateway } from '../../engine/portfolio-gateway.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { FeedContents } from '../../engine/market/feed-contents.ts';
import type { FormerLife } from '../../engine/session.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { Account } from '../account/account.ts';
import type { MarketHub } from '../account/market-hub.ts';
import { worths } from '../../risk/worths.ts';
import type { Seat } from '../account/seat.ts';
import { Guards } from '../risk/guards.ts';
import type { EquityMemory } from '../../risk/guards/equity.ts';
import { availableRefusal } from '../../risk/limits/available.ts';
import { budgetRefusal } from '../../risk/limits/budget.ts';
import { orderRefusal } from '../../risk/order-refusal.ts';
import { RateWindow } from '../../risk/rate-window.ts';
import type { TradingState } from '../../risk/state.ts';
import type { Order } from '../../model/order.ts';
import { riskMarket, type RiskMarket, type RiskView } from '../../risk/view.ts';
import type { RiskSettings, StrategySettings } from '../settings.ts';

export interface RunnerSetup {
  readonly settings: StrategySettings;
  readonly account: Account;
  readonly hub: MarketHub;
  readonly seat: Seat;
  /** Where it may rebalance inventory. */
  readonly portfolio: PortfolioGateway | undefined;
  /** The clock of strategies: history first, then the present. */
  readonly scheduler: Scheduler;
  readonly clientOrderIdPrefix: string;
  readonly formerLife: FormerLife;
  readonly warmUpUntil: Micros;
  readonly feeds: ReadonlyMap<string, FeedContents>;
  readonly equityMemory: EquityMemory | undefined;
  readonly log: Log;
  readonly audit: AuditListener;
}

/** One strategy at work in a bot: its engine, its seat at an account, its limits. */
export class Runner {
  readonly settings: StrategySettings;
  readonly account: Account;
  readonly seat: Seat;
  readonly engine: Engine;
  guards: Guards;
  /** Limits as they are now; a reload may change them. */
  limits: RiskSettings;
  readonly #hub: MarketHub;
  readonly #rate = new RateWindow();

  constructor(setup: RunnerSetup) {
    const { settings, account, hub, seat } = setup;
    this.settings = settings;
    this.account = account;
    this.seat = seat;
    this.limits = settings.risk;
    this.guards = new Guards(settings.risk, setup.equityMemory);
    this.#hub = hub;
    this.engine = new Engine({
      scheduler: setup.scheduler,
      gateway: seat,
      portfolio: setup.portfolio,
      strategy: settings.strategy,
      parameters: settings.parameters,
      feeds: setup.feeds,
      warmUpUntil: setup.warmUpUntil,
      clientOrderIdPrefix: setup.clientOrderIdPrefix,
      onFailure: settings.onFailure,
      formerLife: formerLifeOf(setup.formerLife, seat),
      log: setup.log,
      audit: setup.audit,
      used: () => hub.used(),
    });
    seat.onAdopted((order) => this.engine.adopt(order));
    seat.instruments.forEach(({ symbol }, index) => hub.listen(symbol, this.engine, index));
  }

  get name(): string {
    return this.settings.name;
  }

  /** The reason why a request may not leave by the limits of this strategy. */
  refusal(request: OrderRequest, state: TradingState, now: Micros): Refusal | undefined {
    const view = this.#view(state, now, this.seat.orders.open(), this.#rate.count(now));
    return orderRefusal(request, view, this.limits) ?? this.#budgetRefusal(request, view);
  }

  /** Counts a request that leaves. */
  count(request: OrderRequest, now: Micros): void {
    if (request.kind !== 'cancel') this.#rate.add(now);
  }

  /** What is known of a market by this strategy's engine. */
  market(symbol: string): RiskMarket | undefined {
    const market = this.engine.marketOf(symbol);
    // A market of which nothing was heard is unknown, however alive its connection is.
    if (market === undefined || this.#hub.pulse(symbol)?.lastAt === undefined) return undefined;
    return riskMarket(market, this.#hub.knownAt(symbol));
  }

  /** What the strategy may call its own of a currency: its budget and fills, or all of the account. */
  holding(currency: string): Decimal {
    if (this.seat.purse.isBudgeted) return this.seat.purse.total(currency);
    return this.account.holding(currency);
  }

  /**
   * The worth of what it holds, by quote currency of its symbols at their last prices; a currency
   * is left out while a price is missing.
   */
  equities(): ReadonlyMap<string, Decimal> {
    return worths(
      this.seat.instruments,
      (currency) => this.holding(currency),
      (symbol) => this.#hub.lastTicks(symbol),
    );
  }

  /** Why the budget does not cover a request, or without one what is available of the account. */
  #budgetRefusal(request: OrderRequest, view: RiskView): Refusal | undefined {
    const { budget: amounts } = this.settings;
    if (amounts === undefined) {
      const available = (currency: string) => this.account.available.of(currency);
      return availableRefusal(request, view, available, this.limits);
    }
    const change = (currency: string): Decimal => this.seat.purse.change(currency);
    return budgetRefusal(request, view, { amounts, change }, this.limits);
  }

  #view(
    state: TradingState,
    now: Micros,
    orders: readonly Order[],
    requestsInSecond: number,
  ): RiskView {
    return {
      now,
      state,
      instruments: this.account.instruments,
      instrument: (symbol) => this.account.instrumentOf(symbol),
      market: (symbol) => this.market(symbol),
      orders,
      accountOrders: this.account.openOrders(),
      holding: (currency) => this.holding(currency),
      requestsInSecond,
    };
  }
}

/** What a strategy takes over: not what is left in a symbol that it does not trade any more. */
const formerLifeOf = ({ orders, entries, ...rest }: FormerLife, seat: Seat): FormerLife => ({
  ...rest,
  orders: orders.filter(({ symbol }) => seat.trades(symbol)),
  entries: new Map([...entries].filter(([symbol]) => seat.trades(symbol))),
});
