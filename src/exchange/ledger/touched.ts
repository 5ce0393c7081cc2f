/** Remembers each balance that changed, once, in the order of the first change. */
export class Touched {
  count = 0;
  declare private readonly currencies: number;
  /** Accounts and currencies by turns, as dividing a cell by their number would take longer. */
  #pairs = new Int32Array(64);
  /** Of each balance the turn in which it was noted last. */
  #noted = new Int32Array(64);
  #turn = 1;

  constructor(currencies: number) {
    this.currencies = currencies;
  }

  note(account: number, currency: number): void {
    const cell = Math.imul(account, this.currencies) + currency;
    if (cell >= this.#noted.length) this.#grow(cell);
    if (this.#noted[cell] === this.#turn) return;
    this.#noted[cell] = this.#turn;
    const pair = this.count << 1;
    if (pair === this.#pairs.length) this.#pairs = doubled(this.#pairs);
    this.#pairs[pair] = account;
    this.#pairs[pair | 1] = currency;
    this.count += 1;
  }

  account(index: number): number {
    return this.#pairs[index << 1];
  }

  currency(index: number): number {
    return this.#pairs[(index << 1) | 1];
  }

  clear(): void {
    this.count = 0;
    this.#turn = (this.#turn + 1) | 0;
  }

  #grow(cell: number): void {
    while (cell >= this.#noted.length) this.#noted = doubled(this.#noted);
  }
}

function doubled(old: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * old.length);
  grown.set(old);
  return grown;
}
