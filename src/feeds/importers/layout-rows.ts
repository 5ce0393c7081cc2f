import { Decimal, parseDecimal } from '../../model/decimal.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { BAR_COLUMNS, QUOTE_COLUMNS, TRADE_COLUMNS } from './columns.ts';
import type { ImportOptions } from './contract.ts';
import type { Field } from './layout.ts';
import { shown } from './malformed.ts';
import type { RowPosition } from './row-position.ts';
import type { IndexedColumn, PlainColumn } from './plain-rows.ts';
import type { FileLayout } from './recognise.ts';
import { clockPattern, ZoneClock } from './time-text.ts';
import { readTime } from './timestamp.ts';

type ReadText = (fields: readonly string[]) => string;

const DEFAULTS = { candles: BAR_COLUMNS, trades: TRADE_COLUMNS, quotes: QUOTE_COLUMNS } as const;
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;
const NUMBER = /^\d+(?:\.\d*)?$/;

/** Reads the fields of the rows of one file by its layout. */
export class LayoutRows {
  readonly #file: FileLayout;
  readonly #options: ImportOptions;
  readonly #position: RowPosition;
  readonly #clock: ZoneClock | undefined;
  /** True once a time had no zone, and none was given. */
  hasLocalTimes = false;

  constructor(file: FileLayout, options: ImportOptions, position: RowPosition) {
    this.#file = file;
    this.#options = options;
    this.#position = position;
    const zone = options.zone ?? file.layout.zone;
    this.#clock =
      zone === undefined ? undefined : new ZoneClock(zone, file.layout.rows === 'candles');
  }

