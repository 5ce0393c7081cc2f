import { Subscription, UnsubscriptionError } from 'rxjs';
import type { AlgoOrder } from '../model/algo-order.ts';
import { MillraceError } from '../model/errors.ts';
import type { EventColumns } from '../model/events.ts';
import { failureOf } from '../model/failure.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import { isOpen, type Order } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { NonSpotBalanceReport } from '../model/non-spot-balance.ts';
import {
  reportedId,
  type AnyOrderReport,
  type BalanceReport,
  type Fill,
  type RejectReport,
  type Report,
} from '../model/report.ts';
import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';
import { AccountStreams } from './account/account-streams.ts';
import { NonSpotBalanceStreams } from './account/non-spot-balance-streams.ts';
import { rangeRejection, readCommand } from './commands/reading.ts';
import { CommandSink, listenTo } from './commands/sink.ts';
import { strategyContext } from './context.ts';
import { idOf } from '../model/order-request.ts';
import { MarginAccountManager } from './margin-account-manager.ts';
import type { InstrumentMarket } from './market/instrument-market.ts';
import { circle, COMMANDS_MAX, outsideEventTime, rejectedInARow } from './misbehaviour.ts';
import { clientOrderIds, isMadeId } from './orders/client-order-ids.ts';
import { OrderManager } from './orders/order-manager.ts';
import { explainedAll, type Explaining } from './orders/explained.ts';
import { isInNoList, type OrderChange } from './orders/order-store.ts';
import { PacedRejections, type Streak } from './orders/paced-rejections.ts';
import { withReserving } from './orders/reserving.ts';
import { unknownSymbol } from './orders/requested.ts';
import type { StrategyOrders } from './orders/strategy-orders.ts';
import { PortfolioView } from './portfolio.ts';
import type { SessionOptions, SessionState } from './session-options.ts';
import { WarmUp } from './warm-up.ts';
import { SpotHolding } from './managed-orders/holding.ts';
import { ManagedOrder } from './managed-orders/managed-order.ts';
import { isAlgoCommand } from './managed-orders/algo-orders.ts';
import { LoggedReasons } from './managed-orders/logged-reasons.ts';
import { StrategyManagedOrders } from './managed-orders/strategy-managed-orders.ts';

export type { RestoredState, OnFailure, SessionState } from './session-options.ts';

/** A command as the strategy emitted it. */
interface EmittedCommand {
  readonly command: Command;
  /** Why it is rejected, if it is. */
  readonly rejection?: Rejection | undefined;
  readonly streak: Streak;
}

/**
 * A running strategy: its view of market and account, its commands, orders, managed orders and end.
 */
export class Session {
  state: SessionState = 'ready';
  /** The error of the strategy, once it failed. */
  failure: unknown;
  readonly account: AccountStreams;
  readonly margin: MarginAccountManager;
  readonly #nonSpotBalances: NonSpotBalanceStreams;
  readonly portfolio: PortfolioView;
  readonly #options: SessionOptions;
  readonly #orders: StrategyOrders;
  readonly #orderManager: OrderManager;
  readonly #managedOrders: StrategyManagedOrders;
  /** Logged rejections of managed orders, so that each is logged once. */
  readonly #reported = new LoggedReasons();
  readonly #warmUp: WarmUp;
  readonly #commands: EmittedCommand[] = [];
  readonly #rejections: PacedRejections;
  /** Commands emitted since the last were handled. */
  #emittedCount = 0;
  readonly #explaining: Explaining;
  readonly #subscription = new Subscription();
  #changes: readonly OrderChange[] = [];
  #isLetGo = false;

