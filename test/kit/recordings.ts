import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { EventColumns } from '../../src/model/events.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { eventsMeta } from './metas.ts';

/** One row, in the order in which the writer takes its numbers. */
export type Row = readonly [
  receivedAt: number,
  stampedAt: number,
  kind: number,
  flags: number,
  sequence: number,
  price: number,
  size: number,
  askPrice: number,
  askSize: number,
  open: number,
];

/** A folder that is removed when the suite or file that asks for it is over. */
export function suiteFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A folder that is removed when the running test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export function writeRecording(path: string, rows: readonly Row[], meta = eventsMeta()): string {
  const writer = RecordingWriter.create(path, meta);
  for (const row of rows) writer.row(...row);
  writer.finish();
  return path;
}

export function rowsOf(columns: EventColumns, start = 0, end = columns.length): Row[] {
  const rows: Row[] = [];
  for (let row = start; row < end; row += 1) {
    rows.push([
      columns.receivedAt[row],
      columns.stampedAt[row],
      columns.kind[row],
      columns.flags[row],
      columns.sequence[row],
      columns.price[row],
      columns.size[row],
      columns.askPrice[row],
      columns.askSize[row],
      columns.open[row],
    ]);
  }
  return rows;
}

export function readRecording(path: string): Row[] {
  const recording = openRecording(path);
  try {
    const rows: Row[] = [];
    for (const columns of recording.batches()) rows.push(...rowsOf(columns));
    return rows;
  } finally {
    recording.close();
  }
}
