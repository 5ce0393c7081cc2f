import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generateRecording } from '../../src/feeds/generator.ts';
import { BATCH_ROWS } from '../../src/feeds/layout.ts';
import { merge } from '../../src/feeds/merge.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { openSeries } from '../../src/feeds/series.ts';
import { splitByDay } from '../../src/feeds/split.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { micros, US_PER_DAY, US_PER_HOUR } from '../../src/platform/time.ts';
import { rowsOf, temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { runs } from '../kit/size.ts';

/** What a merge gives from a time on, and how many rows it had to read. */
function from(paths: readonly string[], at?: number): { rows: Row[]; read: number } {
  const series = openSeries(paths);
  let read = 0;
  const counted = series.map((one) => ({
    *batches(since?: Parameters<typeof one.batches>[0]) {
      for (const columns of one.batches(since)) {
        read += columns.length;
        yield columns;
      }
    },
  }));
  const rows: Row[] = [];
  for (const { columns, start, end } of merge(
    counted,
    at === undefined ? {} : { from: micros(at) },
  )) {
    rows.push(...rowsOf(columns, start, end));
  }
  for (const one of series) one.close();
  return { rows, read };
}

/** The rows from a time on, one by one: a time that runs backwards is that of the latest before. */
function later(rows: readonly Row[], at: number): Row[] {
  let now = Number.NEGATIVE_INFINITY;
  return rows.filter(([receivedAt]) => {
    now = Math.max(now, receivedAt);
    return now >= at;
  });
}

const trade = (at: number, id: number): Row => [at, at, TRADE, LAST, id, 100, 1, 0, 0, 0];
const START = Number(SAMPLE.startAt);

describe('a time within a recording is sought', () => {
  test('without reading what came before, and gives the rows that come after, whatever their order', () => {
    const count = 3 * BATCH_ROWS + 500;
    // Some times run backwards, also over the edge of a batch.
    const rows = Array.from({ length: count }, (_, row) =>
      trade(START + 1_000 * (row - (row % 97 === 0 ? 300 : 0)), row + 1),
    );
    rows[BATCH_ROWS - 2] = trade(START + 1_000 * (BATCH_ROWS + 4_000), BATCH_ROWS - 1);
    const path = writeRecording(join(temporaryFolder(), 'BTCUSDT.arrow'), rows);
    fc.assert(
      fc.property(fc.integer({ min: -10, max: count + 10 }), (row) => {
        const at = START + 1_000 * row;
        const found = from([path], at);
        expect(found.rows).toEqual(later(rows, at));
        if (row > 3 * BATCH_ROWS) expect(found.read).toBeLessThanOrEqual(BATCH_ROWS);
      }),
      { numRuns: runs(20) },
    );
  }, 120_000);

  test('over days that follow each other, without the book that each carries over', () => {
    const whole = join(temporaryFolder(), 'BTCUSDT.arrow');
    const startAt = micros(START + US_PER_DAY - 2 * US_PER_HOUR);
    generateRecording(whole, { ...SAMPLE, startAt, durationUs: 4 * US_PER_HOUR });
    const days = temporaryFolder();
    splitByDay(whole, days);
    const { rows } = from([whole]);
    for (const hours of [0, 1.9, 2, 2.0001, 3, 5]) {
      const at = Math.round(startAt + hours * US_PER_HOUR);
      const expected = later(rows, at);
      for (const paths of [[whole], [days]]) {
        const found = from(paths, at);
        expect(found.rows.length).toBe(expected.length);
        expect(found.rows).toEqual(expected);
      }
      if (hours === 1.9) expect(from([whole], at).read).toBe(rows.length - BATCH_ROWS);
    }
  }, 120_000);

  test('and damage among the times that are read is reported', () => {
    const rows = Array.from({ length: 2 * BATCH_ROWS }, (_, row) => trade(START + row, row + 1));
    const path = writeRecording(join(temporaryFolder(), 'BTCUSDT.arrow'), rows);
    const bytes = readFileSync(path);
    // Behind head, schema and the message of the first batch stands its first column: the times.
    for (let index = 3_000; index < 3_200; index += 1) bytes[index] ^= 0xff;
    writeFileSync(path, bytes);
    const recording = openRecording(path);
    expect(() => [...recording.batches(micros(START + BATCH_ROWS + 5))]).toThrow(
      /BTCUSDT\.arrow is damaged in batch 1/,
    );
    recording.close();
  });
});
