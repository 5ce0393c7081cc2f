/** How many different prices the orders of a run have. */
const PRICES = 1_000;

/**
 * Requests of a trader, one after the other: limit orders that rest at many prices, and every second
 * time the cancel of the order before, so that the book stays as it is however long the run.
 */
export class OrderStream {
  readonly #name: string;
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** The next order that rests; its number is the id of the request. */
  place(): string {
    const number = this.#count;
    this.#count += 1;
    const price = (30_000 + (number % PRICES)).toFixed(2);
    return (
      `{"method":"spot_new_order","params":{"client_order_id":"${this.#id(number)}",` +
      `"symbol":"BTCUSDT","side":"buy","quantity":"0.00150","price":"${price}"},"id":${number}}`
    );
  }

  /** The cancel of an order that was placed. */
  cancel(number: number): string {
    return `{"method":"spot_cancel_order","params":{"client_order_id":"${this.#id(number)}"},"id":${-1 - number}}`;
  }

  #id(number: number): string {
    return `${this.#name}-${number.toString(36).padStart(8, '0')}`;
  }
}
