import type { VenueGateway } from '../engine/gateway.ts';
import { cancels, cancelsNext } from '../engine/orders/cancels.ts';
import type { OrderStore } from '../engine/orders/order-store.ts';
import { StrategyOrders } from '../engine/orders/strategy-orders.ts';
import { ZERO, type Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import type { Instrument } from '../model/instrument.ts';
import type { InstrumentState } from '../model/instrument-state.ts';
import { isOpen, type Order } from '../model/order.ts';
import { cancelOf, rejectReport, type OrderRequest } from '../model/order-request.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Report } from '../model/report.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../platform/time.ts';
import type { MarginReport } from '../model/margin-account.ts';
import { EquityGuard } from '../risk/guards/equity.ts';
import {
  CLOSE_RETRY_US,
  LiquidationGuard,
  type NearLiquidation,
} from '../risk/guards/liquidation.ts';
import { stopWarning } from '../risk/limits/stop-price.ts';
import { marginFundsRejection } from '../risk/limits/margin-funds.ts';
import { marginRejection } from '../risk/margin-rejection.ts';
import { canceledIn } from '../risk/margin/away-from-zero.ts';
import { reducingOrder } from '../risk/margin/reduction.ts';
import { orderRejection } from '../risk/order-rejection.ts';
import { touchOf } from '../risk/price.ts';
import { RateWindow } from '../risk/rate-window.ts';
import type { RiskSettings } from '../risk/settings.ts';
import { stricter, type TradingState } from '../risk/state.ts';
import { UnsentOrders } from '../risk/unsent-orders.ts';
import { riskMarket, type MarginView, type RiskMarket, type RiskView } from '../risk/view.ts';
import { valuesOf } from '../risk/values.ts';
import { MarginLimits } from './margin-limits.ts';

export interface RiskGateSetup {
  readonly venue: VenueGateway;
  /** Name of the strategy. */
  readonly strategy: string;
  /** Orders of the run. */
  readonly orders: OrderStore;
  readonly scheduler: Scheduler;
  /** Market state of each symbol. */
  readonly states: ReadonlyMap<string, InstrumentState>;
  readonly limits: RiskSettings;
  /** Latency of a rejection. */
  readonly delayUs: number;
  /** Receives every rejection. */
  readonly observer: (report: Report) => void;
  /** Receives every rejection about margin accounts. */
  readonly marginObserver: (report: MarginReport) => void;
}

/** An order sent to reduce a position near liquidation. */
interface Closing {
  readonly id: string;
  readonly at: Micros;
  readonly near: NearLiquidation;
}

/**
 * The limits of docs/risk.md between the strategy of a backtest and its venue, as a bot has them.
 */
export class RiskGate implements VenueGateway {
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  /** Where an instrument is traded on margin. */
  readonly margin: MarginLimits | undefined;
  /** Breaches of running limits, in order. */
  readonly breaches: string[] = [];
  /** Warnings of positions too near to liquidation, and of ineffective stops, in order. */
  readonly warnings: string[] = [];
  readonly #setup: RiskGateSetup;
  readonly #unsent = new UnsentOrders();
  readonly #rate = new RateWindow();
  readonly #equity: EquityGuard;
  readonly #liquidation: LiquidationGuard;
  readonly #holdings = new Map<string, Decimal>();
  readonly #receivedAt = new Map<string, Micros>();
  /** Holdings when the first order was sent: losses count from their value. */
  #opening: ReadonlyMap<string, Decimal> | undefined;
  /** False while a price for the first value in some quote currency is missing. */
  #isMarked = false;
  #state: TradingState = 'running';
  #countedTo = Number.NEGATIVE_INFINITY;
  /** Number of orders sent to reduce positions near liquidation. */
  #reduced = 0;
  /** The last of them by position, and when it was sent. */
  readonly #closings = new Map<string, Closing>();
  readonly #orders: StrategyOrders;
  /** Orders that the current state cancels, until the venue rejects that. */
  readonly #canceled = new Set<string>();
  #emit: (report: Report) => void = () => undefined;

  constructor(setup: RiskGateSetup) {
    this.#setup = setup;
    this.#orders = new StrategyOrders(setup.orders, setup.strategy);
    this.venue = setup.venue.venue;
    this.instruments = setup.venue.instruments;
    this.#equity = new EquityGuard(setup.limits);
    this.#liquidation = new LiquidationGuard(setup.limits);
    const { scheduler, delayUs, limits, marginObserver, venue } = setup;
    this.margin =
      venue.margin &&
      new MarginLimits({
        venue: venue.margin,
        scheduler,
        delayUs,
        observer: marginObserver,
        rejection: (request) => {
          const rejection = marginRejection(request, this.#view(scheduler.now()), limits);
          if (rejection === undefined) this.#opening ??= new Map(this.#holdings);
          return rejection;
        },
      });
  }

  /** True once the strategy is to be stopped. */
  get isKilled(): boolean {
    return this.#state === 'killed';
  }

  connect(listener: (report: Report) => void): void {
    this.#emit = listener;
    this.#setup.venue.connect((report) => {
      if (report.kind === 'balance') {
        const { currency, available, reserved } = report;
        this.#holdings.set(currency, available.plus(reserved).toDecimal());
      }
      if (report.kind === 'trade')
        this.margin?.fill(this.#instrument(report.fill.symbol), report.fill);
      listener(report);
      if (report.kind !== 'rejected' || report.request !== 'cancel') return;
      const { clientOrderId } = report;
      if (this.#canceled.delete(clientOrderId))
        this.#cancel(cancelsNext(this.#orders, clientOrderId));
    });
  }

  send(request: OrderRequest, managed: boolean): void {
    const { scheduler, venue, delayUs, observer } = this.#setup;
    const now = scheduler.now();
    this.#unsent.add(request);
    const rejection = this.#rejection(request, now);
    if (rejection === undefined) {
      if (request.kind !== 'cancel') this.#rate.add(now);
      this.#opening ??= new Map(this.#holdings);
      this.#unsent.delete(request);
      venue.send(request, managed);
      return;
    }
    const report = rejectReport(request, rejection, now);
    observer(report);
    scheduler.at(micros(now + delayUs), () => {
      this.#unsent.delete(request);
      this.#emit(report);
    });
  }

  /**
   * Handles a row of an instrument's market; marks the equity every second, and at every row until
   * each currency has its first mark.
   */
  received(index: number): void {
    const now = this.#setup.scheduler.now();
    this.#receivedAt.set(this.instruments[index].symbol, now);
    const { maxDailyLoss, maxDrawdown, minLiquidationDistance } = this.#setup.limits;
    const watchesEquity = maxDailyLoss.size > 0 || maxDrawdown !== undefined;
    if (!watchesEquity && minLiquidationDistance === undefined) return;
    if (this.#isMarked && now - this.#countedTo < US_PER_SECOND) return;
    this.#countedTo = now;
    this.#watchLiquidation();
    this.#cancelLeading();
    this.#checkClosings(now);
    if (!watchesEquity) {
      this.#isMarked = true;
      return;
    }
    this.#markOpening(now);
    for (const [currency, value] of this.#values(this.#holdings, this.margin?.view())) {
      this.#mark(currency, value, now);
    }
  }

  /** Marks each currency first with the holdings before the first order, however late its price. */
  #markOpening(now: Micros): void {
    if (this.#isMarked) return;
    const marked = this.#equity.memory;
    const opening = this.#values(this.#opening ?? this.#holdings);
    for (const [currency, value] of opening) {
      if (!marked.has(currency)) this.#mark(currency, value, now);
    }
    const currencies = this.instruments.map(({ quoteCurrency }) => quoteCurrency);
    this.#isMarked = currencies.every((currency) => opening.has(currency));
  }

  /** With margin accounts, which the opening has none of. */
  #values(
    holdings: ReadonlyMap<string, Decimal>,
    margin?: MarginView,
  ): ReadonlyMap<string, Decimal> {
    return valuesOf(
      this.instruments,
      (currency) => holdings.get(currency) ?? ZERO,
      (symbol) => this.#setup.states.get(symbol)?.price(),
      margin,
    );
  }

  #watchLiquidation(): void {
    const margin = this.margin?.view();
    if (margin === undefined) return;
    for (const near of this.#liquidation.check(margin)) {
      const { why, breach } = near;
      if (breach === undefined) this.warnings.push(why);
      else {
        this.#breach(breach.to, why);
        this.#reduce(near);
      }
    }
  }

  /** Reduces a position near liquidation, bypassing the limits. */
  #reduce(near: NearLiquidation): void {
    const { symbol, mode, distance } = near;
    const key = `${mode} ${symbol}`;
    if (distance === undefined || this.#isUnderway(this.#closings.get(key))) return;
    const { scheduler, orders, venue, strategy } = this.#setup;
    const now = scheduler.now();
    const view = this.#view(now);
    const order = reducingOrder({ symbol, mode, distance }, { ...view, touch: (one, side) => touchOf(view.instrument(one), view.market(one), side) }, `reduce-${(this.#reduced += 1)}`); // prettier-ignore
    if (order === undefined) return;
    this.#closings.set(key, { id: order.clientOrderId, at: now, near });
    orders.request(order, { strategy, managed: false, requestedAt: now });
    venue.send(order, false);
  }

  /** Reports positions again after a close without effect, as a bot does. */
  #checkClosings(now: Micros): void {
    for (const [key, closing] of this.#closings) {
      if (this.#isUnderway(closing) || now - closing.at < CLOSE_RETRY_US) continue;
      this.#closings.delete(key);
      const { symbol, mode } = closing.near;
      if ((this.#orders.find(closing.id)?.filledLots ?? 0) > 0) continue;
      this.#liquidation.again(symbol, mode);
    }
  }

  #isUnderway(closing: Closing | undefined): boolean {
    const order = closing && this.#orders.find(closing.id);
    return order !== undefined && isOpen(order);
  }

  #mark(currency: string, value: Decimal, now: Micros): void {
    const breach = this.#equity.mark(currency, value, now);
    if (breach !== undefined) this.#breach(breach.to, breach.why);
  }

  #breach(to: TradingState, why: string): void {
    this.breaches.push(why);
    this.#state = stricter(this.#state, to);
    this.#cancelLeading();
  }

  /**
   * Cancels orders that the current state cancels, and closes of positions that were closed
   * otherwise.
   */
  #cancelLeading(): void {
    if (this.#state === 'running') return;
    const view = this.#view(this.#setup.scheduler.now());
    const open = this.#sent().filter(({ clientOrderId }) => !this.#canceled.has(clientOrderId));
    const leading = canceledIn(this.#state, open, view);
    for (const { clientOrderId } of leading) this.#canceled.add(clientOrderId);
    this.#cancel(cancels(this.#orders, leading));
  }

  #cancel(orders: readonly Order[]): void {
    for (const order of orders) this.#setup.venue.send(cancelOf(order), false);
  }

  /** The open orders that passed the limits. */
  #sent(): readonly Order[] {
    return this.#unsent.sent(this.#setup.orders.open());
  }

  #rejection(request: OrderRequest, now: Micros): Rejection | undefined {
    const { limits } = this.#setup;
    const view = this.#view(now);
    const rejection =
      orderRejection(request, view, limits) ?? marginFundsRejection(request, view, limits);
    if (rejection === undefined && limits.stopBeyondLiquidation !== 'reject') {
      const warning = stopWarning(request, view, limits);
      if (warning !== undefined) this.warnings.push(warning);
    }
    return rejection;
  }

  #view(now: Micros): RiskView {
    const orders = this.#sent();
    return {
      now,
      state: this.#state,
      instruments: this.instruments,
      instrument: (symbol) => this.#instrument(symbol),
      market: (symbol) => this.#market(symbol),
      orders,
      accountOrders: orders,
      holding: (currency) => this.#holdings.get(currency) ?? ZERO,
      requestsInSecond: this.#rate.count(now),
      margin: this.margin?.view(),
    };
  }

  #market(symbol: string): RiskMarket | undefined {
    const state = this.#setup.states.get(symbol);
    return state && riskMarket(state, this.#receivedAt.get(symbol));
  }

  #instrument(symbol: string): Instrument {
    const found = this.instruments.find((instrument) => instrument.symbol === symbol);
    if (found !== undefined) return found;
    throw new MillraceError('symbol-unknown', `The run does not trade ${symbol}.`);
  }
}
