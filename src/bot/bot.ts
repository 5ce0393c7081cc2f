import type { AuditEvent } from '../engine/audit.ts';
import { takeRxjsTime } from '../engine/event-time.ts';
import type { FeedContents } from '../engine/market/feed-contents.ts';
import type { Inventory } from '../gateways/rebalancing/inventory.ts';
import { unlessAborted } from '../platform/aborted.ts';
import { HandoverScheduler } from '../platform/handover-scheduler.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { micros, type Micros } from '../platform/time.ts';
import type { Log } from '../strategy/context.ts';
import { stricter } from '../risk/state.ts';
import type { BotEvent } from './api/bot-event.ts';
import { BASE_PERIOD } from './account/subscriptions.ts';
import type { AccountContext } from './account/account-context.ts';
import { openAccount, type OpenAccountOptions } from './account/open-account.ts';
import type { StrategyAccount } from './account/strategy-account.ts';
import { recalled } from './risk/equity-memory.ts';
import {
  balanceLines,
  botStatus,
  orderLines,
  positionLines,
  unknownBalanceLines,
} from './operation/lines.ts';
import { FailedJournals } from './operation/failed-journals.ts';
import { auditedEvent, stateEvent } from './operation/bot-events.ts';
import { Operations } from './operation/operations.ts';
import type { Notifier } from './notifications/notifier.ts';
import type {
  BalanceLine,
  UnknownBalanceLine,
  BotStatus,
  BotApi,
  Operation,
  OrderLine,
  PositionLine,
} from './api/bot-api.ts';
import { reloaded } from './operation/reloading.ts';
import { storedLines, storedStates, saveTransition } from './operation/stored-states.ts';
import { orphansOf } from './operation/parts.ts';
import { openPortfolio } from './rebalancing/open-portfolio.ts';
import { States, type Transition } from './risk/states.ts';
import { Watch } from './operation/watch.ts';
import type { BotSettings, StrategySettings } from './settings/settings.ts';
import { StrategyRunner } from './strategy/runner.ts';
import { fetchPast, pastWanted, playPast, warmUpStart } from './strategy/warm-up.ts';
import { cancelWithin } from './operation/canceling.ts';
import { waiter } from './operation/condition-wait.ts';
import { errorText } from '../model/errors.ts';

/** Injected dependencies of a bot. */
export interface BotDependencies extends Pick<
  OpenAccountOptions,
  'scheduler' | 'random' | 'log' | 'meter' | 'signal' | 'connect'
> {
  /** Notifies people of what happens. */
  readonly notifier?: Pick<Notifier, 'take' | 'lines'> | undefined;
  /** Reloads the configuration. */
  reread?(): BotSettings | Promise<BotSettings>;
}

/** How long the orders of managed orders of a previous run may take to be canceled before trading begins. */
const CLEAR_WITHIN_US = 5_000_000;

/**
 * A bot: accounts with their journals, strategies with their engines, limits, and the people who
 * operate it. Opening it is recovery, the same way after a first start, a restart and a crash:
 *
 *     1. journals   opened and locked
 *     2. accounts   connected; the journals healed by what the venues say
 *     3. strategies get their accounts from the journals; orders of managed orders canceled, as strategies set new ones
 *     4. inventory  opened, if there is a portfolio; what was paid is led to its end
 *     5. markets    connected; what they send is kept
 *     6. engines    warmed up on history, then the present
 */
export class Bot implements BotApi {
  readonly #dependencies: BotDependencies;
  #settings: BotSettings;
  readonly #accounts: AccountContext[] = [];
  readonly #runners: StrategyRunner[] = [];
  #inventory: Inventory | undefined;
  /** Kept with it, however long that takes. */
  #inventoryOpening: Promise<Inventory> | undefined;
  readonly #startedAt: Micros;
  readonly #states: States;
  readonly #watch: Watch;
  readonly #operations: Operations;
  readonly #failedJournals: FailedJournals;
  #releaseTime: () => void = () => undefined;
  #isReady = false;
  #isFailing = false;
  #closing: Promise<void> | undefined;

