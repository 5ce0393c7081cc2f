import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { OrderRecord, TradeRecord } from './order-record.ts';
import type { Page } from './page.ts';
import { OrderedHistory, type HistoryIterator } from './ordered-history.ts';

/** An order in the history: its latest state, its namesakes before and after it, and its trades. */
export interface StoredOrder {
  readonly id: number;
  record: OrderRecord;
  older: StoredOrder | undefined;
  newer: StoredOrder | undefined;
  /** Oldest first. */
  trades: TradeRecord[] | undefined;
}

/** Orders of a market, or of a symbol of it. */
export class OrderSeries {
  readonly #byId = new OrderedHistory<StoredOrder>(({ id }) => id);
  /** A replacement was created when the order was that it replaced. */
  readonly #byTime = new OrderedHistory<StoredOrder>(({ record }) => record.createdAt);

  get length(): number {
    return this.#byId.length;
  }

  add(order: StoredOrder): void {
    this.#byId.add(order);
    this.#byTime.add(order);
  }

  remove(order: StoredOrder): void {
    this.#byId.remove(order);
    this.#byTime.remove(order);
  }

  walk(page: Page): HistoryIterator<StoredOrder> {
    return (page.by === 'id' ? this.#byId : this.#byTime).between(page);
  }
}

/** Trades of a market, or of a symbol of it. */
export class TradeSeries {
  /** Time rises with the numbers of trades. */
  readonly #byId = new OrderedHistory<TradeRecord>(({ id }) => id);

  get length(): number {
    return this.#byId.length;
  }

  add(trade: TradeRecord): void {
    this.#byId.add(trade);
  }

  remove(trade: TradeRecord): void {
    this.#byId.remove(trade);
  }

  walk(page: Page): HistoryIterator<TradeRecord> {
    return page.by === 'id' ? this.#byId.between(page) : this.#byId.between(page, ({ at }) => at);
  }
}

/** A query of a history. */
export interface HistoryQuery {
  readonly markets: readonly OrderMarket[];
  /** Empty means all. */
  readonly symbols: readonly string[];
  readonly page: Page;
}

interface Series<T> {
  readonly length: number;
  add(item: T): void;
  remove(item: T): void;
  walk(page: Page): HistoryIterator<T>;
}

/** Records by market and by symbol, so that each list is read without scanning others. */
export class OrderIndexes<T extends { readonly id: number }> {
  readonly #make: () => Series<T>;
  readonly #markets = new Map<OrderMarket, Series<T>>();
  readonly #symbols: Readonly<Record<OrderMarket, Map<string, Series<T>>>> = {
    spot: new Map(),
    margin: new Map(),
    futures: new Map(),
  };

  constructor(make: () => Series<T>) {
    this.#make = make;
  }

  /** How many there are. */
  get length(): number {
    let length = 0;
    for (const series of this.#markets.values()) length += series.length;
    return length;
  }

  /** The record of an id. */
  find(id: number): T | undefined {
    const page = { by: 'id', sort: 'ASC', from: id, till: id, limit: 1, offset: 0 } as const;
    for (const series of this.#markets.values()) {
      const found = series.walk(page).peek();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  add(item: T, market: OrderMarket, symbol: string): void {
    this.#of(this.#markets, market).add(item);
    this.#of(this.#symbols[market], symbol).add(item);
  }

  remove(item: T, market: OrderMarket, symbol: string): void {
    this.#of(this.#markets, market).remove(item);
    const symbols = this.#symbols[market];
    const series = this.#of(symbols, symbol);
    series.remove(item);
    if (series.length === 0) symbols.delete(symbol);
  }

  /** A page of the records of a query, in the order of `keyOf` and then of ids. */
  page({ markets, symbols, page }: HistoryQuery, keyOf: (item: T) => number): readonly T[] {
    const series =
      symbols.length === 0
        ? markets.map((market) => this.#markets.get(market))
        : markets.flatMap((market) =>
            [...new Set(symbols)].map((symbol) => this.#symbols[market].get(symbol)),
          );
    const walks = series.flatMap((one) => (one === undefined ? [] : [one.walk(page)]));
    const sign = page.sort === 'ASC' ? 1 : -1;
    return merged(
      walks,
      page,
      (one, other) => sign * (keyOf(one) - keyOf(other) || one.id - other.id),
    );
  }

  #of<K>(map: Map<K, Series<T>>, key: K): Series<T> {
    let series = map.get(key);
    if (series === undefined) map.set(key, (series = this.#make()));
    return series;
  }
}

/** Takes a page from several walks at once, always the first item. */
function merged<T>(
  walks: readonly HistoryIterator<T>[],
  { offset, limit }: Page,
  compare: (one: T, other: T) => number,
): readonly T[] {
  skipMerged(walks, offset, compare);
  const found: T[] = [];
  while (found.length < limit) {
    const first = firstOf(walks, 0, compare);
    const item = first?.peek();
    if (first === undefined || item === undefined) break;
    found.push(item);
    first.skip(1);
  }
  return found;
}

/**
 * Skips the first `count` items of several walks together. Of the walks that have a share of them ahead,
 * the one whose share ends first cannot have gone too far with it.
 */
function skipMerged<T>(
  walks: readonly HistoryIterator<T>[],
  count: number,
  compare: (one: T, other: T) => number,
): void {
  let share = count;
  for (let rest = count; rest > 0;) {
    share = Math.max(1, Math.min(share, Math.floor(rest / walks.length)));
    const first = firstOf(walks, share - 1, compare);
    if (first !== undefined) {
      first.skip(share);
      rest -= share;
    } else if (share > 1) {
      share = Math.floor(share / 2);
    } else {
      return;
    }
  }
}

/** The walk whose item that many positions ahead comes first; none has to have one. */
function firstOf<T>(
  walks: readonly HistoryIterator<T>[],
  ahead: number,
  compare: (one: T, other: T) => number,
): HistoryIterator<T> | undefined {
  let first: HistoryIterator<T> | undefined;
  let item: T | undefined;
  for (const walk of walks) {
    const next = walk.peek(ahead);
    if (next === undefined || (item !== undefined && compare(item, next) <= 0)) continue;
    first = walk;
    item = next;
  }
  return first;
}
