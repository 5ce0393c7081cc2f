import { MillraceError } from '../../model/errors.ts';
import type { ImportGrid } from './grid.ts';
import { malformed, shown } from './malformed.ts';

/** No file has as many lines. */
const LINES_MAX = 2 ** 32;

/** An importer's present line. One object moves along, so that the hot loop allocates none. */
export class RowPosition {
  file = '';
  line = 0;

  /** The line of one of these files as one number, for rows that are sorted. */
  asNumber(files: readonly string[]): number {
    return files.indexOf(this.file) * LINES_MAX + this.line;
  }

  moveTo(number: number, files: readonly string[]): void {
    this.file = files[Math.floor(number / LINES_MAX)];
    this.line = number % LINES_MAX;
  }

  toString(): string {
    return `${this.file}:${this.line}`;
  }

  /** The error of this line. */
  malformed(read: string, expected: string, cause?: unknown): MillraceError {
    return malformed(this.toString(), read, expected, cause);
  }
}

type Quantity = 'price' | 'size';

const TERM: Readonly<Record<Quantity, { readonly term: string; readonly flag: string }>> = {
  price: { term: 'tick sizes', flag: '--tick-size' },
  size: { term: 'quantity increments', flag: '--quantity-increment' },
};

/** Converts the prices or the sizes of one import into whole steps, and reports invalid ones. */
export class Steps {
  readonly #quantity: Quantity;
  readonly #grid: ImportGrid;
  readonly #position: RowPosition;
  /** Numbers that `near` rounded, and the largest distance, in thousandths of a step. */
  rounded = 0;
  furthest = 0;

  constructor(quantity: Quantity, grid: ImportGrid, position: RowPosition) {
    this.#quantity = quantity;
    this.#grid = grid;
    this.#position = position;
  }

  /** Throws `off-grid` for a number between two steps, `import-invalid` for everything else. */
  of(text: unknown): number {
    if (typeof text === 'string') {
      const steps = this.#grid.count(text);
      // NaN is the one number that is not equal to itself; this is cheaper than a call.
      if (steps === steps) return steps;
    }
    throw this.#rejection(text);
  }

  /** The same, but rounds down between two steps. */
  down(text: unknown): number {
    if (typeof text === 'string') {
      const steps = this.#grid.countDown(text);
      if (steps === steps) return steps;
    }
    throw this.#rejection(text);
  }

  /** The same, but rounds to the nearest step, and counts it. */
  near(text: unknown): number {
    if (typeof text === 'string') {
      const { steps, thousandths } = this.#grid.countNear(text);
      if (steps === steps) {
        if (thousandths > 0 || this.between(text)) this.rounded += 1;
        if (thousandths > this.furthest) this.furthest = thousandths;
        return steps;
      }
    }
    throw this.#roundsToZero(text) ?? this.#rejection(text);
  }

  /** A price that is less than half a step would be none. */
  #roundsToZero(text: unknown): MillraceError | undefined {
    if (typeof text !== 'string' || this.#grid.countDown(text) !== 0) return undefined;
    const where = this.#position.toString();
    const { flag } = TERM[this.#quantity];
    return new MillraceError(
      'off-grid',
      `${where}: ${this.#quantity} ${text} is below half of ${flag} ${this.#grid.step} and rounds to zero; ` +
        `give a smaller ${flag}, or none to have it inferred.`,
      { where, field: this.#quantity },
    );
  }

  /** Whether the text lies between two steps. */
  between(text: unknown): boolean {
    return typeof text === 'string' && Number.isNaN(this.#grid.count(text));
  }

  #rejection(value: unknown): MillraceError {
    const quantity = this.#quantity;
    const { term, flag } = TERM[quantity];
    const step = this.#grid.step;
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
    const complaint = typeof value === 'string' ? this.#grid.complaint(value) : 'not decimal text';
    if (complaint === 'off the grid') {
      const where = this.#position.toString();
      return new MillraceError(
        'off-grid',
        `${where}: ${quantity} ${text} is not a whole number of ${term} of ${step}; ` +
          `give a ${flag} that fits, or none to have it inferred.`,
        { where, field: quantity },
      );
    }
    return this.#position.malformed(
      `${quantity} ${shown(text)} is ${complaint}`,
      'a decimal number such as "61837.63", zero or more and at most 2^53 steps',
    );
  }
}
