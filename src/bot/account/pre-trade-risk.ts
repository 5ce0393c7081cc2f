import type { OrderStore } from '../../engine/orders/order-store.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { availableRejection } from '../../risk/limits/available.ts';
import { budgetRejection, marginBudgetRejection } from '../../risk/limits/budget.ts';
import { marginFundsRejection } from '../../risk/limits/margin-funds.ts';
import { stopWarning } from '../../risk/limits/stop-price.ts';
import { marginRejection } from '../../risk/margin-rejection.ts';
import { heldForOrders } from '../../risk/margin/reserves.ts';
import { orderRejection } from '../../risk/order-rejection.ts';
import { RateWindow } from '../../risk/rate-window.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import type { UnsentOrders } from '../../risk/unsent-orders.ts';
import type { MarginView, RiskMarket, RiskView } from '../../risk/view.ts';
import type { Log } from '../../strategy/context.ts';
import type { States } from '../risk/states.ts';
import type { AccountBalances } from './balances.ts';
import type { AccountInstruments } from './instruments.ts';
import type { KnownAvailable } from './known-available.ts';
import type { StrategyAccount } from './strategy-account.ts';
import type { StrategyAccounts } from './strategy-accounts.ts';
import type { StrategyRisk } from './strategy-risk.ts';
import type { BookBest } from './unshown.ts';

export interface PreTradeRiskOptions {
  readonly scheduler: Scheduler;
  readonly states: States;
  /** Limits of all strategies of the account together. */
  readonly limits: RiskSettings;
  readonly instruments: AccountInstruments;
  readonly balances: AccountBalances;
  readonly available: KnownAvailable;
  readonly orders: OrderStore;
  readonly unsent: UnsentOrders;
  readonly strategies: StrategyAccounts;
  /**
   * The margin accounts of a strategy, or all of the account if no strategy is given; `undefined` if there
   * are none.
   */
  readonly margin: (strategy: string | undefined) => MarginView | undefined;
  /** Amount of a currency that a strategy's unanswered margin settings take. */
  readonly taking: (strategy: string, currency: string) => Decimal;
  /** True for an order that only closes its strategy's own position on a shared margin account. */
  readonly closesOwn: (strategy: string, request: OrderRequest) => boolean;
  /**
   * Converts a setting of a strategy's part of a shared margin account to one of the account; returns
   * others unchanged.
   */
  readonly whole: (strategy: string, request: MarginRequest) => MarginRequest;
  readonly log: Log;
}

/**
 * Decides which requests may leave an account: by the limits of the strategy, then by those of the account.
 */
export class PreTradeRisk {
  /** Of all strategies together, as they are now; a reload may change them. */
  limits: RiskSettings;
  readonly #options: PreTradeRiskOptions;
  readonly #rate = new RateWindow();

  constructor(options: PreTradeRiskOptions) {
    this.limits = options.limits;
    this.#options = options;
  }

