import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { BATCH_ROWS } from '../../src/feeds/layout.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { TOOL, type RecordingSummary } from '../../src/feeds/recording.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { CANDLE, GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { candlesMeta, eventsMeta } from '../kit/metas.ts';
import {
  readRecording,
  rowsOf,
  temporaryFolder,
  writeRecording,
  type Row,
} from '../kit/recordings.ts';

const MAX = Number.MAX_SAFE_INTEGER;

/** Anything that a column must hold, extremes of 64-bit halves among them. */
const whole = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, 1, -1, MAX, -MAX, 2 ** 31, 2 ** 32, -(2 ** 32), 2 ** 32 - 1, -(2 ** 31) - 1),
);
const eventRow: fc.Arbitrary<Row> = fc
  .tuple(
    fc.tuple(whole, whole),
    fc.constantFrom(TRADE, LEVEL, QUOTE, RESET, GAP),
    fc.constantFrom(0, SELL, LAST, SELL | LAST),
    fc.tuple(whole, whole, whole, whole, whole),
  )
  .map(([times, kind, flags, numbers]): Row => [...times, kind, flags, ...numbers, 0]);

describe('what is written is read', () => {
  test('for any whole numbers within ±2^53', () => {
    const folder = temporaryFolder();
    let count = 0;
    fc.assert(
      fc.property(fc.array(eventRow, { maxLength: 40 }), (rows) => {
        count += 1;
        const path = writeRecording(join(folder, `${count}.arrow`), rows);
        expect(readRecording(path)).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  test('for candles, whose flags read as LAST and whose sequence as 0', () => {
    const path = join(temporaryFolder(), 'candles.arrow');
    writeRecording(path, [[60, 0, CANDLE, 0, 7, 105, 12, 110, 90, 100]], candlesMeta());
    expect(readRecording(path)).toEqual([[60, 0, CANDLE, LAST, 0, 105, 12, 110, 90, 100]]);
  });

  test('over several batches, with the same columns refilled', () => {
    const path = join(temporaryFolder(), 'long.arrow');
    const rows = 2 * BATCH_ROWS + 5;
    const writer = RecordingWriter.create(path, eventsMeta());
    for (let i = 0; i < rows; i += 1) writer.row(i, -i, LEVEL, LAST, 2 * i, 3 * i, i % 7, 0, 0, 0);
    expect(writer.rows).toBe(rows);
    writer.finish();

    const recording = openRecording(path);
    const lengths: number[] = [];
    const seen = new Set<unknown>();
    let next = 0;
    for (const columns of recording.batches()) {
      lengths.push(columns.length);
      seen.add(columns);
      for (const row of rowsOf(columns)) {
        if (row[0] !== next || row[1] !== -next || row[5] !== 3 * next) expect(row).toEqual(next);
        next += 1;
      }
    }
    recording.close();
    expect(lengths).toEqual([BATCH_ROWS, BATCH_ROWS, 5]);
    expect(next).toBe(rows);
    expect(seen.size).toBe(1);
  });

  test('when two readings of one recording take turns', () => {
    const path = join(temporaryFolder(), 'two.arrow');
    writeRecording(path, [[5, 4, TRADE, LAST, 3, 2, 1, 0, 0, 0]]);
    const recording = openRecording(path);
    const [one, two] = [recording.batches(), recording.batches()];
    const first = one.next().value;
    const second = two.next().value;
    expect(first).not.toBe(second);
    expect(first).toEqual(second);
    recording.close();
  });

  test('after flushes, which make batches of their own', () => {
    const path = join(temporaryFolder(), 'flushed.arrow');
    const writer = RecordingWriter.create(path, eventsMeta());
    const rows: Row[] = [1, 2, 3].map((at) => [at, at, TRADE, LAST, at, at, at, 0, 0, 0]);
    for (const row of rows) {
      writer.row(...row);
      writer.flush();
      writer.flush();
    }
    writer.finish();
    expect(readRecording(path)).toEqual(rows);
  });
});

describe('a recording says about itself', () => {
  test('its meta, its summary and the sha-256 of its bytes', () => {
    const path = join(temporaryFolder(), 'meta.arrow');
    const meta = eventsMeta({
      provenance: {
        importer: 'test',
        sources: [{ name: 'a.gz', sha256: 'ff' }],
        synthetic: true,
        seed: 7,
        parameters: { gapAt: null, levels: [1, 2] },
        notes: ['Made up.'],
      },
    });
    writeRecording(
      path,
      [
        [50, 1, RESET, 0, 1, 0, 0, 0, 0, 0],
        [50, 1, LEVEL, LAST, 1, 10, 5, 0, 0, 0],
        [70, 2, TRADE, LAST, 9, 10, 1, 0, 0, 0],
        [60, 2, QUOTE, LAST, 0, 9, 1, 11, 1, 0],
        [65, 2, GAP, LAST, 0, 0, 0, 0, 0, 0],
      ],
      meta,
    );
    const recording = openRecording(path);
    expect(recording.meta).toEqual(meta);
    expect(recording.summary).toEqual({
      rows: 5,
      trades: 1,
      quotes: 1,
      levels: 1,
      resets: 1,
      gaps: 1,
      candles: 0,
      firstAt: 50,
      lastAt: 70,
    } as RecordingSummary);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(recording.fingerprint).toBe(sha256);
    recording.close();
  });

  test('that it is empty, with zeros for its times', () => {
    const path = writeRecording(join(temporaryFolder(), 'empty.arrow'), []);
    const recording = openRecording(path);
    expect([...recording.batches()]).toEqual([]);
    expect(recording.summary).toMatchObject({ rows: 0, firstAt: 0, lastAt: 0 });
    recording.close();
  });

  test('the provenance that was known only at the end', () => {
    const path = join(temporaryFolder(), 'late.arrow');
    const writer = RecordingWriter.create(path, eventsMeta());
    const provenance = { importer: 'late', sources: [], synthetic: false, notes: ['Counted.'] };
    writer.finish(provenance);
    const recording = openRecording(path);
    expect(recording.meta.provenance).toEqual(provenance);
    recording.close();
  });

  test('the release that wrote it, which is that of the package', () => {
    expect(TOOL).toBe(`millrace ${packageJson.version}`);
  });
});

describe('a writer', () => {
  test('makes the same bytes of the same rows', () => {
    const folder = temporaryFolder();
    const rows: Row[] = [1, 2, 3].map((at) => [at, at, LEVEL, LAST, at, at, at, 0, 0, 0]);
    const one = readFileSync(writeRecording(join(folder, 'one.arrow'), rows));
    const two = readFileSync(writeRecording(join(folder, 'two.arrow'), rows));
    expect(one.equals(two)).toBe(true);
  });

  test('shows nothing under the final name until it is finished', () => {
    const folder = temporaryFolder();
    const writer = RecordingWriter.create(join(folder, 'deep', 'a.arrow'), eventsMeta());
    writer.row(1, 1, TRADE, LAST, 1, 1, 1, 0, 0, 0);
    writer.flush();
    expect(readdirSync(join(folder, 'deep'))).toEqual(['a.arrow.part']);
    writer.finish();
    expect(readdirSync(join(folder, 'deep'))).toEqual(['a.arrow']);
    writer.abandon();
    expect(readdirSync(join(folder, 'deep'))).toEqual(['a.arrow']);
  });

  test('leaves nothing behind, and what was there alone, when it is abandoned', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.arrow');
    writeFileSync(path, 'older');
    const writer = RecordingWriter.create(path, eventsMeta());
    writer.row(1, 1, TRADE, LAST, 1, 1, 1, 0, 0, 0);
    writer.abandon();
    writer.abandon();
    expect(readdirSync(folder)).toEqual(['a.arrow']);
    expect(readFileSync(path, 'utf8')).toBe('older');
  });

  test('replaces an unfinished recording only with --force', () => {
    const path = join(temporaryFolder(), 'a.arrow');
    writeFileSync(`${path}.part`, 'unfinished');
    expect(() => RecordingWriter.create(path, eventsMeta())).toThrow(
      expect.objectContaining({ code: 'file-exists' }),
    );
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('unfinished');
    RecordingWriter.create(path, eventsMeta(), { replaceUnfinished: true }).finish();
    expect(readRecording(path)).toEqual([]);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test('refuses a number that is no whole one, naming its row and column', () => {
    for (const bad of [0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      const writer = RecordingWriter.create(join(temporaryFolder(), 'a.arrow'), eventsMeta());
      writer.row(1, 1, TRADE, LAST, 1, 1, 1, 0, 0, 0);
      writer.row(1, 1, TRADE, LAST, 1, 1, bad, 0, 0, 0);
      expect(() => writer.finish()).toThrow(
        expect.objectContaining({ code: 'out-of-range', field: 'size' }),
      );
      writer.abandon();
    }
  });

  test('refuses candles among events and events among candles', () => {
    for (const [meta, kind] of [
      [eventsMeta(), CANDLE],
      [candlesMeta(), TRADE],
      [eventsMeta(), 0],
    ] as const) {
      const writer = RecordingWriter.create(join(temporaryFolder(), 'a.arrow'), meta);
      writer.row(1, 1, kind, 0, 0, 1, 1, 1, 1, 1);
      expect(() => writer.finish()).toThrow(expect.objectContaining({ code: 'internal' }));
      writer.abandon();
    }
    const periodless = eventsMeta({ layout: 'candles' });
    expect(() => RecordingWriter.create('never.arrow', periodless)).toThrow('period');
  });

  test('whose name has become a folder keeps what it wrote until it is abandoned', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.arrow');
    const writer = RecordingWriter.create(path, eventsMeta());
    mkdirSync(path);
    expect(() => writer.finish()).toThrow(/a\.arrow cannot be written \(EISDIR/);
    expect(readdirSync(folder)).toEqual(['a.arrow', 'a.arrow.part']);
    writer.abandon();
    writer.abandon();
    expect(readdirSync(folder)).toEqual(['a.arrow']);
  });

  test('says where it cannot write', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => RecordingWriter.create(join(folder, 'file', 'a.arrow'), eventsMeta())).toThrow(
      expect.objectContaining({ code: 'file-unwritable' }),
    );
  });

  test('is of no use once it is finished', () => {
    const writer = RecordingWriter.create(join(temporaryFolder(), 'a.arrow'), eventsMeta());
    writer.finish();
    expect(() => {
      writer.flush();
    }).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});
