import { lineBatches } from './lines.ts';
import { shown } from './malformed.ts';
import { Place } from './place.ts';
import type { Sources } from './source.ts';

const SEPARATORS = [',', ';', '\t'] as const;

/** The header of a CSV file: which column holds what. */
export class Header {
  readonly separator: string;
  readonly names: readonly string[];
  readonly #plain: readonly string[];

  /** The separator is the one of comma, semicolon and tab that the line has most of. */
  constructor(line: string) {
    const text = line.replace(/^\uFEFF/, '');
    const counts = SEPARATORS.map((separator) => text.split(separator).length);
    this.separator = SEPARATORS[counts.indexOf(Math.max(...counts))];
    this.names = fieldsOf(text, this.separator);
    this.#plain = this.names.map(plainName);
  }

  /** Index of the first of these names that the header has, -1 when it has none of them. */
  find(names: readonly string[]): number {
    for (const name of names) {
      const index = this.#plain.indexOf(plainName(name));
      if (index >= 0) return index;
    }
    return -1;
  }

  /** The same, and an error of line 1 that names what is there when there is none. */
  need(names: readonly string[], place: Place): number {
    const index = this.find(names);
    if (index >= 0) return index;
    throw place.malformed(
      `the header names ${shown(this.names.join(this.separator))}`,
      `a column named ${names.map((name) => `"${name}"`).join(' or ')}`,
    );
  }
}

/** Letters and digits alone decide whether two names are one: `Open Time` is `open_time`. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The fields of a line; quotation marks around a field are taken off. */
export function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}

/** Called for each row with its fields; false ends the reading. */
export type VisitRow = (fields: readonly string[]) => boolean;

/**
 * Reads a CSV file: `open` takes its header and gives the visitor of its rows. Lines without any
 * text are passed over; a row with fewer fields than the header is an error. An empty file has
 * neither header nor rows.
 */
export async function eachCsvRow(
  sources: Sources,
  file: string,
  place: Place,
  open: (header: Header) => VisitRow,
): Promise<void> {
  let header: Header | undefined;
  let visit: VisitRow = () => false;
  place.file = file;
  for await (const { first, lines } of lineBatches(sources, file)) {
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index];
      place.line = first + index;
      if (line === '') continue;
      if (header === undefined) {
        header = new Header(line);
        visit = open(header);
        continue;
      }
      const fields = fieldsOf(line, header.separator);
      if (fields.length < header.names.length) throw tooShort(line, header, place);
      if (!visit(fields)) return;
    }
  }
}

export const tooShort = (line: string, header: Header, place: Place): Error =>
  place.malformed(`the row ${shown(line)}`, `${header.names.length} fields as in the header`);
