import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordBatchFileWriter, tableFromArrays } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { decodeFooter, decodeMessage } from '../../src/feeds/arrow/decode.ts';
import { encodeSchema } from '../../src/feeds/arrow/encode.ts';
import type { Block } from '../../src/feeds/arrow/schema.ts';
import { fileEnd, HEAD, messageHead, TAIL_LENGTH } from '../../src/feeds/frame.ts';
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

/** Where the columns stand in the one batch of a recording: from the magic of a frame to its end. */
function zstdFrames(whole: Buffer): readonly (readonly [from: number, till: number])[] {
  const recording = blocksOf(whole);
  const head = whole.subarray(recording.offset + 8, recording.offset + recording.headLength);
  const message = decodeMessage(head);
  if (message.kind !== 'batch') throw new Error('no batch');
  const body = recording.offset + recording.headLength;
  return message.batch.buffers
    .filter(({ length }) => length > 0)
    .map(({ offset, length }) => [body + offset + 8, body + offset + length]);
}

function blocksOf(whole: Buffer): Block {
  const length = whole.readInt32LE(whole.length - TAIL_LENGTH);
  const footer = whole.subarray(whole.length - TAIL_LENGTH - length, whole.length - TAIL_LENGTH);
  return decodeFooter(footer).blocks[0];
}

function endOfBatches(whole: Buffer): number {
  const { offset, headLength, bodyLength } = blocksOf(whole);
  return offset + headLength + bodyLength;
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
    [KEY.format, '3', 'format 3'],
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
  test('is an error wherever a bit is flipped', () => {
    const path = writeRecording(join(temporaryFolder(), 'flip.arrow'), ROWS);
    const whole = readFileSync(path);
    const flips = Array.from(whole, (_, at): [number, number] => [at, at % 8]);
    // What heads a frame has no checksum of its own: every bit of it.
    const heads = zstdFrames(whole).map(([from]) => from);
    for (const from of heads)
      for (let i = 0; i < 8 * 14; i += 1) flips.push([from + (i >> 3), i % 8]);
    const passed: unknown[] = [];
    for (const [at, bit] of flips) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1 << bit;
      writeFileSync(path, damaged);
      try {
        passed.push([at, bit, readRecording(path)]);
      } catch (error) {
        if (!(error instanceof MillraceError)) expect({ at, error }).toBeUndefined();
      }
    }
    expect(passed).toEqual([]);
  });

  test.each<[string, (whole: Buffer) => number, string]>([
    ['in its first schema', () => 20, 'has a damaged schema at its beginning'],
    ['in the length of its first schema', () => 13, 'has a damaged schema at its beginning'],
    ['in the length before a column', (whole) => zstdFrames(whole)[1][0] - 8, 'another length'],
    ['in the high half of that', (whole) => zstdFrames(whole)[1][0] - 2, 'another length'],
    ['in the mark of its end', (whole) => endOfBatches(whole) + 5, 'between its last batch'],
  ])('is an error with a bit flipped %s', (_, place, words) => {
    const path = writeRecording(join(temporaryFolder(), 'one.arrow'), ROWS);
    const bytes = readFileSync(path);
    bytes[place(bytes)] ^= 0x40;
    writeFileSync(path, bytes);
    const error = errorOf(() => readRecording(path));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain(words);
  });

  test('is an error with a bit flipped in what fills up a column, or with bytes in between', () => {
    const path = writeRecording(join(temporaryFolder(), 'one.arrow'), ROWS);
    const whole = readFileSync(path);
    const frames = zstdFrames(whole);
    const padded = frames.filter(([, till], index) => till < (frames[index + 1]?.[0] ?? 0) - 8);
    expect(padded.length).toBeGreaterThan(0);
    for (const [, till] of padded) {
      const bytes = Buffer.from(whole);
      bytes[till] ^= 1;
      writeFileSync(path, bytes);
      expect(errorOf(() => readRecording(path)).message).toContain('that belong to none');
    }
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
