import type { MarginReport } from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { StrategySettings } from '../settings/settings.ts';
import type { AccountMargin } from './account-margin.ts';
import type { AccountBalances } from './balances.ts';
import type { AccountInstruments } from './instruments.ts';
import type { MarketHub } from './market-hub.ts';
import type { FollowedBalances } from './followed-balances.ts';
import { StrategyBudget } from './strategy-budget.ts';
import type { RequestQueue } from './request-queue.ts';
import { StrategyAccount, type StrategyAccountOptions } from './strategy-account.ts';

export interface StrategyAccountsOptions {
  /** Name of the account. */
  readonly name: string;
  readonly journal: Journal;
  readonly instruments: AccountInstruments;
  readonly balances: AccountBalances;
  readonly nonSpotBalances: FollowedBalances;
  readonly margin: () => AccountMargin;
  readonly queue: RequestQueue;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Limits of all strategies together. */
  readonly limits: RiskSettings;
}

/** The strategies of an account: the configured ones, and others with open orders. */
export class StrategyAccounts {
  readonly all: StrategyAccount[] = [];
  /** Those that belong to no configured strategy. */
  readonly orphans: StrategyAccount[] = [];
  readonly #options: StrategyAccountsOptions;
  #hub: MarketHub | undefined;
  #isComplete = false;

  constructor(options: StrategyAccountsOptions) {
    this.#options = options;
  }

  /** Sets the market data of the account, before the first strategy. */
  trade(hub: MarketHub): void {
    this.#hub = hub;
    this.#options.margin().trade(hub);
  }

  /** Adds a strategy with its orders and money from the journal. */
  add({ name, symbols, budget: amounts, risk: limits }: StrategySettings): StrategyAccount {
    const { journal, instruments } = this.#options;
    const budget = new StrategyBudget(amounts);
    for (const { currency, change } of journal.holdings(name)) budget.restore(currency, change);
    const traded = symbols.map((symbol) => instruments.get(symbol));
    return this.#strategyAccount({ name, instruments: traded, budget, limits });
  }

  /**
   * Adopts open orders without a configured strategy: of one that was renamed or removed, or in a symbol
   * that it no longer trades. They are shown, count against the limits of the account and are canceled with
   * all others. Called once, after the others are added.
   */
  openOrphans(): void {
    const { name, journal, log, margin } = this.#options;
    this.#isComplete = true;
    margin().releaseLeft(new Set(this.all.map((one) => one.name)));
    for (const { strategy, symbol } of journal.openOrders()) this.of(strategy, symbol);
    for (const orphan of this.orphans) {
      const open = orphan.orders.open().map(({ clientOrderId, symbol }) => `${clientOrderId} (${symbol})`); // prettier-ignore
      log.warn(
        `Strategy ${orphan.name} is not configured on account ${name}, or not for these symbols, and has orders open: ${open.join(', ')}. They count against the limits of the account; "millrace halt" and the end of the bot cancel them.`,
      );
    }
  }

  /**
   * The strategy account that owns a strategy's orders in a symbol; one that is not configured is added as
   * an orphan.
   */
  of(strategy: string, symbol: string): StrategyAccount | undefined {
    const found = this.all.find(({ orders }) => orders.has({ strategy, symbol }));
    if (found !== undefined || !this.#isComplete) return found;
    const { instruments, limits } = this.#options;
    const traded = [instruments.known(symbol)];
    const budget = new StrategyBudget(undefined);
    const orphan = this.#strategyAccount({ name: strategy, instruments: traded, budget, limits });
    this.orphans.push(orphan);
    return orphan;
  }

  /**
   * Requests a margin account setting in the name of a strategy, configured or not, without checking
   * limits.
   */
  setMargin(strategy: string, request: MarginRequest): void {
    const { queue, scheduler } = this.#options;
    const [at, cause] = [scheduler.now(), undefined];
    queue.push({ strategy, request, managed: false, isOperators: true, at, cause });
  }

  /**
   * Receives a report on a margin account of a strategy; false if the strategy does not receive them yet.
   */
  margin(strategy: string, report: MarginReport): boolean {
    const { journal } = this.#options;
    const own = this.all.filter(({ name }) => name === strategy);
    if (report.kind === 'marginAccount') {
      const { currency } = report.account;
      const kept = journal.holdings(strategy).find((one) => one.currency === currency);
      if (kept !== undefined) for (const { budget } of own) budget.restore(currency, kept.change);
    }
    return own.map((one) => one.marginReport(report)).includes(true);
  }

  #strategyAccount(
    of: Pick<StrategyAccountOptions, 'name' | 'instruments' | 'budget' | 'limits'>,
  ): StrategyAccount {
    const {
      name: account,
      journal,
      balances,
      nonSpotBalances,
      queue,
      scheduler,
      margin,
    } = this.#options;
    const hub = this.#hub;
    if (hub === undefined) throw new RangeError(`the market of ${account} is not there yet`);
    const { orders } = journal;
    const strategyAccount = new StrategyAccount({
      ...of,
      account,
      orders,
      balances,
      nonSpotBalances,
      hub,
      queue,
      scheduler,
      margin: margin(),
      journal,
    });
    this.all.push(strategyAccount);
    return strategyAccount;
  }
}
