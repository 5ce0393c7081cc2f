import { createHash } from 'node:crypto';

/** Letters and digits of the ids of orders. */
const PLAIN = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Those of rate ids, which clients must not take apart. */
const RICH = `${PLAIN}ABCDEFGHIJKLMNOPQRSTUVWXYZ&$%@#^*(~+`;

const ORDER_LENGTH = 16;
const RATE_LENGTH = 30;
/** Digits only, as destination tags have them. */
const EXTRA_LENGTH = 9;

/** Ids, derived from a seed and counters: the same seed and requests have the same ones. */
export class OrderIds {
  readonly #seed: number;
  #orders = 0;
  #rates = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The id of the next order; the same again until it is used. */
  get nextOrder(): string {
    return spell(this.#digest('order', this.#orders), PLAIN, ORDER_LENGTH);
  }

  takeOrder(): void {
    this.#orders += 1;
  }

  /** A rate id that there was never before. */
  takeRate(): string {
    this.#rates += 1;
    return spell(this.#digest('rate', this.#rates), RICH, RATE_LENGTH);
  }

  /** The extra id required with a payment to an order, if the currency has one. */
  extraIdOf(order: string): string {
    return `1${spell(this.#digest('extra', order), PLAIN.slice(0, 10), EXTRA_LENGTH - 1)}`;
  }

  #digest(what: string, which: number | string): bigint {
    const text = JSON.stringify(['millrace exchange orders', this.#seed, what, which]);
    return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  }
}

function spell(number: bigint, letters: string, length: number): string {
  const base = BigInt(letters.length);
  let rest = number;
  let text = '';
  while (text.length < length) {
    text += letters.charAt(Number(rest % base));
    rest /= base;
  }
  return text;
}
