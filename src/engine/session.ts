import { isObservable, Observable, Subscription, UnsubscriptionError } from 'rxjs';
import { MillraceError } from '../model/errors.ts';
import { failureOf } from '../model/failure.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import { isOpen, type Order } from '../model/order.ts';
import type { Refusal } from '../model/refusals.ts';
import {
  reportedId,
  type AnyOrderReport,
  type BalanceReport,
  type Fill,
  type RejectReport,
  type Report,
} from '../model/report.ts';
import type { Micros } from '../platform/time.ts';
import type { Command, Placed, SetMargin } from '../strategy/commands.ts';
import {
  leverageRefusal,
  marginForbidden,
  marginModeRefusal,
} from '../rules/margin/margin-setting.ts';
import { AccountStreams } from './account/account-streams.ts';
import { MarginStreams } from './account/margin-streams.ts';
import { rangeRefusal, readCommand } from './commands/reading.ts';
import { shown } from './commands/shown.ts';
import { CommandSink } from './commands/sink.ts';
import { strategyContext } from './context.ts';
import { idOf, type MarginRequest } from '../model/order-request.ts';
import { foreignStream } from './market/foreign-stream.ts';
import type { InstrumentMarket } from './market/instrument-market.ts';
import {
  circle,
  COMMANDS_MAX,
  noStream,
  outsideEventTime,
  rejectedInARow,
} from './misbehaviour.ts';
import { clientOrderIds } from './orders/client-order-ids.ts';
import { Desk } from './orders/desk.ts';
import { isInNoList, type OrderChange } from './orders/order-store.ts';
import { neverActive, protectionLost } from './orders/protection.ts';
import { PacedRejections, type Streak } from './orders/paced-rejections.ts';
import { withHolders, withReserving } from './orders/reserving.ts';
import { unknownSymbol } from './orders/requested.ts';
import type { StrategyOrders } from './orders/strategy-orders.ts';
import { PortfolioView } from './portfolio.ts';
import type { SessionOptions, SessionState } from './session-options.ts';
import { WarmUp } from './warm-up.ts';
import { MarginHolding, SpotHolding } from './wishes/holding.ts';
import { WishKeeper } from './wishes/keeper.ts';
import { Wishes } from './wishes/wishes.ts';

export type { FormerLife, OnFailure, SessionState } from './session-options.ts';

/** A command as the strategy emitted it. */
interface Given {
  readonly command: Command;
  /** The reason why it cannot be taken for what was meant. */
  readonly refusal?: Refusal | undefined;
  readonly streak: Streak;
}

/** One strategy at work: its view of market and account, its commands, orders, wishes and fate. */
export class Session {
  state: SessionState = 'ready';
  /** What the strategy threw, once it failed. */
  failure: unknown;
  readonly account: AccountStreams;
  readonly margin: MarginStreams;
  readonly portfolio: PortfolioView;
  readonly #options: SessionOptions;
  readonly #orders: StrategyOrders;
  readonly #desk: Desk;
  readonly #wishes: Wishes;
  readonly #warmUp: WarmUp;
  readonly #commands: Given[] = [];
  readonly #rejections: PacedRejections;
  /** Commands given since the last were handled. */
  #asked = 0;
  readonly #subscription = new Subscription();
  #changes: readonly OrderChange[] = [];
  #isLetGo = false;