  private constructor(settings: BotSettings, dependencies: BotDependencies) {
    const { scheduler, log, notifier } = dependencies;
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#startedAt = scheduler.now();
    this.#states = new States({
      scheduler,
      accounts: new Map(settings.strategies.map(({ name, account }) => [name, account])),
      save: (transition) => this.#save(transition),
    });
    const parts = {
      scheduler,
      log,
      states: this.#states,
      accounts: this.#accounts,
      runners: this.#runners,
      emit: notifier && ((event: BotEvent) => notifier.take(event)),
    };
    this.#operations = new Operations(parts);
    this.#failedJournals = new FailedJournals(parts);
    this.#watch = new Watch(parts, this.#failedJournals, this.#operations);
  }

  /** Opens a bot; throws what keeps it from trading at all, with nothing left open. */
  static async open(settings: BotSettings, dependencies: BotDependencies): Promise<Bot> {
    const bot = new Bot(settings, dependencies);
    try {
      await bot.#open();
      return bot;
    } catch (error) {
      await bot.#release();
      throw error;
    }
  }

  isReady(): boolean {
    return this.#isReady && this.#accounts.every(({ account }) => account.isCurrent);
  }

  status(): BotStatus {
    return botStatus({
      settings: this.#settings,
      startedAt: this.#startedAt,
      at: this.#dependencies.scheduler.now(),
      states: this.#states,
      accounts: this.#accounts,
      runners: this.#runners,
      inventory: this.#inventory,
      isMarked: (name) => this.#watch.isMarked(name),
      notifications: this.#dependencies.notifier?.lines(),
    });
  }

  orders(): readonly OrderLine[] {
    return orderLines([...this.#runners, ...orphansOf({ accounts: this.#accounts })]);
  }

  positions(): readonly PositionLine[] {
    return positionLines(this.#runners, this.#accounts);
  }

  balances(): readonly BalanceLine[] {
    return balanceLines(this.#accounts, this.#dependencies.scheduler.now());
  }

  async allBalances(): Promise<readonly (BalanceLine | UnknownBalanceLine)[]> {
    const { scheduler } = this.#dependencies;
    await Promise.all(
      this.#accounts.map(({ account }) => account.nonSpotBalances.requestAll(scheduler)),
    );
    return [...this.balances(), ...this.#accounts.flatMap(unknownBalanceLines)];
  }

  async operate(operation: Operation, strategy?: string): Promise<void> {
    await this.#operations.operate(operation, strategy);
    if (operation === 'flatten') await this.#watch.flattened(strategy);
  }

  async reload(): Promise<{
    readonly taken: readonly string[];
    readonly needsRestart: readonly string[];
  }> {
    const next = await this.#dependencies.reread?.();
    if (next === undefined) return { taken: [], needsRestart: [] };
    const { settings, ...outcome } = reloaded(this.#settings, next, this.#accounts, this.#runners);
    this.#settings = settings;
    this.#watch.watchMarkets();
    return outcome;
  }

  /** Shuts down as configured; a second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { scheduler, log } = this.#dependencies;
    const { orders, withinUs } = this.#settings.shutdown;
    this.#isReady = false;
    this.#watch.stop();
    for (const { engine } of this.#runners) engine.stop();
    // Waited for with the rest.
    void this.#inventory?.close();
    if (orders === 'cancel') {
      const all = [...this.#runners, ...orphansOf({ accounts: this.#accounts })];
      const isClear = await cancelWithin(all, scheduler, withinUs);
      if (!isClear) log.warn('Some orders could not be canceled in time; the journal has them.');
    }
    await this.#release();
  }

  async #release(): Promise<void> {
    this.#watch.stop();
    for (const { engine } of this.#runners) engine.stop();
    this.#releaseTime();
    this.#watch.keep();
    // An inventory that failed to open was already reported.
    const inventory = this.#inventoryOpening?.then(
      (one) => one.close(),
      () => undefined,
    );
    const closing = this.#accounts.map(async ({ market, account, paper, close }) => {
      await market.close();
      // Paper transfers write into the journal of their account.
      if (paper !== undefined) await inventory?.catch(() => undefined);
      await account.close();
      await close();
    });
    for (const outcome of await Promise.allSettled([inventory, ...closing])) {
      if (outcome.status === 'rejected') {
        this.#dependencies.log.warn(`Something could not be closed: ${String(outcome.reason)}`);
      }
    }
  }

  async #open(): Promise<void> {
    const { scheduler, log } = this.#dependencies;
    for (const settings of this.#settings.accounts) {
      const parts = { ...this.#dependencies, states: this.#states, listener: this.#watch };
      this.#accounts.push(await openAccount({ ...parts, settings, bot: this.#settings }));
    }
    const kept = storedStates(this.#accounts);
    this.#states.restore(kept);
    const strategyAccounts = this.#settings.strategies.map((one) =>
      this.#context(one.account).account.strategies.add(one),
    );
    for (const { account } of this.#accounts) account.strategies.openOrphans();
    await this.#while(this.#clearManagedOrders(strategyAccounts));
    await this.#openInventory(strategyAccounts);
    for (const { hub } of this.#accounts) await this.#while(hub.open());
    const now = scheduler.now();
    const past = await this.#while(
      fetchPast(pastWanted(this.#accounts, this.#settings.strategies), now),
    );
    const longest = Math.max(0, ...this.#settings.strategies.map(({ warmUpUs }) => warmUpUs));
    const clock = new HandoverScheduler(longest === 0 ? now : warmUpStart(longest, now), scheduler);
    this.#releaseTime = takeRxjsTime(clock, (error) => this.#stray(error));
    this.#settings.strategies.forEach((one, index) => {
      const strategyAccount = strategyAccounts[index];
      if (strategyAccount !== undefined)
        this.#runners.push(this.#runner(one, strategyAccount, clock, now));
    });
    this.#watch.begin();
    for (const { engine } of this.#runners) engine.start();
    playPast(past, clock);
    const asked = this.#accounts.flatMap(({ hub }) => hub.subscribe(now) ?? []);
    clock.handOver();
    for (const { hub } of this.#accounts) hub.release();
    if (asked.length > 0) await this.#while(Promise.all(asked));
    this.#watch.start();
    this.#isReady = true;
    log.info(`Bot ${this.#settings.name} trades (${this.#settings.mode}).`);
    for (const line of storedLines(kept, this.#settings.strategies)) log.warn(line);
  }

  async #openInventory(strategyAccounts: readonly StrategyAccount[]): Promise<void> {
    const { portfolio } = this.#settings;
    if (portfolio === undefined) return;
    const { scheduler, random, log } = this.#dependencies;
    const strategyAccount = strategyAccounts.find(({ name }) => name === portfolio.strategy);
    if (strategyAccount === undefined) throw new RangeError(`no strategy ${portfolio.strategy}`);
    const context = this.#context(strategyAccount.venue);
    context.movesInventory = true;
    this.#inventoryOpening = openPortfolio(portfolio, {
      scheduler,
      random,
      log: named(log, portfolio.strategy),
      bot: this.#settings,
      context,
      journalFailed: (error) => this.#failedJournals.failed(error),
      state: () => this.#states.effective(`strategy:${portfolio.strategy}`),
      limits: () => [strategyAccount.limits, context.account.risk.limits],
    });
    this.#inventory = await this.#while(this.#inventoryOpening);
  }

  /** Waits for a part of the opening until it is aborted. */
  #while<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(work, this.#dependencies.signal);
  }

  /** Cancels orders that managed orders of the previous run left open: strategies set new ones. */
  async #clearManagedOrders(strategyAccounts: readonly StrategyAccount[]): Promise<void> {
    const managed = (strategyAccount: StrategyAccount) =>
      strategyAccount.openOrders().filter((order) => order.managed);
    for (const strategyAccount of strategyAccounts)
      strategyAccount.cancel(managed(strategyAccount));
    const isClear = await waiter(this.#dependencies.scheduler)(
      () => strategyAccounts.every((strategyAccount) => managed(strategyAccount).length === 0),
      CLEAR_WITHIN_US,
    );
    if (!isClear) {
      this.#dependencies.log.warn(
        'Managed orders from before the start are not canceled yet; they count against the limits until they are.',
      );
    }
  }

  #runner(
    settings: StrategySettings,
    strategyAccount: StrategyAccount,
    clock: Scheduler,
    now: Micros,
  ): StrategyRunner {
    const { account, hub, market } = this.#context(settings.account);
    const prefix = account.journal.prefixOf(settings.name);
    const all: FeedContents = {
      trades: true,
      levels: true,
      quotes: false,
      candlePeriod: BASE_PERIOD,
    };
    return new StrategyRunner({
      settings,
      account,
      hub,
      strategyAccount,
      scheduler: clock,
      portfolio: settings.name === this.#settings.portfolio?.strategy ? this.#inventory : undefined,
      clientOrderIdPrefix: prefix,
      previousLife: account.journal.previousLife(settings.name, prefix),
      // Nothing leaves before the past has been played and the present begins.
      warmUpUntil: micros(now),
      feeds: new Map(settings.symbols.map((symbol) => [symbol, market.contents?.(symbol) ?? all])),
      equityMemory: recalled(account.journal, `strategy:${settings.name}`),
      log: named(this.#dependencies.log, settings.name),
      audit: (event) => this.#received(settings.name, event),
    });
  }

  /** Handles audit events of the engines. */
  #received(name: string, event: AuditEvent): void {
    const { notifier } = this.#dependencies;
    if (notifier !== undefined) {
      const strategyAccount = this.#runners.find((one) => one.name === name)?.strategyAccount;
      const happened = strategyAccount && auditedEvent(event, strategyAccount);
      if (happened !== undefined) notifier.take(happened);
    }
    if (event.kind !== 'failed') return;
    // Its state follows from that, and is not reported a second time.
    this.#isFailing = true;
    this.#operations.failed(name, event.error.message);
    this.#isFailing = false;
  }

  /** Stores a state and reports it. A stricter state applies even if it cannot be stored. */
  #save(transition: Transition): void {
    this.#inventory?.stateChanged();
    const { from, to } = transition;
    let isKept = false;
    try {
      saveTransition(this.#accounts, this.#runners, transition);
      isKept = true;
    } finally {
      const holds = isKept || stricter(from, to) === to;
      if (holds && !this.#isFailing) {
        this.#dependencies.notifier?.take(stateEvent(transition, this.#settings.strategies));
      }
    }
  }

  /** An error from a stream of an unknown strategy that nobody handled. */
  #stray(error: unknown): void {
    const why = `An error came out of a strategy and reached nobody: ${errorText(error)}`;
    this.#dependencies.log.warn(why);
    this.#operations.halt('bot', why);
  }

  #context(account: string): AccountContext {
    const context = this.#accounts.find(({ settings }) => settings.name === account);
    if (context === undefined) throw new RangeError(`no account ${account}`);
    return context;
  }
}

/** A log whose lines carry the name of the strategy. */
const named = (log: Log, strategy: string): Log => ({
  debug: (message, fields) => log.debug(message, { ...fields, strategy }),
  info: (message, fields) => log.info(message, { ...fields, strategy }),
  warn: (message, fields) => log.warn(message, { ...fields, strategy }),
});
