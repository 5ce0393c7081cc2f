import { MillraceError } from '../../../model/errors.ts';
import { LAST, SELL, TRADE } from '../../../model/events.ts';
import { US_PER_MS } from '../../../platform/time.ts';
import { countOf, stampOf, type MarketSubscriptions, type Feed } from './subscriptions.ts';
import type { PublicTrade, PublicTradeHistory } from './trade-history.ts';

interface Reported {
  readonly t?: unknown;
  readonly i?: unknown;
  readonly p?: unknown;
  readonly q?: unknown;
  readonly s?: unknown;
}

/** A trade as its row has it. */
export interface TradeRow {
  readonly id: number;
  readonly stampedAt: number;
  readonly ticks: number;
  readonly lots: number;
  readonly sells: boolean;
}

/** Most live trades that wait for missed ones; beyond it the history is read for these too. */
const WAITING_TRADES_MAX = 10_000;
/** How often to read the history again while it lacks the trade that the socket sent. */
const LAGS_MAX = 5;
const LAG_US = 500 * US_PER_MS;

/**
 * Trades: a TRADE row for each, in the order of their numbers, none twice. The snapshot of the channel,
 * which has the latest trade alone, says where the live ones begin. After a loss, the trades between the
 * last emitted one and that one are fetched by number and emitted, then those received live meanwhile;
 * these rows carry the time at which they are emitted. Numbers need not follow each other, as a service may
 * count those of all symbols together.
 *
 * A trade with a lower number and a later time than the last is from a service that restarted its numbers.
 */
export class TradeFeed implements Feed {
  readonly ch = 'trades';
  readonly limit = 1;
  readonly mayBeEmpty = true;
  readonly #subscriptions: MarketSubscriptions;
  readonly #history: PublicTradeHistory;
  #state: 'waiting' | 'catching-up' | 'live' = 'waiting';
  /** The last emitted trade, or before the first the last that there was; NaN before that. */
  #lastId = Number.NaN;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** The last trade to be fetched. */
  #missedTo = Number.NaN;
  #waiting: TradeRow[] = [];
  /** Counts losses, to ignore answers from before one. */
  #life = 0;

  constructor(subscriptions: MarketSubscriptions, history: PublicTradeHistory) {
    this.#subscriptions = subscriptions;
    this.#history = history;
  }

