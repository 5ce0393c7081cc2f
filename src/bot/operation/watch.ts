import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { RejectReport } from '../../model/report.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Cancel } from '../../platform/scheduler.ts';
import type { ConnectionState } from '../../gateways/venue-account.ts';
import type { MarginNewsLine } from '../account/margin-news.ts';
import type { Account, AccountListener } from '../account/account.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { MarginView } from '../../risk/view.ts';
import { valuesOf } from '../../risk/values.ts';
import { countsAsReject } from '../risk/rejects.ts';
import type { Breach, Guards, PassingCause } from '../risk/guards.ts';
import { scopeName, type Scope, type Transition } from '../risk/states.ts';
import { remember } from '../risk/equity-memory.ts';
import type { FailedJournals } from './failed-journals.ts';
import type { Operations } from './operations.ts';
import { DaySummaries } from './day-summaries.ts';
import { OwnEquities } from './own-equity.ts';
import type { BotParts } from './parts.ts';
import { Transfers, type Moved } from './transfers.ts';
import { waiter } from './condition-wait.ts';
import { errorText } from '../../model/errors.ts';

/** Interval of the checks of equities and markets. */
const POLL_US = US_PER_SECOND;
/** How long the balances after a flattening are awaited: a difference counts from the second read on. */
const MARKED_WITHIN_US = 5 * US_PER_SECOND;
/** Interval of storing the equity baselines. */
const KEEP_US = 10 * US_PER_SECOND;

const WRONG: Readonly<Record<PassingCause, string>> = {
  data: 'the market data',
  connection: 'the connection',
  clock: 'the clocks',
};

/** Result of a read while journal and venue are not compared yet. */
const UNSETTLED: Moved = { isQuiet: false, amounts: new Map(), unexplained: new Map() };

/** Monitors a running bot: equities and markets every second, clocks every minute. */
export class Watch implements AccountListener {
  readonly #parts: BotParts;
  readonly #operations: Operations;
  #cancel: Cancel = () => undefined;
  readonly #transfers = new Map<Account, Transfers>();
  readonly #failedJournals: FailedJournals;
  readonly #equities = new Map<Account, OwnEquities>();
  readonly #days: DaySummaries;
  #keptAt = 0;
  #clockAt = 0;
  /** Flattened strategies, until their equities are computed again. */
  readonly #unmarked = new Set<string>();
  #isOn = false;

  constructor(parts: BotParts, failedJournals: FailedJournals, operations: Operations) {
    this.#parts = parts;
    this.#failedJournals = failedJournals;
    this.#days = new DaySummaries(parts, (name) => this.isMarked(name));
    this.#operations = operations;
  }

