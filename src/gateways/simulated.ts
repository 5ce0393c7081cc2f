import type { VenueGateway } from '../engine/gateway.ts';
import {
  rejectReport,
  type OrderRequest,
  type PlaceListRequest,
  type PlaceRequest,
} from '../model/order-request.ts';
import { Exchange, type ExchangeOptions } from '../exchange/exchange.ts';
import type { ExchangeListener, OrderEvent } from '../exchange/state/listener.ts';
import type { Passed } from '../exchange/stages/guard.ts';
import { Amount, NOTHING } from '../model/amount.ts';
import type { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import { isMarket, type EventColumns } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../model/margin-account.ts';
import type { Side, VenueOrder } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Fill, Report } from '../model/report.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Balance } from '../strategy/context.ts';
import { posting, type PostScheduler, type Scheduler } from '../platform/scheduler.ts';
import { micros, type Micros } from '../platform/time.ts';
import { feeAmount } from '../rules/funds.ts';
import { AVAILABLE, RESERVED } from '../exchange/ledger/balances.ts';
import { sideCode } from '../exchange/orders/side.ts';
import { isLiquidation } from '../exchange/positions/flags.ts';
import type { RestoredMargin } from '../exchange/margin/restoration.ts';
import { venueOrder } from '../exchange/venue-order.ts';
import { SimulatedMargin } from './simulated-margin.ts';
import { SimulatedNonSpotBalances, type NonSpotBalances } from './simulated-non-spot-balances.ts';

/** Latency of messages. The delay of the feed itself counts to the orders' latency. */
export interface Latency {
  /** From the strategy's side to the exchange. */
  readonly orderUs: number;
  /** From the exchange back. */
  readonly reportUs: number;
}

/** Price and size of a level of a book. */
export type Level = readonly [Decimal, Decimal];

/** An order that is a transfer of inventory. */
export interface TransferOrder {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly lots: Lots;
  /** Its limit. */
  readonly ticks: Ticks;
}

export interface SimulatedVenueSetup {
  /** Name of the venue. */
  readonly venue: string;
  /** With the fee rates of the run in their terms. */
  readonly instruments: readonly Instrument[];
  readonly scheduler: Scheduler;
  readonly latency: Latency;
  /** Initial balances of the account, by currency. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** The same of its wallet and its derivatives balance. */
  readonly nonSpotBalances?: NonSpotBalances | undefined;
  readonly exchange?: ExchangeOptions;
  /** Receives every report when it happens, without the report latency: for the metrics of a run. */
  readonly observer?: (report: Report) => void;
  /** The same for reports of margin accounts. */
  readonly marginObserver?: ((report: MarginReport) => void) | undefined;
  /** Called with the prices of a candle, one by one, if orders fill along its path. */
  readonly candlePath?: (instrument: number, ticks: Ticks) => void;
}

/**
 * The exchange of this process as a venue with one account: requests reach it `orderUs` after they were
 * sent, its reports arrive `reportUs` after they happened, both in order.
 */
