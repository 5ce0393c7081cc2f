import { SpillFile } from './spill-file.ts';

/** Texts per block, stored as one. */
const BLOCK_BITS = 12;
const BLOCK_ROWS = 1 << BLOCK_BITS;
const ROW_MASK = BLOCK_ROWS - 1;

/** Memory of blocks; further ones go to a file. */
const MEMORY_BYTES = 16 * 2 ** 20;
/** Decoded blocks: rows are read in order, and their texts are near each other. */
const READ_BLOCKS = 4;

/** A block as JSON: its bytes, or their position in the file. */
type Block = Uint8Array | { readonly position: number; readonly length: number };

/**
 * Texts by number. All but the last few thousand are bytes, which the garbage collector does not
 * scan, and those of a long run are on disk.
 */
export class TextColumn {
  /** Number of texts. */
  length = 0;
  readonly #memoryBytes: number;
  readonly #blocks: Block[] = [];
  readonly #read = new Map<number, readonly string[]>();
  /** Texts of the incomplete block. */
  #last: string[] = [];
  #bytes = 0;
  #file: SpillFile | undefined;

  constructor(memoryBytes = MEMORY_BYTES) {
    this.#memoryBytes = memoryBytes;
  }

  /** Adds a text. Throws `file-unwritable`. */
  push(text: string): void {
    this.#last.push(text);
    this.length += 1;
    if (this.#last.length < BLOCK_ROWS) return;
    this.#store(Buffer.from(JSON.stringify(this.#last)));
    this.#last = [];
  }

  at(index: number): string {
    const block = index >>> BLOCK_BITS;
    const texts = block < this.#blocks.length ? this.#texts(block) : this.#last;
    return texts[index & ROW_MASK];
  }

  #store(bytes: Uint8Array): void {
    const position = this.#bytes;
    this.#bytes += bytes.length;
    if (this.#bytes <= this.#memoryBytes) {
      this.#blocks.push(bytes);
      return;
    }
    this.#file ??= new SpillFile();
    this.#file.write(position, bytes);
    this.#blocks.push({ position, length: bytes.length });
  }

  #texts(index: number): readonly string[] {
    const known = this.#read.get(index);
    if (known !== undefined) return known;
    const texts = JSON.parse(Buffer.from(this.#stored(index)).toString()) as readonly string[];
    if (this.#read.size >= READ_BLOCKS) {
      const [first] = this.#read.keys();
      this.#read.delete(first);
    }
    this.#read.set(index, texts);
    return texts;
  }

  #stored(index: number): Uint8Array {
    const block = this.#blocks[index];
    if (block instanceof Uint8Array) return block;
    const bytes = new Uint8Array(block.length);
    this.#file?.read(block.position, bytes);
    return bytes;
  }
}
