/**
 * The part of the Arrow format that recordings use: columns of integers and timestamps without
 * nulls, compressed record batches, a file footer. Names are those of the format's own definition
 * (apache/arrow, format/Schema.fbs, Message.fbs and File.fbs).
 */

/** The types that recordings have. */
export type ColumnType =
  | { readonly kind: 'int'; readonly bitWidth: number; readonly isSigned: boolean }
  | { readonly kind: 'timestamp'; readonly unit: number; readonly timezone: string };

/** The types of a file's columns; of `other` ones only the number is known. */
export type ArrowType = ColumnType | { readonly kind: 'other'; readonly type: number };

export interface ArrowField<T = ArrowType> {
  readonly name: string;
  readonly type: T;
  readonly nullable: boolean;
}

export interface ArrowSchema<T = ArrowType> {
  readonly fields: readonly ArrowField<T>[];
  readonly metadata: ReadonlyMap<string, string>;
}

/** Location of a buffer in the body of its batch, in bytes. */
export interface BufferRegion {
  readonly offset: number;
  readonly length: number;
}

/** The header of a record batch; of each field it has a validity bitmap and the values. */
export interface BatchHeader {
  readonly rows: number;
  readonly buffers: readonly BufferRegion[];
  /** `undefined` if the body is not compressed. */
  readonly codec: number | undefined;
}

export type ArrowMessage = { readonly bodyLength: number } & (
  | { readonly kind: 'schema'; readonly schema: ArrowSchema }
  | { readonly kind: 'batch'; readonly batch: BatchHeader }
  | { readonly kind: 'other' }
);

/** Location of a record batch in the file. */
export interface Block {
  readonly offset: number;
  /** Bytes of the message head, prefix included. */
  readonly headLength: number;
  readonly bodyLength: number;
}

/** `MetadataVersion.V5`, the version since Arrow 1.0. */
export const METADATA_V5 = 4;

/** Union `Type`. */
export const TYPE = { int: 2, timestamp: 10 } as const;

/** Union `MessageHeader`. */
export const HEADER = { schema: 1, batch: 3 } as const;

/** Enum `TimeUnit`. */
export const MICROSECOND = 2;

/** Enum `CompressionType`. */
export const CODEC = { lz4: 0, zstd: 1 } as const;
