import { createHash } from 'node:crypto';

/** A hash has 256 bits, of which a nonce has the upper 53. */
const NONCE_SHIFT = 256n - 53n;

/** Ids of an intent, or a quote. */
export interface IntentNames {
  /** In the form of a random UUID. */
  readonly id: string;
  /** Of the quote of an intent without one; a UUID too. */
  readonly quote: string;
  /** A number below 2^53, so that clients that read JSON numbers as doubles sign the same one. */
  readonly nonce: bigint;
  /** The hash of an undisclosed secret: 32 bytes, hexadecimal with `0x`. */
  readonly secretHash: string;
}

/**
 * Ids, nonces and secrets, derived from a seed and a counter: the same seed and requests have the same
 * ones, and rejected requests use none.
 */
export class IntentIds {
  readonly #seed: number;
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The next ids; the same again until they are used. */
  get next(): IntentNames {
    return {
      id: uuidOf(this.#digest('id')),
      quote: uuidOf(this.#digest('quote')),
      nonce: BigInt(`0x${this.#digest('nonce')}`) >> NONCE_SHIFT,
      secretHash: `0x${hashOf(Buffer.from(this.#digest('secret'), 'hex'))}`,
    };
  }

  /** Uses the next names up. */
  take(): void {
    this.#count += 1;
  }

  #digest(what: string): string {
    return hashOf(JSON.stringify(['millrace swaps', this.#seed, what, this.#count]));
  }
}

const hashOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** 128 bits as a UUID of version 4. */
function uuidOf(hex: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
