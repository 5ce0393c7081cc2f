import { Subscription } from 'rxjs';
import { MillraceError } from '../model/errors.ts';
import type { Refusal } from '../model/refusals.ts';
import type { OrderReport, RejectReport, Report } from '../model/report.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';
import type { Log } from '../strategy/context.ts';
import type { Strategy } from '../strategy/define.ts';
import { AccountStreams } from './account/account-streams.ts';
import { failureOf, type SeenEvent, type Tell } from './audit.ts';
import { strategyContext } from './context.ts';
import type { OrderRequest } from './gateway.ts';
import type { InstrumentMarket } from './market/instrument-market.ts';
import type { Markets } from './market/markets.ts';
import { clientOrderIds } from './orders/client-order-ids.ts';
import { Desk } from './orders/desk.ts';
import { Orders, type OrderChange } from './orders/orders.ts';
import { WarmUp } from './warm-up.ts';
import { WishKeeper } from './wishes/keeper.ts';
import { Wishes } from './wishes/wishes.ts';

/** What becomes of the orders of a strategy that failed. */
export type OnFailure = 'cancel' | 'keep';

export type SessionState = 'ready' | 'running' | 'completed' | 'failed' | 'stopped';

/** Commands that one event may lead to before the strategy is taken to go round in a circle. */
const COMMANDS_MAX = 10_000;

export interface SessionOptions {
  readonly scheduler: Scheduler;
  readonly markets: Markets;
  readonly strategy: Strategy;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly warmUpUntil?: Micros | undefined;
  readonly clientOrderIdPrefix: string;
  readonly onFailure: OnFailure;
  readonly log: Log;
  readonly tell: Tell;
  send(request: OrderRequest): void;
  /** What the strategy is being shown. */
  seen(): SeenEvent;
  /** Asks the engine to handle commands now, unless it is about to. */
  wake(): void;
}

/** One strategy at work: its view of market and account, its commands, orders, wishes and fate. */
export class Session {
  state: SessionState = 'ready';
  /** What the strategy threw, once it failed. */
  failure: unknown;
  readonly account: AccountStreams;
  readonly #options: SessionOptions;
  readonly #orders = new Orders();
  readonly #desk: Desk;
  readonly #wishes: Wishes;
  readonly #warmUp: WarmUp;
  readonly #commands: Command[] = [];
  readonly #subscription = new Subscription();
  #changes: OrderChange[] = [];
  #isLetGo = false;