  /** Possible names of a field, the likeliest first. */
  #names(field: Field): readonly string[] {
    const { layout } = this.#file;
    const named = this.#options.columns?.[field] ?? layout.columns[field];
    if (typeof named === 'string') return [named];
    const defaults: Readonly<Partial<Record<Field, readonly string[]>>> = DEFAULTS[layout.rows];
    return defaults[field] ?? [];
  }

  /** Index of the column of a field; -1 if the file has none. */
  index(field: Field): number {
    const { layout, header } = this.#file;
    const placed = this.#options.columns?.[field] === undefined ? layout.columns[field] : undefined;
    if (typeof placed !== 'number') return header.columns.find(this.#names(field));
    return placed <= header.columns.names.length ? placed - 1 : -1;
  }

  /** The same, with an error that names the existing columns if there is none. */
  need(field: Field): number {
    const index = this.index(field);
    return index >= 0 ? index : this.#file.header.columns.need(this.#names(field), this.#position);
  }

  text(field: Field): ReadText {
    const index = this.need(field);
    return (fields) => fields[index].trim();
  }

  /** The text of a field that files may lack. */
  optional(field: Field): ReadText | undefined {
    return this.index(field) < 0 ? undefined : this.text(field);
  }

  /** A number as decimal text with a point, in the unit of the market. */
  number(field: Field): ReadText {
    const index = this.need(field);
    const { decimalMark = '.', thousandsMark, multiplier = {} } = this.#file.layout;
    const isPrice = !['size', 'volume', 'bidSize', 'askSize'].includes(field);
    const factor = isPrice ? multiplier.price : multiplier.size;
    const by = factor === undefined ? undefined : new Decimal(factor);
    return (fields) => {
      let text = fields[index].trim();
      if (thousandsMark !== undefined) text = text.replaceAll(thousandsMark, '');
      if (decimalMark !== '.') {
        if (text.includes('.')) return text.replaceAll('.', '?');
        text = text.replace(decimalMark, '.');
      }
      return by === undefined ? text : (parseDecimal(text)?.times(by).toFixed() ?? text);
    };
  }

  /** A time in microseconds. Throws `import-invalid` for an invalid one. */
  time(field: 'timestamp' | 'received'): (fields: readonly string[]) => number {
    const read = this.#timeText(field);
    const { timeFormat } = this.#file.layout;
    const clock = timeFormat === undefined ? undefined : clockPattern(timeFormat);
    const unit = this.#options.timeUnit ?? this.#file.layout.timeUnit;
    return (fields) => {
      const text = read(fields);
      if (clock === undefined && (NUMBER.test(text) || OFFSET.test(text.slice(10)))) {
        return readTime(text, unit) ?? this.#noTime(text);
      }
      const at = clock?.(text) ?? parseIsoTime(text);
      return this.#utc(at ?? this.#noTime(text), text);
    };
  }

  #timeText(field: 'timestamp' | 'received'): ReadText {
    const [name = ''] = this.#names(field);
    if (!name.includes('+')) return this.text(field);
    const { columns } = this.#file.header;
    const indexes = name.split('+').map((part) => columns.need([part], this.#position));
    return (fields) => indexes.map((index) => fields[index].trim()).join(' ');
  }

  #utc(at: number, text: string): number {
    if (this.#clock === undefined) {
      this.hasLocalTimes = true;
      return at;
    }
    const utc = this.#clock.utc(at);
    if (typeof utc === 'number') return utc;
    throw this.#position.malformed(
      utc === 'never'
        ? `the time ${shown(text)} does not exist in its zone, as the clocks were put forward`
        : `the hour before or at ${shown(text)} comes twice in its zone, and the rows do not say which it is`,
      'times of UTC, or with their offset',
    );
  }

  #noTime(text: string): never {
    const { timeFormat } = this.#file.layout;
    throw this.#position.malformed(
      `the time ${shown(text)}`,
      timeFormat === undefined
        ? 'ISO 8601 such as "2022-01-31 23:59:00", or a number of s, ms, us or ns since 1970'
        : `a time as ${timeFormat}`,
    );
  }

  /** Throws if the file ends within an hour of ambiguous times. */
  end(): void {
    if (this.#clock?.end() === false) {
      throw this.#position.malformed(
        'the file ends in an hour that comes twice in its zone, and the rows do not say which it is',
        'times of UTC, or with their offset',
      );
    }
  }

  /**
   * True for a row of the requested instrument with the text that the layout requires. Throws for a second
   * instrument if none was requested.
   */
  filter(symbol: string | undefined): ((fields: readonly string[]) => boolean) | undefined {
    const { header, layout } = this.#file;
    const only = Object.entries(layout.only ?? {}).map(
      ([name, text]) => [header.columns.need([name], this.#position), text] as const,
    );
    const named = this.index('symbol');
    const isSymbol = named >= 0 && symbol !== undefined;
    if (only.length === 0 && !isSymbol) return undefined;
    const isAsked = isSymbol && isSame(symbol, this.#options.symbol);
    return (fields) => {
      if (only.some(([index, text]) => fields[index].trim() !== text)) return false;
      if (!isSymbol || fields[named] === symbol) return true;
      if (isAsked) return false;
      throw this.#position.malformed(
        `a row of ${fields[named]} after rows of ${symbol}`,
        'one instrument; name it with --symbol',
      );
    };
  }

  /** The symbol of the rows, as the file writes it; `undefined` if it has none. */
  symbolIn(): string | undefined {
    const { rows, symbol } = this.#file;
    const index = this.index('symbol');
    if (index < 0 || symbol !== undefined) return symbol;
    const names = rows.map((fields) => fields[index]).filter((name) => name !== '');
    return names.find((name) => isSame(name, this.#options.symbol)) ?? names[0];
  }

  /**
   * A column for the fast path, which reads numbers with a point and times that are numbers or ISO 8601 in
   * UTC; `undefined` if the layout has others.
   */
  indexed(field: Field, column: PlainColumn): IndexedColumn | undefined {
    const { layout } = this.#file;
    const { timeFormat, decimalMark, thousandsMark, multiplier, only, skipsNaN } = layout;
    const isPlain =
      this.#clock === undefined &&
      [timeFormat, decimalMark, thousandsMark, multiplier, only, skipsNaN, layout.isSigned].every(
        (special) => special === undefined,
      );
    return isPlain ? [this.need(field), column] : undefined;
  }

  /** The unit of times that are plain numbers. */
  get timeUnit(): ImportOptions['timeUnit'] {
    return this.#options.timeUnit ?? this.#file.layout.timeUnit;
  }
}

/** `BTC/USDT` is `BTCUSDT`. */
const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && plain(one) === plain(other);

const plain = (symbol: string): string => symbol.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
