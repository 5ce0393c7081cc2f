import { Amount } from '../../model/amount.ts';
import { SpillFile } from './spill-file.ts';

/** Rows of a block; a table grows by blocks, so that no more than the first is ever copied. */
const BLOCK_BITS = 12;
const BLOCK_ROWS = 1 << BLOCK_BITS;
const ROW_MASK = BLOCK_ROWS - 1;
/** Rows of the first block to begin with: it doubles, as most tables of a short run stay small. */
const FIRST_ROWS = 1 << 7;

/** Blocks beyond this go to a file; those that are used stay. */
const MEMORY_BYTES = 32 * 2 ** 20;
const BLOCKS_MIN = 2;

/**
 * A table of doubles, row by row in typed arrays: a long one is nothing that the garbage collector
 * looks at, and a longer one is on the disk. An amount takes two fields, its units and its places.
 */
export class NumberTable {
  /** How many rows there are. */
  length = 0;
  readonly #width: number;
  readonly #blocksMax: number;
  /** Those in memory by their place. */
  readonly #blocks: (Float64Array | undefined)[] = [];
  /** Their places, the one that came first in front. */
  readonly #inMemory: number[] = [];
  /** Whether a block is not as the file has it. */
  readonly #changed: boolean[] = [];
  #file: SpillFile | undefined;
  /** Units that no double holds, by the place of their field. */
  readonly #wide = new Map<number, bigint>();

  /** Every row has `width` fields. */
  constructor(width: number, memoryBytes = MEMORY_BYTES) {
    this.#width = width;
    this.#blocksMax = Math.max(BLOCKS_MIN, Math.floor(memoryBytes / this.#blockBytes));
  }

  /** Adds a row of zeros; returns its number. Throws `file-unwritable`. */
  add(): number {
    const row = this.length;
    if ((row & ROW_MASK) === 0) {
      this.#changed.push(true);
      const rows = row === 0 ? FIRST_ROWS : BLOCK_ROWS;
      this.#keep(row >>> BLOCK_BITS, new Float64Array(rows * this.#width));
    } else if (row < BLOCK_ROWS && row * this.#width === this.#blocks[0]?.length) {
      const larger = new Float64Array(2 * row * this.#width);
      larger.set(this.#blocks[0]);
      this.#blocks[0] = larger;
    }
    this.length = row + 1;
    return row;
  }

  get(row: number, field: number): number {
    const index = row >>> BLOCK_BITS;
    const block = this.#blocks[index] ?? this.#load(index);
    return block[(row & ROW_MASK) * this.#width + field];
  }

  set(row: number, field: number, value: number): void {
    const index = row >>> BLOCK_BITS;
    const block = this.#blocks[index] ?? this.#load(index);
    block[(row & ROW_MASK) * this.#width + field] = value;
    this.#changed[index] = true;
  }

  /** The amount in `field` and the one after it; exact. */
  amount(row: number, field: number): Amount {
    const units = this.get(row, field);
    const places = this.get(row, field + 1);
    const exact = Number.isNaN(units) ? this.#wide.get(row * this.#width + field) : units;
    return Amount.units(exact ?? 0, places);
  }

  /** Puts an amount into `field` and the one after it; exact. */
  setAmount(row: number, field: number, { units, places }: Amount): void {
    if (typeof units === 'number') this.set(row, field, units);
    else {
      this.set(row, field, Number.NaN);
      this.#wide.set(row * this.#width + field, units);
    }
    this.set(row, field + 1, places);
  }

  get #blockBytes(): number {
    return BLOCK_ROWS * this.#width * Float64Array.BYTES_PER_ELEMENT;
  }

  #load(index: number): Float64Array {
    const block = new Float64Array(BLOCK_ROWS * this.#width);
    this.#file?.read(index * this.#blockBytes, bytesOf(block));
    this.#keep(index, block);
    return block;
  }

  /** Takes a block into memory, in place of the one that has been there longest. */
  #keep(index: number, block: Float64Array): void {
    this.#blocks[index] = block;
    this.#inMemory.push(index);
    if (this.#inMemory.length <= this.#blocksMax) return;
    const oldest = this.#inMemory.shift() ?? 0;
    const spilled = this.#blocks[oldest];
    if (spilled !== undefined && this.#changed[oldest]) {
      this.#file ??= new SpillFile();
      this.#file.write(oldest * this.#blockBytes, bytesOf(spilled));
      this.#changed[oldest] = false;
    }
    this.#blocks[oldest] = undefined;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
