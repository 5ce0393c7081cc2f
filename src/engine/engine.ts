import {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  TRADE,
  type EventColumns,
} from '../model/events.ts';
import { InstrumentState, PRICE } from '../model/instrument-state.ts';
import type { AlgoOrder } from '../model/algo-order.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { Order } from '../model/order.ts';
import type { Report } from '../model/report.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { micros, type Micros } from '../platform/time.ts';
import type { Log, Position } from '../strategy/context.ts';
import type { Strategy } from '../strategy/define.ts';
import type { ConfiguredReplenish } from './account/replenishing.ts';
import { audited, type AuditListener, type SeenEvent, type Emit } from './audit.ts';
import type { Gateway } from './gateway.ts';
import { auditedLog } from './log.ts';
import type { PortfolioGateway } from './portfolio-gateway.ts';
import { ANY_EVENTS, type FeedContents } from './market/feed-contents.ts';
import { InstrumentMarket, type CandleCount } from './market/instrument-market.ts';
import { Markets } from './market/markets.ts';
import type { EndedChannel, MarketUse } from './market/use.ts';
import type { OrderChange } from './orders/order-store.ts';
import type { PortfolioView } from './portfolio.ts';
import { Session, type RestoredState, type OnFailure, type SessionState } from './session.ts';
import { RETRY_ON } from './managed-orders/managed-order.ts';

export interface EngineOptions {
  readonly scheduler: Scheduler;
  readonly gateway: Gateway;
  /** Holdings that the strategy may rebalance. */
  readonly portfolio?: PortfolioGateway | undefined;
  readonly strategy: Strategy;
  /** Parsed by its schema, with defaults. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Contents of each symbol's feed; trades, levels and quotes by default. */
  readonly feeds?: ReadonlyMap<string, FeedContents> | undefined;
  /**
   * Shared market states by symbol: their owner applies the rows and calls `follow`. Without them
   * the engine has its own, and gets rows by `market`.
   */
  readonly states?: ReadonlyMap<string, InstrumentState> | undefined;
  /** Commands before this time are held back. */
  readonly warmUpUntil?: Micros | undefined;
  /** 1 to 16 Latin letters, digits, _ or -; unique for the account. */
  readonly clientOrderIdPrefix: string;
  /** What happens to the orders of a failed strategy; `cancel` if absent. */
  readonly onFailure?: OnFailure | undefined;
  /** State of the strategy in the previous process. */
  readonly previousLife?: RestoredState | undefined;
  /** Margin accounts that the configuration replenishes from spot. */
  readonly replenish?: readonly ConfiguredReplenish[] | undefined;
  /** Receives log entries of strategy and engine; the audit listener receives them too. */
  readonly log?: Log | undefined;
  readonly audit?: AuditListener | undefined;
  /**
   * False if the audit listener needs no reports, as the maker of the gateway has them anyway. True
   * if absent.
   */
  readonly auditsReports?: boolean | undefined;
  /** Called when the use of a symbol's market has changed. */
  readonly used?: ((symbol: string) => void) | undefined;
}

const ROW_NAMES = new Map<number, Extract<SeenEvent, { kind: 'market' }>['row']>([
  [TRADE, 'trade'],
  [LEVEL, 'level'],
  [QUOTE, 'quote'],
  [RESET, 'reset'],
  [GAP, 'gap'],
  [CANDLE, 'candle'],
  [MARK, 'mark'],
  [INDEX, 'index'],
  [FUNDING, 'funding'],
  [OPEN_INTEREST, 'openInterest'],
]);

const PORTFOLIO: SeenEvent = { kind: 'portfolio' };
const START: SeenEvent = { kind: 'start' };
const COMMANDS: SeenEvent = { kind: 'commands' };
const TIMER: SeenEvent = { kind: 'timer' };

/**
 * The engine. Every event enters by `market`, as a report of a gateway or by the clock, and passes
 * the same stages:
 *
 *     1. state     book, BBO, candles, orders, positions and balances are updated
 *     2. strategy  receives what changed
 *     3. commands  its commands are checked and sent, or rejected
 *     4. managed   sends orders for targets and quotes that are not met
 *
 * A command is handled after every subscriber has received the event that caused it. No call goes
 * backward: a venue's answer comes as a report.
 */
export class Engine {
  readonly #gateway: Gateway;
  readonly #markets: Markets;
  readonly #market: readonly InstrumentMarket[];
  readonly #ownsStates: boolean;
  readonly #sessions: readonly Session[];
  /** True while an event passes the stages; later ones wait. */
  #isBusy = false;
  /** True between events of a replay. */
  #isPaused = false;
  readonly #late: (() => void)[] = [];
  /**
   * The event in progress; a market row is stored by its position, so that no object is made for
   * it.
   */
  #seen: SeenEvent | undefined;
  #seenMarket: InstrumentMarket | undefined;
  #seenColumns: EventColumns | undefined;
  #seenRow = 0;

