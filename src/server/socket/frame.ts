/** The first byte of a text frame of RFC 6455 that is whole; a server sends it unmasked. */
const TEXT = 0x81;
/** Payloads below this have their length in one byte, those below the next in three, others in nine. */
const SHORT = 126;
const MEDIUM = 65_536;

const headerLength = (payload: number): number => (payload < SHORT ? 2 : payload < MEDIUM ? 4 : 10);

/** Writes text as a frame and returns its end; `payload` is its length in bytes. */
function writeFrame(into: Buffer, at: number, text: string, payload: number): number {
  into[at] = TEXT;
  if (payload < SHORT) {
    into[at + 1] = payload;
  } else if (payload < MEDIUM) {
    into[at + 1] = SHORT;
    into.writeUInt16BE(payload, at + 2);
  } else {
    into[at + 1] = SHORT + 1;
    into.writeBigUInt64BE(BigInt(payload), at + 2);
  }
  const start = at + headerLength(payload);
  into.write(text, start);
  return start + payload;
}

/** A text frame. One that several sockets send is encoded once. */
export class Frame {
  readonly text: string;
  /** Of its text alone. */
  readonly payload: number;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
    this.payload = Buffer.byteLength(text);
  }

  /** How many bytes it has on the wire. */
  get length(): number {
    return headerLength(this.payload) + this.payload;
  }

  get bytes(): Buffer {
    if (this.#bytes === undefined) {
      this.#bytes = Buffer.allocUnsafe(this.length);
      writeFrame(this.#bytes, 0, this.text, this.payload);
    }
    return this.#bytes;
  }

  /** Writes it at an offset and returns its end. */
  write(into: Buffer, at: number): number {
    if (this.#bytes !== undefined) return at + this.#bytes.copy(into, at);
    return writeFrame(into, at, this.text, this.payload);
  }
}

/** Frames as bytes on the wire, one after the other; `length` is their total. */
export function bytesOf(frames: readonly Frame[], length: number): Buffer {
  const [only] = frames;
  if (frames.length === 1 && only !== undefined) return only.bytes;
  const bytes = Buffer.allocUnsafe(length);
  let end = 0;
  for (const frame of frames) end = frame.write(bytes, end);
  return bytes;
}
