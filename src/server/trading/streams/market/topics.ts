import type { BookUpdate } from '../../../../exchange/market-data/book-log.ts';
import type { MarketData } from '../../../../exchange/market-data/market-data.ts';
import type { Page } from '../../../../exchange/market-data/page.ts';
import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Topic } from './broadcast.ts';

/** Writes a frame of what a topic begins with, or of what has changed. */
export type Write<T> = (part: 'snapshot' | 'update', value: T) => string;

/** Trades as they happen, oldest first. */
export class TradesTopic implements Topic {
  readonly #market: MarketData;
  readonly #instrument: number;
  readonly #write: Write<readonly PublicTrade[]>;
  #pending: PublicTrade[] = [];

  constructor(market: MarketData, instrument: number, write: Write<readonly PublicTrade[]>) {
    this.#market = market;
    this.#instrument = instrument;
    this.#write = write;
  }

  first(limit: number): string | undefined {
    const page = { by: 'id', sort: 'DESC', limit } as const;
    const trades = this.#market.trades(this.#instrument, page).reverse();
    return trades.length === 0 ? undefined : this.#write('snapshot', trades);
  }

  trade(trade: PublicTrade): void {
    this.#pending.push(trade);
  }

  due(): readonly string[] {
    if (this.#pending.length === 0) return [];
    const frame = this.#write('update', this.#pending);
    this.#pending = [];
    return [frame];
  }
}

/** A book: all of it, then each of its changes, with sequence numbers that increase by one. */
export class BookTopic implements Topic {
  readonly #market: MarketData;
  readonly #instrument: number;
  readonly #write: Write<BookUpdate>;
  #sequence: number;

  constructor(market: MarketData, instrument: number, write: Write<BookUpdate>) {
    this.#market = market;
    this.#instrument = instrument;
    this.#write = write;
    this.#sequence = market.books[instrument].sequence;
  }

  first(): string {
    return this.#write('snapshot', this.#market.books[this.#instrument].snapshot());
  }

  /** After more changes than are kept, a book is sent whole again. */
  due(): readonly string[] {
    const book = this.#market.books[this.#instrument];
    const updates = book.updatesSince(this.#sequence);
    this.#sequence = book.sequence;
    if (updates === undefined) return [this.first()];
    return updates.map((update) => this.#write('update', update));
  }
}

/** A candle of any kind: one of a later period is a new one. */
interface Timed {
  readonly openedAt: number;
}

export interface CandlesSetup<C extends Timed> {
  readonly read: (page: Page) => readonly C[];
  /** The content that distinguishes candles. */
  readonly content: (candle: C) => string;
  readonly write: Write<readonly C[]>;
}

/** Candles of the past, oldest first, then those that have changed or are new. */
export class CandlesTopic<C extends Timed> implements Topic {
  readonly #setup: CandlesSetup<C>;
  /** The latest candle that was sent, and its text. */
  #openedAt = Number.NEGATIVE_INFINITY;
  #reported = '';

  constructor(setup: CandlesSetup<C>) {
    this.#setup = setup;
    this.#remember(this.#setup.read({ sort: 'DESC', limit: 1 }).at(0));
  }

  first(limit: number): string | undefined {
    const candles = [...this.#setup.read({ sort: 'DESC', limit })].reverse();
    return candles.length === 0 ? undefined : this.#setup.write('snapshot', candles);
  }

  due(): readonly string[] {
    const limit = Number.POSITIVE_INFINITY;
    const found = this.#setup.read({ sort: 'ASC', from: this.#openedAt, limit });
    const [previous] = found;
    const isSame =
      previous?.openedAt === this.#openedAt && this.#setup.content(previous) === this.#reported;
    const changed = isSame ? found.slice(1) : found;
    if (changed.length === 0) return [];
    this.#remember(changed.at(-1));
    return [this.#setup.write('update', changed)];
  }

  #remember(candle: C | undefined): void {
    if (candle === undefined) return;
    this.#openedAt = candle.openedAt;
    this.#reported = this.#setup.content(candle);
  }
}
