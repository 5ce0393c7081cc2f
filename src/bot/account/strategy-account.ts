import { cancels } from '../../engine/orders/cancels.ts';
import type { Gateway, ReportListener } from '../../engine/gateway.ts';
import type { OrderChange, OrderStore } from '../../engine/orders/order-store.ts';
import { StrategyOrders } from '../../engine/orders/strategy-orders.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { MarginReport } from '../../model/margin-account.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { NonSpotBalanceSource } from '../../model/non-spot-balance.ts';
import type { Order } from '../../model/order.ts';
import type { ManagedState } from '../../model/managed-state.ts';
import { cancelOf, type AccountRequest, type OrderRequest } from '../../model/order-request.ts';
import type { AnyOrderReport, BalanceReport, Report } from '../../model/report.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountBalances } from './balances.ts';
import type { MarketHub } from './market-hub.ts';
import type { StrategyBudget } from './strategy-budget.ts';
import { reservesOf } from './strategy-budget.ts';
import type { RequestQueue } from './request-queue.ts';
import { StrategyMargin } from './strategy-margin.ts';
import type { StrategyRisk } from './strategy-risk.ts';
import type { AccountMargin } from './account-margin.ts';

export interface StrategyAccountOptions {
  /** Name of the strategy in the bot. */
  readonly name: string;
  /** Name of the account. */
  readonly account: string;
  readonly instruments: readonly Instrument[];
  readonly budget: StrategyBudget;
  readonly limits: RiskSettings;
  readonly scheduler: Scheduler;
  /** The orders of the account. */
  readonly orders: OrderStore;
  readonly balances: AccountBalances;
  /** Wallet and derivatives balance, which are the account's. */
  readonly nonSpotBalances: NonSpotBalanceSource;
  readonly queue: RequestQueue;
  /** Keeps the state that a restart needs. */
  readonly journal: Pick<Journal, 'managed'>;
  /** The margin accounts of the account. */
  readonly margin: AccountMargin;
  /** The market data of the account, of which prices are read. */
  readonly hub: Pick<MarketHub, 'cause' | 'states'>;
}

const NO_CHANGES: readonly OrderChange[] = [];

/** The account as one strategy sees it: its own orders, its own money, and its gateway for requests. */
export class StrategyAccount implements Gateway {
  readonly name: string;
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  readonly orders: StrategyOrders;
  readonly budget: StrategyBudget;
  readonly nonSpotBalances: NonSpotBalanceSource;
  /** Set if something can be traded on margin. */
  readonly margin: StrategyMargin | undefined;
  /** Its limits, as they are now; a reload may change them. */
  limits: RiskSettings;
  /** Inputs of the limits, once it trades. */
  risk: StrategyRisk | undefined;
  readonly #bySymbol: ReadonlyMap<string, Instrument>;
  readonly #options: StrategyAccountOptions;
  #listener: ReportListener | undefined;
  #adopted: (order: Order) => void = () => undefined;

