import { ByteBuffer } from 'flatbuffers';

/** Bytes of a reference to a table or a string. */
const REFERENCE = 4;

/**
 * A table of a flatbuffer, read by the number of its fields as the definition lists them. An absent
 * field has its default. Throws `RangeError` for a 64-bit integer beyond 2^53.
 */
export class Table {
  readonly #bytes: ByteBuffer;
  readonly #position: number;

  private constructor(bytes: ByteBuffer, position: number) {
    this.#bytes = bytes;
    this.#position = position;
  }

  static root(flatbuffer: Uint8Array): Table {
    const bytes = new ByteBuffer(flatbuffer);
    return new Table(bytes, bytes.__indirect(0));
  }

  int8(field: number): number {
    const at = this.#at(field);
    return at === 0 ? 0 : this.#bytes.readInt8(at);
  }

  int16(field: number): number {
    const at = this.#at(field);
    return at === 0 ? 0 : this.#bytes.readInt16(at);
  }

  int32(field: number): number {
    const at = this.#at(field);
    return at === 0 ? 0 : this.#bytes.readInt32(at);
  }

  int64(field: number): number {
    const at = this.#at(field);
    return at === 0 ? 0 : exact(this.#bytes.readInt64(at));
  }

  string(field: number): string {
    const at = this.#at(field);
    return at === 0 ? '' : String(this.#bytes.__string(at));
  }

  /** A table or a union member; `undefined` where it is absent. */
  table(field: number): Table | undefined {
    const at = this.#at(field);
    return at === 0 ? undefined : new Table(this.#bytes, this.#bytes.__indirect(at));
  }

  /** Number of elements of a vector. */
  count(field: number): number {
    const at = this.#at(field);
    return at === 0 ? 0 : this.#bytes.__vector_len(at);
  }

  tables(field: number): Table[] {
    const start = this.#vector(field);
    return Array.from(
      { length: this.count(field) },
      (_, i) => new Table(this.#bytes, this.#bytes.__indirect(start + REFERENCE * i)),
    );
  }

  /** The structs of a vector, which stand in it one after the other; `size` in bytes. */
  structs<T>(field: number, size: number, read: (struct: Struct) => T): T[] {
    const start = this.#vector(field);
    return Array.from({ length: this.count(field) }, (_, i) =>
      read({
        int32: (offset) => this.#bytes.readInt32(start + size * i + offset),
        int64: (offset) => exact(this.#bytes.readInt64(start + size * i + offset)),
      }),
    );
  }

  #vector(field: number): number {
    const at = this.#at(field);
    return at === 0 ? 0 : this.#bytes.__vector(at);
  }

  /** Where the field stands; 0 where it is absent. */
  #at(field: number): number {
    const offset = this.#bytes.__offset(this.#position, 4 + 2 * field);
    return offset === 0 ? 0 : this.#position + offset;
  }
}

/** Reads members of a struct by their offset in bytes. */
export interface Struct {
  int32(offset: number): number;
  int64(offset: number): number;
}

function exact(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is beyond 2^53`);
  return number;
}