  constructor(options: SessionOptions) {
    const { scheduler, markets, tell } = options;
    const now = (): Micros => scheduler.now();
    this.#options = options;
    this.account = new AccountStreams(markets);
    this.#warmUp = new WarmUp(options.warmUpUntil);
    this.#desk = new Desk({
      orders: this.#orders,
      nextId: clientOrderIds(options.clientOrderIdPrefix),
      now,
      instrument: (symbol) => markets.find(symbol)?.instrument,
      send: (request, wished) => {
        tell({ kind: 'request', request, wished });
        options.send(request);
      },
      show: (order) => this.account.emitOrder(order),
    });
    this.#wishes = new Wishes({
      now,
      market: (symbol) => markets.find(symbol),
      keeper: (market, touch) => this.#wishKeeper(market, touch),
    });
  }

  /** Runs the strategy: subscribes to its commands. */
  start(): void {
    const { strategy, parameters, scheduler, markets, log, tell } = this.#options;
    this.state = 'running';
    tell({ kind: 'started' });
    const until = this.#warmUp.until(scheduler.now());
    if (until !== undefined) {
      this.#subscription.add(scheduler.at(until, () => this.#endWarmUp()));
    }
    const context = strategyContext({
      parameters,
      markets,
      account: this.account,
      scheduler,
      log,
      tell,
    });
    try {
      this.#subscription.add(
        strategy.run(context).subscribe({
          next: (command) => this.#ask(command),
          error: (error: unknown) => this.fail(error),
          complete: () => this.#complete(),
        }),
      );
    } catch (error) {
      this.fail(error);
    }
    if (this.state !== 'running') this.#subscription.unsubscribe();
  }

  /** Lets go of the strategy; its orders stand as they are. */
  stop(): void {
    if (this.#isLetGo) return;
    this.#isLetGo = true;
    this.#subscription.unsubscribe();
    this.#commands.length = 0;
    this.#wishes.abandon();
    if (this.state !== 'failed') this.state = 'stopped';
    this.#options.tell({ kind: 'stopped' });
  }

  /** Stops the strategy for an error of its own. */
  fail(error: unknown): void {
    if (this.state === 'failed' || this.state === 'stopped') return;
    const { tell, onFailure, strategy, log } = this.#options;
    this.state = 'failed';
    this.failure = error;
    this.#commands.length = 0;
    const failure = failureOf(error);
    const during = this.#options.seen();
    tell({ kind: 'failed', error: failure, during });
    log.warn(`Strategy ${strategy.name} failed and is stopped: ${failure.message}`, { during });
    this.#subscription.unsubscribe();
    if (onFailure === 'keep') {
      this.#wishes.abandon();
      return;
    }
    this.#wishes.end();
    this.#desk.cancelPlain();
    this.#options.wake();
  }

  /** True when commands or wishes wait to be handled. */
  get hasWork(): boolean {
    return this.#commands.length > 0 || this.#wishes.isTouched;
  }

  /** Brings the state up to date with what a venue said; `emit` shows it. */
  report(report: Report): void {
    this.#options.tell({ kind: 'report', report });
    if (report.kind !== 'balance') {
      this.#order(report);
      return;
    }
    this.account.balance(report);
    this.#wishes.holdingsChanged();
  }

  #order(report: OrderReport | RejectReport): void {
    const changes =
      report.kind === 'rejected' ? this.#orders.rejected(report) : this.#orders.report(report);
    for (const change of changes) {
      this.#changes.push(change);
      if (change.fill !== undefined) this.account.fill(change.fill);
    }
    for (const { order, fill } of changes) {
      order.owner?.();
      if (fill !== undefined) this.#wishes.holdingsChanged();
    }
  }

  /** Shows the strategy what reports have changed. */
  emit(): void {
    const changes = this.#changes;
    this.#changes = [];
    for (const { order, fill } of changes) this.account.emitOrder(order.snapshot(), fill);
    this.account.emitMoved();
  }

  marketChanged(market: InstrumentMarket): void {
    this.#wishes.marketChanged(market);
  }

  /** Handles the commands asked for, those that their handling leads to included, then the wishes. */
  settle(): void {
    let handled = 0;
    do {
      for (let next = this.#commands.shift(); next !== undefined; next = this.#commands.shift()) {
        handled += 1;
        if (handled > COMMANDS_MAX) {
          this.fail(circle(this.#options.strategy.name));
          break;
        }
        this.#handle(next);
      }
      this.#wishes.keep();
    } while (this.#commands.length > 0);
  }

  #ask(command: Command): void {
    if (this.state !== 'running') return;
    this.#commands.push(command);
    this.#options.wake();
  }

  #handle(command: Command): void {
    const { tell, log, scheduler } = this.#options;
    const held = this.#warmUp.holds(scheduler.now());
    tell({ kind: 'command', command, held });
    if (held) {
      const dropped = this.#warmUp.hold(command);
      if (dropped) log.info('Plain orders of the warm-up are dropped, as its wishes but the last.');
      return;
    }
    const refusal = this.#do(command);
    if (refusal === undefined) return;
    tell({ kind: 'refused', command, refusal });
    log.warn(`The ${command.kind} was refused: ${refusal.message}`, { command, refusal });
  }

  #do(command: Command): Refusal | undefined {
    if (command.kind === 'target' || command.kind === 'quote') return this.#wishes.want(command);
    if (command.kind === 'cancelAll') this.#wishes.end(command.symbol);
    return this.#desk.handle(command);
  }

  #endWarmUp(): void {
    const wishes = this.#warmUp.end();
    this.#options.tell({ kind: 'warm-up-end', wishes });
    this.#commands.unshift(...wishes);
    this.#options.wake();
  }

  #complete(): void {
    this.state = 'completed';
    this.#options.tell({ kind: 'completed' });
  }

  #wishKeeper(market: InstrumentMarket, touch: () => void): WishKeeper {
    const { symbol } = market.instrument;
    return new WishKeeper({
      market,
      account: this.account,
      desk: this.#desk,
      touch,
      warn: (message, fields) => this.#options.log.warn(message, fields),
      met: (lots) => this.#options.tell({ kind: 'wish-met', symbol, lots }),
    });
  }
}

const circle = (name: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `Strategy ${name} gave more than ${COMMANDS_MAX} commands for one event; look for a stream that answers its own orders without end.`,
  );
