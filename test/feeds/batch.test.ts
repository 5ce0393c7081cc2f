import { constants, zstdCompressSync } from 'node:zlib';
import { CompressionType } from 'apache-arrow/fb/compression-type';
import {
  BodyCompression,
  BufferRegion,
  FieldNode,
  Message,
  RecordBatch,
} from 'apache-arrow/ipc/metadata/message';
import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../src/feeds/arrow/decode.ts';
import { encodeSchema } from '../../src/feeds/arrow/encode.ts';
import type { ArrowMessage } from '../../src/feeds/arrow/schema.ts';
import { BatchEncoder, DamagedBatch, decodeBatch } from '../../src/feeds/batch.ts';
import { arrowSchema, columnsFor } from '../../src/feeds/layout.ts';
import type { Layout } from '../../src/feeds/recording.ts';
import { eventColumns, TRADE, type EventColumns } from '../../src/model/events.ts';

function twoRows(): EventColumns {
  const columns = eventColumns(2);
  columns.length = 2;
  columns.kind.fill(TRADE);
  columns.price.set([5, 6]);
  return columns;
}

/** What the encoder writes, read back. */
function encoded(layout: Layout): [ArrowMessage, Buffer] {
  const { message, body } = new BatchEncoder(layout).encode(twoRows(), 0);
  return [decodeMessage(message), body];
}

/** A message of candles whose columns all hold these bytes, written by the reference implementation. */
function forged(
  rows: number,
  plain: Uint8Array,
  type = CompressionType.ZSTD,
): [ArrowMessage, Buffer] {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(8 * rows);
  const part = Buffer.concat([prefix, zstdCompressSync(plain, { params })]);
  const regions = Array.from({ length: 7 }, (_, i) => [
    new BufferRegion(i * part.length, 0),
    new BufferRegion(i * part.length, part.length),
  ]).flat();
  const nodes = Array.from({ length: 7 }, () => new FieldNode(rows, 0));
  const header = new RecordBatch(rows, nodes, regions, new BodyCompression(type));
  const body = Buffer.concat(Array.from({ length: 7 }, () => part));
  return [decodeMessage(Message.encode(Message.from(header, body.length))), body];
}

describe('a batch', () => {
  test('is read into columns that may be longer', () => {
    const [message, body] = encoded('events');
    const into = eventColumns(9);
    decodeBatch('events', message, body, into);
    expect(into.length).toBe(2);
    expect([...into.price.subarray(0, 2)]).toEqual([5, 6]);
  });

  test('of more rows than there is room for is damaged', () => {
    const [message, body] = encoded('events');
    expect(() => decodeBatch('events', message, body, eventColumns(1))).toThrow('claims 2 rows');
  });

  test('of fewer columns than the layout is damaged', () => {
    const [message, body] = encoded('candles');
    expect(() => decodeBatch('events', message, body, eventColumns(2))).toThrow(DamagedBatch);
  });

  test('whose columns are of another length is damaged', () => {
    const into = columnsFor('candles', 4);
    const [message, body] = forged(2, new Uint8Array(24));
    expect(() => decodeBatch('candles', message, body, into)).toThrow('24 bytes');
    const [huge, hugeBody] = forged(2, new Uint8Array(100_000_000));
    expect(() => decodeBatch('candles', huge, hugeBody, into)).toThrow();
    const [short, shortBody] = forged(2, new Uint8Array(8));
    expect(() => decodeBatch('candles', short, shortBody, into)).toThrow('8 bytes');
  });

  test('that holds a number beyond 2^53 is damaged', () => {
    const plain = new Uint8Array(BigInt64Array.of(1n, 2n ** 53n).buffer);
    const [message, body] = forged(2, plain);
    expect(() => decodeBatch('candles', message, body, columnsFor('candles', 2))).toThrow(
      'received_at beyond 2^53 in its row 1',
    );
  });

  test('of another compression, or that is none, is damaged', () => {
    const [message, body] = forged(1, new Uint8Array(8), CompressionType.LZ4_FRAME);
    const into = columnsFor('candles', 2);
    expect(() => decodeBatch('candles', message, body, into)).toThrow('not zstd');
    const schema = decodeMessage(encodeSchema(arrowSchema('candles', new Map())));
    expect(() => decodeBatch('candles', schema, body, into)).toThrow('not a record batch');
  });
});
