import type { TradesOf } from './account-history.ts';
import type { TradeRecord } from './order-record.ts';
import { Shelves, TradeSeries, type HistoryQuery } from './series.ts';
import { Timeline } from './timeline.ts';

/** The trades of one account: so many, then the oldest go. */
export class TradeHistory {
  readonly #most: number;
  readonly #all = new Timeline<TradeRecord>(({ id }) => id);
  readonly #shelves = new Shelves<TradeRecord>(() => new TradeSeries());
  readonly #ofOrder = new Map<number, TradeRecord[]>();
  readonly #ofPosition = new Map<number, TradeRecord[]>();

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#all.length;
  }

  keep(trade: TradeRecord): void {
    this.#all.add(trade);
    this.#shelves.add(trade, trade.market, trade.instrument.symbol);
    enter(this.#ofOrder, trade.orderId, trade);
    if (trade.margin !== undefined) enter(this.#ofPosition, trade.margin.positionId, trade);
    for (let oldest = this.#all.first; oldest !== undefined; oldest = this.#all.first) {
      if (this.#all.length <= this.#most) break;
      this.#drop(oldest);
    }
  }

  /** The trades of an order, oldest first. */
  ofOrder(orderId: number): readonly TradeRecord[] {
    return this.#ofOrder.get(orderId) ?? [];
  }

  /** A page of all, or of those of an order or a position. */
  page(query: HistoryQuery, { orderId, positionId }: TradesOf): readonly TradeRecord[] {
    const { by } = query.page;
    if (orderId === undefined && positionId === undefined) {
      return this.#shelves.page(query, ({ id, at }) => (by === 'id' ? id : at));
    }
    const found =
      orderId === undefined
        ? this.#ofPosition.get(positionId ?? 0)
        : this.#ofOrder
            .get(orderId)
            ?.filter(({ margin }) => positionId === undefined || margin?.positionId === positionId);
    return pageOfFew(found ?? [], query);
  }

  #drop(trade: TradeRecord): void {
    this.#all.remove(trade);
    this.#shelves.remove(trade, trade.market, trade.instrument.symbol);
    leave(this.#ofOrder, trade.orderId);
    if (trade.margin !== undefined) leave(this.#ofPosition, trade.margin.positionId);
  }
}

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
function pageOfFew(
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
