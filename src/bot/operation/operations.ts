import { Decimal, ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Lots } from '../../model/units.ts';
import { defaultTimeInForce } from '../../rules/order-shape.ts';
import { isOpen, type Order } from '../../model/order.ts';
import type { Operation } from '../api/bot-api.ts';
import { scopeName, type Scope, type Transition } from '../risk/states.ts';
import type { Runner } from '../strategy/runner.ts';
import { orphansOf, type BotParts, type OwnedOrders } from './parts.ts';
import { cancelWithin } from './canceling.ts';
import { waiter } from './waiting.ts';

/** How long canceled orders may take to end before an operator is told that they did not. */
const WITHIN_US = 10_000_000;

/** What operators tell a bot, and what follows when a scope comes to a stricter state. */
export class Operations {
  readonly #parts: BotParts;
  /** Orders that operators placed. */
  readonly #own = new Set<string>();
  /** Kept when the last flattening has ended, however it ended. */
  #flattened: Promise<void> = Promise.resolve();

  constructor(parts: BotParts) {
    this.#parts = parts;
  }

  /**
   * Does what an operator says, for one strategy or for all. Throws `usage` for a strategy that the bot does
   * not have or that takes a restart, and `fate-unknown` where orders did not end in time.
   */
  async operate(operation: Operation, strategy?: string): Promise<void> {
    const orphans = this.#orphans(strategy);
    const runners = this.#named(strategy, orphans.length > 0);
    const owned = [...runners, ...orphans];
    const scope: Scope = strategy === undefined ? 'bot' : `strategy:${strategy}`;
    const { states } = this.#parts;
    const why = `An operator told it to ${operation}.`;
    switch (operation) {
      case 'resume':
        this.#resume(scope, runners, why);
        return;
      case 'reset-loss':
        if (scope === 'bot') for (const { guards } of this.#parts.accounts) guards.resetLoss();
        for (const { guards } of runners) guards.resetLoss();
        this.#parts.log.info(`${scopeName(scope)} counts losses anew: ${why}`, { scope });
        return;
      case 'pause':
        this.#tell(() => states.set(scope, 'halted', why));
        return;
      case 'reduce':
        this.#tell(() => states.set(scope, 'reducing', why));
        this.#cancel(owned, isEntry);
        return;
      case 'halt':
        this.#tell(() => states.set(scope, 'halted', why));
        await this.#cancelAll(owned);
        return;
      case 'kill':
        this.#tell(() => states.tighten(scope, 'killed', why));
        for (const { engine } of runners) engine.stop();
        await this.#cancelAll(owned);
        return;
      case 'flatten':
        this.#tell(() => states.tighten(scope, 'halted', why));
        await this.#flattenInTurn(runners, orphans);
    }
  }

  /** Does what belongs to a state that a breach led to. */
  enforce({ scope, to, why }: Transition): void {
    this.#parts.log.warn(`${scopeName(scope)} is ${to}: ${why}`, { scope, state: to });
    const runners = this.#parts.runners.filter((runner) => isUnder(scope, runner));
    const orphans = orphansOf(this.#parts).filter((orphan) => isUnder(scope, orphan));
    const owned = [...runners, ...orphans];
    if (to === 'reducing') this.#cancel(owned, isEntry);
    if (to === 'halted' || to === 'killed') this.#cancel(owned, () => true);
    if (to === 'killed') for (const { engine } of runners) engine.stop();
  }

  /** A strategy threw: it stays halted until a person looks at it. Its engine has dealt with its orders. */
  failed(name: string, why: string): void {
    this.#tell(() =>
      this.#parts.states.tighten(`strategy:${name}`, 'halted', `The strategy failed: ${why}`),
    );
  }

  /** Halts a scope; what stands is left standing. */
  halt(scope: Scope, why: string): void {
    this.#tell(() => this.#parts.states.tighten(scope, 'halted', why));
  }

  #resume(scope: Scope, runners: readonly Runner[], why: string): void {
    const { states, accounts, scheduler } = this.#parts;
    const now = scheduler.now();
    if (scope === 'bot') {
      this.#tell(() => states.resume('bot', why));
      for (const { account, guards } of accounts) {
        this.#tell(() => states.resume(`account:${account.name}`, why));
        guards.resumed(now);
      }
    }
    for (const { name, guards } of runners) {
      this.#tell(() => states.resume(`strategy:${name}`, why));
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
      'fate-unknown',
      'The state holds, but some orders did not end in time: look at them with `millrace orders` and try again.',
    );
  }

