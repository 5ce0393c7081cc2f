import { errorText, MillraceError } from '../../model/errors.ts';
import { awayFromZero, canceledIn } from '../../risk/margin/away-from-zero.ts';
import type { TradingState } from '../../risk/state.ts';
import type { MarginPositionLine, Operation } from '../api/bot-api.ts';
import { scopeName, type Scope, type Transition } from '../risk/states.ts';
import type { StrategyRunner } from '../strategy/runner.ts';
import { orphansOf, type BotParts, type OwnedOrders } from './parts.ts';
import { cancelWithin } from './canceling.ts';
import { Flattening } from './flattening.ts';
import { marginPositionLines } from './margin-lines.ts';
import { OperatorIds } from './operator-ids.ts';
import { bringLeftFundsBack } from './left-funds.ts';
import { Relief } from './relief.ts';

/** How long canceled orders may take to end before the operator gets an error. */
const WITHIN_US = 10_000_000;

/** Operations of operators, and the effects of stricter states. */
export class Operations {
  readonly #parts: BotParts;
  /** Reduces positions that are too near to their liquidation. */
  readonly relief: Relief;
  readonly #flattening: Flattening;
  /** Resolves when the last flattening has ended, successful or not. */
  #flattened: Promise<void> = Promise.resolve();

  constructor(parts: BotParts) {
    this.#parts = parts;
    const { scheduler, log } = parts;
    const ids = new OperatorIds(scheduler);
    this.relief = new Relief(scheduler, log, ids);
    this.#flattening = new Flattening(scheduler, ids);
  }

  /**
   * Executes an operation, for one strategy or for all. Throws `usage` for a strategy that the bot does not
   * have or that requires a restart, and `outcome-unknown` if orders did not end in time.
   */
  async operate(operation: Operation, strategy?: string): Promise<void> {
    const orphans = this.#orphans(strategy);
    const runners = this.#named(strategy, orphans.length > 0 || this.#hasMargin(strategy));
    const owned = [...runners, ...orphans];
    const scope: Scope = strategy === undefined ? 'bot' : `strategy:${strategy}`;
    const { states } = this.#parts;
    const why = `An operator asked it to ${operation}.`;
    switch (operation) {
      case 'resume':
        this.#resume(scope, runners, why);
        return;
      case 'reset-loss':
        if (scope === 'bot') for (const { guards } of this.#parts.accounts) guards.resetLoss();
        for (const { guards } of runners) guards.resetLoss();
        this.#parts.log.info(`${scopeName(scope)} had its losses reset: ${why}`, { scope });
        return;
      case 'pause':
        this.#emit(() => states.set(scope, 'halted', why));
        return;
      case 'reduce':
        this.#emit(() => states.set(scope, 'reducing', why));
        this.#cancel(owned, 'reducing');
        return;
      case 'halt':
        this.#emit(() => states.set(scope, 'halted', why));
        await this.#cancelAll(owned);
        return;
      case 'kill':
        this.#emit(() => states.tighten(scope, 'killed', why));
        for (const { engine } of runners) engine.stop();
        await this.#cancelAll(owned);
        return;
      case 'flatten':
        this.#emit(() => states.tighten(scope, 'halted', why));
        await this.#flattenInTurn(strategy, { runners, orphans });
    }
  }

  /** Does what belongs to a state that a breach led to. */
  enforce({ scope, to, why }: Transition): void {
    this.#parts.log.warn(`${scopeName(scope)} is ${to}: ${why}`, { scope, state: to });
    const runners = this.#parts.runners.filter((runner) => isUnder(scope, runner));
    const orphans = orphansOf(this.#parts).filter((orphan) => isUnder(scope, orphan));
    const owned = [...runners, ...orphans];
    this.#cancel(owned, to);
    if (to === 'killed') for (const { engine } of runners) engine.stop();
  }

  /**
   * Cancels orders of a reducing strategy that now lead away from zero, such as those of a position closed
   * otherwise; called repeatedly.
   */
  keepReducing(): void {
    const { states } = this.#parts;
    for (const owned of [...this.#parts.runners, ...orphansOf(this.#parts)]) {
      const { name, strategyAccount } = owned;
      if (states.effective(`strategy:${name}`) !== 'reducing') continue;
      const open = strategyAccount.openOrders().filter((order) => !order.cancelRequested);
      strategyAccount.cancel(awayFromZero(open, heldBy(owned)));
    }
  }

  /** A strategy threw: it stays halted until an operator acts. Its engine has canceled its orders. */
  failed(name: string, why: string): void {
    this.#emit(() =>
      this.#parts.states.tighten(`strategy:${name}`, 'halted', `The strategy failed: ${why}`),
    );
  }

  /** Halts a scope; its orders stay. */
  halt(scope: Scope, why: string): void {
    this.#emit(() => this.#parts.states.tighten(scope, 'halted', why));
  }

  #resume(scope: Scope, runners: readonly StrategyRunner[], why: string): void {
    const { states, accounts, scheduler } = this.#parts;
    const now = scheduler.now();
    if (scope === 'bot') {
      this.#emit(() => states.resume('bot', why));
      for (const { account, guards } of accounts) {
        this.#emit(() => states.resume(`account:${account.name}`, why));
        guards.resumed(now);
      }
    }
    for (const { name, guards } of runners) {
      this.#emit(() => states.resume(`strategy:${name}`, why));
      guards.resumed(now);
    }
    const gone = runners.filter(({ engine }) => ['failed', 'stopped'].includes(engine.state));
    if (gone.length === 0) return;
    const names = gone.map(({ name }) => name).join(', ');
    throw new MillraceError(
      'usage',
      `${names} was let go when it was killed or failed, and runs again from the next start of the bot: restart it.`,
      { field: 'strategy' },
    );
  }

  async #cancelAll(owned: readonly OwnedOrders[]): Promise<void> {
    if (await cancelWithin(owned, this.#parts.scheduler, WITHIN_US)) return;
    throw new MillraceError(
      'outcome-unknown',
      'The state holds, but some orders did not end in time: look at them with `millrace orders` and try again.',
    );
  }

  /** Cancels the orders that a state does not allow. */
  #cancel(owned: readonly OwnedOrders[], state: TradingState): void {
    for (const one of owned) {
      const { strategyAccount } = one;
      strategyAccount.cancel(canceledIn(state, strategyAccount.openOrders(), heldBy(one)));
    }
  }

  /** One after the other: two at once would both sell the holdings. */
  #flattenInTurn(strategy: string | undefined, owned: Owned): Promise<void> {
    const turn = this.#flattened.then(() => this.#flatten(strategy, owned));
    // The caller gets its error; the next one continues anyway.
    this.#flattened = turn.catch(() => undefined);
    return turn;
  }

