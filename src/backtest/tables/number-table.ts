import { Amount } from '../../model/amount.ts';

/** Rows of a block; a table grows by blocks, so that nothing is ever copied. */
const BLOCK_BITS = 12;
const BLOCK_ROWS = 1 << BLOCK_BITS;
const ROW_MASK = BLOCK_ROWS - 1;

/**
 * A table of doubles, row by row in typed arrays: a long one is nothing that the garbage collector
 * looks at. An amount takes two fields, its units and its places.
 */
export class NumberTable {
  /** How many rows there are. */
  length = 0;
  readonly #width: number;
  readonly #blocks: Float64Array[] = [];
  /** Units that no double holds, by the place of their field. */
  readonly #wide = new Map<number, bigint>();

  /** Every row has `width` fields. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Adds a row of zeros; gives its number. */
  add(): number {
    const row = this.length;
    if ((row & ROW_MASK) === 0) this.#blocks.push(new Float64Array(BLOCK_ROWS * this.#width));
    this.length = row + 1;
    return row;
  }

  get(row: number, field: number): number {
    return this.#blocks[row >>> BLOCK_BITS][(row & ROW_MASK) * this.#width + field];
  }

  set(row: number, field: number, value: number): void {
    this.#blocks[row >>> BLOCK_BITS][(row & ROW_MASK) * this.#width + field] = value;
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
}
