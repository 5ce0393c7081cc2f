import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordBatchFileWriter, tableFromArrays } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { encodeSchema } from '../../src/feeds/arrow/encode.ts';
import { fileEnd, HEAD, messageHead } from '../../src/feeds/frame.ts';
import { arrowSchema } from '../../src/feeds/layout.ts';
import { describe as textsOf, KEY } from '../../src/feeds/metadata.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { LAST, LEVEL, TRADE } from '../../src/model/events.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { eventsMeta } from '../kit/metas.ts';
import { readRecording, temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const ROWS: readonly Row[] = Array.from({ length: 12 }, (_, i): Row => {
  const at = 1_700_000_000_000_000 + 7_919 * i * i;
  return [
    at,
    at - 900 - i,
    i % 3 === 0 ? TRADE : LEVEL,
    LAST,
    i + 1,
    6_000_000 + i,
    10 * i,
    0,
    0,
    0,
  ];
});

function errorOf(action: () => unknown): MillraceError {
  try {
    action();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a file that is no whole recording is refused in one sentence', () => {
  test('when it is not there, or is a folder', () => {
    const folder = temporaryFolder();
    const error = errorOf(() => openRecording(join(folder, 'none.arrow')));
    expect(error.code).toBe('file-missing');
    expect(error.message).toContain('none.arrow is not there');
    expect(error.where).toBe(join(folder, 'none.arrow'));
    mkdirSync(join(folder, 'folder.arrow'));
    expect(errorOf(() => openRecording(join(folder, 'folder.arrow'))).code).toBe('file-missing');
  });

  test('when it was cut off anywhere', () => {
    const path = writeRecording(join(temporaryFolder(), 'cut.arrow'), ROWS);
    const whole = readFileSync(path);
    for (let length = whole.length - 1; length >= 0; length -= 1) {
      truncateSync(path, length);
      const error = errorOf(() => openRecording(path));
      if (error.code !== 'recording-truncated') expect({ length, error }).toBeUndefined();
    }
  });

  test('when it is something else', () => {
    const path = join(temporaryFolder(), 'else.arrow');
    for (const text of ['time,price\n1,2\n', 'PAR1', '\u001f\u008b', 'A']) {
      writeFileSync(path, text);
      const error = errorOf(() => openRecording(path));
      expect(error.message).toContain(text === 'A' ? 'ends before' : 'not an Arrow file');
    }
  });

  test('when it is an Arrow file of somebody else', () => {
    const path = join(temporaryFolder(), 'foreign.arrow');
    const table = tableFromArrays({ price: Float64Array.of(1, 2) });
    writeFileSync(path, RecordBatchFileWriter.writeAll(table).toUint8Array(true));
    const error = errorOf(() => openRecording(path));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain('not written by Millrace');
  });

  test.each([
    [KEY.format, undefined, 'not a recording'],
    [KEY.format, '2', 'format 2'],
    [KEY.layout, 'ticks', 'layout'],
    [KEY.period, 'M1', 'period'],
    [KEY.instrument, '{"symbol":"BTCUSDT"}', 'instrument'],
    [KEY.instrument, JSON.stringify({ ...eventsMeta().instrument, tickSize: '0' }), 'instrument'],
    [KEY.instrument, '{', 'instrument'],
    [KEY.provenance, '{"importer":"x"}', 'provenance'],
    [KEY.summary, '{"rows":-0.5}', 'summary'],
    [KEY.summary, undefined, 'summary'],
  ])('when its %s is %s', (key, value, words) => {
    const path = join(temporaryFolder(), 'texts.arrow');
    const texts = textsOf(eventsMeta());
    texts.set(KEY.summary, JSON.stringify({ rows: 0 }));
    if (value === undefined) texts.delete(key);
    else texts.set(key, value);
    const schema = arrowSchema('events', texts);
    writeFileSync(
      path,
      Buffer.concat([HEAD, messageHead(encodeSchema(schema)), fileEnd(schema, [])]),
    );
    const error = errorOf(() => openRecording(path));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain(words);
  });

  test('when its columns are those of the other layout', () => {
    const path = join(temporaryFolder(), 'columns.arrow');
    const texts = textsOf(eventsMeta());
    const zero = { trades: 0, quotes: 0, levels: 0, resets: 0, gaps: 0, candles: 0, rows: 0 };
    texts.set(KEY.summary, JSON.stringify({ ...zero, firstAt: 0, lastAt: 0 }));
    const schema = arrowSchema('candles', texts);
    writeFileSync(
      path,
      Buffer.concat([HEAD, messageHead(encodeSchema(schema)), fileEnd(schema, [])]),
    );
    expect(errorOf(() => openRecording(path)).message).toContain('other columns');
  });
});

describe('a damaged recording', () => {
  test('never reads as something else: each flipped bit is an error or changes nothing', () => {
    const path = writeRecording(join(temporaryFolder(), 'flip.arrow'), ROWS);
    const whole = readFileSync(path);
    let errors = 0;
    for (let at = 0; at < whole.length; at += 3) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1 << (at % 8);
      writeFileSync(path, damaged);
      try {
        const rows = readRecording(path);
        if (JSON.stringify(rows) !== JSON.stringify(ROWS)) expect({ at, rows }).toBeUndefined();
      } catch (error) {
        errors += 1;
        if (!(error instanceof MillraceError)) expect({ at, error }).toBeUndefined();
      }
    }
    // What may change unseen: the schema at the head, lengths before columns, padding.
    expect(errors).toBeGreaterThan(whole.length / 9);
  });

  test('names the batch that is damaged', () => {
    const path = writeRecording(join(temporaryFolder(), 'batch.arrow'), ROWS);
    const bytes = readFileSync(path);
    const frame = bytes.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
    bytes[frame + 8] ^= 0xff;
    writeFileSync(path, bytes);
    const error = errorOf(() => readRecording(path));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain('batch 1');
  });

  test('that shrinks while it is open is noticed', () => {
    const path = writeRecording(join(temporaryFolder(), 'shrinks.arrow'), ROWS);
    const recording = openRecording(path);
    truncateSync(path, 1_500);
    expect(errorOf(() => recording.batches().next()).code).toBe('recording-invalid');
    expect(errorOf(() => recording.fingerprint).code).toBe('recording-truncated');
    recording.close();
  });

  test('can not be read once it is closed', () => {
    const recording = openRecording(writeRecording(join(temporaryFolder(), 'a.arrow'), ROWS));
    recording.close();
    recording.close();
    expect(errorOf(() => recording.batches().next()).code).toBe('internal');
  });
});