export class SimulatedVenue implements VenueGateway {
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  /** The exchange behind it, to be read. */
  readonly exchange: Exchange;
  readonly #scheduler: PostScheduler;
  readonly #latency: Latency;
  readonly #account: number;
  readonly #observer: ((report: Report) => void) | undefined;
  readonly #candlePath: SimulatedVenueSetup['candlePath'];
  /** Set if an instrument is traded on margin. */
  readonly margin: SimulatedMargin | undefined;
  readonly nonSpotBalances: SimulatedNonSpotBalances;
  /** Nobody listens before `connect`, which reports the opening balances. */
  #onReport: ((report: Report) => void) | undefined;
  /** An order of a transfer: it is not the strategy's, and is not reported. */
  #move: { readonly clientOrderId: string; readonly fills: Fill[] } | undefined;
  /** The last requested fee rate. */
  #rate: Decimal | undefined;
  #rateAmount = NOTHING;
  /** When the task that expires orders runs. */
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(setup: SimulatedVenueSetup) {
    const { venue, instruments, scheduler, latency, balances } = setup;
    for (const [field, span] of Object.entries(latency)) {
      if (Number.isSafeInteger(span) && span >= 0) continue;
      throw new MillraceError(
        'out-of-range',
        `latency.${field} is ${span} and must be a whole number of microseconds, 0 or more.`,
        { field },
      );
    }
    this.venue = venue;
    this.instruments = instruments;
    this.#scheduler = posting(scheduler);
    this.#latency = latency;
    this.#observer = setup.observer;
    this.#candlePath = setup.candlePath;
    this.exchange = new Exchange({
      instruments,
      listener: this.#listener(),
      options: setup.exchange,
    });
    this.#account = this.exchange.openAccount();
    const { nonSpotBalances = {} } = setup;
    const side = {
      exchange: this.exchange,
      account: this.#account,
      now: () => scheduler.now(),
      arrive: (task: () => void) => scheduler.at(micros(scheduler.now() + latency.orderUs), task),
      comeBack: (task: () => void) => scheduler.at(micros(scheduler.now() + latency.reportUs), task), // prettier-ignore
    };
    this.nonSpotBalances = new SimulatedNonSpotBalances(side);
    this.nonSpotBalances.deposit(nonSpotBalances);
    if (instruments.some(hasMargin)) {
      this.margin = new SimulatedMargin({
        ...side,
        instruments,
        kept: nonSpotBalances.derivatives,
        observer: setup.marginObserver,
      });
    }
    for (const [currency, amount] of balances) {
      if (!amount.isZero()) this.exchange.deposit(this.#account, currency, amount);
    }
  }

  /** Reports all balances at once; all other reports have a latency. */
  connect(listener: (report: Report) => void): void {
    this.#onReport = listener;
    this.exchange.ledger.balances.forEach((_, currency) => {
      listener(this.#balance(this.#account, currency, this.#scheduler.now()));
    });
  }

  /** Sends a checked request of an engine. */
  send(request: OrderRequest): void {
    this.#post(this.#receive, request);
  }

  /** Sends an unchecked request. */
  submit(request: OrderRequest): void {
    this.#post(this.#receiveUnchecked, request);
  }

  /** Sends orders that stood in a previous run of the account. */
  renew(request: PlaceRequest | PlaceListRequest): void {
    this.#post(this.#receiveRenewed, request);
  }

  /**
   * Restores margin accounts of a previous run exactly, before anybody listens. Returns for each what was
   * not restored, and the ids of its positions.
   */
  restoreMargin(accounts: readonly MarginAccountState[]): readonly RestoredMargin[] {
    const now = this.#scheduler.now();
    const restored = accounts.map((one) => this.exchange.margin.restore(this.#account, one, now));
    // Positions are charged by time alone.
    this.#watchExpiry();
    return restored;
  }

  #post(receive: (request: OrderRequest) => void, request: OrderRequest): void {
    const at = micros(this.#scheduler.now() + this.#latency.orderUs);
    this.#scheduler.post(at, receive, request);
  }

  readonly #receive = (request: OrderRequest): void => {
    this.#take(request, 'passed');
  };

  readonly #receiveRenewed = (request: OrderRequest): void => {
    this.#take(request, 'restored');
  };

  readonly #receiveUnchecked = (request: OrderRequest): void => {
    this.#take(request);
  };

  /** Processes a request that has arrived. */
  #take(request: OrderRequest, passed?: Passed): void {
    const at = this.#scheduler.now();
    const rejection = this.#arrive(request, at, passed);
    if (rejection !== undefined) this.#report(rejectReport(request, rejection, at));
    this.#watchExpiry();
  }

