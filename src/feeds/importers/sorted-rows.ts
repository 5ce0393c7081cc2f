import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAll } from '../../platform/write-all.ts';

/** Rows that are sorted in memory at a time, and of each such part how many are read back at a time. */
const PART_ROWS = 1 << 20;
const BLOCK_ROWS = 1 << 12;
/** The first columns are the sort keys; the last of them makes every row unique. */
const KEYS = 3;

/**
 * Sorts rows of numbers by their first three columns. More rows than one part go to a file beside the
 * others, sorted, and are merged; so memory does not grow with the imported files.
 */
export class SortedRows {
  readonly #width: number;
  readonly #partRows: number;
  #part: Float64Array;
  #count = 0;
  #file: { readonly fd: number; readonly folder: string } | undefined;
  readonly #parts: { readonly first: number; readonly rows: number }[] = [];
  #written = 0;

  constructor(width: number, partRows = PART_ROWS) {
    this.#width = width;
    this.#partRows = partRows;
    this.#part = new Float64Array(width * Math.min(partRows, BLOCK_ROWS));
  }

  /** Adds a copy of a row. */
  add(row: ArrayLike<number>): void {
    if (this.#count === this.#partRows) this.#spill();
    const width = this.#width;
    if (width * this.#count === this.#part.length) {
      const wider = new Float64Array(width * Math.min(this.#partRows, 2 * this.#count));
      wider.set(this.#part);
      this.#part = wider;
    }
    this.#part.set(row, width * this.#count);
    this.#count += 1;
  }

  /** Calls `visit` with each row, in order; the array is refilled each time. */
  each(visit: (row: Float64Array) => void): void {
    const width = this.#width;
    if (this.#file === undefined) {
      const sorted = this.#sorted();
      for (let at = 0; at < sorted.length; at += width) visit(sorted.subarray(at, at + width));
      return;
    }
    if (this.#count > 0) this.#spill();
    const { fd } = this.#file;
    const cursors = this.#parts.map(({ first, rows }) => new PartCursor(fd, width, first, rows));
    for (;;) {
      let least: PartCursor | undefined;
      for (const cursor of cursors) {
        if (cursor.isAtEnd) continue;
        if (least === undefined || compare(cursor.block, cursor.at, least.block, least.at) < 0) {
          least = cursor;
        }
      }
      if (least === undefined) return;
      visit(least.block.subarray(least.at, least.at + width));
      least.step();
    }
  }

  /** Removes what was written. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.fd);
    rmSync(this.#file.folder, { recursive: true, force: true });
    this.#file = undefined;
  }

  #spill(): void {
    if (this.#file === undefined) {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-sort-'));
      this.#file = { fd: openSync(join(folder, 'rows'), 'wx+', 0o600), folder };
    }
    const sorted = this.#sorted();
    const bytes = new Uint8Array(sorted.buffer, sorted.byteOffset, sorted.byteLength);
    writeAll(this.#file.fd, bytes);
    this.#parts.push({ first: this.#written, rows: this.#count });
    this.#written += this.#count;
    this.#count = 0;
  }

  /** The rows of this part in order. */
  #sorted(): Float64Array {
    const [width, part] = [this.#width, this.#part];
    const order = Uint32Array.from({ length: this.#count }, (_, index) => width * index);
    order.sort((one, other) => compare(part, one, part, other));
    const sorted = new Float64Array(width * this.#count);
    for (let index = 0; index < order.length; index += 1) {
      sorted.set(part.subarray(order[index], order[index] + width), width * index);
    }
    return sorted;
  }
}

/** Reads a sorted part back, block by block. */
class PartCursor {
  readonly block: Float64Array;
  /** Index of the row in the block. */
  at = 0;
  readonly #fd: number;
  readonly #width: number;
  #next: number;
  #rowsLeft: number;
  #end = 0;

  constructor(fd: number, width: number, first: number, rows: number) {
    this.#fd = fd;
    this.#width = width;
    this.#next = first;
    this.#rowsLeft = rows;
    this.block = new Float64Array(width * Math.min(rows, BLOCK_ROWS));
    this.#fill();
  }

  get isAtEnd(): boolean {
    return this.at === this.#end;
  }

  step(): void {
    this.at += this.#width;
    if (this.at === this.#end) this.#fill();
  }

  #fill(): void {
    const rows = Math.min(this.#rowsLeft, BLOCK_ROWS);
    const rowBytes = this.#width * Float64Array.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(this.block.buffer, 0, rows * rowBytes);
    for (let done = 0; done < bytes.length;) {
      const position = this.#next * rowBytes + done;
      const read = readSync(this.#fd, bytes, done, bytes.length - done, position);
      if (read === 0) throw new Error('the file of sorted rows was cut off');
      done += read;
    }
    this.#next += rows;
    this.#rowsLeft -= rows;
    this.at = 0;
    this.#end = rows * this.#width;
  }
}

function compare(one: Float64Array, at: number, other: Float64Array, otherAt: number): number {
  for (let key = 0; key < KEYS; key += 1) {
    const difference = one[at + key] - other[otherAt + key];
    if (difference !== 0) return difference;
  }
  return 0;
}