  /** The reason why a request may not leave; a request that may is counted. */
  rejection(strategyAccount: StrategyAccount, request: OrderRequest): Rejection | undefined {
    if (request.kind === 'cancel') return undefined;
    const { risk } = strategyAccount;
    if (risk === undefined) return TOO_EARLY;
    const now = this.#options.scheduler.now();
    const view = this.#strategyView(strategyAccount, risk);
    const rejection =
      orderRejection(request, view, strategyAccount.limits) ??
      this.#fundsRejection(strategyAccount, request, view) ??
      orderRejection(request, this.#judgedBy(strategyAccount, request, view), this.limits);
    if (rejection !== undefined) return rejection;
    this.#rate.add(now);
    risk.count(request, now);
    this.#warnOfStop(strategyAccount, request, view);
    return undefined;
  }

  /** The reason why a margin account setting of a strategy may not leave. */
  marginRejection(strategyAccount: StrategyAccount, request: MarginRequest): Rejection | undefined {
    const { risk, limits } = strategyAccount;
    if (risk === undefined) return TOO_EARLY;
    const view = this.#strategyView(strategyAccount, risk);
    const { budget } = strategyAccount;
    const { amounts } = budget;
    const change = this.#changeOf(strategyAccount);
    const whole = this.#options.whole(strategyAccount.name, request);
    return (
      marginRejection(request, view, limits) ??
      (amounts && marginBudgetRejection(request, view, { amounts, change }, limits)) ??
      marginRejection(whole, this.#accountView(view), this.limits)
    );
  }

  /** Amount that the open orders of a strategy reserve of its part of a margin account. */
  heldForOrders(strategy: string, state: MarginAccountState): Decimal {
    const { strategies } = this.#options;
    const strategyAccount = strategies.all.find(({ name }) => name === strategy);
    if (strategyAccount?.risk === undefined) return ZERO;
    const view = this.#strategyView(strategyAccount, strategyAccount.risk);
    return heldForOrders(state, view.orders, view, strategyAccount.limits);
  }

  /** The best of a symbol's book; none before a strategy of the account trades. */
  best(symbol: string): BookBest | undefined {
    for (const { risk } of this.#options.strategies.all) {
      const best = risk?.best(symbol);
      if (best !== undefined) return best;
    }
    return undefined;
  }

  #strategyView(strategyAccount: StrategyAccount, risk: StrategyRisk): RiskView {
    const { scheduler, states, instruments, orders, unsent } = this.#options;
    const now = scheduler.now();
    return {
      now,
      state: states.effective(`strategy:${strategyAccount.name}`),
      instruments: instruments.all,
      instrument: (symbol) => instruments.known(symbol),
      market: (symbol) => risk.market(symbol),
      orders: strategyAccount.openOrders(),
      accountOrders: unsent.sent(orders.open()),
      holding: (currency) => strategyAccount.holding(currency),
      requestsInSecond: risk.requestsInSecond(now),
      margin: this.#options.margin(strategyAccount.name),
    };
  }

  /**
   * Inputs of the account's limits: everything on the account. An order that closes a strategy's own
   * position on a shared margin account may increase the net position, and is checked by its effect on
   * that.
   */
  #judgedBy({ name }: StrategyAccount, request: OrderRequest, view: RiskView): RiskView {
    return this.#options.closesOwn(name, request) ? view : this.#accountView(view);
  }

  #accountView(view: RiskView): RiskView {
    return {
      ...view,
      market: (symbol) => this.#market(symbol),
      orders: view.accountOrders,
      holding: (currency) => this.#options.balances.holding(currency),
      requestsInSecond: this.#rate.count(view.now),
      margin: this.#options.margin(undefined),
    };
  }

  /** A stop order beyond the liquidation price, or too near before it, is sent with a warning, unless a limit rejects it. */
  #warnOfStop({ name, limits }: StrategyAccount, request: OrderRequest, view: RiskView): void {
    if ([limits, this.limits].some((one) => one.stopBeyondLiquidation === 'reject')) return;
    const warning = stopWarning(request, view, limits);
    if (warning !== undefined) this.#options.log.warn(`Strategy ${name}: ${warning}`);
  }

  /**
   * Why the budget, or without one the available balance, does not cover a request; for margin requests,
   * why the margin account does not.
   */
  #fundsRejection(
    strategyAccount: StrategyAccount,
    request: OrderRequest,
    view: RiskView,
  ): Rejection | undefined {
    const { available } = this.#options;
    const { budget, limits } = strategyAccount;
    const rejection = marginFundsRejection(request, view, limits);
    if (rejection !== undefined) return rejection;
    if (budget.amounts === undefined) {
      return availableRejection(request, view, (currency) => available.of(currency), limits);
    }
    const change = this.#changeOf(strategyAccount);
    return budgetRejection(request, view, { amounts: budget.amounts, change }, limits);
  }

  /** How much of a budget has changed, and is about to by unanswered settings. */
  #changeOf({ name, budget }: StrategyAccount): (currency: string) => Decimal {
    const { taking } = this.#options;
    return (currency) => budget.change(currency).minus(taking(name, currency));
  }

  /** State of a market; `undefined` before a strategy of the account trades. */
  #market(symbol: string): RiskMarket | undefined {
    for (const { risk } of this.#options.strategies.all) {
      const market = risk?.market(symbol);
      if (market !== undefined) return market;
    }
    return undefined;
  }
}

const TOO_EARLY: Rejection = {
  code: 'trading-halted',
  message: 'The bot is still starting: nothing new may be sent.',
};
