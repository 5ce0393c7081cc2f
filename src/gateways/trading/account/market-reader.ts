import { MillraceError } from '../../../model/errors.ts';
import type { Micros } from '../../../platform/time.ts';
import type { TradingClient } from '../client/client.ts';
import type { AccountMarketApi } from './market.ts';
import type { WireOrder, WireTrade } from './records.ts';

type Rest = TradingClient['rest'];

/** Repeats a read until it succeeds; throws errors that do not pass. */
export type MarketRead = <T>(question: () => Promise<T>) => Promise<T>;

/** Query of one page of a history. */
interface PageQuery {
  readonly by: 'id';
  readonly sort: 'DESC';
  readonly limit: number;
  readonly till?: { readonly kind: 'number'; readonly value: number } | undefined;
}

/** The calls by which the orders and trades of a market are read. */
interface MarketCalls {
  orders(): Promise<readonly WireOrder[]>;
  orderHistory(
    query: PageQuery | { readonly client_order_id: string },
  ): Promise<readonly WireOrder[]>;
  tradeHistory(query: PageQuery): Promise<readonly WireTrade[]>;
}

const CALLS: Readonly<Record<AccountMarketApi, (rest: Rest) => MarketCalls>> = {
  spot: (rest) => ({
    orders: () => rest.getSpotOrders(),
    orderHistory: (query) => rest.getSpotOrderHistory(query),
    tradeHistory: (query) => rest.getSpotTradeHistory(query),
  }),
  margin: (rest) => ({
    orders: () => rest.getMarginOrders(),
    orderHistory: (query) => rest.getMarginOrderHistory(query),
    tradeHistory: (query) => rest.getMarginTradeHistory(query),
  }),
  futures: (rest) => ({
    orders: () => rest.getFuturesOrders(),
    orderHistory: (query) => rest.getFuturesOrderHistory(query),
    tradeHistory: (query) => rest.getFuturesTradeHistory(query),
  }),
};

const PAGE = 1_000;
/** Client order ids looked up at once. */
const NAMES_AT_ONCE = 8;

/** Reads the orders and trades of one market, page by page. */
export class MarketReader {
  readonly market: AccountMarketApi;
  readonly #calls: MarketCalls;
  readonly #ask: MarketRead;

  constructor(market: AccountMarketApi, rest: Rest, ask: MarketRead) {
    this.market = market;
    this.#calls = CALLS[market](rest);
    this.#ask = ask;
  }

  active(): Promise<readonly WireOrder[]> {
    return this.#ask(() => this.#calls.orders());
  }

  /** The id of the newest trade; absent if there is none. */
  async newestTrade(): Promise<number | undefined> {
    const [newest] = await this.#ask(() =>
      this.#calls.tradeHistory({ by: 'id', sort: 'DESC', limit: 1 }),
    );
    return newest?.id;
  }

  /** Orders that were accepted since a time, and maybe some before, newest first. */
  async ordersSince(bound: Micros): Promise<readonly WireOrder[]> {
    const found: WireOrder[] = [];
    for (let till: number | undefined; ;) {
      const page = await this.#ask(() => this.#calls.orderHistory(pageTo(till)));
      found.push(...page);
      const oldest = page.at(-1);
      if (till !== undefined && oldest !== undefined && oldest.id > till) throw unread('orders');
      const isOver = page.some((order) => wasAcceptedBefore(order, bound));
      if (oldest === undefined || page.length < PAGE || isOver || oldest.id === 0) return found;
      till = oldest.id - 1;
    }
  }

  /** The latest order of each name. */
  async ordersNamed(names: readonly string[]): Promise<readonly WireOrder[]> {
    const found: WireOrder[] = [];
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const answers = await Promise.all(
        names
          .slice(at, at + NAMES_AT_ONCE)
          .map((name) => this.#ask(() => this.#calls.orderHistory({ client_order_id: name }))),
      );
      for (const [newest] of answers) if (newest !== undefined) found.push(newest);
    }
    return found;
  }

  /** Trades since a time, and maybe some before, newest first, none twice. */
  async tradesSince(bound: Micros): Promise<readonly WireTrade[]> {
    const found = new Map<string, WireTrade>();
    for (let till: number | undefined; ;) {
      const before = found.size;
      const page = await this.#ask(() => this.#calls.tradeHistory(pageTo(till)));
      for (const trade of page) found.set(`${trade.order_id} ${trade.id}`, trade);
      const oldest = page.at(-1);
      if (till !== undefined && oldest !== undefined && oldest.id > till) throw unread('trades');
      const isOver = page.some(({ timestamp }) => timestamp < bound);
      if (oldest === undefined || page.length < PAGE || isOver) return [...found.values()];
      // Two orders of one account that trade with each other share an id, and a page may end between.
      till = found.size === before ? oldest.id - 1 : oldest.id;
      if (till < 0) return [...found.values()];
    }
  }
}

const pageTo = (till: number | undefined): PageQuery => ({
  by: 'id',
  sort: 'DESC',
  limit: PAGE,
  till: till === undefined ? undefined : { kind: 'number', value: till },
});

/** A history with rows outside of its query would be read for ever. */
export const unread = (what: string): MillraceError =>
  new MillraceError(
    'answer-invalid',
    `The history of ${what} cannot be read to its end: the service shows numbers above the one up to which it was asked.`,
    { field: 'till' },
  );

/** An order that was changed last before a time was accepted before it, whatever it replaced. */
function wasAcceptedBefore(order: WireOrder, bound: Micros): boolean {
  if (order.updated_at < bound) return true;
  // A replacement has the time of creation of the order that it replaced.
  return order.original_client_order_id === undefined && order.created_at < bound;
}
