import type { Observable } from 'rxjs';
import type { AlgoOrder } from '../../model/algo-order.ts';
import type { Amount } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Order, OrderList } from '../../model/order.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Balance, Position } from '../../strategy/context.ts';
import { PRICE } from '../../model/instrument-state.ts';
import type { Markets } from '../market/markets.ts';
import { MarketTopic } from '../market/topic.ts';
import { Holdings } from './holdings.ts';
import { PositionKeeper } from './position-keeper.ts';
import { valueIn } from './value.ts';

interface EquityStream {
  readonly topic: MarketTopic<Decimal>;
  last: Amount | undefined;
}

/**
 * Holdings, positions and equity of one strategy, and their streams. `fill` and `balance` update
 * the state first; `emit` then emits what changed.
 */
export class AccountStreams {
  readonly holdings = new Holdings();
  readonly #markets: Markets;
  readonly #orders = new MarketTopic<Order>();
  readonly #ordersOf = new Map<string, MarketTopic<Order>>();
  readonly #lists = new MarketTopic<OrderList>();
  readonly #listsOf = new Map<string, MarketTopic<OrderList>>();
  readonly #algoOrders = new MarketTopic<AlgoOrder>();
  readonly #fills = new MarketTopic<Fill>();
  readonly #fillsOf = new Map<string, MarketTopic<Fill>>();
  readonly #keepers = new Map<string, PositionKeeper>();
  /** Position keepers by currency. */
  readonly #keepersOf = new Map<string, readonly PositionKeeper[]>();
  readonly #positions = new Map<string, MarketTopic<Position>>();
  readonly #balances = new Map<string, MarketTopic<Balance>>();
  readonly #equities = new Map<string, EquityStream>();
  /** Changes not emitted yet. */
  readonly #movedPositions = new Set<PositionKeeper>();
  readonly #movedBalances = new Set<string>();

  constructor(markets: Markets) {
    this.#markets = markets;
  }

  orders(symbol?: string): Observable<Order> {
    return symbol === undefined ? this.#orders.$ : this.#topic(this.#ordersOf, symbol).$;
  }

  lists(symbol?: string): Observable<OrderList> {
    return symbol === undefined ? this.#lists.$ : this.#topic(this.#listsOf, symbol).$;
  }

  /** Every change of an algo order. */
  algoOrders(): Observable<AlgoOrder> {
    return this.#algoOrders.$;
  }

  emitAlgoOrder(order: AlgoOrder): void {
    this.#algoOrders.emit(order);
  }

  fills(symbol?: string): Observable<Fill> {
    return symbol === undefined ? this.#fills.$ : this.#topic(this.#fillsOf, symbol).$;
  }

  position(symbol: string): Observable<Position> {
    const keeper = this.keeper(symbol);
    return this.#topic(this.#positions, symbol, () => keeper.present).$;
  }