  start(): void {
    this.watchMarkets();
    const now = this.#parts.scheduler.now();
    this.#isOn = true;
    this.#clockAt = now;
    for (const context of this.#parts.accounts) void this.#checkClock(context);
    this.#next();
  }

  /** Sets the markets that each guard watches; again when guards are new. */
  watchMarkets(): void {
    const { runners, accounts, scheduler } = this.#parts;
    const now = scheduler.now();
    for (const { guards, settings } of runners) {
      for (const symbol of settings.symbols) guards.watch(symbol, now);
    }
    for (const { guards, hub } of accounts) {
      for (const { instrument } of hub.pulses) guards.watch(instrument.symbol, now);
    }
  }

  /**
   * Reads the equities before anything is traded, as far as their prices are known: the cost of the first
   * trades counts as a loss too.
   */
  begin(): void {
    const now = this.#parts.scheduler.now();
    for (const context of this.#parts.accounts) this.#checkAccount(context, now);
  }

  /**
   * Waits until the equities of flattened strategies are computed again from later reports of the venue. If
   * these come too late, they are unknown until then, and a warning is logged.
   */
  async flattened(strategy: string | undefined): Promise<void> {
    const { runners, scheduler, log } = this.#parts;
    const flattened = runners.filter(({ name }) => name === (strategy ?? name));
    for (const { name } of flattened) this.#unmarked.add(name);
    const isMarked = (): boolean => flattened.every(({ name }) => this.isMarked(name));
    if (!this.#isOn || (await waiter(scheduler)(isMarked, MARKED_WITHIN_US))) return;
    const names = flattened.filter(({ name }) => !this.isMarked(name)).map(({ name }) => name);
    log.warn(`What flattening brought ${names.join(', ')} is not known yet: the venue has not sent all balances.`); // prettier-ignore
  }

  /** False for a strategy whose equities are from before it was flattened. */
  isMarked(name: string): boolean {
    return !this.#unmarked.has(name);
  }

  stop(): void {
    this.#isOn = false;
    this.#cancel();
  }

  rejected(account: string, strategy: string, report: RejectReport): void {
    if (!countsAsReject(report)) return;
    const { runners, accounts, scheduler, emit } = this.#parts;
    const now = scheduler.now();
    const { request, clientOrderId, symbol, rejection } = report;
    const { code, message: why } = rejection;
    emit?.({ kind: 'rejected', at: now, account, strategy, request, clientOrderId, symbol, code, why }); // prettier-ignore
    const runner = runners.find(({ name }) => name === strategy);
    const context = accounts.find((one) => one.account.name === account);
    if (runner !== undefined) this.#breach(`strategy:${strategy}`, runner.guards.rejected(now));
    if (context !== undefined) this.#breach(`account:${account}`, context.guards.rejected(now));
  }

  journalFailed(error: unknown, account: string): void {
    this.#failedJournals.failed(error, account);
  }

  conflict(account: string, why: string): void {
    this.#operations.halt(`account:${account}`, why);
  }

  connection(account: string, state: ConnectionState, why: string | undefined): void {
    const { scheduler, emit } = this.#parts;
    emit?.({ kind: 'connection', at: scheduler.now(), account, state, why });
  }

  margin(account: string, strategy: string, { kind: what, at, text }: MarginNewsLine): void {
    this.#parts.emit?.({ kind: 'margin', at, account, strategy, what, text });
  }

  /** Stores the equity baselines for the next start. */
  keep(): void {
    for (const { account, guards } of this.#parts.accounts) {
      this.#kept(account.name, () => {
        remember(account.journal, `account:${account.name}`, guards.memory);
        this.#transfers.get(account)?.keep();
        this.#equities.get(account)?.keep();
      });
    }
    for (const { account, name, guards } of this.#parts.runners) {
      this.#kept(account.name, () => remember(account.journal, `strategy:${name}`, guards.memory));
    }
  }

  #kept(account: string, keep: () => void): void {
    try {
      keep();
    } catch (error) {
      const why = errorText(error);
      this.#parts.log.warn(`The equities of ${account} could not be kept: ${why}`);
    }
  }

