import { createHash } from 'node:crypto';

/** Bytes that are gathered before they are hashed: a call of the hash costs more than its bytes. */
const BLOCK_BYTES = 1 << 16;
/** The longest text that is written in one piece. */
const PIECE_CHARACTERS = 1 << 12;
/** No number of a row: what stands where a field is absent. */
const ABSENT = Number.NEGATIVE_INFINITY;
/** Lengths of texts that stand as they are; beyond, that a text is absent or longer. */
const SHORT_MAX = 0xfd;
const NO_TEXT = 0xfe;
const LONG_TEXT = 0xff;
/** Words that have a number, from 1 on. */
const WORDS_MAX = 0xff;
const LATIN_MAX = 0xff;

/**
 * SHA-256 over binary rows. Every value says how long it is, so that no two sequences of values have
 * the same bytes: numbers are doubles, and text has its length and one byte a character, two where a
 * character needs them. Words that come again and again have a number from their second time on.
 * Little-endian on every machine.
 */
export class HashBytes {
  readonly #sha = createHash('sha256');
  readonly #bytes = new Uint8Array(BLOCK_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #words = new Map<string, number>();
  #end = 0;

  /** A small whole number, 0 to 255: what a row is, or one of few words. */
  code(value: number): void {
    if (this.#end + 1 > BLOCK_BYTES) this.#flush();
    this.#bytes[this.#end] = value;
    this.#end += 1;
  }

  /** A finite number, or that there is none. */
  number(value: number | undefined): void {
    if (this.#end + 8 > BLOCK_BYTES) this.#flush();
    this.#view.setFloat64(this.#end, value ?? ABSENT, true);
    this.#end += 8;
  }

  /** A text, or that there is none. */
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

  /** A text of which there are few: the name of a field, a symbol, a currency. */
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
