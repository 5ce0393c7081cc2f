import { ColumnNames } from './columns.ts';
import { byteBatches, lineAt } from './lines.ts';
import { shown } from './malformed.ts';
import type { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';

const SEPARATORS = [',', ';', '\t'] as const;

/** The header of a CSV file: which column holds what. */
export interface Header {
  readonly separator: string;
  readonly columns: ColumnNames;
  /** True if the line is a row already, of a file whose columns are known without a header. */
  readonly isRow: boolean;
}

/** The separator that a line has most of. */
export function separatorOf(line: string): string {
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

/** Reads a header, or recognizes a row of numbers of one of the layouts. */
function headerOf(line: string, layouts: Layouts): Header {
  const text = withoutMark(line);
  const separator = separatorOf(text);
  const fields = fieldsOf(text, separator);
  const isBare = fields.every((field) => NUMBER.test(field));
  const layout = layouts.find(({ names, fits }) => names.length === fields.length && fits(fields));
  const known = isBare ? layout : undefined;
  return {
    separator,
    columns: new ColumnNames(known?.names ?? fields),
    isRow: known !== undefined,
  };
}

/** The text without the mark of its byte order. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Files without a header, recognized by the number of their columns and their first row. */
export type Layouts = readonly {
  readonly names: readonly string[];
  readonly fits: (fields: readonly string[]) => boolean;
}[];

const NUMBER = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

/** The fields of a row; quotation marks around a field are removed, doubled ones within it mean one. */
export function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === '"' && quoted && line[index + 1] === '"') {
      field += '"';
      index += 1;
    } else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}

/** A longer quoted field has no end. */
const ROW_LENGTH_MAX = 65_536;

/** Joins lines that are one row, as a quoted field of it has line breaks. */
class Rows {
  readonly #position: RowPosition;
  #begun = '';
  /** First line of an unfinished row; 0 if there is none. */
  #line = 0;

  constructor(position: RowPosition) {
    this.#position = position;
  }

  /** True if a row has begun and not ended. */
  get isOpen(): boolean {
    return this.#line > 0;
  }

  /** Adds the next line; returns the row that it ends, `undefined` within a quoted field. */
  take(line: string): string | undefined {
    if (this.#line === 0 && !line.includes('"')) return line;
    const row = this.#line === 0 ? line : `${this.#begun}\n${line}`;
    if (!isOpen(row)) {
      if (this.#line > 0) this.#position.line = this.#line;
      this.#line = 0;
      return row;
    }
    if (this.#line === 0) this.#line = this.#position.line;
    this.#begun = row;
    if (row.length > ROW_LENGTH_MAX) throw this.#endless();
    return undefined;
  }

  /** Throws if the file ends within a row. */
  end(): void {
    if (this.#line > 0) throw this.#endless();
  }

  #endless(): Error {
    this.#position.line = this.#line;
    return this.#position.malformed(
      `the row ${shown(this.#begun)} has a quotation mark without its end`,
      'quotation marks around whole fields',
    );
  }
}

/** True if a quotation mark is unmatched; doubled marks within a field are two. */
const isOpen = (row: string): boolean => (row.split('"').length - 1) % 2 === 1;

/** Called for each row with its fields; false ends the reading. */
export type VisitRow = (fields: readonly string[]) => boolean;

/** Reads a plain row from its bytes; returns the start of the next one, -1 if it was not read. */
export type TakePlain = (bytes: Uint8Array, from: number) => number;

/** How the rows of a file are read, once its header is known. */
export interface RowReader {
  readonly visit: VisitRow;
  /** The quick road: all rows that it leaves go to `visit`. */
  readonly plain?: TakePlain | undefined;
}

/** Rows that are read in turns: the visitor decides whether to continue. */
export class CsvRows {
  readonly #rows: Rows;
  readonly #position: RowPosition;
  readonly #open: (header: Header) => RowReader;
  readonly #layouts: Layouts;
  /** Skipped lines, which were read before. */
  readonly #skipped: number;
  #header: Header | undefined;
  #reader: RowReader = { visit: () => false };
  #line = 0;

  /**
   * For a file whose beginning was read, `known` has its header and the number of lines before its rows.
   */
  constructor(
    position: RowPosition,
    open: (header: Header) => RowReader,
    layouts: Layouts = [],
    known?: { readonly header: Header; readonly lines: number },
  ) {
    this.#position = position;
    this.#rows = new Rows(position);
    this.#open = open;
    this.#layouts = layouts;
    this.#skipped = known?.lines ?? 0;
    if (known === undefined) return;
    this.#header = known.header;
    this.#reader = open(known.header);
  }

  /** Lines read so far. */
  get lines(): number {
    return this.#line;
  }

  /** Processes whole lines; false if the visitor wants no more. */
  take(bytes: Buffer): boolean {
    const position = this.#position;
    let at = 0;
    while (at < bytes.length) {
      this.#line += 1;
      position.line = this.#line;
      if (this.#line <= this.#skipped) {
        at = lineAt(bytes, at)[1];
        continue;
      }
      const plain = this.#rows.isOpen ? undefined : this.#reader.plain;
      const next = plain === undefined ? -1 : plain(bytes, at);
      if (next >= 0) {
        at = next;
        continue;
      }
      const [line, after] = lineAt(bytes, at);
      at = after;
      if (!this.#text(line)) return false;
    }
    return true;
  }

  /** Throws if the file ends within a row. */
  end(): void {
    this.#rows.end();
  }

  #text(line: string): boolean {
    const row = this.#rows.take(line);
    if (row === undefined || row === '') return true;
    let header = this.#header;
    if (header === undefined) {
      header = headerOf(row, this.#layouts);
      this.#header = header;
      this.#reader = this.#open(header);
      if (!header.isRow) return true;
    }
    const fields = fieldsOf(row, header.separator);
    if (fields.length < header.columns.names.length) throw tooShort(row, header, this.#position);
    return this.#reader.visit(fields);
  }
}

/**
 * Reads a CSV file: `open` receives its header and returns the reader of its rows. A quoted field may have
 * line breaks. Empty lines are skipped; a row with fewer fields than the header is an error. An empty file
 * has neither header nor rows. A file that begins with numbers has the columns of one of the `layouts`.
 */
export async function eachCsvRow(
  sources: ImportSources,
  file: string,
  position: RowPosition,
  open: (header: Header) => RowReader,
  layouts: Layouts = [],
  known?: { readonly header: Header; readonly lines: number },
): Promise<void> {
  position.file = file;
  const rows = new CsvRows(position, open, layouts, known);
  for await (const bytes of byteBatches(sources, file, () => rows.lines + 1)) {
    if (!rows.take(bytes)) return;
  }
  rows.end();
}

const tooShort = (line: string, header: Header, position: RowPosition): Error =>
  position.malformed(
    `the row ${shown(line)}`,
    `${header.columns.names.length} fields as in the header`,
  );
