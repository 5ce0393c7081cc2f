import type { Book } from '../book/book.ts';
import { NONE } from '../orders/orders.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * What stands in the market of one instrument for everybody to see: what the tape shows, less what
 * own orders took of it, and the own orders that rest. It is its own cursor: `start` and `pass`
 * walk through a side from the best price on. Keys are prices times the sign of the side.
 */
export class BookSource {
  readonly #book: Book;
  readonly #tape: RecordedMarket;
  #side = 0;
  #level = NONE;
  /** Key of the level under the cursor, -Infinity at the end. */
  key = NO_KEY;

  constructor(book: Book, tape: RecordedMarket) {
    this.#book = book;
    this.#tape = tape;
  }

  /** Lots at a price of a side; a sum beyond 2^53 - 1 counts as that. */
  lots(side: number, ticks: number): number {
    const orders = this.#book.sides[side];
    const level = orders.at(ticks);
    const sum = this.#tape.sides[side].displayed(ticks) + (level === NONE ? 0 : orders.lots(level));
    return Math.min(sum, Number.MAX_SAFE_INTEGER);
  }

  /** Puts the cursor on the best level of a side. */
  start(side: number): void {
    this.#side = side;
    this.#level = this.#book.sides[side].best();
    this.#tape.sides[side].show();
    this.#settle();
  }

  /** Moves the cursor to the next worse level. */
  pass(): void {
    const orders = this.#book.sides[this.#side];
    const tape = this.#tape.sides[this.#side];
    const { key } = this;
    if (this.#level !== NONE && orders.key(this.#level) === key) {
      this.#level = orders.below(key);
    }
    if (tape.key === key) tape.pass();
    this.#settle();
  }

  #settle(): void {
    const orders = this.#book.sides[this.#side];
    const key = this.#level === NONE ? NO_KEY : orders.key(this.#level);
    this.key = Math.max(key, this.#tape.sides[this.#side].key);
  }
}