  #cancel(owned: readonly OwnedOrders[], which: (order: Order) => boolean): void {
    for (const { strategyAccount } of owned)
      strategyAccount.cancel(strategyAccount.openOrders().filter(which));
  }

  /** One after the other: two at once would both sell what is held. */
  #flattenInTurn(runners: readonly Runner[], orphans: readonly OwnedOrders[]): Promise<void> {
    const turn = this.#flattened.then(() => this.#flatten(runners, orphans));
    // Whoever asked for this one hears how it failed; the next one goes ahead all the same.
    this.#flattened = turn.catch(() => undefined);
    return turn;
  }

  /** Cancels, and sells at market what the strategies hold, rounded down to whole lots. */
  async #flatten(runners: readonly Runner[], orphans: readonly OwnedOrders[]): Promise<void> {
    await this.#cancelAll([...runners, ...orphans]);
    const { scheduler } = this.#parts;
    // What belongs to nobody, every strategy without a budget may sell: one does.
    const sold = new Map<string, Decimal>();
    const sales = runners.flatMap((runner) =>
      this.#sellAll(runner, sold).map((id) => ({ orders: runner.strategyAccount.orders, id })),
    );
    const isDone = (): boolean =>
      sales.every(({ orders, id }) => {
        const order = orders.find(id);
        return order !== undefined && !isOpen(order);
      });
    await waiter(scheduler)(isDone, WITHIN_US);
    const unsold = sales.flatMap(({ orders, id }) => orders.find(id) ?? []).filter(isRejected);
    if (unsold.length === 0) return;
    const what = unsold.map(
      ({ symbol, refusal }) => `${symbol} (${refusal?.message ?? 'no reason'})`,
    );
    throw new MillraceError(
      'fate-unknown',
      `The orders are canceled, and what is held was not all sold: ${what.join('; ')}`,
    );
  }

  /** Gives the names of the orders; `sold` is what is sold already, by account and currency. */
  #sellAll(runner: Runner, sold: Map<string, Decimal>): readonly string[] {
    const { account, strategyAccount } = runner;
    const seen = new Set<string>();
    const ids: string[] = [];
    for (const instrument of strategyAccount.instruments) {
      const { symbol, baseCurrency } = instrument;
      if (seen.has(baseCurrency)) continue;
      seen.add(baseCurrency);
      const place = `${account.name} ${baseCurrency}`;
      const soldOfIt = sold.get(place) ?? ZERO;
      const left = account.balances.holding(baseCurrency).minus(soldOfIt);
      const held = strategyAccount.budget.amounts === undefined ? Decimal.min(runner.own(baseCurrency), left) : runner.own(baseCurrency); // prettier-ignore
      if (held.lessThanOrEqualTo(0)) continue;
      const lots: Lots = instrument.lots(held, 'down');
      if (lots === 0) continue;
      sold.set(place, soldOfIt.plus(instrument.size(lots)));
      const clientOrderId = this.#nextId(account.journal.identity);
      ids.push(clientOrderId);
      const type = 'market';
      strategyAccount.operate({
        ...{ kind: 'place', clientOrderId, symbol, side: 'sell', type, lots, postOnly: false },
        timeInForce: defaultTimeInForce(type),
      });
    }
    return ids;
  }

  #nextId(identity: string): string {
    const { scheduler } = this.#parts;
    let id: string;
    let number = scheduler.now();
    do id = `op-${identity}-${(number++).toString(36)}`;
    while (this.#own.has(id));
    this.#own.add(id);
    return id;
  }

  /** What is left of strategies that are not configured any more: all of them, or those of one name. */
  #orphans(strategy: string | undefined): readonly OwnedOrders[] {
    return orphansOf(this.#parts).filter(({ name }) => strategy === undefined || name === strategy);
  }

  #named(strategy: string | undefined, mayBeGone: boolean): readonly Runner[] {
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

  /** Brings a state about and tells of it, where it could not be kept too. */
  #tell(change: () => Transition | undefined): void {
    const { log } = this.#parts;
    try {
      const transition = change();
      if (transition === undefined) return;
      const { scope, to, why } = transition;
      log.info(`${scopeName(scope)} is ${to}: ${why}`, { scope, state: to });
    } catch (error) {
      log.warn(
        `A state holds now but could not be kept for the next start: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

const isRejected = ({ status }: Order): boolean => status === 'rejected';

/** An order that makes what is held larger. */
const isEntry = ({ side }: Order): boolean => side === 'buy';

const isUnder = (scope: Scope, { name, account }: Pick<OwnedOrders, 'name' | 'account'>): boolean =>
  scope === 'bot' || scope === `strategy:${name}` || scope === `account:${account.name}`;
