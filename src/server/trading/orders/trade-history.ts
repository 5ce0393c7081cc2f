import { positionsOf } from '../margin/trade-margin.ts';
import type { TradeRecord } from './order-record.ts';
import { OrderIndexes, TradeSeries, type HistoryQuery } from './series.ts';
import { OrderedHistory } from './ordered-history.ts';

/** The trades of one account, up to a limit; the oldest are dropped. */
export class TradeHistory {
  readonly #most: number;
  readonly #all = new OrderedHistory<TradeRecord>(({ id }) => id);
  readonly #indexes = new OrderIndexes<TradeRecord>(() => new TradeSeries());
  readonly #ofPosition = new Map<number, TradeRecord[]>();

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#all.length;
  }

  /** Adds a trade, and returns the one that is dropped for it. */
  record(trade: TradeRecord): TradeRecord | undefined {
    this.#all.add(trade);
    this.#indexes.add(trade, trade.market, trade.instrument.symbol);
    for (const positionId of positionsOf(trade)) enter(this.#ofPosition, positionId, trade);
    const oldest = this.#all.first;
    if (oldest === undefined || this.#all.length <= this.#most) return undefined;
    this.#drop(oldest);
    return oldest;
  }

  /** The trades of a position, oldest first. */
  ofPosition(positionId: number): readonly TradeRecord[] {
    return this.#ofPosition.get(positionId) ?? NOTHING;
  }

  /** A page of all. */
  page(query: HistoryQuery): readonly TradeRecord[] {
    const { by } = query.page;
    return this.#indexes.page(query, ({ id, at }) => (by === 'id' ? id : at));
  }

  #drop(trade: TradeRecord): void {
    this.#all.remove(trade);
    this.#indexes.remove(trade, trade.market, trade.instrument.symbol);
    for (const positionId of positionsOf(trade)) leave(this.#ofPosition, positionId);
  }
}

const NOTHING: readonly TradeRecord[] = [];

function enter(lists: Map<number, TradeRecord[]>, key: number, trade: TradeRecord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [trade]);
  else list.push(trade);
}

/** The oldest trade of all goes, which is the oldest of its list. */
function leave(lists: Map<number, TradeRecord[]>, key: number): void {
  const list = lists.get(key);
  list?.shift();
  if (list?.length === 0) lists.delete(key);
}

/** A page of trades that are listed oldest first already. */
export function pageOfTrades(
  trades: readonly TradeRecord[],
  { markets, symbols, page }: HistoryQuery,
): readonly TradeRecord[] {
  const { by, from, till, sort, offset, limit } = page;
  const fitting = trades.filter(({ id, at, market, instrument }) => {
    const key = by === 'id' ? id : at;
    const isThere = symbols.length === 0 || symbols.includes(instrument.symbol);
    return isThere && markets.includes(market) && key >= from && key <= till;
  });
  return (sort === 'ASC' ? fitting : fitting.toReversed()).slice(offset, offset + limit);
}
