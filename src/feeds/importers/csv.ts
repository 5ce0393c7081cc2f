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

  /** The separator is the one of comma, semicolon and tab that the line has most of. */
  constructor(line: string) {
    const text = line.replace(/^\uFEFF/, '');
    const counts = SEPARATORS.map((separator) => text.split(separator).length);
    this.separator = SEPARATORS[counts.indexOf(Math.max(...counts))];
    this.columns = new ColumnNames(fieldsOf(text, this.separator));
  }
}

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
      if (fields.length < header.columns.names.length) throw tooShort(line, header, place);
      if (!visit(fields)) return;
    }
  }
}

export const tooShort = (line: string, header: Header, place: Place): Error =>
  place.malformed(
    `the row ${shown(line)}`,
    `${header.columns.names.length} fields as in the header`,
  );