  constructor(options: SessionOptions) {
    const { scheduler, markets, tell } = options;
    const now = (): Micros => scheduler.now();
    this.#options = options;
    this.#orders = options.orders;
    this.account = new AccountStreams(markets);
    this.margin = new MarginStreams(markets, options.margin);
    this.portfolio = new PortfolioView({ tell, send: options.rebalance });
    this.#warmUp = new WarmUp(options.warmUpUntil);
    this.#rejections = new PacedRejections({
      scheduler,
      soon: (show) => options.soon(show),
      endless: (what) => this.fail(rejectedInARow(options.strategy.name, what)),
    });
    this.#desk = new Desk({
      orders: this.#orders,
      nextId: clientOrderIds(options.clientOrderIdPrefix, options.formerLife?.lastOrderNumber),
      now,
      instrument: (symbol) => markets.find(symbol)?.instrument,
      placeRefusal: (instrument, margin) => this.margin.accounts.refusal(instrument, margin),
      lastTicks: (symbol) => markets.get(symbol).lastTicks,
      send: (request, managed) => {
        tell({ kind: 'request', request, managed });
        if (!managed) this.#rejections.sent(idOf(request));
        options.send(request, managed);
      },
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
    this.#wishes = new Wishes({
      now,
      market: (symbol) => markets.find(symbol),
      placeRefusal: ({ instrument }, mode) =>
        this.margin.accounts.refusal(instrument, mode && { mode }),
      keeper: (market, margin, touch) => this.#wishKeeper(market, margin, touch),
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
      ...{ parameters, markets, account: this.account, margin: this.margin },
      portfolio: this.portfolio,
      scheduler,
      log,
      tell,
    });
    const restored = this.#restore();
    try {
      this.#listen(strategy.run(context));
    } catch (error) {
      this.fail(error);
    }
    this.#changes = [...this.#changes, ...restored.map((order) => ({ order }))];
    this.emit();
  }

  /** An order that somebody else placed is one of this strategy now; `emit` shows it. */
  adopt(order: Order): void {
    this.#changes = [...this.#changes, { order }];
  }

  /** What a run before this one left behind; it is shown once the strategy listens. */
  #restore(): readonly Order[] {
    const entries = this.#options.formerLife?.entries ?? [];
    for (const [symbol, entry] of entries) this.account.keeper(symbol).restore(entry);
    return this.#orders.plain();
  }

  #listen(stream: unknown): void {
    if (!(stream instanceof Observable)) {
      throw isObservable(stream) ? foreignStream() : noStream(shown(stream));
    }
    const sink = new CommandSink({
      next: (command) => this.#ask(command),
      error: (error) => this.fail(error),
      complete: () => this.#complete(),
    });
    this.#subscription.add(sink);
    const listening: unknown = stream.subscribe(sink);
    if (!(listening instanceof Object && 'unsubscribe' in listening)) {
      throw noStream(`a stream whose subscribe gives ${shown(listening)}`);
    }
  }

  /** Lets go of the strategy; its orders stand as they are. */
  stop(): void {
    if (this.#isLetGo) return;
    this.#isLetGo = true;
    this.#letGo((error) => this.fail(error));
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
    // It has failed already; what it throws on its way out adds nothing.
    this.#letGo(() => undefined);
    if (onFailure === 'keep') {
      this.#wishes.abandon();
      return;
    }
    this.#wishes.end();
    this.#desk.cancelPlain();
    this.#options.wake();
  }

  /** Ends the streams of the strategy, whose own code may run and throw meanwhile. */
  #letGo(thrown: (error: unknown) => void): void {
    this.#rejections.close();
    try {
      this.#subscription.unsubscribe();
    } catch (error) {
      thrown(error instanceof UnsubscriptionError ? error.errors.at(0) : error);
    }
  }

  /** True when commands or wishes wait to be handled. */
  get hasWork(): boolean {
    return this.#commands.length > 0 || this.#wishes.isTouched;
  }

  /** Brings the state up to date with a report and what it changed of the orders; `emit` shows it. */
  report(report: Report, changes: readonly OrderChange[]): void {
    if (this.#options.tellsReports) this.#options.tell({ kind: 'report', report });
    if (report.kind === 'balance') {
      this.#count(report);
      this.#wishes.holdingsChanged();
    } else this.#order(report, changes);
  }

  /** Brings the margin accounts up to date; `emit` shows it. What was closed by force is not opened again. */
  marginReport(report: MarginReport): void {
    const { tell, log } = this.#options;
    tell({ kind: 'margin-report', report });
    for (const event of this.margin.take(report)) {
      const { kind, symbol, mode } = event;
      if (event.kind === 'rejected') {
        log.warn(`The margin account was not changed: ${event.refusal.message}`, { ...event });
      } else if (kind === 'liquidated' || kind === 'deleveraged' || kind === 'settled') {
        log.warn(`The position in ${symbol ?? ''} on ${mode} margin was ${kind}.`, { ...event });
        if (symbol !== undefined) this.#wishes.end({ symbol, margin: mode });
      } else if (kind === 'marginCall') {
        log.warn(`There is a margin call on ${mode} margin.`, { ...event });
      }
    }
    this.#wishes.holdingsChanged();
  }

  /** Counts in what changes the holdings; such as have no number of lots fail the strategy. */
  #count(change: BalanceReport | Fill): void {
    try {
      if ('kind' in change) this.account.balance(change);
      else this.#fill(change);
    } catch (error) {
      if (!(error instanceof MillraceError && error.code === 'out-of-range')) throw error;
      this.fail(error);
    }
  }

  #order(told: AnyOrderReport, reported: readonly OrderChange[]): void {
    const said =
      told.kind === 'rejected'
        ? withReserving(told, reported, this.#orders, this.#options.markets)
        : undefined;
    const report = said?.report ?? told;
    const changes = this.#explainedAll(said?.changes ?? reported);
    const streak = this.#rejections.answered(reportedId(report));
    for (const { order, fill } of changes) {
      if (fill !== undefined) this.#count(fill);
      if (order.managed) this.#wishes.orderChanged(placeOf(order));
      if (fill !== undefined || !(order.managed || isOpen(order))) this.#wishes.holdingsChanged();
    }
    if (report.kind === 'rejected') {
      const shown = changes.filter(({ isSilent }) => isSilent !== true);
      this.#rejection(report, shown, streak);
    } else if (this.#changes.length === 0) this.#changes = changes;
    else this.#changes = [...this.#changes, ...changes];
  }

  /** What trades on margin changes a margin account, and nothing of the spot account. */
  #fill(fill: Fill): void {
    const { symbol, margin } = fill;
    if (margin === undefined) this.account.fill(fill);
    else {
      const { instrument } = this.#options.markets.get(symbol);
      this.margin.accounts.fill({ instrument, mode: margin }, fill);
    }
  }

  #rejection(report: RejectReport, changes: readonly OrderChange[], streak: Streak): void {
    const { request, clientOrderId, refusal } = report;
    const what = `The ${request} of ${clientOrderId} was refused: ${refusal.message}`;
    // An order that had ended before its cancel came is no news to worry about.
    const order = this.#orders.find(clientOrderId);
    const isOver = request === 'cancel' && order !== undefined && !isOpen(order);
    const isLate = isOver && refusal.code === 'order-unknown';
    this.#options.log[isLate ? 'info' : 'warn'](what, { refusal });
    this.#desk.refused(report);
    this.#rejections.reject(streak, refusal.code, what, () => this.#show(changes));
  }

  /** Changes with the reasons why protection ended, where it did. */
  #explainedAll(changes: readonly OrderChange[]): readonly OrderChange[] {
    let explained: OrderChange[] | undefined;
    for (let i = 0; i < changes.length; i += 1) {
      const change = this.#explained(changes[i]);
      if (change === changes[i]) continue;
      explained ??= [...changes];
      explained[i] = change;
    }
    return explained ?? changes;
  }

  /** A change with the reason why protection ended, where it did; that is logged then. */
  #explained(change: OrderChange): OrderChange {
    const { order, isSilent } = change;
    if (isSilent === true || isOpen(order)) return change;
    const { markets, scheduler, tell, log } = this.#options;
    const list = this.#orders.listOf(order);
    const { clientOrderId, symbol } = order;
    const lost = protectionLost(order, list);
    const why = lost?.refusal ?? neverActive(order, list, markets.get(symbol).instrument);
    if (why === undefined) return change;
    const refusal = withHolders(why, order, this.#orders, markets);
    if (lost !== undefined) {
      tell({ kind: 'unprotected', ...lost, refusal });
      log.warn(refusal.message, { ...lost, refusal });
    }
    const after = this.#orders.explain(clientOrderId, refusal, scheduler.now());
    return after === undefined ? change : { ...change, order: after };
  }

  /** Shows the strategy what reports have changed. */
  emit(): void {
    const changes = this.#changes;
    if (changes.length > 0) this.#changes = [];
    // Holdings first, so that who hears of a fill reads what it left.
    this.account.emitMoved();
    this.margin.emit();
    this.#show(changes);
  }

  #show(changes: readonly OrderChange[]): void {
    for (const { order, fill } of changes) this.account.emitOrder(order, fill);
    if (changes.every(isInNoList)) return;
    const lists = new Set(changes.map(({ order }) => this.#orders.listOf(order)));
    for (const list of lists) if (list !== undefined) this.account.emitList(list.snapshot());
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
    this.#asked = 0;
  }

  /** Takes what the strategy emits; throws when there is no end of it, which stops its source. */
  #ask(value: unknown): void {
    this.#asked += 1;
    const options = this.#options;
    const { name } = options.strategy;
    if (this.#asked > COMMANDS_MAX) {
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

  #handle({ command, refusal: form, streak }: Given): void {
    const { tell, log, scheduler } = this.#options;
    const held = this.#warmUp.holds(scheduler.now());
    tell({ kind: 'command', command, held });
    if (held && form === undefined) {
      const dropped = this.#warmUp.hold(command);
      if (dropped) log.info('Plain orders of the warm-up are dropped, as its wishes but the last.');
      return;
    }
    const refusal = this.#rejections.handling(streak, () =>
      this.#do(command, form ?? rangeRefusal(command)),
    );
    if (refusal === undefined) return;
    tell({ kind: 'refused', command, refusal });
    const what = `The ${command.kind} was refused: ${refusal.message}`;
    log.warn(what, { command, refusal });
    this.#rejections.rejectKept(streak, refusal.code, what);
  }

  /** Does what a command says, or gives the reason why not; `form` is one that is known already. */
  #do(command: Command, form: Refusal | undefined): Refusal | undefined {
    if (command.kind === 'target' || command.kind === 'quote') {
      return form ?? this.#wishes.want(command, this.#desk.clear(command));
    }
    if (command.kind === 'rebalance') return form ?? this.portfolio.want(command);
    if (command.kind === 'setMargin') return form ?? this.#setMargin(command);
    if (command.kind !== 'cancelAll') return this.#desk.handle(command, form);
    const { symbol, margin } = command;
    const known = symbol === undefined || this.#options.markets.find(symbol) !== undefined;
    const refusal = form ?? (known ? undefined : unknownSymbol(symbol));
    if (refusal !== undefined) return refusal;
    const place = symbol === undefined ? undefined : { symbol, margin };
    this.#wishes.end(place);
    this.#desk.cancelPlain(place);
    return undefined;
  }

  #setMargin({ symbol, margin: mode, balance, leverage }: SetMargin): Refusal | undefined {
    const { markets, margin, tell } = this.#options;
    const instrument = markets.find(symbol)?.instrument;
    if (instrument === undefined) return unknownSymbol(symbol);
    if (margin === undefined) return marginForbidden(symbol, mode);
    const refusal =
      marginModeRefusal(instrument, mode) ??
      (leverage === undefined ? undefined : leverageRefusal(instrument, mode, leverage)) ??
      (balance === undefined && leverage === undefined ? nothingSet(symbol) : undefined);
    if (refusal !== undefined) return refusal;
    const request: MarginRequest = { kind: 'setMargin', symbol, mode, balance, leverage };
    this.margin.accounts.asked({ instrument, mode });
    tell({ kind: 'margin-request', request });
    margin.set(request);
    return undefined;
  }

  #endWarmUp(): void {
    const wishes = this.#warmUp.end();
    this.#options.tell({ kind: 'warm-up-end', wishes });
    this.#commands.unshift(...wishes.map((command) => ({ command, streak: 0 })));
    this.#options.wake();
  }

  #complete(): void {
    this.state = 'completed';
    this.#options.tell({ kind: 'completed' });
  }

  #wishKeeper(
    market: InstrumentMarket,
    margin: MarginMode | undefined,
    touch: () => void,
  ): WishKeeper {
    const { instrument } = market;
    const { symbol } = instrument;
    const holding =
      margin === undefined
        ? new SpotHolding(market, this.account)
        : new MarginHolding(market, this.margin.accounts, { instrument, mode: margin });
    return new WishKeeper({
      ...{ market, margin, holding, desk: this.#desk, touch },
      met: (lots) => this.#options.tell({ kind: 'wish-met', symbol, lots }),
    });
  }
}

const nothingSet = (symbol: string): Refusal => ({
  code: 'request-invalid',
  field: 'balance',
  message: `setMargin of ${symbol} sets nothing; give a balance, a leverage or both.`,
});

/** Where an order trades. */
const placeOf = ({ symbol, margin }: Order): Placed => ({ symbol, margin: margin?.mode });
