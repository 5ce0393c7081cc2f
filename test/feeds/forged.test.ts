import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Builder } from 'flatbuffers';
import { describe, expect, test } from 'vitest';
import { decodeFooter } from '../../src/feeds/arrow/decode.ts';
import { encodeBatch, encodeFooter } from '../../src/feeds/arrow/encode.ts';
import { CODEC, type Block, type BufferRegion } from '../../src/feeds/arrow/schema.ts';
import { checkRecording } from '../../src/feeds/check.ts';
import { fileEnd, MAGIC, messageHead, TAIL_LENGTH } from '../../src/feeds/frame.ts';
import { arrowSchema } from '../../src/feeds/layout.ts';
import { describe as textsOf, KEY } from '../../src/feeds/metadata.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import type { RecordingSummary } from '../../src/feeds/recording.ts';
import { recover } from '../../src/feeds/recovery.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { eventsMeta } from '../kit/metas.ts';
import { readRecording, temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const ROWS: readonly Row[] = Array.from({ length: 9 }, (_, i): Row => [
  ...([100 + i, 90 + i, TRADE, LAST, i + 1, 500 + i, 1, 0, 0, 0] as const),
]);

interface Parts {
  /** Everything before the footer. */
  readonly body: Buffer;
  readonly blocks: readonly Block[];
  readonly summary: RecordingSummary;
}

/** A good recording taken apart, to be put together again with another end. */
function partsOf(path: string): Parts {
  const bytes = readFileSync(path);
  const length = bytes.readInt32LE(bytes.length - TAIL_LENGTH);
  const start = bytes.length - TAIL_LENGTH - length;
  const { schema, blocks } = decodeFooter(bytes.subarray(start, start + length));
  const summary = JSON.parse(schema.metadata.get(KEY.summary) ?? '') as RecordingSummary;
  // The end-of-stream mark is rewritten with each end.
  return { body: bytes.subarray(0, start - 8), blocks, summary };
}

function forged(
  change: (parts: Parts) => Partial<Omit<Parts, 'summary'>> & { readonly summary?: object },
): string {
  const path = writeRecording(join(temporaryFolder(), 'forged.arrow'), ROWS);
  const parts = partsOf(path);
  const { body, blocks, summary } = { ...parts, ...change(parts) };
  const texts = textsOf(eventsMeta());
  texts.set(KEY.summary, JSON.stringify(summary));
  writeFileSync(path, Buffer.concat([body, fileEnd(arrowSchema('events', texts), blocks)]));
  return path;
}

function errorOf(path: string): MillraceError {
  try {
    readRecording(path);
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('the recording was read');
}

/** The batch again with another head: its claimed rows and where its columns are. */
const withHead =
  (rows: number, regions: (good: BufferRegion[]) => BufferRegion[]) => (parts: Parts) => {
    const [{ offset, headLength, bodyLength }] = parts.blocks;
    const places: BufferRegion[] = [];
    const content = parts.body.subarray(offset + headLength, offset + headLength + bodyLength);
    let at = 0;
    while (at < content.length) {
      // Every column begins with its plain length; its packed bytes end where the next begins.
      const next = content.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), at + 12);
      const end = next < 0 ? content.length : next - 8;
      places.push({ offset: at, length: 0 }, { offset: at, length: end - at });
      at = end;
    }
    const header = { rows, buffers: regions(places), codec: CODEC.zstd };
    const head = messageHead(encodeBatch(header, 9, bodyLength));
    const body = Buffer.concat([parts.body.subarray(0, offset), head, content]);
    return { body, blocks: [{ offset, headLength: head.length, bodyLength }] };
  };

