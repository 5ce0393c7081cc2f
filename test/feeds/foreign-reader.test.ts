import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as flechette from '@uwdata/flechette';
import { compressionRegistry, CompressionType, tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, test } from 'vitest';
import { BATCH_ROWS } from '../../src/feeds/layout.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { CANDLE, LAST, LEVEL, SELL } from '../../src/model/events.ts';
import { candlesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording } from '../kit/recordings.ts';

beforeAll(() => {
  flechette.setCompressionCodec(flechette.CompressionType.ZSTD, {
    encode: (bytes: Uint8Array) => zstdCompressSync(bytes),
    decode: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  });
  compressionRegistry.set(CompressionType.ZSTD, { decode: zstdDecompressSync });
});

const AT = 1_723_161_255_000_001;
const ROWS = BATCH_ROWS + 3;

function events(): Uint8Array {
  const path = join(temporaryFolder(), 'events.arrow');
  const writer = RecordingWriter.create(path, eventsMeta());
  for (let i = 0; i < ROWS; i += 1) {
    writer.row(AT + i, AT - 1_500, LEVEL, SELL | LAST, i, 6_183_763 + i, -i, 2 ** 53 - 1, 0, 0);
  }
  writer.finish();
  return readFileSync(path);
}

describe('an independent reader of Arrow files', () => {
  test('finds names, types, metadata and values of events', () => {
    const table = flechette.tableFromIPC(events(), { useBigInt: true });
    expect(table.numRows).toBe(ROWS);
    const fields = table.schema.fields.map(({ name, type, nullable }) => [
      name,
      'bitWidth' in type ? type.bitWidth : undefined,
      'timezone' in type ? type.timezone : undefined,
      nullable,
    ]);
    expect(fields).toEqual([
      ['received_at', undefined, 'UTC', false],
      ['stamped_at', undefined, 'UTC', false],
      ['kind', 8, undefined, false],
      ['flags', 8, undefined, false],
      ...['sequence', 'price', 'size', 'ask_price', 'ask_size'].map((name) => [
        name,
        64,
        undefined,
        false,
      ]),
    ]);
    const last = ROWS - 1;
    expect(table.getChild('price').at(last)).toBe(BigInt(6_183_763 + last));
    expect(table.getChild('size').at(last)).toBe(BigInt(-last));
    expect(table.getChild('ask_price').at(0)).toBe(2n ** 53n - 1n);
    expect(table.getChild('kind').at(last)).toBe(LEVEL);
    expect(table.getChild('received_at').at(last)).toBeCloseTo((AT + last) / 1_000, 3);
    const metadata = table.schema.metadata ?? new Map<string, string>();
    expect(JSON.parse(metadata.get('millrace.instrument') ?? '')).toEqual(eventsMeta().instrument);
    expect(JSON.parse(metadata.get('millrace.summary') ?? '')).toMatchObject({ levels: ROWS });
    expect(JSON.parse(metadata.get('millrace.legend') ?? '')).toHaveProperty('kind.4');
  });

  test('reads candles by the names of their fields', () => {
    const path = join(temporaryFolder(), 'candles.arrow');
    writeRecording(path, [[60, 0, CANDLE, 0, 0, 105, 12, 110, 90, 100]], candlesMeta());
    const table = flechette.tableFromIPC(readFileSync(path));
    const { received_at: _, stamped_at: __, ...values } = table.get(0) as Record<string, unknown>;
    expect(values).toEqual({ open: 100, high: 110, low: 90, close: 105, volume: 12 });
  });

  test('of a second make agrees', () => {
    const table = tableFromIPC(events());
    expect(table.numRows).toBe(ROWS);
    expect(table.getChild('sequence')?.get(ROWS - 1)).toBe(BigInt(ROWS - 1));
    expect(table.schema.metadata.get('millrace.layout')).toBe('events');
  });

  test('that reads a stream from its head, as some tools do with files, agrees', () => {
    // Behind the magic stands a stream of its own, schema first.
    const stream = events().subarray(8);
    const table = flechette.tableFromIPC(stream);
    expect(table.numRows).toBe(ROWS);
    expect(table.schema.metadata?.get('millrace.layout')).toBe('events');
  });
});