  /** Throws `currency-unknown` for a currency of no traded instrument. */
  checkCurrency(currency: string): void {
    const known = this.#markets.all.some(
      ({ instrument }) =>
        instrument.baseCurrency === currency || instrument.quoteCurrency === currency,
    );
    if (!known) {
      throw new MillraceError(
        'currency-unknown',
        `No instrument of this run trades ${currency}; balances are known of the currencies of its instruments.`,
        { field: 'currency' },
      );
    }
  }

  balances(currency: string): Observable<Balance> {
    const present = (): Balance | undefined => this.holdings.balance(currency);
    let topic = this.#balances.get(currency);
    if (topic === undefined) this.#balances.set(currency, (topic = new MarketTopic(present)));
    return topic.$;
  }

  equity(symbol: string): Observable<Decimal> {
    const { quoteCurrency } = this.#markets.get(symbol).instrument;
    let stream = this.#equities.get(quoteCurrency);
    if (stream === undefined) {
      stream = this.#equityStream(quoteCurrency);
      this.#equities.set(quoteCurrency, stream);
    }
    return stream.topic.$;
  }

  /** Keeper of a symbol's position; throws `symbol-unknown`. */
  keeper(symbol: string): PositionKeeper {
    let keeper = this.#keepers.get(symbol);
    if (keeper === undefined) {
      keeper = new PositionKeeper(this.#markets.get(symbol).instrument, this.holdings);
      keeper.refresh();
      this.#keepers.set(symbol, keeper);
      const { baseCurrency } = keeper.instrument;
      this.#keepersOf.set(baseCurrency, [...(this.#keepersOf.get(baseCurrency) ?? []), keeper]);
    }
    return keeper;
  }

  /** Value of all holdings in a currency, `undefined` while a price is missing. */
  priceOf(currency: string): Amount | undefined {
    return valueIn(currency, this.holdings, this.#markets.all);
  }

  /** Applies a fill. */
  fill(fill: Fill): void {
    const keeper = this.keeper(fill.symbol);
    const { baseCurrency, quoteCurrency } = keeper.instrument;
    this.holdings.fill(keeper.instrument, fill);
    keeper.fill(fill);
    const positions = this.#keepersOf;
    if (!positions.has(quoteCurrency) && !positions.has(fill.feeCurrency)) {
      this.#refresh(positions.get(baseCurrency) ?? []);
      return;
    }
    // Positions of several currencies are emitted in the order of subscription.
    const currencies = [baseCurrency, quoteCurrency, fill.feeCurrency];
    this.#refresh(
      [...this.#keepers.values()].filter((one) => currencies.includes(one.instrument.baseCurrency)),
    );
  }

  /** Applies the venue's balances. */
  balance(report: BalanceReport): void {
    const { currency } = report;
    this.holdings.report(report);
    // Nobody can subscribe before `emitMoved`.
    if (this.#balances.has(currency)) this.#movedBalances.add(currency);
    this.#refresh(this.#keepersOf.get(currency) ?? []);
  }

  /** Emits an order and its fill, if there is one, and then the changes that came with them. */
  emitOrder(order: Order, fill?: Fill): void {
    this.#orders.emit(order);
    this.#ordersOf.get(order.symbol)?.emit(order);
    if (fill === undefined) return;
    this.#fills.emit(fill);
    this.#fillsOf.get(fill.symbol)?.emit(fill);
  }

  /** Emits an order list, once to each subscriber of one of its symbols. */
  emitList(list: OrderList): void {
    this.#lists.emit(list);
    for (const symbol of new Set(list.orders.map((order) => order.symbol))) {
      this.#listsOf.get(symbol)?.emit(list);
    }
  }

  /** Emits changed positions and balances, and the equity that changed with them. */
  emitMoved(): void {
    if (this.#movedPositions.size > 0) {
      const positions = [...this.#movedPositions];
      this.#movedPositions.clear();
      for (const keeper of positions) {
        this.#positions.get(keeper.instrument.symbol)?.emit(keeper.present);
      }
    }
    if (this.#movedBalances.size > 0) {
      const balances = [...this.#movedBalances];
      this.#movedBalances.clear();
      for (const currency of balances) {
        const balance = this.holdings.balance(currency);
        if (balance !== undefined) this.#balances.get(currency)?.emit(balance);
      }
    }
    this.emitEquity();
  }

  /** Emits changed equities. */
  emitEquity(): void {
    for (const [currency, stream] of this.#equities) {
      if (!stream.topic.awaited) continue;
      const now = this.priceOf(currency);
      if (now === undefined || (stream.last !== undefined && now.equals(stream.last))) continue;
      stream.last = now;
      stream.topic.emit(now.toDecimal());
    }
  }

  /** Recalculates positions. */
  #refresh(keepers: readonly PositionKeeper[]): void {
    for (const keeper of keepers) {
      const hasMoved = keeper.refresh();
      // Nobody can subscribe before `emitMoved`.
      if (hasMoved && this.#positions.has(keeper.instrument.symbol)) {
        this.#movedPositions.add(keeper);
      }
    }
  }

  #equityStream(currency: string): EquityStream {
    const topic = new MarketTopic<Decimal>(
      () => {
        const now = this.priceOf(currency);
        stream.last ??= now;
        return now?.toDecimal();
      },
      () => this.#awaitPrices(),
    );
    const stream: EquityStream = { topic, last: undefined };
    return stream;
  }

  #awaitPrices(): void {
    const awaited = [...this.#equities.values()].some(({ topic }) => topic.awaited);
    for (const market of this.#markets.all) market.await(this, PRICE, awaited);
  }

  #topic<T>(
    topics: Map<string, MarketTopic<T>>,
    symbol: string,
    present?: () => T,
  ): MarketTopic<T> {
    this.#markets.get(symbol);
    let topic = topics.get(symbol);
    if (topic === undefined) topics.set(symbol, (topic = new MarketTopic(present)));
    return topic;
  }
}