describe('a recording with forged numbers and right checksums', () => {
  test('is read when nothing is forged', () => {
    expect(readRecording(forged(() => ({})))).toEqual(ROWS);
  });

  test.each<readonly [string, (block: Block) => Block]>([
    ['a body of 1 TiB', (block) => ({ ...block, bodyLength: 2 ** 40 })],
    ['a body of less than nothing', (block) => ({ ...block, bodyLength: -8 })],
    ['a head of 2 GiB', (block) => ({ ...block, headLength: 2 ** 31 - 8 })],
    ['a head of less than nothing', (block) => ({ ...block, headLength: -8 })],
    ['no head', (block) => ({ ...block, headLength: 0 })],
    ['a place before the file', (block) => ({ ...block, offset: -1 })],
    ['a place behind its end', (block) => ({ ...block, offset: 2 ** 45 })],
  ])('is refused when it names %s', (_what, change) => {
    const error = errorOf(forged(({ blocks }) => ({ blocks: blocks.map(change) })));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toMatch(/names (?:no place|places) of batch/);
  });

  test('is refused at once when many names stand for one batch', () => {
    const path = forged(({ blocks: [block], summary }) => {
      const blocks = Array.from({ length: 100_000 }, () => block);
      const rows = blocks.length * ROWS.length;
      return { blocks, summary: { ...summary, rows, trades: rows } };
    });
    expect(() => openRecording(path)).toThrow('names no place of batch 2');
  });

  test.each([
    ['more rows than it has', { rows: 10, trades: 10 }, 'fewer rows'],
    ['fewer rows than it has', { rows: 8, trades: 8 }, 'claims 9 rows'],
    ['rows of other kinds', { trades: 8, quotes: 1 }, 'other rows in batch 1'],
    ['kinds that are no sum of its rows', { trades: 4 }, 'no valid summary'],
    ['candles among events', { trades: 0, candles: 9 }, 'no valid summary'],
    ['a negative count', { trades: 10, quotes: -1 }, 'no valid summary'],
    ['a later beginning', { firstAt: 101 }, 'other rows in batch 1'],
    ['an earlier beginning', { firstAt: 99 }, 'fewer rows'],
    ['an earlier end', { lastAt: 107 }, 'other rows in batch 1'],
    ['an end before its beginning', { lastAt: 99 }, 'no valid summary'],
    ['a million million rows', { rows: 10 ** 12, trades: 10 ** 12 }, 'in 1 batches'],
  ])('is refused when its summary says %s', (_what, change, words) => {
    const error = errorOf(forged(({ summary }) => ({ summary: { ...summary, ...change } })));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain(words);
  });

  test.each<readonly [string, number, (good: BufferRegion[]) => BufferRegion[], string]>([
    ['-1 rows', -1, (good) => good, 'claims -1 rows'],
    ['no rows', 0, (good) => good, 'claims 0 rows'],
    ['2^40 rows', 2 ** 40, (good) => good, 'claims 1099511627776 rows'],
    ['a column before its body', 9, (good) => good.map((r) => ({ ...r, offset: -64 })), 'no place'],
    [
      'a column behind its body',
      9,
      (good) => good.map((r) => ({ ...r, offset: 2 ** 41 })),
      'no place',
    ],
    [
      'a column of less than nothing',
      9,
      (good) => good.map((r) => ({ ...r, length: -9 })),
      'no place',
    ],
    ['a column that is too few', 9, (good) => good.slice(0, -2), 'lacks the column'],
  ])('is refused when a batch claims %s', (_what, rows, regions, words) => {
    const error = errorOf(forged(withHead(rows, regions)));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain('damaged in batch 1');
    expect(error.message).toContain(words);
  });

  test('is read when a batch has its head again', () => {
    expect(readRecording(forged(withHead(9, (good) => good)))).toEqual(ROWS);
  });
});

/** A file of that footer, sealed as ours are. */
function withFooter(footer: Uint8Array): string {
  const path = writeRecording(join(temporaryFolder(), 'footer.arrow'), ROWS);
  // A message is sealed as a footer is, behind a prefix of 8 bytes.
  const sealed = messageHead(footer).subarray(8);
  const tail = Buffer.alloc(TAIL_LENGTH);
  tail.writeUInt32LE(sealed.length);
  tail.set(MAGIC, 4);
  writeFileSync(path, Buffer.concat([partsOf(path).body, sealed, tail]));
  return path;
}

describe('a footer', () => {
  test('is refused when a vector is longer than the footer', () => {
    const blocks = [{ offset: 8, headLength: 0x0badcafe, bodyLength: 0 }];
    const footer = Buffer.from(encodeFooter(arrowSchema('events', textsOf(eventsMeta())), blocks));
    const length = footer.indexOf(Buffer.from([0xfe, 0xca, 0xad, 0x0b])) - 8 - 4;
    expect(footer.readInt32LE(length)).toBe(1);
    footer.writeInt32LE(2 ** 31 - 1, length);
    const error = errorOf(withFooter(footer));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain('damaged footer');
  });

  test('is refused when many texts are one and the same', () => {
    const builder = new Builder();
    const text = builder.createString('x'.repeat(100_000));
    builder.startObject(2);
    builder.addFieldOffset(0, text, 0);
    builder.addFieldOffset(1, text, 0);
    const pair = builder.endObject();
    builder.startVector(4, 50_000, 4);
    for (let i = 0; i < 50_000; i += 1) builder.addOffset(pair);
    const pairs = builder.endVector();
    builder.startObject(4);
    builder.addFieldOffset(2, pairs, 0);
    const schema = builder.endObject();
    builder.startObject(5);
    builder.addFieldOffset(1, schema, 0);
    builder.finish(builder.endObject());
    const error = errorOf(withFooter(builder.asUint8Array()));
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toContain('damaged footer');
  });

  test('is refused when it is noise with a right checksum', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const noise = Buffer.from(
        Array.from({ length: 400 }, (_, i) => (seed * 2_654_435_761 + i * i * 40_503) % 251),
      );
      expect(errorOf(withFooter(noise)).code).toBe('recording-invalid');
    }
  });
});

test('a recovery keeps nothing behind a forged length', () => {
  const path = writeRecording(join(temporaryFolder(), 'part.arrow'), ROWS);
  const { body, blocks } = partsOf(path);
  const [{ offset, headLength, bodyLength }] = blocks;
  const whole = offset + headLength + bodyLength;
  const head = messageHead(encodeBatch({ rows: 9, buffers: [], codec: CODEC.zstd }, 9, 2 ** 40));
  const part = join(temporaryFolder(), 'cut.arrow.part');
  writeFileSync(part, Buffer.concat([body.subarray(0, whole), head]));
  expect(recover(part)).toMatchObject({ summary: { rows: 9 }, bytesLost: head.length });
});

test('a check of a recording with a forged summary ends with the error', () => {
  const path = forged(({ summary }) => ({ summary: { ...summary, lastAt: 200 } }));
  const recording = openRecording(path);
  try {
    expect(() => checkRecording(recording)).toThrow('fewer rows');
  } finally {
    recording.close();
  }
});
