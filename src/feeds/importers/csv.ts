import { ColumnNames } from './columns.ts';
import { lineBatches } from './lines.ts';
import { shown } from './malformed.ts';
import type { Place } from './place.ts';
import type { Sources } from './source.ts';

const SEPARATORS = [',', ';', '\t'] as const;

/** The header of a CSV file: which column holds what. */
export class Header {
  readonly separator: string;
  readonly columns: ColumnNames;
  /** True where the line is a row already, of a file whose columns are known without a header. */
  readonly isRow: boolean;

  /** The separator is the one of comma, semicolon and tab that the line has most of. */
  constructor(line: string, layouts: Layouts = []) {
    const text = line.replace(/^\uFEFF/, '');
    const counts = SEPARATORS.map((separator) => text.split(separator).length);
    this.separator = SEPARATORS[counts.indexOf(Math.max(...counts))];
    const fields = fieldsOf(text, this.separator);
    const isBare = fields.every((field) => NUMBER.test(field));
    const layout = layouts.find(
      ({ names, fits }) => names.length === fields.length && fits(fields),
    );
    const known = isBare ? layout : undefined;
    this.isRow = known !== undefined;
    this.columns = new ColumnNames(known?.names ?? fields);
  }
}

/** Files that have no header, known by the number of their columns and what their first row holds. */
export type Layouts = readonly {
  readonly names: readonly string[];
  readonly fits: (fields: readonly string[]) => boolean;
}[];

const NUMBER = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

/** The fields of a row; quotation marks around a field are taken off, doubled ones within stand for one. */
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

/** A quoted field of more is one whose end is missing. */
const ROW_LENGTH_MAX = 65_536;

/** Puts lines together that are one row, since a quoted field of it has line breaks. */
class Rows {
  readonly #place: Place;
  #begun = '';
  /** Where the row begins that is not whole yet; 0 where there is none. */
  #line = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Takes the next line; gives the row that it ends, `undefined` where a quoted field goes on. */
  take(line: string): string | undefined {
    if (this.#line === 0 && !line.includes('"')) return line;
    const row = this.#line === 0 ? line : `${this.#begun}\n${line}`;
    if (!isOpen(row)) {
      if (this.#line > 0) this.#place.line = this.#line;
      this.#line = 0;
      return row;
    }
    if (this.#line === 0) this.#line = this.#place.line;
    this.#begun = row;
    if (row.length > ROW_LENGTH_MAX) throw this.#endless();
    return undefined;
  }

  /** Throws where the file ends within a row. */
  end(): void {
    if (this.#line > 0) throw this.#endless();
  }

  #endless(): Error {
    this.#place.line = this.#line;
    return this.#place.malformed(
      `the row ${shown(this.#begun)} has a quotation mark without its end`,
      'quotation marks around whole fields',
    );
  }
}

/** True where a quotation mark has no second one; doubled marks within a field are two. */
const isOpen = (row: string): boolean => (row.split('"').length - 1) % 2 === 1;

/** Called for each row with its fields; false ends the reading. */
export type VisitRow = (fields: readonly string[]) => boolean;

/**
 * Reads a CSV file: `open` takes its header and gives the visitor of its rows. A quoted field may have line
 * breaks. Lines without any text are passed over; a row with fewer fields than the header is an error. An empty file has
 * neither header nor rows. A file that begins with numbers has the columns of one of the `layouts`.
 */
export async function eachCsvRow(
  sources: Sources,
  file: string,
  place: Place,
  open: (header: Header) => VisitRow,
  layouts: Layouts = [],
): Promise<void> {
  let header: Header | undefined;
  let visit: VisitRow = () => false;
  const rows = new Rows(place);
  place.file = file;
  for await (const { first, lines } of lineBatches(sources, file)) {
    for (let index = 0; index < lines.length; index++) {
      place.line = first + index;
      const line = rows.take(lines[index]);
      if (line === undefined || line === '') continue;
      if (header === undefined) {
        header = new Header(line, layouts);
        visit = open(header);
        if (!header.isRow) continue;
      }
      const fields = fieldsOf(line, header.separator);
      if (fields.length < header.columns.names.length) throw tooShort(line, header, place);
      if (!visit(fields)) return;
    }
  }
  rows.end();
}

export const tooShort = (line: string, header: Header, place: Place): Error =>
  place.malformed(
    `the row ${shown(line)}`,
    `${header.columns.names.length} fields as in the header`,
  );