  /** Cancels orders, then sells and closes the holdings of the strategies. */
  async #flatten(strategy: string | undefined, owned: Owned): Promise<void> {
    const { accounts, scheduler, log } = this.#parts;
    const { runners, orphans } = owned;
    await this.#cancelAll([...runners, ...orphans]);
    await this.#flattening.run({
      runners,
      strategy,
      accounts: accounts.map(({ account }) => account),
    });
    await bringLeftFundsBack({
      scheduler,
      log,
      strategy,
      accounts: accounts.map(({ account }) => account),
      runs: (name) => this.#parts.runners.some((runner) => runner.name === name),
    });
    if (strategy !== undefined) return;
    for (const { symbol, quantity, accountType, account } of marginPositionLines(accounts).filter(
      isForeign,
    )) {
      log.warn(
        `Flattening left ${quantity} ${symbol} on ${accountType} margin of account ${account}: no strategy of the bot opened it. Close it at the venue.`,
      );
    }
  }

  /** Leftovers of strategies that are no longer configured: all of them, or those of one name. */
  #orphans(strategy: string | undefined): readonly OwnedOrders[] {
    return orphansOf(this.#parts).filter(({ name }) => strategy === undefined || name === strategy);
  }

  /** True for a strategy with an open margin account, even if it is no longer configured. */
  #hasMargin(strategy: string | undefined): boolean {
    return this.#parts.accounts.some(
      ({ account }) => strategy !== undefined && account.margin.store.of(strategy).length > 0,
    );
  }

  #named(strategy: string | undefined, mayBeGone: boolean): readonly StrategyRunner[] {
    const { runners } = this.#parts;
    if (strategy === undefined) return runners;
    const runner = runners.find(({ name }) => name === strategy);
    if (runner !== undefined) return [runner];
    if (mayBeGone) return [];
    const known = runners.map(({ name }) => name).join(', ');
    throw new MillraceError('usage', `This bot has no strategy "${strategy}"; it has ${known}.`, {
      field: 'strategy',
    });
  }

  /** Changes a state and logs it, even if it could not be stored. */
  #emit(change: () => Transition | undefined): void {
    const { log } = this.#parts;
    try {
      const transition = change();
      if (transition === undefined) return;
      const { scope, to, why } = transition;
      log.info(`${scopeName(scope)} is ${to}: ${why}`, { scope, state: to });
    } catch (error) {
      log.warn(`A state holds now but could not be kept for the next start: ${errorText(error)}`);
    }
  }
}

/** Owners of orders: running strategies, and leftovers of others. */
interface Owned {
  readonly runners: readonly StrategyRunner[];
  readonly orphans: readonly OwnedOrders[];
}

/** Margin positions of an order's strategy. */
const heldBy = ({ account, name }: OwnedOrders): Parameters<typeof awayFromZero>[1] => ({
  instrument: (symbol) => account.instruments.known(symbol),
  margin: account.margin.view(name),
});

const isForeign = ({ foreign }: MarginPositionLine): boolean => foreign === true;

const isUnder = (scope: Scope, { name, account }: Pick<OwnedOrders, 'name' | 'account'>): boolean =>
  scope === 'bot' || scope === `strategy:${name}` || scope === `account:${account.name}`;
