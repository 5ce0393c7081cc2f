import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const SAMPLE = resolve('config/sample/BTCUSDT.arrow');

/** Files that a recording may be mistaken for, or become. */
export interface BrokenRecordings {
  readonly truncated: string;
  readonly damaged: string;
  /** A text with a recording's name. */
  readonly stranger: string;
}

/** Writes them into a folder and gives their paths. */
export function breakRecordings(folder: string): BrokenRecordings {
  const bytes = readFileSync(SAMPLE);
  const truncated = join(folder, 'truncated.arrow');
  writeFileSync(truncated, bytes.subarray(0, bytes.length / 2));
  const damaged = join(folder, 'damaged.arrow');
  const flipped = Buffer.from(bytes);
  flipped.fill(0xff, 100_000, 100_064);
  writeFileSync(damaged, flipped);
  const stranger = join(folder, 'notes.arrow');
  writeFileSync(stranger, 'these are not candles\n');
  return { truncated, damaged, stranger };
}
