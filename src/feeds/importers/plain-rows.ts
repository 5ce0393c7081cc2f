import { parseIsoTime, US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';
import type { ImportGrid } from './grid.ts';
import { timeOf, type TimeUnit } from './timestamp.ts';

/** How a column of plain text is read. */
export type PlainColumn =
  /** Microseconds since 1970: ISO 8601 to the second, or a whole number of a unit. */
  | { readonly kind: 'time'; readonly unit: TimeUnit | undefined }
  /** Steps of a grid: digits, and perhaps a point among them. An empty field is 0 with `orZero`. */
  | { readonly kind: 'steps'; readonly grid: ImportGrid; readonly orZero?: boolean }
  /** A whole number; 0 for any other text, and for one that a double does not hold. */
  | { readonly kind: 'id' }
  /** One of these words, by its index among them. */
  | { readonly kind: 'word'; readonly words: readonly string[] };

/** A column by its index in the row. */
export type IndexedColumn = readonly [index: number, column: PlainColumn];

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const DASH = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
/** Every number of this many digits is whole in a double. */
const DIGITS_MAX = 15;
/** Those of a time of our age in nanoseconds, and how many of them are finer than a microsecond. */
const NANO_DIGITS = 19;
const NANO_PLACES = 3;
const DATE_LENGTH = 10;
const POWERS = Array.from({ length: DIGITS_MAX + 1 }, (_, exponent) => 10 ** exponent);

/**
 * Reads the rows of a text file straight from their bytes, as long as they are plain: no quotation marks,
 * no blanks, numbers as digits with a point. It is the fast path of an importer: any other row is left to
 * the reader of text fields, which reports its errors.
 */
export class PlainRows {
  /** Values of the last row's columns, in the given order. */
  readonly values: Float64Array;
  readonly #separator: number;
  /** For each column of the row its parser, and the index of its value. */
  readonly #columns: readonly (Compiled | undefined)[];
  readonly #date = new Uint8Array(DATE_LENGTH);
  #midnight = 0;

  private constructor(
    separator: string,
    columns: readonly (Compiled | undefined)[],
    values: Float64Array,
  ) {
    this.#separator = separator.charCodeAt(0);
    this.#columns = columns;
    this.values = values;
  }

  /**
   * The reader of rows with this number of columns, of which these are read; `undefined` if there is no
   * fast path: two of them are one column, or a grid is too fine.
   */
  static of(
    separator: string,
    width: number,
    columns: readonly IndexedColumn[],
  ): PlainRows | undefined {
    const compiled: (Compiled | undefined)[] = Array.from({ length: width });
    for (const [slot, [index, column]] of columns.entries()) {
      const isFine = column.kind === 'steps' && column.grid.decimals > DIGITS_MAX;
      if (compiled[index] !== undefined || isFine) return undefined;
      compiled[index] = compile(column, slot);
    }
    return new PlainRows(separator, compiled, new Float64Array(columns.length));
  }

  /**
   * Reads the row at an offset; the bytes end with a line end. Returns the start of the next one, or -1 if
   * the row is not plain.
   */
  read(bytes: Uint8Array, from: number): number {
    const separator = this.#separator;
    const columns = this.#columns;
    let at = from;
    for (let index = 0; index < columns.length; index += 1) {
      if (index > 0) {
        if (bytes[at] !== separator) return -1;
        at += 1;
      }
      const column = columns[index];
      at = column === undefined ? this.#skip(bytes, at) : this.#field(column, bytes, at);
      if (at < 0) return -1;
    }
    // Fields that the header does not name are of no matter.
    while (bytes[at] === separator) {
      at = this.#skip(bytes, at + 1);
      if (at < 0) return -1;
    }
    if (bytes[at] === RETURN) at += 1;
    return bytes[at] === NEWLINE ? at + 1 : -1;
  }

  #field(column: Compiled, bytes: Uint8Array, at: number): number {
    switch (column.kind) {
      case 'steps':
        return this.#steps(column, bytes, at);
      case 'time':
        return bytes[at + 4] === DASH
          ? this.#isoTime(column, bytes, at)
          : this.#number(column, bytes, at);
      case 'word':
        return this.#word(column, bytes, at);
      case 'id':
        return this.#id(column, bytes, at);
    }
  }

  /** End of the field; -1 for one with a quotation mark. */
  #skip(bytes: Uint8Array, from: number): number {
    const separator = this.#separator;
    let at = from;
    for (let byte = bytes[at]; byte !== separator && byte !== NEWLINE; byte = bytes[at]) {
      if (byte === QUOTE) return -1;
      at += 1;
    }
    return at;
  }

  #steps(column: CompiledSteps, bytes: Uint8Array, from: number): number {
    let at = from;
    let byte = bytes[at];
    let value = 0;
    for (; byte >= ZERO && byte <= NINE; byte = bytes[at]) {
      value = value * 10 + (byte - ZERO);
      at += 1;
    }
    if (at === from) {
      if (!column.orZero || byte !== this.#separator) return -1;
      this.values[column.slot] = 0;
      return at;
    }
    let missing = column.decimals;
    let digits = at - from;
    if (byte === POINT) {
      byte = bytes[++at];
      for (; missing > 0 && byte >= ZERO && byte <= NINE; byte = bytes[++at]) {
        value = value * 10 + (byte - ZERO);
        missing -= 1;
        digits += 1;
      }
      while (byte === ZERO) byte = bytes[++at];
    }
    if (digits > DIGITS_MAX) return -1;
    if (missing > 0) {
      value *= POWERS[missing];
      if (value > Number.MAX_SAFE_INTEGER) return -1;
    }
    if (column.unit !== 1) {
      if (value % column.unit !== 0) return -1;
      value /= column.unit;
    }
    this.values[column.slot] = value;
    return at;
  }

  /** A time that is a whole number. */
  #number(column: CompiledTime, bytes: Uint8Array, from: number): number {
    let at = from;
    let value = 0;
    let finer = 0;
    for (let byte = bytes[at]; byte >= ZERO && byte <= NINE; byte = bytes[at]) {
      // Nanoseconds have more digits than a double; the last of them are dropped anyway.
      if (at - from < NANO_DIGITS - NANO_PLACES) value = value * 10 + (byte - ZERO);
      else finer += 1;
      at += 1;
    }
    if (at === from || (finer > 0 && finer !== NANO_PLACES)) return -1;
    if (finer > 0 && ((column.unit ?? 'ns') !== 'ns' || bytes[from] === ZERO)) return -1;
    const time = finer > 0 ? value : timeOf(value, column.unit);
    if (!(time <= Number.MAX_SAFE_INTEGER)) return -1;
    this.values[column.slot] = time;
    return at;
  }

  /** `2022-01-31 23:59:00`, with a blank or a T, and perhaps a Z. */
  #isoTime(column: CompiledTime, bytes: Uint8Array, from: number): number {
    let at = from + DATE_LENGTH;
    if (!this.#isSameDay(bytes, from) && !this.#nextDay(bytes, from)) return -1;
    if (bytes[at] !== 32 && bytes[at] !== 84) return -1;
    const hours = twoDigits(bytes, at + 1);
    const minutes = twoDigits(bytes, at + 4);
    const seconds = twoDigits(bytes, at + 7);
    if (bytes[at + 3] !== COLON || bytes[at + 6] !== COLON) return -1;
    if (!(hours < 24 && minutes < 60 && seconds < 60)) return -1;
    at += 9;
    if (bytes[at] === 90) at += 1;
    this.values[column.slot] =
      this.#midnight + hours * US_PER_HOUR + minutes * US_PER_MINUTE + seconds * US_PER_SECOND;
    return at;
  }

  #isSameDay(bytes: Uint8Array, from: number): boolean {
    const date = this.#date;
    for (let index = DATE_LENGTH - 1; index >= 0; index -= 1) {
      if (bytes[from + index] !== date[index]) return false;
    }
    return true;
  }

  /** Reads another date; false if it is none. */
  #nextDay(bytes: Uint8Array, from: number): boolean {
    const date = bytes.subarray(from, from + DATE_LENGTH);
    const midnight = parseIsoTime(String.fromCharCode(...date));
    if (midnight === undefined) return false;
    this.#date.set(date);
    this.#midnight = midnight;
    return true;
  }

  #word({ words, slot }: CompiledWord, bytes: Uint8Array, from: number): number {
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index];
      let length = 0;
      while (length < word.length && bytes[from + length] === word[length]) length += 1;
      if (length < word.length) continue;
      const end = bytes[from + length];
      // One of two words may begin the other.
      if (end !== this.#separator && end !== NEWLINE && end !== RETURN) continue;
      this.values[slot] = index;
      return from + length;
    }
    return -1;
  }

  #id({ slot }: CompiledId, bytes: Uint8Array, from: number): number {
    const end = this.#skip(bytes, from);
    if (end < 0) return -1;
    let value = 0;
    for (let at = from; at < end; at += 1) {
      const digit = bytes[at] - ZERO;
      // A line end of two characters belongs to the line, not to its last field.
      if (!(digit >= 0 && digit <= 9)) {
        if (bytes[at] === RETURN) return -1;
        value = Number.NaN;
      }
      value = value * 10 + digit;
    }
    this.values[slot] = end - from <= 16 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
    return end;
  }
}

interface CompiledTime {
  readonly kind: 'time';
  readonly slot: number;
  readonly unit: TimeUnit | undefined;
}

interface CompiledSteps {
  readonly kind: 'steps';
  readonly slot: number;
  readonly decimals: number;
  readonly unit: number;
  readonly orZero: boolean;
}

interface CompiledId {
  readonly kind: 'id';
  readonly slot: number;
}

interface CompiledWord {
  readonly kind: 'word';
  readonly slot: number;
  readonly words: readonly Uint8Array[];
}

type Compiled = CompiledTime | CompiledSteps | CompiledId | CompiledWord;

function compile(column: PlainColumn, slot: number): Compiled {
  switch (column.kind) {
    case 'time':
      return { kind: 'time', slot, unit: column.unit };
    case 'id':
      return { kind: 'id', slot };
    case 'word':
      return { kind: 'word', slot, words: column.words.map((word) => Buffer.from(word)) };
    case 'steps': {
      const { grid, orZero = false } = column;
      return { kind: 'steps', slot, decimals: grid.decimals, unit: grid.unit, orZero };
    }
  }
}

/** NaN if one of the two is no digit. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - ZERO;
  const ones = bytes[at + 1] - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
