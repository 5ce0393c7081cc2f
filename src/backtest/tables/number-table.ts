import { Amount } from '../../model/amount.ts';
import { SpillFile } from './spill-file.ts';

/** Rows per block; a table grows by blocks, so that only the first is ever copied. */
const BLOCK_BITS = 12;
const BLOCK_ROWS = 1 << BLOCK_BITS;
const ROW_MASK = BLOCK_ROWS - 1;
/** Initial rows of the first block: it doubles, as most tables of a short run stay small. */
const FIRST_ROWS = 1 << 7;

/** Memory of blocks; beyond it the least recently loaded go to a file. */
const MEMORY_BYTES = 32 * 2 ** 20;
const BLOCKS_MIN = 2;

/**
 * A table of doubles, row by row in typed arrays, which the garbage collector does not scan; a long
 * one is on disk. An amount takes two fields, its units and its places.
 */
export class NumberTable {
  /** Number of rows. */
  length = 0;
  readonly #width: number;
  readonly #blocksMax: number;
  /** Blocks in memory, by index. */
  readonly #blocks: (Float64Array | undefined)[] = [];
  /** Their indices, in the order of loading. */
  readonly #inMemory: number[] = [];
  /** Whether a block differs from the file. */
  readonly #changed: boolean[] = [];
  #file: SpillFile | undefined;
  /** Units beyond a double, by the index of their field. */
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

  /** Writes an amount to `field` and the one after it; exact. */
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

  /** Loads a block into memory, in place of the one loaded first. */
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
