/** Reads bytes from front to end; each read throws `RangeError` if too few are left. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('There are too few bytes.');
    const taken = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }

  /** A whole number, its lowest byte first. */
  little(count: number): bigint {
    return this.take(count).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }
}

/** A whole number in `count` bytes, its lowest byte first. */
export const littleEndian = (value: bigint, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
