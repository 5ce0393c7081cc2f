import { Builder } from 'flatbuffers';
import { HEADER, METADATA_V5, TYPE } from './schema.ts';
import type { ArrowField, ArrowSchema, BatchHeader, Block, ColumnType } from './schema.ts';

/*
 * A flatbuffer is built from its end: what a table refers to comes before the table, vectors of
 * structs from the last element to the first. The order of the calls is that of the reference
 * implementation of Arrow in JavaScript, so that the bytes are the same.
 */

/** The flatbuffer of a schema message. */
export function encodeSchema(schema: ArrowSchema<ColumnType>): Uint8Array {
  const builder = new Builder();
  return message(builder, HEADER.schema, schemaTable(builder, schema), 0);
}

/** The flatbuffer of a record batch message whose columns have no nulls. */
export function encodeBatch(
  { rows, buffers, codec }: BatchHeader,
  columnCount: number,
  bodyLength: number,
): Uint8Array {
  const builder = new Builder();
  builder.startVector(16, columnCount, 8);
  for (let column = 0; column < columnCount; column += 1) pair(builder, rows, 0);
  const nodes = builder.endVector();
  builder.startVector(16, buffers.length, 8);
  for (const { offset, length } of buffers.toReversed()) pair(builder, offset, length);
  const regions = builder.endVector();
  const compression = codec === undefined ? 0 : compressionTable(builder, codec);
  builder.startObject(5);
  builder.addFieldInt64(0, BigInt(rows), 0n);
  builder.addFieldOffset(1, nodes, 0);
  builder.addFieldOffset(2, regions, 0);
  builder.addFieldOffset(3, compression, 0);
  return message(builder, HEADER.batch, builder.endObject(), bodyLength);
}

/** The flatbuffer of the footer of a file. */
export function encodeFooter(
  schema: ArrowSchema<ColumnType>,
  blocks: readonly Block[],
): Uint8Array {
  const builder = new Builder();
  const schemaOffset = schemaTable(builder, schema);
  builder.startVector(24, blocks.length, 8);
  for (const { offset, headLength, bodyLength } of blocks.toReversed()) {
    builder.prep(8, 24);
    builder.writeInt64(BigInt(bodyLength));
    builder.pad(4);
    builder.writeInt32(headLength);
    builder.writeInt64(BigInt(offset));
  }
  const batches = builder.endVector();
  builder.startVector(24, 0, 8);
  const dictionaries = builder.endVector();
  builder.startObject(5);
  builder.addFieldOffset(1, schemaOffset, 0);
  builder.addFieldInt16(0, METADATA_V5, 0);
  builder.addFieldOffset(3, batches, 0);
  builder.addFieldOffset(2, dictionaries, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

function message(builder: Builder, type: number, header: number, bodyLength: number): Uint8Array {
  builder.startObject(5);
  builder.addFieldInt16(0, METADATA_V5, 0);
  builder.addFieldOffset(2, header, 0);
  builder.addFieldInt8(1, type, 0);
  builder.addFieldInt64(3, BigInt(bodyLength), 0n);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

function schemaTable(builder: Builder, { fields, metadata }: ArrowSchema<ColumnType>): number {
  const fieldTables = fields.map((field) => fieldTable(builder, field));
  const fieldVector = references(builder, fieldTables);
  const pairs = [...metadata].map((entry) => keyValueTable(builder, ...entry));
  const pairVector = pairs.length === 0 ? 0 : references(builder, pairs);
  builder.startObject(4);
  builder.addFieldOffset(1, fieldVector, 0);
  builder.addFieldOffset(2, pairVector, 0);
  return builder.endObject();
}

function fieldTable(builder: Builder, { name, type, nullable }: ArrowField<ColumnType>): number {
  const typeOffset = typeTable(builder, type);
  const children = references(builder, []);
  const nameOffset = builder.createString(name);
  builder.startObject(7);
  builder.addFieldOffset(3, typeOffset, 0);
  builder.addFieldInt8(2, TYPE[type.kind], 0);
  builder.addFieldOffset(5, children, 0);
  builder.addFieldInt8(1, nullable ? 1 : 0, 0);
  builder.addFieldOffset(0, nameOffset, 0);
  return builder.endObject();
}

function typeTable(builder: Builder, type: ColumnType): number {
  switch (type.kind) {
    case 'int':
      builder.startObject(2);
      builder.addFieldInt32(0, type.bitWidth, 0);
      builder.addFieldInt8(1, type.isSigned ? 1 : 0, 0);
      return builder.endObject();
    case 'timestamp': {
      const timezone = type.timezone === '' ? 0 : builder.createString(type.timezone);
      builder.startObject(2);
      builder.addFieldInt16(0, type.unit, 0);
      builder.addFieldOffset(1, timezone, 0);
      return builder.endObject();
    }
  }
}

function keyValueTable(builder: Builder, key: string, value: string): number {
  const keyOffset = builder.createString(key);
  const valueOffset = builder.createString(value);
  builder.startObject(2);
  builder.addFieldOffset(0, keyOffset, 0);
  builder.addFieldOffset(1, valueOffset, 0);
  return builder.endObject();
}

/** `BodyCompression` by buffer, which is the only method and its default. */
function compressionTable(builder: Builder, codec: number): number {
  builder.startObject(2);
  builder.addFieldInt8(0, codec, 0);
  return builder.endObject();
}

/** A vector of tables. */
function references(builder: Builder, tables: readonly number[]): number {
  builder.startVector(4, tables.length, 4);
  for (const table of tables.toReversed()) builder.addOffset(table);
  return builder.endVector();
}

/** A struct of two 64-bit integers: `Buffer` (offset, length) or `FieldNode` (length, nulls). */
function pair(builder: Builder, first: number, second: number): void {
  builder.prep(8, 16);
  builder.writeInt64(BigInt(second));
  builder.writeInt64(BigInt(first));
}