  constructor(options: EngineOptions) {
    const { scheduler, gateway, feeds, states } = options;
    const model = gateway.margin?.contract?.bind(gateway.margin);
    this.#gateway = gateway;
    this.#ownsStates = states === undefined;
    this.#market = gateway.instruments.map((instrument) => {
      const { symbol } = instrument;
      const state = states?.get(symbol) ?? new InstrumentState(instrument);
      return new InstrumentMarket(instrument, state, feeds?.get(symbol) ?? ANY_EVENTS, {
        scheduler,
        show: (market) => this.#byClock(market),
        model,
        modelled: () => {
          this.#awaitModels();
        },
        used: options.used && (() => options.used?.(symbol)),
      });
    });
    this.#markets = new Markets(this.#market);
    this.#sessions = [this.#session(options)];
    gateway.connect((report, changes) => this.#report(report, changes));
    const accounts = gateway.margin?.connect((report) => this.#soon(() => this.#margin(report)));
    for (const { margin } of this.#sessions) margin.streams.restore(accounts ?? []);
    options.portfolio?.connect({
      holdings: (holdings) => this.#soon(() => this.#portfolio((one) => one.hold(holdings))),
      report: (report) => this.#soon(() => this.#portfolio((one) => one.report(report))),
    });
  }

  /** Starts the strategy. */
  start(): void {
    this.#pass(() => {
      this.#seen = START;
      for (const session of this.#sessions) session.start();
    });
  }

  /** Stops the strategy; its open orders stay. */
  stop(): void {
    for (const session of this.#sessions) session.stop();
  }

  /**
   * Stops event time until `resume`, while the replay yields to the rest of the process. A command
   * in between is outside event time and fails the strategy, as its moment depends on the machine.
   */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  get state(): SessionState {
    return this.#sessions[0].state;
  }

  /** The error of the strategy, once its state is `failed`. */
  get failure(): unknown {
    return this.#sessions[0].failure;
  }

  /** Why a margin account differs from the strategy's request; `undefined` if none does. */
  get marginTrouble(): string | undefined {
    return this.#sessions[0].margin.trouble;
  }

  /** Emits an order that another client placed, and adds it to the strategy's. */
  adopt(order: Order): void {
    this.#pass(() => {
      this.#seen = START;
      for (const session of this.#sessions) {
        session.adopt(order);
        session.emit();
      }
    });
  }

  /** Read access to the market of a symbol; `undefined` if it is not traded. */
  marketOf(symbol: string): InstrumentMarket | undefined {
    return this.#markets.find(symbol);
  }

  /** Use of the market of the instrument at `index` by strategy and engine. */
  use(index: number): MarketUse {
    return this.#market[index].use;
  }

  /**
   * Notes that a channel of the instrument at `index` gives no more rows until it is used again;
   * called by the owner of a shared state.
   */
  ended(index: number, channel: EndedChannel): void {
    const market = this.#market[index];
    if (this.#ownsStates && channel === 'trades') market.state.tradesEnded();
    market.ended(channel);
  }

  /** Algo orders of the strategy in this run. */
  get algoOrders(): readonly AlgoOrder[] {
    return this.#sessions[0].algoOrders;
  }

  /** The strategy's position as it sees it. */
  positionOf(symbol: string): Position {
    return this.#sessions[0].account.keeper(symbol).present;
  }

  /** Requested candles, and how many of each were emitted. */
  get candleCounts(): readonly CandleCount[] {
    return this.#market.flatMap((market) => market.candleCounts);
  }

  /** Stops the strategy for an unhandled error, such as one thrown in its own `subscribe`. */
  fail(error: unknown): void {
    for (const session of this.#sessions) session.fail(error);
  }

  /**
   * Applies a row of the feed of the gateway's instrument at `index`; the scheduler is at its time
   * already. This is the hot path: a row without subscribers ends after the first stage.
   */
  market(index: number, columns: EventColumns, row: number): void {
    this.follow(index, this.#market[index].state.take(columns, row), columns, row);
  }

  /** Same as `market` for a row that the instrument's state has applied, with its changes. */
  follow(index: number, changed: number, columns: EventColumns, row: number): void {
    const market = this.#market[index];
    const changes = market.take(changed, columns, row);
    if ((changes & market.awaited) !== 0) this.#row(market, changes, columns, row);
  }

  #row(market: InstrumentMarket, changes: number, columns: EventColumns, row: number): void {
    this.#isBusy = true;
    this.#seenMarket = market;
    this.#seenColumns = columns;
    this.#seenRow = row;
    try {
      market.emit(changes, columns, row);
      const own = changes & market.own;
      if (own !== 0) this.#own(market, own, columns, row);
      this.#seenMarket = undefined;
      this.#settle();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Subscribes to all markets, as a venue's contract model can follow another symbol. */
  #awaitModels(): void {
    let changes = 0;
    for (const { derivatives } of this.#market) changes |= derivatives.awaitedOfMarkets;
    for (const market of this.#market) market.await(this, changes, changes !== 0);
  }

  /**
   * Handles the changes that the engine itself needs: prices for the equity, retries of managed
   * orders.
   */
  #own(market: InstrumentMarket, changes: number, columns: EventColumns, row: number): void {
    for (const session of this.#sessions) {
      if ((changes & PRICE) !== 0) session.account.emitEquity();
      session.marked();
      for (const { derivatives, isModelled } of this.#market) {
        if (isModelled) derivatives.emitModelled();
      }
      if ((changes & RETRY_ON) !== 0) session.marketChanged(market, columns, row);
    }
  }

  /** Emits candles that ended by the clock. */
  #byClock(market: InstrumentMarket): void {
    this.#pass(() => {
      this.#seen = { kind: 'candle', symbol: market.instrument.symbol };
      market.emitCandles();
    });
  }

  /** Handles an outside event now, or after the event in progress. */
  #soon(take: () => void): void {
    if (this.#isBusy) this.#late.push(take);
    else this.#pass(take);
  }

  #portfolio(show: (view: PortfolioView) => void): void {
    this.#seen = PORTFOLIO;
    for (const { portfolio } of this.#sessions) show(portfolio);
  }

  #margin(report: MarginReport): void {
    this.#seen = { kind: 'margin-report', report };
    for (const session of this.#sessions) session.marginReport(report);
    for (const session of this.#sessions) session.emit();
  }

  #report(report: Report, changes: readonly OrderChange[]): void {
    if (this.#isBusy) {
      this.#late.push(() => this.#take(report, changes));
      return;
    }
    this.#isBusy = true;
    try {
      this.#take(report, changes);
      this.#settle();
    } finally {
      this.#isBusy = false;
      this.#seen = undefined;
    }
  }

  #take(report: Report, changes: readonly OrderChange[]): void {
    this.#seen = { kind: 'report', report };
    for (const session of this.#sessions) session.report(report, changes);
    for (const session of this.#sessions) session.emit();
  }

  /** Passes an event through the stages: `show` does the first two. */
  #pass(show: () => void): void {
    this.#isBusy = true;
    try {
      show();
      this.#settle();
    } finally {
      this.#isBusy = false;
      this.#seen = undefined;
    }
  }

  /** The stages after the strategy has received an event, and the events that came in between. */
  #settle(): void {
    for (;;) {
      for (const session of this.#sessions) {
        if (!session.hasWork) continue;
        this.#seen = COMMANDS;
        session.settle();
      }
      const take = this.#late.shift();
      if (take === undefined) break;
      take();
    }
    this.#seen = undefined;
  }

  #session(options: EngineOptions): Session {
    const { scheduler, strategy, audit, clientOrderIdPrefix, parameters, warmUpUntil } = options;
    const emit: Emit = (happening) => audit?.(audited(happening, scheduler.now(), strategy.name));
    return new Session({
      scheduler,
      markets: this.#markets,
      strategy,
      parameters,
      orders: this.#gateway.orders,
      warmUpUntil,
      clientOrderIdPrefix,
      onFailure: options.onFailure ?? 'cancel',
      previousLife: options.previousLife,
      log: auditedLog(emit, options.log),
      emit,
      auditsReports: audit !== undefined && options.auditsReports !== false,
      send: (request, managed) => this.#gateway.send(request, managed),
      save: (id, state) => this.#gateway.save?.(id, state),
      margin: options.gateway.margin,
      nonSpotBalances: options.gateway.nonSpotBalances,
      replenish: options.replenish ?? [],
      rebalance: options.portfolio && ((request) => options.portfolio?.send(request)),
      seen: () => this.#whatIsSeen(),
      isPaused: () => this.#isPaused,
      wake: () => {
        if (!this.#isBusy) this.#pass(() => undefined);
      },
      soon: (show, seen) =>
        this.#soon(() => {
          if (seen !== undefined) this.#seen = seen;
          show();
        }),
    });
  }

  #whatIsSeen(): SeenEvent {
    const market = this.#seenMarket;
    const columns = this.#seenColumns;
    if (market === undefined || columns === undefined) return this.#seen ?? TIMER;
    const row = this.#seenRow;
    return {
      kind: 'market',
      symbol: market.instrument.symbol,
      row: ROW_NAMES.get(columns.kind[row]) ?? 'level',
      stampedAt: micros(columns.stampedAt[row]),
      sequence: columns.sequence[row],
    };
  }
}
