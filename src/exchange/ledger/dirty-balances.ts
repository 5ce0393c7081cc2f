import { grown } from '../queues/grown.ts';

/**
 * Records each balance that changed, once, in the order of the first change. Most requests change
 * only one, which has its own fields.
 */
export class DirtyBalances {
  count = 0;
  /** The first changed balance. */
  #account = 0;
  #currency = 0;
  /** Bits of the currency in a cell, which is an account and a currency. */
  declare private readonly bits: number;
  /** The other changed balances, as cells. */
  #cells = new Int32Array(64);
  /** By cell: the turn in which a balance was noted last. */
  #noted = new Int32Array(64);
  #turn = 1;

  constructor(currencies: number) {
    this.bits = 32 - Math.clz32(Math.max(1, currencies) - 1);
  }

  note(account: number, currency: number): void {
    if (this.count === 0) {
      this.#account = account;
      this.#currency = currency;
      this.count = 1;
    } else if (account !== this.#account || currency !== this.#currency) {
      this.#noteMore(account, currency);
    }
  }

  /** Notes two balances of one account, `first` before `second`. */
  noteBoth(account: number, first: number, second: number): void {
    if (this.count === 0 || account === this.#account) {
      this.note(account, first);
      this.note(account, second);
      return;
    }
    const row = account << this.bits;
    if ((row | (first > second ? first : second)) >= this.#noted.length) this.#grow(row);
    const noted = this.#noted;
    const turn = this.#turn;
    const start = this.count;
    if (start + 2 > this.#cells.length) this.#cells = grown(this.#cells);
    const cells = this.#cells;
    let end = start;
    if (noted[row | first] !== turn) {
      noted[row | first] = turn;
      cells[end] = row | first;
      end += 1;
    }
    if (noted[row | second] !== turn) {
      noted[row | second] = turn;
      cells[end] = row | second;
      end += 1;
    }
    this.count = end;
  }

  #noteMore(account: number, currency: number): void {
    const cell = (account << this.bits) | currency;
    if (cell >= this.#noted.length) this.#grow(account << this.bits);
    if (this.#noted[cell] === this.#turn) return;
    this.#noted[cell] = this.#turn;
    const index = this.count;
    if (index === this.#cells.length) this.#cells = grown(this.#cells);
    this.#cells[index] = cell;
    this.count = index + 1;
  }

  account(index: number): number {
    return index === 0 ? this.#account : this.#cells[index] >> this.bits;
  }

  currency(index: number): number {
    return index === 0 ? this.#currency : this.#cells[index] & ((1 << this.bits) - 1);
  }

  clear(): void {
    this.count = 0;
    this.#turn = (this.#turn + 1) | 0;
  }

  /** Makes room for all balances of the account whose cells begin at `row`. */
  #grow(row: number): void {
    const end = row + (1 << this.bits);
    while (end > this.#noted.length) this.#noted = grown(this.#noted);
  }
}
