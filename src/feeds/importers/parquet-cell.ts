import type { SchemaElement } from 'hyparquet';
import type { TimeUnit } from './contract.ts';
import { readTime } from './timestamp.ts';

const UTF8 = new TextDecoder();

/** Turns the values of one Parquet column into decimal text or times, without loss. */
export class CellReader {
  /** Digits after the point of a decimal column; `undefined` in others. */
  readonly #scale: number | undefined;
  readonly #isTime: boolean;
  readonly #isSingle: boolean;

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
   * The value as text; the empty text for a null. A binary fraction becomes the shortest decimal
   * that names it, which is the one that was meant where it was read from decimal text.
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
        return this.#scale === undefined ? UTF8.decode(value) : this.#whole(twosComplement(value));
    }
  }

  /** The value as microseconds since 1970; `undefined` when it is no time. */
  time(value: unknown, unit: TimeUnit | undefined): number | undefined {
    if (this.#isTime && typeof value === 'number') return value;
    return readTime(this.text(value), unit);
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
