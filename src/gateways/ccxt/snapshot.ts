import { isActive } from '../../model/order.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { AccountSnapshot } from '../venue-account.ts';
import { balancesOf, spotBalance } from './balances.ts';
import type { ClientOrderIdForm } from './client-order-ids.ts';
import { isUnknownOrder, readingError } from './errors.ts';
import { openOrders, type CcxtExchange, type Given } from './exchange.ts';
import { textOf, type CcxtRecords, type OrderView, type TradeView } from './records.ts';
import type { TrackedOrders } from './tracked-orders.ts';
import type { VenueRules } from './venues.ts';

export interface CcxtSnapshotSetup {
  readonly exchange: CcxtExchange;
  readonly rules: VenueRules;
  readonly form: ClientOrderIdForm;
  readonly records: CcxtRecords;
  readonly orders: TrackedOrders;
  readonly symbols: () => readonly string[];
  readonly now: () => Micros;
  readonly skewUs: () => number;
  /** Of the margin account, if there is one. */
  readonly marginCurrency: () => string | undefined;
  /** Repeats a read until it succeeds; throws errors that do not pass, and once the account is closed. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
}

/** Histories lag, and clocks are not read exactly. */
const OVERLAP_US = 60 * US_PER_SECOND;
const PAGE_MAX = 1_000;
/** Most pages of a history. */
const PAGES_MAX = 100;

/**
 * Reads an account whole, by several calls in this order: for each symbol its open orders, its ended
 * orders, those requested by name, and trades; then balances. Orders that ended between the first call and
 * the others are in the later ones, and the later view of an order counts. So nothing before `at`, the time
 * before the first call, is missing if the histories of the venue have it.
 */
export class CcxtSnapshotReader {
  readonly #setup: CcxtSnapshotSetup;

  constructor(setup: CcxtSnapshotSetup) {
    this.#setup = setup;
  }

  async read(since: Micros, named: readonly string[]): Promise<AccountSnapshot> {
    const { now, skewUs, symbols, orders, ask, exchange, rules, marginCurrency } = this.#setup;
    const at = micros(now() + Math.min(0, skewUs()));
    const bound = since - OVERLAP_US - Math.abs(skewUs());
    const views = new Map<string, OrderView>();
    for (const symbol of symbols()) {
      for (const view of await this.#orders(symbol, bound)) take(views, view);
    }
    const names = new Set([...views.values()].map(({ order }) => order.clientOrderId));
    for (const name of named) {
      const view = names.has(name) ? undefined : await this.#named(name);
      if (view !== undefined) take(views, view);
    }
    const trades: TradeView[] = [];
    for (const symbol of symbols()) trades.push(...(await this.trades(symbol, bound, views)));
    const balances = balancesOf(await ask(() => spotBalance(exchange, rules, marginCurrency())));
    const fills = trades.map(({ fill }) => fill).sort((one, other) => one.at - other.at);
    // News of tracked orders are reported first, so that they do not look missed.
    for (const view of views.values()) if (view.isOwn) orders.learn(view, trades);
    const all = [...views.values()].map(({ order }) => order);
    const asked = new Set(named);
    return {
      at,
      orders: all.filter(({ status }) => isActive(status)),
      ended: all.filter(
        ({ status, updatedAt, clientOrderId }) =>
          !isActive(status) && (updatedAt >= bound || asked.has(clientOrderId)),
      ),
      fills,
      balances,
    };
  }

  /** Trades of a symbol since a time, oldest first, each with the name of its order. */
  async trades(
    symbol: string,
    bound: number,
    views: ReadonlyMap<string, OrderView> = new Map(),
  ): Promise<readonly TradeView[]> {
    const { exchange, ask, records } = this.#setup;
    const given = new Map<string, Given>();
    const limit = Math.min(PAGE_MAX, Number(exchange.featureValue(symbol, 'fetchMyTrades', 'limit') ?? PAGE_MAX)); // prettier-ignore
    let since = Math.max(0, Math.floor(bound / US_PER_MS));
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const from = since;
      const trades = await ask(() => exchange.fetchMyTrades(symbol, from, limit));
      const before = given.size;
      // If two orders of the account trade with each other, both fills have the id of the trade.
      for (const trade of trades) given.set(`${String(trade.order)} ${String(trade.id)}`, trade);
      since = Math.max(since, ...trades.map(({ timestamp }) => Number(timestamp ?? 0)));
      if (given.size === before || trades.length < limit) break;
    }
    const found: TradeView[] = [];
    for (const trade of [...given.values()].sort(byTime)) {
      const venueId = textOf(trade.order) ?? '';
      const name = await this.#nameOf(symbol, venueId, views);
      const view = records.trade(trade, () => name, 'history');
      if (view !== undefined && view.fill.at >= bound) found.push(view);
    }
    return found;
  }