  constructor(options: SessionOptions) {
    const { scheduler, markets, emit } = options;
    const now = (): Micros => scheduler.now();
    this.#options = options;
    this.#orders = options.orders;
    this.#explaining = { orders: this.#orders, markets, scheduler, emit, log: options.log };
    this.account = new AccountStreams(markets);
    this.margin = new MarginAccountManager({
      markets,
      gateway: options.margin,
      replenish: options.replenish,
      log: options.log,
      emit,
      now,
      available: (currency) => this.account.holdings.balance(currency)?.available,
      ended: (market) => this.#managedOrders.end(market),
    });
    this.#nonSpotBalances = new NonSpotBalanceStreams({
      gateway: options.nonSpotBalances,
      take: (report) =>
        options.soon(() => this.#nonSpotBalanceReport(report), { kind: 'place-report', report }),
      failed: (error) => options.soon(() => this.fail(error)),
    });
    this.portfolio = new PortfolioView({ emit, send: options.rebalance });
    this.#warmUp = new WarmUp(options.warmUpUntil);
    this.#rejections = new PacedRejections({
      scheduler,
      soon: (show) => options.soon(show),
      endless: (what) => this.fail(rejectedInARow(options.strategy.name, what)),
    });
    this.#orderManager = new OrderManager({
      orders: this.#orders,
      nextId: clientOrderIds(options.clientOrderIdPrefix, options.previousLife?.lastOrderNumber),
      isMadeId: (id) => isMadeId(options.clientOrderIdPrefix, id),
      now,
      instrument: (symbol) => markets.find(symbol)?.instrument,
      placeRejection: (instrument, margin, side) => this.margin.rejection(instrument, margin, side),
      lastTicks: (symbol) => markets.get(symbol).lastTicks,
      send: (request, managed) => {
        emit({ kind: 'request', request, managed });
        if (!managed) this.#rejections.sent(idOf(request));
        options.send(request, managed);
      },
      trail: (order, trail) => this.#managedOrders.trail(order, trail),
      note: (message, fields) => options.log.info(message, fields),
      show: (order) => {
        if (order.status !== 'rejected') this.account.emitOrder(order);
        else this.#rejections.keep(() => this.account.emitOrder(order));
      },
      showList: (list) => {
        if (list.active) this.account.emitList(list);
        else this.#rejections.keep(() => this.account.emitList(list));
      },
    });
    this.#managedOrders = new StrategyManagedOrders({
      scheduler,
      orderManager: this.#orderManager,
      market: (symbol) => markets.find(symbol),
      placeRejection: ({ instrument }, mode) => this.margin.rejection(instrument, mode && { mode }),
      keeper: (market, margin, touch) => this.#managedOrderKeeper(market, margin, touch),
      save: (id, state) => options.save(id, state),
      soon: () => options.wake(),
      show: (order) => {
        emit({ kind: 'algo-order', order });
        options.soon(() => this.account.emitAlgoOrder(order));
      },
      note: (message) => options.log.info(message),
      warn: (message) => options.log.warn(message),
    });
  }

  /** Runs the strategy: subscribes to its commands. */
  start(): void {
    const { strategy, parameters, scheduler, markets, log, emit } = this.#options;
    this.state = 'running';
    emit({ kind: 'started' });
    const until = this.#warmUp.until(scheduler.now());
    if (until === undefined) this.#resume();
    else this.#subscription.add(scheduler.at(until, () => this.#endWarmUp()));
    const context = strategyContext({
      parameters,
      markets,
      account: this.account,
      margin: this.margin.streams,
      nonSpotBalances: this.#nonSpotBalances,
      portfolio: this.portfolio,
      scheduler,
      log,
      emit,
    });
    const restored = this.#restore();
    try {
      this.#listen(strategy.run(context));
    } catch (error) {
      this.fail(error);
    }
    this.#changes = [...this.#changes, ...restored.map((order) => ({ order }))];
    // A strategy in warm-up could not react to missed reports.
    if (!this.#warmUp.holds(scheduler.now())) this.margin.missed();
    this.emit();
  }

  /** Adds an order that another client placed; `emit` emits it. */
  adopt(order: Order): void {
    this.#changes = [...this.#changes, { order }];
  }

  /** Continues the managed orders of the previous run: at the current state, after the warm-up. */
  #resume(): void {
    const { managed = [], fillsOf = (): readonly Fill[] => [] } = this.#options.previousLife ?? {};
    this.#managedOrders.resume(managed, fillsOf);
  }

  /** Restores the state of the previous run; emitted once the strategy has subscribed. */
  #restore(): readonly Order[] {
    const entries = this.#options.previousLife?.entries ?? [];
    for (const [symbol, entry] of entries) this.account.keeper(symbol).restore(entry);
    return this.#orders.plain();
  }

  #listen(stream: unknown): void {
    const sink = new CommandSink({
      next: (command) => this.#queue(command),
      error: (error) => this.fail(error),
      complete: () => this.#complete(),
    });
    this.#subscription.add(sink);
    listenTo(stream, sink);
  }

  /** Stops the strategy; its orders stay. */
  stop(): void {
    if (this.#isLetGo) return;
    this.#isLetGo = true;
    this.#endStreams((error) => this.fail(error));
    this.#commands.length = 0;
    this.#managedOrders.abandon();
    if (this.state !== 'failed') this.state = 'stopped';
    this.#options.emit({ kind: 'stopped' });
  }

  /** Stops the strategy for an error of its own. */
  fail(error: unknown): void {
    if (this.state === 'failed' || this.state === 'stopped') return;
    const { emit, onFailure, strategy, log } = this.#options;
    this.state = 'failed';
    this.failure = error;
    this.#commands.length = 0;
    const failure = failureOf(error);
    const during = this.#options.seen();
    emit({ kind: 'failed', error: failure, during });
    log.warn(`Strategy ${strategy.name} failed and is stopped: ${failure.message}`, { during });
    // It has failed already; further errors while it stops add nothing.
    this.#endStreams(() => undefined);
    if (onFailure === 'keep') {
      this.#managedOrders.abandon();
      return;
    }
    this.#managedOrders.end();
    this.#orderManager.cancelPlain();
    this.#options.wake();
  }

  /** Ends the streams of the strategy, whose own code may run and throw meanwhile. */
  #endStreams(thrown: (error: unknown) => void): void {
    this.#rejections.close();
    try {
      this.#subscription.unsubscribe();
    } catch (error) {
      thrown(error instanceof UnsubscriptionError ? error.errors.at(0) : error);
    }
  }

  /** Its algo orders. */
  get algoOrders(): readonly AlgoOrder[] {
    return this.#managedOrders.algoOrders;
  }

  /** True if commands or managed orders wait to be handled. */
  get hasWork(): boolean {
    return this.#commands.length > 0 || this.#managedOrders.isTouched;
  }

  /** Applies a report and its changes of the orders; `emit` emits them. */
  report(report: Report, changes: readonly OrderChange[]): void {
    if (this.#options.auditsReports) this.#options.emit({ kind: 'report', report });
    if (report.kind === 'balance') {
      this.#count(report);
      this.#managedOrders.holdingsChanged();
      this.#replenish();
    } else this.#order(report, changes);
  }

  /** Applies a margin report; `emit` emits it. */
  marginReport(report: MarginReport): void {
    this.margin.report(report);
    this.#managedOrders.holdingsChanged();
    this.#replenish();
  }

  /** Applies and emits wallet or derivatives balances. */
  #nonSpotBalanceReport(report: NonSpotBalanceReport): void {
    this.#options.emit({ kind: 'place-report', report });
    this.#nonSpotBalances.report(report);
    this.#nonSpotBalances.emit();
  }

  /** Applies new mark prices. */
  marked(): void {
    if (this.margin.marked(this.#options.scheduler.now())) this.#replenish();
  }

  /** Replenishes margin accounts, unless the strategy is in warm-up or stopped. */
  #replenish(): void {
    const isOn = this.state === 'running' || this.state === 'completed';
    if (isOn && !this.#warmUp.holds(this.#options.scheduler.now())) this.margin.replenish();
  }

  /** Applies a change of the holdings; one without a whole number of lots fails the strategy. */
  #count(change: BalanceReport | Fill): void {
    try {
      if ('kind' in change) this.account.balance(change);
      else if (change.margin === undefined) this.account.fill(change);
      // Margin trades do not change the spot account.
      else this.margin.fill(change, change.margin);
    } catch (error) {
      if (!(error instanceof MillraceError && error.code === 'out-of-range')) throw error;
      this.fail(error);
    }
  }

  #order(received: AnyOrderReport, reported: readonly OrderChange[]): void {
    const explained =
      received.kind === 'rejected'
        ? withReserving(received, reported, this.#orders, this.#options.markets)
        : undefined;
    const report = explained?.report ?? received;
    const changes = explainedAll(explained?.changes ?? reported, this.#explaining);
    const streak = this.#rejections.answered(reportedId(report));
    for (const { order, fill } of changes) {
      if (fill !== undefined) this.#count(fill);
      this.#managedOrders.orderChanged(order, fill);
      if (order.managed && order.status !== 'rejected') this.#reported.passed(order);
      if (fill !== undefined || !(order.managed || isOpen(order)))
        this.#managedOrders.holdingsChanged();
    }
    if (report.kind === 'rejected') {
      const visible = changes.filter(({ isUnchanged }) => isUnchanged !== true);
      this.#rejection(report, visible, streak);
    } else if (this.#changes.length === 0) this.#changes = changes;
    else this.#changes = [...this.#changes, ...changes];
  }

  #rejection(report: RejectReport, changes: readonly OrderChange[], streak: Streak): void {
    const { request, clientOrderId, rejection } = report;
    const what = `The ${request} of ${clientOrderId} was refused: ${rejection.message}`;
    // An order that had ended before its cancel arrived is not worth a warning.
    const order = this.#orders.find(clientOrderId);
    const isOver = request === 'cancel' && order !== undefined && !isOpen(order);
    const isLate = isOver && rejection.code === 'order-unknown';
    // A managed order is retried until it ends.
    const isAgain =
      request !== 'cancel' &&
      order?.managed === true &&
      !this.#reported.isNew(order, rejection.code);
    if (!isAgain) this.#options.log[isLate ? 'info' : 'warn'](what, { rejection });
    this.#orderManager.rejected(report);
    this.#rejections.reject(streak, rejection.code, what, () => this.#show(changes));
  }

  /** Emits the changes of reports to the strategy. */
  emit(): void {
    const changes = this.#changes;
    if (changes.length > 0) this.#changes = [];
    // Holdings first, so that a listener of a fill reads the holdings after it.
    this.account.emitMoved();
    this.margin.streams.emit();
    this.#show(changes);
  }

  #show(changes: readonly OrderChange[]): void {
    for (const { order, fill } of changes) this.account.emitOrder(order, fill);
    if (changes.every(isInNoList)) return;
    const lists = new Set(changes.map(({ order }) => this.#orders.listOf(order)));
    for (const list of lists) if (list !== undefined) this.account.emitList(list.snapshot());
  }

  /** Applies a row of a market that a managed order waits for. */
  marketChanged(market: InstrumentMarket, columns: EventColumns, row: number): void {
    this.#managedOrders.marketChanged(market, columns, row);
  }

  /** Handles the emitted commands, with those that they cause, then the managed orders. */
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
      this.#managedOrders.maintain();
    } while (this.#commands.length > 0);
    this.#emittedCount = 0;
  }

  /**
   * Queues an emission of the strategy; throws if there is no end of them, which stops their
   * source.
   */
  #queue(value: unknown): void {
    this.#emittedCount += 1;
    const options = this.#options;
    const { name } = options.strategy;
    if (this.#emittedCount > COMMANDS_MAX) {
      const error = circle(name);
      this.fail(error);
      throw error;
    }
    if (this.state !== 'running') return;
    try {
      if (options.isPaused()) throw outsideEventTime(name);
      this.#commands.push({ ...readCommand(value), streak: this.#rejections.answering });
    } catch (error) {
      this.fail(error);
      return;
    }
    options.wake();
  }

  #handle({ command, rejection: form, streak }: EmittedCommand): void {
    const { emit, log, scheduler } = this.#options;
    const held = this.#warmUp.holds(scheduler.now());
    emit({ kind: 'command', command, held });
    if (held && form === undefined) {
      const dropped = this.#warmUp.hold(command);
      if (dropped)
        log.info(
          'Plain orders of the warm-up are dropped, and of its managed orders all but the last.',
        );
      return;
    }
    const rejection = this.#rejections.handling(streak, () =>
      this.#execute(command, form ?? rangeRejection(command)),
    );
    if (rejection === undefined) return;
    emit({ kind: 'refused', command, rejection });
    const what = `The ${command.kind} was refused: ${rejection.message}`;
    log.warn(what, { command, rejection });
    this.#rejections.rejectKept(streak, rejection.code, what);
  }

  /** Executes a command, or returns why not; `form` is a rejection known already. */
  #execute(command: Command, form: Rejection | undefined): Rejection | undefined {
    if (command.kind === 'target' || command.kind === 'quote') {
      this.#reported.forget(command);
      return form ?? this.#managedOrders.start(command, () => this.#orderManager.clear(command));
    }
    if (isAlgoCommand(command)) return form ?? this.#managedOrders.startAlgo(command);
    if (command.kind === 'rebalance') return form ?? this.portfolio.want(command);
    if (command.kind === 'setMargin') {
      const rejection = this.margin.set(command, form);
      if (rejection !== undefined) {
        const at = this.#options.scheduler.now();
        this.#rejections.keep(() => this.margin.streams.reject(command, rejection, at));
      }
      return rejection;
    }
    if (command.kind === 'cancel' && form === undefined) {
      if (this.#managedOrders.cancel(command.clientOrderId)) return undefined;
    }
    if (command.kind !== 'cancelAll') return this.#orderManager.handle(command, form);
    const { symbol, margin } = command;
    const known = symbol === undefined || this.#options.markets.find(symbol) !== undefined;
    const rejection = form ?? (known ? undefined : unknownSymbol(symbol));
    if (rejection !== undefined) return rejection;
    const market = symbol === undefined ? undefined : { symbol, margin };
    this.#managedOrders.end(market);
    this.#orderManager.cancelPlain(market);
    return undefined;
  }

  #endWarmUp(): void {
    this.#resume();
    const managedOrders = this.#warmUp.end();
    this.#options.emit({ kind: 'warm-up-end', managedOrders });
    this.#commands.unshift(...managedOrders.map((command) => ({ command, streak: 0 })));
    // Later commands of the strategy come after its managed orders, before any of their requests.
    this.#options.soon(() => {
      this.margin.missed();
      this.emit();
    });
  }

  #complete(): void {
    this.state = 'completed';
    this.#options.emit({ kind: 'completed' });
  }

  #managedOrderKeeper(
    market: InstrumentMarket,
    margin: MarginMode | undefined,
    touch: () => void,
  ): ManagedOrder {
    const { symbol } = market.instrument;
    const holding =
      margin === undefined
        ? new SpotHolding(market, this.account)
        : this.margin.holding(market, margin);
    return new ManagedOrder({
      market,
      margin,
      holding,
      orderManager: this.#orderManager,
      touch,
      met: (lots) => this.#options.emit({ kind: 'target-reached', symbol, lots }),
      cut: (to, wanted) => this.margin.cut({ symbol, margin }, to, wanted),
    });
  }
}
