import { HEADER, TYPE } from './schema.ts';
import type { ArrowField, ArrowMessage, ArrowSchema, ArrowType } from './schema.ts';
import type { BatchHeader, Block } from './schema.ts';
import { Table } from './table.ts';

/** Reads the flatbuffer of a message. Throws `RangeError` for a size beyond 2^53. */
export function decodeMessage(flatbuffer: Uint8Array): ArrowMessage {
  const message = Table.root(flatbuffer);
  const bodyLength = message.int64(3);
  const header = message.table(2);
  if (header === undefined) return { kind: 'other', bodyLength };
  switch (message.int8(1)) {
    case HEADER.schema:
      return { kind: 'schema', bodyLength, schema: schemaOf(header) };
    case HEADER.batch:
      return { kind: 'batch', bodyLength, batch: batchOf(header) };
    default:
      return { kind: 'other', bodyLength };
  }
}

/** Reads the flatbuffer of a file's footer. Throws `RangeError` for a size beyond 2^53. */
export function decodeFooter(flatbuffer: Uint8Array): {
  readonly schema: ArrowSchema;
  readonly blocks: readonly Block[];
} {
  const footer = Table.root(flatbuffer);
  const schema = footer.table(1);
  return {
    schema: schema === undefined ? { fields: [], metadata: new Map() } : schemaOf(schema),
    blocks: footer.structs(3, 24, (block) => ({
      offset: block.int64(0),
      headLength: block.int32(8),
      bodyLength: block.int64(16),
    })),
  };
}

const schemaOf = (schema: Table): ArrowSchema => ({
  fields: schema.tables(1).map(fieldOf),
  metadata: new Map(schema.tables(2).map((pair) => [pair.string(0), pair.string(1)])),
});

const fieldOf = (field: Table): ArrowField => ({
  name: field.string(0),
  nullable: field.int8(1) !== 0,
  type: typeOf(field),
});

function typeOf(field: Table): ArrowType {
  const type = field.int8(2);
  const members = field.table(3);
  const isDictionary = field.table(4) !== undefined;
  if (members !== undefined && !isDictionary) {
    if (type === TYPE.int) {
      return { kind: 'int', bitWidth: members.int32(0), isSigned: members.int8(1) !== 0 };
    }
    if (type === TYPE.timestamp) {
      return { kind: 'timestamp', unit: members.int16(0), timezone: members.string(1) };
    }
  }
  return { kind: 'other', type };
}

const batchOf = (batch: Table): BatchHeader => ({
  rows: batch.int64(0),
  buffers: batch.structs(2, 16, (region) => ({
    offset: region.int64(0),
    length: region.int64(8),
  })),
  codec: batch.table(3)?.int8(0),
});
