import type { Gateway } from '../../engine/gateway.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { OrderStore, type OrderChange } from '../../engine/orders/order-store.ts';
import { asRestored } from '../../engine/orders/restored.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { AnyOrderReport, Report } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { Purse } from './purse.ts';
import { reservesOf } from './purse.ts';

/** What a seat needs of the account that it is at. */
export interface SeatHost {
  now(): Micros;
  /** Takes a request on its way out. */
  send(seat: Seat, request: OrderRequest, wished: boolean): void;
  /** Balances of the account, for a seat without a budget. */
  balances(at: Micros): readonly Report[];
  /** The last price of a symbol; NaN while there is none. */
  marketTicks(symbol: string): number;
}

export interface SeatSetup {
  /** Name of the strategy in the bot. */
  readonly name: string;
  /** Name of the account. */
  readonly account: string;
  readonly instruments: readonly Instrument[];
  readonly purse: Purse;
  readonly host: SeatHost;
}

/**
 * The place of one strategy at an account: what its engine has for a venue. It shows the
 * strategy its own orders and its own money, and knows its orders itself, for limits, for
 * operators and for recovery.
 */
export class Seat implements Gateway {
  readonly name: string;
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  readonly orders = new OrderStore();
  readonly purse: Purse;
  readonly #bySymbol: ReadonlyMap<string, Instrument>;
  readonly #host: SeatHost;
  #tell: ((report: Report) => void) | undefined;
  #adopted: (order: Order) => void = () => undefined;

  constructor({ name, account, instruments, purse, host }: SeatSetup) {
    this.name = name;
    this.venue = account;
    this.instruments = instruments;
    this.purse = purse;
    this.#bySymbol = new Map(instruments.map((one) => [one.symbol, one]));
    this.#host = host;
  }

  connect(listener: (report: Report) => void): void {
    this.#tell = listener;
    for (const report of this.#balances()) listener(report);
  }

  send(request: OrderRequest, wished: boolean): void {
    this.#host.send(this, request, wished);
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

  /** Takes over an order of a run before this one; of a list they come one by one, so none is made yet. */
  restore(order: Order): void {
    this.orders.add(asRestored(order));
  }

  /** Takes in an order that somebody else placed, and tells whoever runs the strategy. */
  adopt(order: Order): void {
    if (!this.trades(order.symbol) || this.orders.find(order.clientOrderId) !== undefined) return;
    this.restore(order);
    this.#adopted(order);
  }

  /** Sets who is told of orders that are taken in. */
  onAdopted(listener: (order: Order) => void): void {
    this.#adopted = listener;
  }

  /** Keeps in mind what is about to leave: it counts from here on. */
  note(request: OrderRequest, managed: boolean): void {
    const requestedAt = this.#host.now();
    this.orders.request(request, { strategy: this.name, managed, requestedAt });
  }

  /** Takes what the venue says of an order of this seat, and tells the strategy. */
  hear(report: AnyOrderReport): readonly OrderChange[] {
    const changes = this.orders.take(report, this.#host.now());
    // The account passes on no fill twice, and those of orders that ended long ago count too.
    if (report.kind === 'trade') {
      this.purse.fill(this.instrument(report.fill.symbol), report.fill);
    }
    this.#tell?.(report);
    if (this.purse.isBudgeted) for (const balance of this.#balances()) this.#tell?.(balance);
    return changes;
  }

  /** Takes balances of the account, which are those of a seat without a budget. */
  balance(report: Extract<Report, { kind: 'balance' }>): void {
    if (!this.purse.isBudgeted) this.#tell?.(report);
  }

  #balances(): readonly Report[] {
    const at = this.#host.now();
    if (!this.purse.isBudgeted) return this.#host.balances(at);
    const held = reservesOf(
      this.orders.open(),
      (symbol) => this.instrument(symbol),
      (symbol) => this.#host.marketTicks(symbol),
    );
    return [...this.purse.currencies].map((currency) => this.purse.balance(currency, held, at));
  }
}
