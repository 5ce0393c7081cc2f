import { ByteBuffer } from 'flatbuffers';

/** Bytes of a reference to a table or a string. */
const REFERENCE = 4;

/** Shared by the tables of one flatbuffer. */
interface Source {
  readonly bytes: ByteBuffer;
  /**
   * Bytes of text that may still be read. Valid tables share no text, so all of it is within the
   * flatbuffer; forged ones refer to one long text many times.
   */
  textLeft: number;
}

/**
 * A table of a flatbuffer, read by the number of its fields as the definition lists them. An absent
 * field has its default. Throws `RangeError` for a 64-bit integer beyond 2^53, and for vectors and
 * texts longer than the flatbuffer.
 */
export class Table {
  readonly #source: Source;
  readonly #bytes: ByteBuffer;
  readonly #position: number;

  private constructor(source: Source, position: number) {
    this.#source = source;
    this.#bytes = source.bytes;
    this.#position = position;
  }

  static root(flatbuffer: Uint8Array): Table {
    const bytes = new ByteBuffer(flatbuffer);
    return new Table({ bytes, textLeft: flatbuffer.length }, bytes.__indirect(0));
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
    if (at === 0) return '';
    const length = this.#bytes.readInt32(this.#bytes.__indirect(at));
    if (length < 0 || length > this.#source.textLeft) throw new RangeError('a text is too long');
    this.#source.textLeft -= length;
    return String(this.#bytes.__string(at));
  }

  /** A table or a union member; `undefined` if absent. */
  table(field: number): Table | undefined {
    const at = this.#at(field);
    return at === 0 ? undefined : new Table(this.#source, this.#bytes.__indirect(at));
  }

  tables(field: number): Table[] {
    const { start, length } = this.#vector(field, REFERENCE);
    return Array.from(
      { length },
      (_, i) => new Table(this.#source, this.#bytes.__indirect(start + REFERENCE * i)),
    );
  }

  /** The structs of a vector, one after the other; `size` in bytes. */
  structs<T>(field: number, size: number, read: (struct: Struct) => T): T[] {
    const { start, length } = this.#vector(field, size);
    return Array.from({ length }, (_, i) =>
      read({
        int32: (offset) => this.#bytes.readInt32(start + size * i + offset),
        int64: (offset) => exact(this.#bytes.readInt64(start + size * i + offset)),
      }),
    );
  }

  /** Start of a vector, and its number of elements of `size` bytes. */
  #vector(field: number, size: number): { readonly start: number; readonly length: number } {
    const at = this.#at(field);
    if (at === 0) return { start: 0, length: 0 };
    const start = this.#bytes.__vector(at);
    const length = this.#bytes.__vector_len(at);
    const room = this.#bytes.capacity() - start;
    if (start < 0 || length < 0 || length * size > room) {
      throw new RangeError(`a vector of ${length} elements is too long`);
    }
    return { start, length };
  }

  /** Offset of the field; 0 if absent. */
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
