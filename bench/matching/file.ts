import { readFileSync, writeFileSync } from 'node:fs';
import type { Operations } from './operations.ts';

const HEADER = 4;

/** Writes operations column after column, so that whoever runs them need not draw them too. */
export function writeOperations(path: string, operations: Operations): void {
  const { length, orders, filling, seed } = operations;
  const { order, ticks, lots, kind, side } = operations;
  const header = new Float64Array([length, orders, filling, seed]);
  const columns = [header, order, ticks, lots, kind, side];
  writeFileSync(path, Buffer.concat(columns.map(bytesOf)));
}

export function readOperations(path: string): Operations {
  const { buffer, byteOffset } = readFileSync(path);
  // A copy that begins at zero, so that the columns are aligned.
  const bytes = buffer.slice(byteOffset);
  const [length, orders, filling, seed] = new Float64Array(bytes, 0, HEADER);
  const start = 8 * HEADER;
  // In the order in which a drawn file has them, as V8 makes code for one order of fields.
  return {
    length,
    kind: new Uint8Array(bytes, start + 12 * length, length),
    order: new Int32Array(bytes, start, length),
    side: new Uint8Array(bytes, start + 13 * length, length),
    ticks: new Int32Array(bytes, start + 4 * length, length),
    lots: new Int32Array(bytes, start + 8 * length, length),
    orders,
    filling,
    seed,
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