  #next(): void {
    const { scheduler } = this.#parts;
    this.#cancel = scheduler.at(micros(scheduler.now() + POLL_US), () => {
      this.#poll();
      if (this.#isOn) this.#next();
    });
  }

  #poll(): void {
    const now = this.#parts.scheduler.now();
    this.#failedJournals.poll();
    for (const context of this.#parts.accounts) {
      context.hub.review();
      this.#checkAccount(context, now);
    }
    this.#operations.keepReducing();
    this.#operations.relief.poll();
    if (now - this.#keptAt >= KEEP_US) {
      this.#keptAt = now;
      this.keep();
    }
    if (now - this.#clockAt >= US_PER_MINUTE) {
      this.#clockAt = now;
      for (const context of this.#parts.accounts) void this.#checkClock(context);
    }
  }

  #checkAccount(context: AccountContext, now: Micros): void {
    const { account, hub, guards } = context;
    const runners = this.#parts.runners.filter((runner) => runner.account === account);
    this.#days.poll(context, runners, now);
    const instruments = hub.pulses.map(({ instrument }) => instrument);
    const priceOf = (symbol: string): Decimal | undefined => hub.price(symbol);
    // Changes at the venue while disconnected cannot yet be distinguished from earlier foreign ones.
    const isSettled = account.isSettled;
    const { isQuiet, amounts, unexplained } = isSettled
      ? this.#transfersOf(account).read()
      : UNSETTLED;
    const moved = valuesOf(instruments, (currency) => amounts.get(currency) ?? ZERO, priceOf);
    // A strategy without a budget has all unowned funds there, so transfers affect it.
    const affected = [
      context,
      ...runners.filter(({ strategyAccount }) => strategyAccount.budget.amounts === undefined),
    ];
    for (const [currency, value] of moved) {
      if (!value.isZero()) for (const one of affected) one.guards.transferred(currency, value);
    }
    const scope: Scope = `account:${account.name}`;
    if (!context.movesInventory) {
      const view = {
        instruments,
        priceOf,
        holding: (currency: string) => account.balances.holding(currency),
        margin: account.margin.ownView(),
      };
      for (const one of unexplained) this.#breach(scope, guards.unexplained(one, view));
    }
    const symbols = instruments.map(({ symbol }) => symbol);
    this.#lookAtMarkets(scope, guards, context, symbols, now);
    this.#checkLiquidation(scope, guards, context, account.margin.view());
    if (isQuiet) {
      const equities = valuesOf(
        instruments,
        (currency) => account.balances.holding(currency),
        priceOf,
        account.margin.ownView(),
      );
      this.#lookAtEquities(scope, guards, equities, now);
    }
    for (const runner of runners) {
      const own: Scope = `strategy:${runner.name}`;
      this.#lookAtMarkets(own, runner.guards, context, runner.settings.symbols, now);
      const margin = account.margin.view(runner.name);
      this.#checkLiquidation(own, runner.guards, context, margin, runner.name);
      if (!isSettled) continue;
      if (!isQuiet && runner.strategyAccount.budget.amounts === undefined) continue;
      const equities = this.#equitiesOf(account).of(runner, priceOf);
      this.#lookAtEquities(own, runner.guards, equities, now);
      const isWhole = [...runner.guards.memory.keys()].every((currency) => equities.has(currency));
      if (isWhole) this.#unmarked.delete(runner.name);
    }
  }

  #lookAtMarkets(
    scope: Scope,
    guards: Guards,
    { hub }: AccountContext,
    symbols: readonly string[],
    now: Micros,
  ): void {
    for (const symbol of symbols) {
      const knownAt = hub.knownAt(symbol);
      if (knownAt !== undefined) guards.received(symbol, knownAt);
      if (hub.pulse(symbol)?.connectionState === 'lost') guards.lost(symbol);
    }
    this.#breach(scope, guards.check(now));
    this.#lift(scope, guards);
  }

  /** Checks margin positions too near to their liquidation. */
  #checkLiquidation(
    scope: Scope,
    guards: Guards,
    context: AccountContext,
    margin: MarginView | undefined,
    strategy?: string,
  ): void {
    // Before the start it has no effect, and it is reported only once.
    if (margin === undefined || !this.#isOn) return;
    for (const near of guards.liquidation(margin)) {
      const { why, breach } = near;
      if (breach === undefined) this.#parts.log.warn(`${scopeName(scope)}: ${why}`);
      else {
        this.#breach(scope, breach);
        this.#operations.relief.reduce(context, { ...near, strategy }, guards);
      }
    }
  }

  /** Resumes a scope whose breach had a cause that is over. */
  #lift(scope: Scope, guards: Guards): void {
    const { states, log } = this.#parts;
    for (const cause of states.passing(scope)) {
      if (cause === 'journal' || !guards.isOver(cause)) continue;
      const why = `What was wrong with ${WRONG[cause]} is over.`;
      const transition = states.lift(scope, cause, why);
      if (transition === undefined) continue;
      const { to } = transition;
      log.info(`${scopeName(scope)} is ${to} again: ${why}`, { scope, state: to });
    }
  }

  #lookAtEquities(
    scope: Scope,
    guards: Guards,
    equities: ReturnType<typeof valuesOf>,
    now: Micros,
  ): void {
    for (const [currency, value] of equities) {
      this.#breach(scope, guards.equity(currency, value, now));
    }
  }

  #transfersOf(account: Account): Transfers {
    let transfers = this.#transfers.get(account);
    if (transfers === undefined) this.#transfers.set(account, (transfers = new Transfers(account)));
    return transfers;
  }

  #equitiesOf(account: Account): OwnEquities {
    let equities = this.#equities.get(account);
    if (equities === undefined) this.#equities.set(account, (equities = new OwnEquities(account)));
    return equities;
  }

  async #checkClock({ account, guards }: AccountContext): Promise<void> {
    try {
      const skewUs = await account.venue.clockSkewUs();
      this.#breach(`account:${account.name}`, guards.clockSkew(skewUs));
    } catch (error) {
      const why = errorText(error);
      this.#parts.log.warn(`The clock of account ${account.name} could not be read: ${why}`);
    }
  }

  #breach(scope: Scope, breach: Breach | undefined): void {
    if (breach === undefined || !this.#isOn) return;
    const { states, scheduler, log } = this.#parts;
    const from = states.own(scope);
    let transition: Transition | undefined;
    try {
      transition = states.tighten(scope, breach.to, breach.why, breach.passing);
    } catch (error) {
      log.warn(`A state could not be kept: ${errorText(error)}`);
      transition = { scope, from, to: breach.to, why: breach.why, at: scheduler.now() };
    }
    if (transition === undefined) log.warn(`${breach.why} (${scope} is ${from} already)`);
    else this.#operations.enforce(transition);
  }
}
