import type { AuditListener } from '../../engine/audit.ts';
import { Engine, type EngineOptions } from '../../engine/engine.ts';
import type { FeedContents } from '../../engine/market/feed-contents.ts';
import type { PortfolioGateway } from '../../engine/portfolio-gateway.ts';
import type { RestoredState } from '../../engine/session.ts';
import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { EquityMemory } from '../../risk/guards/equity.ts';
import { valuesOf } from '../../risk/values.ts';
import type { Log } from '../../strategy/context.ts';
import type { Account } from '../account/account.ts';
import type { MarketHub } from '../account/market-hub.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';
import { StrategyRisk } from '../account/strategy-risk.ts';
import { Guards } from '../risk/guards.ts';
import type { StrategySettings } from '../settings/settings.ts';

export interface RunnerOptions {
  readonly settings: StrategySettings;
  readonly account: Account;
  readonly hub: MarketHub;
  readonly strategyAccount: StrategyAccount;
  /** Set if it may rebalance inventory. */
  readonly portfolio: PortfolioGateway | undefined;
  /** The clock of strategies: history first, then the present. */
  readonly scheduler: Scheduler;
  readonly clientOrderIdPrefix: string;
  readonly previousLife: RestoredState;
  readonly warmUpUntil: Micros;
  readonly feeds: ReadonlyMap<string, FeedContents>;
  readonly equityMemory: EquityMemory | undefined;
  readonly log: Log;
  readonly audit: AuditListener;
}

/** A running strategy of a bot: its engine, its part of an account, its guards. */
export class StrategyRunner {
  readonly settings: StrategySettings;
  readonly account: Account;
  readonly strategyAccount: StrategyAccount;
  readonly engine: Engine;
  guards: Guards;
  readonly #hub: MarketHub;

  constructor(options: RunnerOptions) {
    const { settings, account, hub, strategyAccount, previousLife } = options;
    this.settings = settings;
    this.account = account;
    this.strategyAccount = strategyAccount;
    this.guards = new Guards(settings.risk, options.equityMemory);
    this.#hub = hub;
    // Without leftovers in a symbol that it no longer trades.
    const entries = new Map(
      [...previousLife.entries].filter(([symbol]) => strategyAccount.trades(symbol)),
    );
    this.engine = engineOf(settings.name, {
      scheduler: options.scheduler,
      gateway: strategyAccount,
      portfolio: options.portfolio,
      strategy: settings.strategy,
      parameters: settings.parameters,
      feeds: options.feeds,
      states: hub.states,
      warmUpUntil: options.warmUpUntil,
      clientOrderIdPrefix: options.clientOrderIdPrefix,
      onFailure: settings.onFailure,
      replenish: settings.replenish,
      previousLife: { ...previousLife, entries },
      log: options.log,
      audit: options.audit,
      used: () => hub.used(),
    });
    strategyAccount.risk = new StrategyRisk(hub);
    strategyAccount.onAdopted((order) => this.engine.adopt(order));
    strategyAccount.instruments.forEach(({ symbol }, index) =>
      hub.listen(symbol, this.engine, index),
    );
  }

  get name(): string {
    return this.settings.name;
  }

  /** The other configured strategies of its account. */
  get others(): readonly StrategyAccount[] {
    const { all, orphans } = this.account.strategies;
    return all.filter(
      (strategyAccount) =>
        strategyAccount !== this.strategyAccount && !orphans.includes(strategyAccount),
    );
  }

  /**
   * Equity of the strategy, by quote currency of its symbols: balances at valuation prices, margin accounts
   * with positions at mark prices; a currency is left out while a price is missing. Without a budget it is
   * the account's equity without the changes by fills of the other strategies there.
   */
  equities(): ReadonlyMap<string, Decimal> {
    return valuesOf(
      this.strategyAccount.instruments,
      (currency) => this.own(currency),
      (symbol) => this.#hub.price(symbol),
      this.account.margin.view(this.name),
    );
  }

  /**
   * Its balance of a currency; without a budget the account's balance less the changes by fills of the
   * others.
   */
  own(currency: string): Decimal {
    const held = this.strategyAccount.holding(currency);
    if (this.strategyAccount.budget.amounts !== undefined) return held;
    return this.others.reduce((rest, { budget }) => rest.minus(budget.change(currency)), held);
  }
}

/** Errors in a strategy's configuration are reported with their place there. */
function engineOf(name: string, options: EngineOptions): Engine {
  try {
    return new Engine(options);
  } catch (error) {
    if (!(error instanceof MillraceError) || error.field !== 'replenish') throw error;
    throw new MillraceError(error.code, `strategies.${name}: ${error.message}`, {
      field: `strategies.${name}.replenish`,
      cause: error,
    });
  }
}