  constructor(options: StrategyAccountOptions) {
    const { name, account, instruments, budget, limits, orders } = options;
    this.name = name;
    this.venue = account;
    this.instruments = instruments;
    this.budget = budget;
    this.nonSpotBalances = options.nonSpotBalances;
    this.limits = limits;
    this.#bySymbol = new Map(instruments.map((one) => [one.symbol, one]));
    this.orders = new StrategyOrders(orders, name, new Set(this.#bySymbol.keys()));
    this.#options = options;
    const { margin, instruments: traded } = options;
    if (margin.venue !== undefined && traded.some(isOnMargin)) {
      this.margin = new StrategyMargin(margin, name, (request) =>
        this.#push(request, false, false),
      );
    }
  }

  connect(listener: ReportListener): void {
    this.#listener = listener;
    for (const report of this.#balances()) listener(report, NO_CHANGES);
  }

  send(request: OrderRequest, managed: boolean): void {
    this.#push(request, managed, false);
  }

  save(id: string, state: ManagedState | undefined): void {
    this.#options.journal.managed.save(this.name, id, state);
  }

  /** Sends a request of an operator. */
  operate(request: OrderRequest): void {
    this.orders.request(request, false, this.#options.scheduler.now());
    this.#push(request, false, true);
  }

  /** Requests cancels; an order list that ends as a whole is canceled once. */
  cancel(orders: readonly Order[]): void {
    this.sendCancels(cancels(this.orders, orders));
  }

  /** Requests the cancels of these orders. */
  sendCancels(orders: readonly Order[]): void {
    for (const order of orders) this.#push(cancelOf(order), false, true);
  }

  /** The instrument of a symbol; throws `symbol-unknown`. */
  instrument(symbol: string): Instrument {
    const instrument = this.#bySymbol.get(symbol);
    if (instrument !== undefined) return instrument;
    throw new MillraceError('symbol-unknown', `Strategy ${this.name} does not trade ${symbol}.`, {
      field: 'symbol',
    });
  }

  trades(symbol: string): boolean {
    return this.#bySymbol.has(symbol);
  }

  /** Its open orders that have passed the limits. */
  openOrders(): readonly Order[] {
    return this.#options.queue.unsent.sent(this.orders.open());
  }

  /** The valuation price of a symbol in ticks, possibly between two; NaN while there is none. */
  marketTicks(symbol: string): number {
    return (this.#options.hub.states.get(symbol)?.prices.valuation ?? Number.NaN) / 2;
  }

  /** Amount of a currency that belongs to the strategy: its budget and fills, or all of the account. */
  holding(currency: string): Decimal {
    if (this.budget.amounts !== undefined) return this.budget.total(currency);
    return this.#options.balances.holding(currency);
  }

  /** Reports to the strategy's runner a foreign order that it now owns. */
  adopt(order: Order): void {
    this.#adopted(order);
  }

  /** Sets the listener for adopted orders. */
  onAdopted(listener: (order: Order) => void): void {
    this.#adopted = listener;
  }

  /** Receives a report on an order of the strategy, with what it changed. */
  receive(report: AnyOrderReport, changes: readonly OrderChange[]): void {
    // The account passes on no fill twice, and those of orders that ended long ago count too.
    if (report.kind === 'trade') {
      this.budget.fill(this.instrument(report.fill.symbol), report.fill);
    }
    this.#listener?.(report, changes);
    if (this.budget.amounts === undefined) return;
    for (const balance of this.#balances()) this.#listener?.(balance, NO_CHANGES);
  }

  /** Receives a report on a margin account of the strategy, which took from the budget or gave back. */
  marginReport(report: MarginReport): boolean {
    // Balances first: a strategy that sees funds on the margin account sees them gone from its budget.
    if (report.kind === 'marginAccount' && this.budget.amounts !== undefined) {
      for (const balance of this.#balances()) this.#listener?.(balance, NO_CHANGES);
    }
    return this.margin?.receive(report) ?? false;
  }

  /** Receives balances of the account, which are those of a strategy without a budget. */
  balance(report: BalanceReport): void {
    if (this.budget.amounts === undefined) this.#listener?.(report, NO_CHANGES);
  }

  #push(request: AccountRequest, managed: boolean, isOperators: boolean): void {
    const { name: strategy, scheduler, hub, queue } = this.#options;
    const { cause } = hub;
    queue.push({ strategy, request, managed, isOperators, at: scheduler.now(), cause });
  }

  #balances(): readonly Report[] {
    const { scheduler, balances } = this.#options;
    const at = scheduler.now();
    if (this.budget.amounts === undefined) return balances.reports(at);
    const held = reservesOf(
      this.openOrders(),
      (symbol) => this.instrument(symbol),
      (symbol) => this.marketTicks(symbol),
    );
    return [...this.budget.currencies].map((currency) => this.budget.balance(currency, held, at));
  }
}

/** True for an instrument that can be traded on margin. */
const isOnMargin = ({ margin }: Instrument): boolean =>
  Object.values(margin).some(({ active }) => active);