  get isReady(): boolean {
    return this.#state === 'live';
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  take(part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean {
    if (!Array.isArray(payload)) return false;
    if (this.#state === 'live' && part === 'update') return this.#live(payload, receivedAt);
    const trades: TradeRow[] = [];
    for (const one of payload as readonly unknown[]) {
      const trade = this.#read(one);
      if (trade === undefined) return false;
      trades.push(trade);
    }
    if (part === 'snapshot') this.#begin(trades.at(-1), []);
    else if (this.#state === 'catching-up') this.#wait(trades);
    // Without a snapshot the first update marks the start of the live ones.
    else this.#begin(undefined, trades);
    return true;
  }

  lose(): void {
    this.#life += 1;
    this.#state = 'waiting';
    this.#waiting = [];
  }

  close(): void {
    this.lose();
  }

  /** The hot path: a row for each trade of a frame, and nothing kept. */
  #live(payload: readonly unknown[], receivedAt: number): boolean {
    const { rows, price, size } = this.#subscriptions;
    rows.clear();
    for (let at = 0; at < payload.length; at += 1) {
      const reported = payload[at] as Reported | null;
      if (typeof reported !== 'object' || reported === null) return this.#broken();
      const id = countOf(reported.i);
      const stampedAt = stampOf(reported.t);
      const ticks = price.read(reported.p);
      const lots = size.read(reported.q);
      const { s: side } = reported;
      if (!(id >= 0 && stampedAt >= 0 && ticks > 0 && lots > 0)) return this.#broken();
      if (side !== 'buy' && side !== 'sell') return this.#broken();
      if (id <= this.#lastId && !this.#countsAnew(id, stampedAt)) continue;
      this.#lastId = id;
      this.#lastAt = stampedAt;
      const flags = side === 'sell' ? SELL : 0;
      rows.add(receivedAt, stampedAt, TRADE, flags, id, ticks, lots, 0, 0, 0);
    }
    this.#reported();
    return true;
  }

  /** Emits what was read before the trade that cannot be read. */
  #broken(): false {
    this.#reported();
    return false;
  }

  #reported(): void {
    const { rows } = this.#subscriptions;
    if (rows.length === 0) return;
    rows.end();
    this.#subscriptions.emit();
  }

  #read(given: unknown): TradeRow | undefined {
    const reported = given as Reported | null;
    if (typeof reported !== 'object' || reported === null) return undefined;
    const id = countOf(reported.i);
    const stampedAt = stampOf(reported.t);
    const ticks = this.#subscriptions.price.read(reported.p);
    const lots = this.#subscriptions.size.read(reported.q);
    const isSide = reported.s === 'buy' || reported.s === 'sell';
    if (!(isSide && id >= 0 && stampedAt >= 0 && ticks > 0 && lots > 0)) return undefined;
    return { id, stampedAt, ticks, lots, sells: reported.s === 'sell' };
  }

  /** The live trades begin behind `last`, with those of `live`. */
  #begin(last: TradeRow | undefined, live: readonly TradeRow[]): void {
    const [first] = live;
    const isLate = this.#state === 'live' && this.#lastId < 0;
    if (Number.isNaN(this.#lastId) || isLate) {
      // Trades before the first connection are not missed, nor those of a late first snapshot.
      this.#lastId = last?.id ?? -1;
      this.#lastAt = last?.stampedAt ?? this.#lastAt;
      this.#emitNew(live);
      return;
    }
    if (
      last !== undefined &&
      last.id <= this.#lastId &&
      this.#countsAnew(last.id, last.stampedAt)
    ) {
      this.#lastId = -1;
    }
    const missedTo = last?.id ?? (first === undefined ? Number.NaN : first.id - 1);
    if (!(missedTo > this.#lastId)) {
      if (this.#state !== 'catching-up') this.#emitNew(live);
      return;
    }
    this.#waiting.push(...live);
    if (this.#state === 'catching-up') {
      this.#missedTo = Math.max(this.#missedTo, missedTo);
      return;
    }
    this.#missedTo = missedTo;
    this.#state = 'catching-up';
    void this.#catchUp();
  }

  #wait(trades: readonly TradeRow[]): void {
    this.#waiting.push(...trades);
    const latest = this.#waiting.at(-1);
    if (this.#waiting.length <= WAITING_TRADES_MAX || latest === undefined) return;
    this.#missedTo = latest.id;
    this.#waiting = [];
  }

  async #catchUp(): Promise<void> {
    const life = this.#life;
    const isWanted = (): boolean => life === this.#life;
    for (let lags = 0; this.#lastId < this.#missedTo;) {
      const from = this.#lastId + 1;
      const page = await this.#subscriptions.read(
        () => this.#history.after(this.#subscriptions.instrument.symbol, from, this.#missedTo),
        isWanted,
      );
      if (page === undefined || !isWanted()) return;
      this.#emitAll(page.trades.map((trade) => this.#row(trade)));
      if (!isWanted()) return;
      if (page.isFull || this.#lastId >= this.#missedTo) continue;
      lags += 1;
      if (lags < LAGS_MAX) {
        if (!(await this.#subscriptions.pause(LAG_US, isWanted))) return;
        continue;
      }
      this.#subscriptions.warn(this.#missing());
      this.#lastId = this.#missedTo;
    }
    this.#emitNew(this.#waiting);
  }

  /** Emits new trades, and switches to live ones. */
  #emitNew(trades: readonly TradeRow[]): void {
    this.#waiting = [];
    this.#state = 'live';
    this.#emitAll(trades);
    this.#subscriptions.ready();
  }

  #emitAll(trades: readonly TradeRow[]): void {
    const { rows } = this.#subscriptions;
    const now = this.#subscriptions.now();
    rows.clear();
    for (const { id, stampedAt, ticks, lots, sells } of trades) {
      if (id <= this.#lastId) continue;
      this.#lastId = id;
      if (!(ticks > 0 && lots > 0)) {
        this.#subscriptions.warn(this.#unreadable(id));
        continue;
      }
      this.#lastAt = stampedAt;
      rows.add(now, stampedAt, TRADE, sells ? SELL | LAST : LAST, id, ticks, lots, 0, 0, 0);
    }
    if (rows.length > 0) this.#subscriptions.emit();
  }

  #row({ id, price, qty, side, timestamp }: PublicTrade): TradeRow {
    return {
      id,
      stampedAt: timestamp,
      ticks: this.#subscriptions.price.of(price),
      lots: this.#subscriptions.size.of(qty),
      sells: side === 'sell',
    };
  }

  #countsAnew(id: number, stampedAt: number): boolean {
    if (stampedAt <= this.#lastAt) return false;
    const { symbol } = this.#subscriptions.instrument;
    this.#subscriptions.warn(
      new MillraceError(
        'answer-invalid',
        `The service restarted the trade numbers of ${symbol}: number ${id} came after ${this.#lastId}. Trades between them may be missing.`,
        { field: 'i' },
      ),
    );
    return true;
  }

  #unreadable(id: number): MillraceError {
    const { symbol } = this.#subscriptions.instrument;
    return new MillraceError(
      'answer-invalid',
      `The trade ${id} of ${symbol} has no price and quantity above zero; it was left out.`,
      { field: 'price' },
    );
  }

  #missing(): MillraceError {
    const { symbol } = this.#subscriptions.instrument;
    return new MillraceError(
      'answer-invalid',
      `The service does not list its trade ${this.#missedTo} of ${symbol}; trades after ${this.#lastId} may be missing.`,
      { field: 'id' },
    );
  }
}
