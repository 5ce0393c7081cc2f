import * as arrow from 'apache-arrow';
import { CompressionType } from 'apache-arrow/fb/compression-type';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import * as reference from 'apache-arrow/ipc/metadata/message';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFooter, decodeMessage } from '../../../src/feeds/arrow/decode.ts';
import { encodeBatch, encodeFooter, encodeSchema } from '../../../src/feeds/arrow/encode.ts';
import { CODEC, type ArrowSchema, type ColumnType } from '../../../src/feeds/arrow/schema.ts';

const size = fc.maxSafeNat();
const type: fc.Arbitrary<ColumnType> = fc.oneof(
  fc.record({
    kind: fc.constant('int' as const),
    bitWidth: fc.constantFrom(8, 16, 32, 64),
    isSigned: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('timestamp' as const),
    unit: fc.constantFrom(0, 1, 2, 3),
    timezone: fc.constantFrom('', 'UTC', 'Asia/Tokyo'),
  }),
);
const name = fc.string({ minLength: 1, unit: 'grapheme' });
const schemas: fc.Arbitrary<ArrowSchema<ColumnType>> = fc.record({
  fields: fc.array(fc.record({ name, type, nullable: fc.boolean() }), { maxLength: 12 }),
  metadata: fc
    .array(fc.tuple(name, fc.string({ unit: 'grapheme', maxLength: 3_000 })), { maxLength: 9 })
    .map((pairs) => new Map(pairs)),
});
const blocks = fc.array(
  fc.record({ offset: size, headLength: fc.nat(2 ** 31 - 1), bodyLength: size }),
);
const batches = fc.record({
  rows: size,
  buffers: fc.array(fc.record({ offset: size, length: size }), { maxLength: 20 }),
  codec: fc.constantFrom(CODEC.lz4, CODEC.zstd),
});

/** A schema as the reference implementation has it. */
const schemaOf = ({ fields, metadata }: ArrowSchema<ColumnType>): arrow.Schema =>
  new arrow.Schema(
    fields.map((field) => new arrow.Field(field.name, typeOf(field.type), field.nullable)),
    new Map(metadata),
  );

const UNITS = [
  arrow.TimeUnit.SECOND,
  arrow.TimeUnit.MILLISECOND,
  arrow.TimeUnit.MICROSECOND,
  arrow.TimeUnit.NANOSECOND,
] as const;

const CODECS = [CompressionType.LZ4_FRAME, CompressionType.ZSTD] as const;

function typeOf(one: ColumnType): arrow.DataType {
  if (one.kind === 'timestamp') {
    return new arrow.Timestamp(UNITS[one.unit], one.timezone === '' ? null : one.timezone);
  }
  const isSigned = one.isSigned as true;
  return new arrow.Int(isSigned, one.bitWidth as 8);
}

const schemaMessage = (schema: arrow.Schema): Uint8Array =>
  reference.Message.encode(reference.Message.from(schema));

describe('beside the reference implementation of Arrow', () => {
  test('a schema has the same bytes, and is read as it was written', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const bytes = encodeSchema(schema);
        expect(bytes).toEqual(schemaMessage(schemaOf(schema)));
        expect(decodeMessage(bytes)).toEqual({ kind: 'schema', bodyLength: 0, schema });
      }),
    );
  });

  test('a record batch has the same bytes, and is read as it was written', () => {
    fc.assert(
      fc.property(batches, fc.nat(12), size, (batch, columnCount, bodyLength) => {
        const bytes = encodeBatch(batch, columnCount, bodyLength);
        const header = new reference.RecordBatch(
          batch.rows,
          Array.from({ length: columnCount }, () => new reference.FieldNode(batch.rows, 0)),
          batch.buffers.map(({ offset, length }) => new reference.BufferRegion(offset, length)),
          new reference.BodyCompression(CODECS[batch.codec]),
        );
        const theirs = reference.Message.encode(reference.Message.from(header, bodyLength));
        expect(bytes).toEqual(theirs);
        expect(decodeMessage(bytes)).toEqual({ kind: 'batch', bodyLength, batch });
      }),
    );
  });

  test('a footer has the same bytes, and is read as it was written', () => {
    fc.assert(
      fc.property(schemas, blocks, (schema, places) => {
        const bytes = encodeFooter(schema, places);
        const theirs = places.map(
          ({ offset, headLength, bodyLength }) => new FileBlock(headLength, bodyLength, offset),
        );
        const footer = new Footer(schemaOf(schema), arrow.MetadataVersion.V5, theirs, []);
        expect(bytes).toEqual(Footer.encode(footer));
        expect(decodeFooter(bytes)).toEqual({ schema, blocks: places });
      }),
    );
  });
});

describe('what a recording never has', () => {
  test('is read as another type', () => {
    const types = [
      new arrow.Utf8(),
      new arrow.Float64(),
      new arrow.List(new arrow.Field('item', new arrow.Int8())),
      new arrow.Dictionary(new arrow.Int64(), new arrow.Int32()),
    ];
    const fields = types.map((one, i) => new arrow.Field(`f${i}`, one, true));
    const message = decodeMessage(schemaMessage(new arrow.Schema(fields)));
    expect(message).toMatchObject({
      kind: 'schema',
      schema: { fields: types.map(() => ({ type: { kind: 'other' } })), metadata: new Map() },
    });
  });

  test('is read as another message, or a batch without compression', () => {
    const batch = new reference.RecordBatch(1, [], [], null);
    const dictionary = reference.Message.from(new reference.DictionaryBatch(batch, 0n), 8);
    const read = decodeMessage(reference.Message.encode(dictionary));
    expect(read).toEqual({ kind: 'other', bodyLength: 8 });
    expect(decodeMessage(reference.Message.encode(reference.Message.from(batch, 8)))).toEqual({
      kind: 'batch',
      bodyLength: 8,
      batch: { rows: 1, buffers: [], codec: undefined },
    });
  });

  test('a size beyond 2^53 is an error', () => {
    const bytes = encodeBatch({ rows: 2 ** 60, buffers: [], codec: undefined }, 0, 0);
    expect(() => decodeMessage(bytes)).toThrow(RangeError);
  });
});