  /** The client order id of an order of the venue: few trades report it. */
  async #nameOf(
    symbol: string,
    venueId: string,
    views: ReadonlyMap<string, OrderView>,
  ): Promise<string | undefined> {
    const { orders, rules, form } = this.#setup;
    if (rules.isNamedByClient === true) return form.read(venueId) ?? venueId;
    const known = views.get(venueId)?.order.clientOrderId ?? orders.nameOf(venueId);
    if (known !== undefined) return known;
    return (await this.#lookUp(venueId, symbol, {}))?.order.clientOrderId;
  }

  async #orders(symbol: string, bound: number): Promise<readonly OrderView[]> {
    const { exchange, ask, records } = this.#setup;
    const since = Math.max(0, Math.floor(bound / US_PER_MS));
    const given = [...(await ask(() => openOrders(exchange, symbol)))];
    const { fetchOrders, fetchClosedOrders, fetchCanceledOrders } = exchange.has;
    if (fetchOrders === true) given.push(...(await ask(() => exchange.fetchOrders(symbol, since))));
    else {
      if (fetchClosedOrders) {
        given.push(...(await ask(() => exchange.fetchClosedOrders(symbol, since))));
      }
      if (fetchCanceledOrders) {
        given.push(...(await ask(() => exchange.fetchCanceledOrders(symbol, since))));
      }
    }
    return given.flatMap((one) => records.order(one) ?? []);
  }

  /** Reads an order by its id if that is known, else by its client order id in each symbol. */
  async #named(name: string): Promise<OrderView | undefined> {
    const { orders, rules, form, symbols } = this.#setup;
    const written = form.write(name);
    const param = rules.lookUp?.param;
    const venueId =
      orders.venueIdOf(name) ?? (rules.isNamedByClient === true ? written : undefined);
    if (venueId === undefined && (param === undefined || written === undefined)) return undefined;
    const params = venueId === undefined && param !== undefined ? { [param]: written } : {};
    const where = orders.termsOf(name)?.symbol;
    for (const symbol of where === undefined ? symbols() : [where]) {
      const view = await this.#lookUp(venueId, symbol, params);
      if (view?.order.clientOrderId === name) return view;
    }
    return undefined;
  }

  /** Reads one order; nothing if the venue does not know it or has no such call. */
  async #lookUp(
    venueId: string | undefined,
    symbol: string,
    more: object,
  ): Promise<OrderView | undefined> {
    const { exchange, ask, records, rules } = this.#setup;
    if (exchange.has.fetchOrder !== true) return undefined;
    const params = { ...rules.lookUp?.params, ...more };
    return ask(async () => {
      try {
        return records.order(await exchange.fetchOrder(venueId, symbol, params));
      } catch (error) {
        if (isUnknownOrder(error) || !RETRIED.has(readingError(error).code)) return undefined;
        throw error;
      }
    });
  }

  /** The order as the venue has it, by its id. */
  async order(venueId: string, symbol: string): Promise<OrderView | undefined> {
    return this.#lookUp(venueId, symbol, {});
  }
}

/** Temporary errors. */
const RETRIED: ReadonlySet<string> = new Set(['unreachable', 'service-unavailable', 'rate-limited']); // prettier-ignore

/** The later view of an order counts: an end, or more executed. */
function take(views: Map<string, OrderView>, view: OrderView): void {
  const before = views.get(view.venueId)?.order;
  const { status, filledLots } = view.order;
  const isLater =
    before === undefined ||
    (isActive(before.status) && (!isActive(status) || filledLots >= before.filledLots));
  if (isLater) views.set(view.venueId, view);
}

const byTime = (one: Given, other: Given): number => Number(one.timestamp) - Number(other.timestamp); // prettier-ignore
