import { createHash } from 'node:crypto';

/** Bytes collected before each call of the hash, which costs more than its bytes. */
const BLOCK_BYTES = 1 << 16;
/** Most characters written in one piece. */
const PIECE_CHARACTERS = 1 << 12;
/** Marks an absent field; no row has this number. */
const ABSENT = Number.NEGATIVE_INFINITY;
/** Longest text with a one-byte length; higher values mark an absent or longer one. */
const SHORT_MAX = 0xfd;
const NO_TEXT = 0xfe;
const LONG_TEXT = 0xff;
/** Most numbered words, from 1 on. */
const WORDS_MAX = 0xff;
const LATIN_MAX = 0xff;

/**
 * SHA-256 over binary rows. Every value has its length, so that no two sequences of values have the
 * same bytes: numbers are doubles, and text has its length and one byte a character, two if needed.
 * Repeated words have a number from their second occurrence on. Little-endian on every machine.
 */
export class HashBytes {
  readonly #sha = createHash('sha256');
  readonly #bytes = new Uint8Array(BLOCK_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #words = new Map<string, number>();
  #end = 0;

  /** Adds a small whole number, 0 to 255: the kind of a row, or an enumerated value. */
  code(value: number): void {
    if (this.#end + 1 > BLOCK_BYTES) this.#flush();
    this.#bytes[this.#end] = value;
    this.#end += 1;
  }

  /** Adds a finite number, or its absence. */
  number(value: number | undefined): void {
    if (this.#end + 8 > BLOCK_BYTES) this.#flush();
    this.#view.setFloat64(this.#end, value ?? ABSENT, true);
    this.#end += 8;
  }

  /** Adds a text, or its absence. */
  text(value: string | undefined): void {
    if (value === undefined) {
      this.code(NO_TEXT);
      return;
    }
    const { length } = value;
    if (length <= SHORT_MAX) {
      this.code(length);
      this.#piece(value);
      return;
    }
    this.code(LONG_TEXT);
    this.number(length);
    for (let start = 0; start < length; start += PIECE_CHARACTERS) {
      this.#piece(value.slice(start, start + PIECE_CHARACTERS));
    }
  }

  /** Adds a word of a small set: a field name, a symbol, a currency. */
  word(value: string): void {
    const known = this.#words.get(value);
    if (known !== undefined) {
      this.code(known);
      return;
    }
    if (this.#words.size < WORDS_MAX) this.#words.set(value, this.#words.size + 1);
    this.code(0);
    this.text(value);
  }

  /** In hexadecimal; called once. */
  digest(): string {
    this.#flush();
    return this.#sha.digest('hex');
  }

  #piece(text: string): void {
    const { length } = text;
    if (this.#end + 1 + 2 * length > BLOCK_BYTES) this.#flush();
    const bytes = this.#bytes;
    const start = this.#end + 1;
    let index = 0;
    for (; index < length; index += 1) {
      const character = text.charCodeAt(index);
      if (character > LATIN_MAX) break;
      bytes[start + index] = character;
    }
    const isWide = index < length;
    bytes[this.#end] = isWide ? 2 : 1;
    this.#end = start + (isWide ? 2 * length : length);
    if (!isWide) return;
    for (index = 0; index < length; index += 1) {
      this.#view.setUint16(start + 2 * index, text.charCodeAt(index), true);
    }
  }

  #flush(): void {
    this.#sha.update(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
  }
}