  /** The active order of that client order id in its present state. */
  activeOrder(clientOrderId: string): VenueOrder | undefined {
    const order = this.exchange.activeOrder(this.#account, clientOrderId);
    return order < 0 ? undefined : this.#order(order);
  }

  /** Balances of every currency at the exchange. */
  get balances(): readonly Balance[] {
    return this.exchange.ledger.balances.map(({ currency }) => ({
      currency,
      ...this.exchange.balance(this.#account, currency),
    }));
  }

  /** True if the account can hold a currency. */
  holds(currency: string): boolean {
    return this.exchange.ledger.find(currency) !== undefined;
  }

  /** Available amount of a currency. Throws `currency-unknown`. */
  available(currency: string): Decimal {
    return this.exchange.balance(this.#account, currency).available;
  }

  /** Adds an amount from an external wallet. */
  receive(currency: string, amount: Decimal): void {
    this.exchange.deposit(this.#account, currency, amount);
  }

  /** Removes an amount that goes to an external wallet; false if it is not available. */
  pay(currency: string, amount: Decimal): boolean {
    if (this.available(currency).lessThan(amount)) return false;
    const { ledger } = this.exchange;
    const index = ledger.currency(currency);
    ledger.balances[index].change(this.#account, AVAILABLE, amount.negated());
    this.#report(this.#balance(this.#account, index, this.#scheduler.now()));
    return true;
  }

  /**
   * Levels of the recorded market for an order of a side, best first, less what own orders took; at most
   * `count`.
   */
  levels(symbol: string, side: Side, count: number): readonly Level[] {
    const index = this.exchange.instrument(symbol);
    const instrument = this.instruments[index];
    const tape = this.exchange.recorded[index].sides[1 - sideCode(side)];
    const levels: Level[] = [];
    tape.start();
    while (levels.length < count && Number.isFinite(tape.key)) {
      const price = instrument.price((tape.sign * tape.key) as Ticks);
      if (tape.open > 0) levels.push([price, instrument.size(tape.open as Lots)]);
      tape.pass();
    }
    return levels;
  }

  /**
   * Places an order of a transfer, which fills whole and at once or not at all, without any delay. The
   * strategy receives the changed balances and not the order.
   */
  trade(order: TransferOrder): readonly Fill[] | Rejection {
    const { clientOrderId } = order;
    const fills: Fill[] = [];
    this.#move = { clientOrderId, fills };
    try {
      const terms = { type: 'limit', timeInForce: 'FOK', postOnly: false } as const;
      const now = this.#scheduler.now();
      return this.exchange.place(this.#account, { ...order, ...terms }, now) ?? fills;
    } finally {
      this.#move = undefined;
    }
  }

  /** Hands a row of the feed to the exchange; its time is that of the scheduler. */
  market(instrument: number, columns: EventColumns, row: number): void {
    this.exchange.market(instrument, columns, row, this.#scheduler.now());
    // A row may have moved the next funding to another time.
    if (!isMarket(columns.kind[row]) && this.#wakeAt !== Number.POSITIVE_INFINITY) {
      this.#watchExpiry();
    }
  }

  #arrive(request: OrderRequest, at: Micros, passed?: Passed): Rejection | undefined {
    switch (request.kind) {
      case 'place':
        return this.exchange.place(this.#account, request, at, passed);
      case 'placeList':
        return this.exchange.placeList(this.#account, request, at, passed);
      case 'replace':
        return this.exchange.replace(this.#account, request, at, passed);
      case 'cancel':
        return this.exchange.cancel(this.#account, request.clientOrderId, at);
    }
  }

  #listener(): ExchangeListener {
    return {
      order: (event: OrderEvent, order: number) => {
        // Liquidation orders are reported by what they do to the margin account.
        if (isLiquidation(this.exchange.orders.marginFlags(order))) return;
        const view = this.#order(order);
        if (view.clientOrderId === this.#move?.clientOrderId) return;
        this.#report({ kind: event, at: this.exchange.now, order: view });
      },
      fill: (order: number, id: number, ticks: number, lots: number, taker: boolean) => {
        if (isLiquidation(this.exchange.orders.marginFlags(order))) return;
        this.#fill(order, id, ticks as Ticks, lots as Lots, taker);
      },
      candlePath: (instrument: number, ticks: number) => {
        this.#candlePath?.(instrument, ticks as Ticks);
      },
      marginAccount: (report) => this.margin?.reported(report),
      covered: (cover) => this.margin?.covered(cover),
      walletBalance: (account, currency) =>
        this.nonSpotBalances.changed('wallet', account, currency),
      derivativesBalance: (account, currency) => this.nonSpotBalances.changed('derivatives', account, currency), // prettier-ignore
      balance: (account: number, currency: number) => {
        if (this.#onReport === undefined) return;
        this.#report(this.#balance(account, currency, this.exchange.now));
      },
    };
  }

  #fill(order: number, id: number, ticks: Ticks, lots: Lots, taker: boolean): void {
    const { orders } = this.exchange;
    const at = this.exchange.now;
    const instrument = this.instruments[orders.instrument(order)];
    const view = this.#order(order);
    const { takeRate, makeRate } = this.exchange.fees.ratesOf(orders.feeSchedule(order));
    const rate = taker ? takeRate : makeRate;
    const fill: Fill = {
      id,
      clientOrderId: view.clientOrderId,
      symbol: view.symbol,
      side: view.side,
      ticks,
      lots,
      fee: feeAmount(instrument, ticks, lots, this.#amountOf(rate)),
      feeCurrency: instrument.terms.feeCurrency,
      taker,
      at,
      ...(view.margin === undefined ? {} : { margin: view.margin.mode }),
    };
    if (view.clientOrderId === this.#move?.clientOrderId) this.#move.fills.push(fill);
    else this.#report({ kind: 'trade', at, order: view, fill });
  }

  /** A fee rate as an amount; consecutive orders mostly pay the same one. */
  #amountOf(rate: Decimal): Amount {
    if (rate !== this.#rate) {
      this.#rate = rate;
      this.#rateAmount = Amount.of(rate);
    }
    return this.#rateAmount;
  }

  #order(order: number): ReturnType<typeof venueOrder> {
    const { orders, stops, lists } = this.exchange;
    return venueOrder(orders, stops, lists, this.instruments, order);
  }

  #balance(account: number, currency: number, at: Micros): Report {
    const budget = this.exchange.ledger.balances[currency];
    return {
      kind: 'balance',
      at,
      currency: budget.currency,
      available: budget.balance(account, AVAILABLE),
      reserved: budget.balance(account, RESERVED),
    };
  }

  #report(report: Report): void {
    this.#observer?.(report);
    const at = micros(this.#scheduler.now() + this.#latency.reportUs);
    this.#scheduler.post(at, this.#emit, report);
  }

  /** Hands over a report that has arrived. */
  readonly #emit = (report: Report): void => {
    this.#onReport?.(report);
  };

  /** Schedules expirations and other due events at their time, not with the next market event. */
  #watchExpiry(): void {
    const at = this.exchange.nextExpiryAt;
    if (at >= this.#wakeAt) return;
    this.#wakeAt = at;
    this.#scheduler.at(micros(at), () => {
      if (this.#wakeAt === at) this.#wakeAt = Number.POSITIVE_INFINITY;
      this.exchange.advance(this.#scheduler.now());
      this.#watchExpiry();
    });
  }
}

/** True if an instrument is traded on margin. */
export const hasMargin = ({ isContract, margin }: Instrument): boolean =>
  isContract || Object.keys(margin).length > 0;
