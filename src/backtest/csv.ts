import { closeSync, openSync, writeFileSync } from 'node:fs';

/** Characters collected before each write. */
const PIECE_CHARACTERS = 1 << 17;

/** Writes rows as CSV with a header line. */
export function writeCsv<T>(path: string, columns: readonly (keyof T)[], rows: Iterable<T>): void {
  writeLines(path, linesOf(columns, rows));
}

function* linesOf<T>(columns: readonly (keyof T)[], rows: Iterable<T>): Iterable<string> {
  yield columns.join(',');
  for (const row of rows) {
    let line = '';
    let end = '';
    for (const column of columns) {
      line += `${end}${csvCell(row[column] as CsvCell)}`;
      end = ',';
    }
    yield line;
  }
}

/** Writes lines to a new file in pieces, with little memory however many there are. */
export function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'wx');
  try {
    let text = '';
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < PIECE_CHARACTERS) continue;
      writeFileSync(file, text);
      text = '';
    }
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

const QUOTED = /[",\r\n]/;

/** Text that a spreadsheet would run as a formula; a leading apostrophe keeps it text. */
const FORMULA = /^'*[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The text of a cell written by `csvCell`. */
export const textOfCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

/** Value of a cell. */
export type CsvCell = string | number | boolean | object | null | undefined;

/**
 * A value as RFC 4180 has it: nothing and `null` are empty, objects are JSON. Text that a
 * spreadsheet would run as a formula begins with an apostrophe.
 */
export function csvCell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isFormula = typeof value === 'string' && FORMULA.test(plain) && !NUMBER.test(plain);
  const text = isFormula ? `'${plain}` : plain;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
