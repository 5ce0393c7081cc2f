import { malformed, shown } from './malformed.ts';
import { viewOf } from './lines.ts';
import type { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, NEWLINE]);
const ROW_BYTES_MAX = 1024 * 1024;

/** Called for each row with the text of each value: numbers unchanged, strings without quotes. */
export type VisitTexts = (texts: readonly (string | null)[]) => void;

/**
 * Reads a JSON file that is one array of arrays of plain values, `[[…],[…],…]`, of any size and with or
 * without line breaks, row by row. Numbers are returned as text, so that none is ever a binary fraction.
 * Throws `import-invalid` for anything else, also for a truncated file.
 */
export async function eachJsonRow(
  sources: ImportSources,
  file: string,
  position: RowPosition,
  visit: VisitTexts,
): Promise<void> {
  position.file = file;
  position.line = 1;
  const cutter = new RowCutter(position, visit);
  for await (const chunk of sources.chunks(file)) cutter.push(viewOf(chunk));
  cutter.end();
}

/** Finds the bounds of each row in pieces of any length. */
class RowCutter {
  readonly #position: RowPosition;
  readonly #visit: VisitTexts;
  /** Open brackets: 0 outside the file's array, 1 between rows, 2 in a row. */
  #depth = 0;
  #finished = false;
  /** The grammar's state between two rows. */
  #afterRow = false;
  #afterComma = false;
  #inString = false;
  #escaped = false;
  /** The bytes of a row that began in earlier pieces. */
  #begun: Buffer[] = [];
  #begunBytes = 0;

  constructor(position: RowPosition, visit: VisitTexts) {
    this.#position = position;
    this.#visit = visit;
  }

  push(chunk: Buffer): void {
    let start = this.#depth === 2 ? 0 : -1;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (this.#depth === 2) {
        if (this.#inRow(byte)) {
          this.#row(chunk.subarray(start, index + 1));
          start = -1;
        }
      } else if (this.#outside(byte)) {
        start = index;
      }
      if (byte === NEWLINE) this.#position.line += 1;
    }
    if (start >= 0) this.#keep(chunk.subarray(start));
  }

  end(): void {
    if (this.#finished) return;
    throw this.#position.malformed(
      'the file ends in the middle of its JSON',
      'an array of rows, closed with "]"; fetch or copy the file again',
    );
  }

  /** A byte within a row; true when it closes it. */
  #inRow(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return false;
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN) throw this.#unexpected(byte);
    else if (byte === CLOSE) {
      this.#depth = 1;
      this.#afterRow = true;
      return true;
    }
    return false;
  }

  /** A byte between rows; true if it opens one. */
  #outside(byte: number): boolean {
    if (SPACES.has(byte)) return false;
    if (this.#finished) throw this.#unexpected(byte);
    if (this.#depth === 0) {
      if (byte !== OPEN) throw this.#unexpected(byte);
      this.#depth = 1;
      return false;
    }
    if (byte === OPEN && !this.#afterRow) {
      this.#depth = 2;
      this.#afterComma = false;
      return true;
    }
    if (byte === COMMA && this.#afterRow) {
      this.#afterRow = false;
      this.#afterComma = true;
      return false;
    }
    if (byte !== CLOSE || this.#afterComma) throw this.#unexpected(byte);
    this.#finished = true;
    return false;
  }

  #keep(piece: Buffer): void {
    this.#begun.push(piece);
    this.#begunBytes += piece.length;
    if (this.#begunBytes > ROW_BYTES_MAX) {
      throw this.#position.malformed(
        `a row of more than ${ROW_BYTES_MAX} bytes`,
        'short rows such as [1570752011620,"13519807",null,"sell",0.00141342,23.0,0.03250866]',
      );
    }
  }

  #row(piece: Buffer): void {
    const bytes = this.#begun.length === 0 ? piece : Buffer.concat([...this.#begun, piece]);
    this.#begun = [];
    this.#begunBytes = 0;
    this.#visit(textsOf(bytes.toString('utf8'), this.#position));
  }

  #unexpected(byte: number): Error {
    return malformed(
      this.#position.toString(),
      `the character ${JSON.stringify(String.fromCharCode(byte))}`,
      'JSON of the form [[…],[…]]',
    );
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[^\s,[\]]+/g;

/** The texts of the values of one row. */
function textsOf(row: string, position: RowPosition): (string | null)[] {
  let values: readonly unknown[];
  try {
    values = JSON.parse(row) as readonly unknown[];
  } catch (cause) {
    throw position.malformed(
      `the row ${shown(row)} is not JSON`,
      'an array of plain values',
      cause,
    );
  }
  // JSON.parse has validated the form; the tokens keep the numbers as written.
  const tokens = row.match(TOKENS) ?? [];
  return values.map((value, index) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null) {
      throw position.malformed(`the row ${shown(row)} holds an object`, 'plain values');
    }
    return value === null ? null : tokens[index];
  });
}
