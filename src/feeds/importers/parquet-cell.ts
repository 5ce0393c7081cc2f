import type { SchemaElement } from 'hyparquet';
import type { ImportGrid } from './grid.ts';
import { readTime, timeOf, type TimeUnit } from './timestamp.ts';
import { sequenceOf } from './trades.ts';

const UTF8 = new TextDecoder();
/** Below this every decimal of that many steps has at most 15 digits, and is the only one of its double. */
const UNIQUE_MAX = 1e15;
/** Powers of ten up to here are whole in a double. */
const DECIMALS_MAX = 22;
/** Most words, such as sides, that are kept as text, and their length. */
const WORDS_MAX = 4;
const WORD_LENGTH_MAX = 8;

/** Converts the values of one Parquet column into decimal text or times, without loss. */
export class CellReader {
  /** Digits after the point of a decimal column; `undefined` in others. */
  readonly #scale: number | undefined;
  readonly #isTime: boolean;
  readonly #isSingle: boolean;
  readonly #words: (readonly [bytes: Uint8Array, text: string])[] = [];

  constructor(element: SchemaElement) {
    const { converted_type: converted, logical_type: logical, type } = element;
    const decimal = converted === 'DECIMAL' || logical?.type === 'DECIMAL';
    this.#scale = decimal ? scaleOf(element) : undefined;
    this.#isTime =
      type === 'INT96' ||
      converted === 'DATE' ||
      logical?.type === 'DATE' ||
      logical?.type === 'TIMESTAMP' ||
      (converted?.startsWith('TIMESTAMP') ?? false);
    this.#isSingle = type === 'FLOAT';
  }

  /**
   * The value as text; empty for a null. A binary fraction becomes its shortest decimal, which is the
   * original if it was read from decimal text.
   */
  text(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return value;
      case 'boolean':
        return String(value);
      case 'bigint':
        return this.#whole(value);
      case 'number':
        if (this.#scale !== undefined) return this.#whole(BigInt(value));
        return this.#isSingle ? shortestSingle(value) : String(value);
      default:
        if (!(value instanceof Uint8Array)) return '';
        return this.#scale === undefined ? this.#word(value) : this.#whole(twosComplement(value));
    }
  }

  /** Steps of a grid; NaN if the value is not a whole number of them. */
  steps(value: unknown, grid: ImportGrid): number {
    if (typeof value !== 'number' || this.#scale !== undefined || this.#isSingle) {
      return grid.count(this.text(value));
    }
    const { decimals, unit } = grid;
    if (decimals > DECIMALS_MAX) return grid.count(this.text(value));
    // The shortest decimal of this double is the one with 15 digits.
    const power = 10 ** decimals;
    const count = Math.round(value * power);
    if (!(count >= 0 && count < UNIQUE_MAX) || count / power !== value || count % unit !== 0) {
      return grid.count(this.text(value));
    }
    return count / unit + 0;
  }

  /** A trade id as a number if it is a whole one that a double holds, otherwise 0. */
  sequence(value: unknown): number {
    return this.#whole53(value) ?? sequenceOf(this.text(value));
  }

  /** The value as microseconds since 1970; `undefined` when it is no time. */
  time(value: unknown, unit: TimeUnit | undefined): number | undefined {
    if (this.#isTime && typeof value === 'number') return value;
    const whole = this.#whole53(value);
    if (whole !== undefined) {
      const at = timeOf(whole, unit);
      return at === at ? at : undefined;
    }
    return readTime(this.text(value), unit);
  }

  /** The value if it is a whole number from 0 to 2^53. */
  #whole53(value: unknown): number | undefined {
    if (this.#scale !== undefined || (typeof value !== 'bigint' && typeof value !== 'number')) {
      return undefined;
    }
    const number = Number(value);
    return Number.isSafeInteger(number) && number >= 0 ? number + 0 : undefined;
  }

  #word(bytes: Uint8Array): string {
    if (bytes.length > WORD_LENGTH_MAX) return UTF8.decode(bytes);
    const words = this.#words;
    for (const [known, text] of words) if (isSame(known, bytes)) return text;
    const text = UTF8.decode(bytes);
    if (words.length < WORDS_MAX) words.push([bytes.slice(), text]);
    return text;
  }

  #whole(value: bigint): string {
    const scale = this.#scale ?? 0;
    if (scale === 0) return String(value);
    const negative = value < 0n;
    const digits = String(negative ? -value : value).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

function scaleOf(element: SchemaElement): number {
  const logical = element.logical_type;
  return element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0);
}

/** A big-endian whole number of any length, as Parquet stores decimals in bytes. */
function twosComplement(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** The shortest decimal that names a single-precision number; nine digits always do. */
function shortestSingle(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toPrecision(9);
}
