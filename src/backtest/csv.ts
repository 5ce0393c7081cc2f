import { closeSync, openSync, writeSync } from 'node:fs';

/** Text that is gathered before it is written. */
const PIECE_CHARACTERS = 1 << 17;

/** Writes rows as CSV with a line of names, piece by piece: however many there are, few are held. */
export function writeCsv<T>(path: string, columns: readonly (keyof T)[], rows: Iterable<T>): void {
  const file = openSync(path, 'wx');
  try {
    let text = `${columns.join(',')}\n`;
    for (const row of rows) {
      let end = '';
      for (const column of columns) {
        text += `${end}${csvCell(row[column] as CsvCell)}`;
        end = ',';
      }
      text += '\n';
      if (text.length < PIECE_CHARACTERS) continue;
      writeSync(file, text);
      text = '';
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

const QUOTED = /[",\r\n]/;

/** What a field of a row may be. */
export type CsvCell = string | number | boolean | object | null | undefined;

/** A value as RFC 4180 has it: nothing and `null` are empty, what is no single value is JSON. */
export function csvCell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
