import type { Book } from '../book/book.ts';
import { NONE } from '../orders/orders.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * The public market of one instrument: the recorded market less what own orders took of it, and the
 * resting own orders. It is its own cursor: `start` and `pass` walk a side from the best price on.
 * Keys are prices times the sign of the side.
 */
export class BookSource {
  readonly #book: Book;
  readonly #market: RecordedMarket;
  #side = 0;
  #level = NONE;
  /** Key of the level under the cursor, -Infinity at the end. */
  key = NO_KEY;

  constructor(book: Book, market: RecordedMarket) {
    this.#book = book;
    this.#market = market;
  }

  /** Lots at a price of a side; a sum beyond 2^53 - 1 counts as that. */
  lots(side: number, ticks: number): number {
    const orders = this.#book.sides[side];
    const level = orders.at(ticks);
    const sum =
      this.#market.sides[side].displayed(ticks) + (level === NONE ? 0 : orders.lots(level));
    return Math.min(sum, Number.MAX_SAFE_INTEGER);
  }

  /** Moves the cursor to the best level of a side. */
  start(side: number): void {
    this.#side = side;
    this.#level = this.#book.sides[side].best();
    this.#market.sides[side].show();
    this.#settle();
  }

  /** Moves the cursor to the next worse level. */
  pass(): void {
    const orders = this.#book.sides[this.#side];
    const market = this.#market.sides[this.#side];
    const { key } = this;
    if (this.#level !== NONE && orders.key(this.#level) === key) {
      this.#level = orders.below(key);
    }
    if (market.key === key) market.pass();
    this.#settle();
  }

  #settle(): void {
    const orders = this.#book.sides[this.#side];
    const key = this.#level === NONE ? NO_KEY : orders.key(this.#level);
    this.key = Math.max(key, this.#market.sides[this.#side].key);
  }
}
