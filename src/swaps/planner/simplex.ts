/** A linear sum that must stay within bounds, which may be infinite. */
export interface Row {
  /** How often each variable stands in it. */
  readonly terms: readonly number[];
  readonly low: number;
  readonly high: number;
}

/** Bounds are kept to this, where numbers are shares of a whole. */
const TOLERANCE = 1e-10;
/** What is nearer to nothing than this is no pivot. */
const TINY = 1e-9;
/** Pivots of one solution, for each row: one that takes more goes round. */
const PIVOTS = 50;

/**
 * A linear program whose variables lie between 0 and 1, solved by the dual simplex method with
 * bounds on both sides: bounds can be changed and the search for the least cost goes on from where
 * it was, which is what branching needs. Variables 0 to n - 1 are those of the program; after them
 * comes the sum of each row as a variable of its own.
 *
 * It is small and dense: a portfolio has some dozen rows.
 */
export class Simplex {
  /** Multiplications that were done, by this one and those it was copied from. */
  work = 0;
  readonly #rows: number;
  readonly #columns: number;
  /** Each basic variable, and last the cost, by those that are not: a line after the other. */
  readonly #lines: Float64Array;
  readonly #values: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  /** Which variable stands at a line, and which at a column. */
  readonly #atLine: Int32Array;
  readonly #atColumn: Int32Array;
  /** The column of each variable, or -1. */
  readonly #columnOf: Int32Array;

  private constructor(parts: Parts) {
    this.#lines = parts.lines;
    this.#values = parts.values;
    this.#low = parts.low;
    this.#high = parts.high;
    this.#atLine = parts.atLine;
    this.#atColumn = parts.atColumn;
    this.#columnOf = parts.columnOf;
    this.#rows = parts.atLine.length;
    this.#columns = parts.atColumn.length;
  }

  /** The least of all costs within the rows. */
  static of(costs: readonly number[], rows: readonly Row[]): Simplex {
    const [n, m] = [costs.length, rows.length];
    const simplex = new Simplex({
      lines: Float64Array.from([...rows.flatMap(({ terms }) => terms), ...costs]),
      values: new Float64Array(n + m),
      low: Float64Array.from([...costs.map(() => 0), ...rows.map(({ low }) => low)]),
      high: Float64Array.from([...costs.map(() => 1), ...rows.map(({ high }) => high)]),
      atLine: Int32Array.from(rows, (_, at) => n + at),
      atColumn: Int32Array.from(costs, (_, at) => at),
      columnOf: Int32Array.from({ length: n + m }, (_, at) => (at < n ? at : -1)),
    });
    for (const column of costs.keys()) simplex.#settle(column);
    return simplex;
  }

  copy(): Simplex {
    const copy = new Simplex({
      lines: this.#lines.slice(),
      values: this.#values.slice(),
      low: this.#low.slice(),
      high: this.#high.slice(),
      atLine: this.#atLine.slice(),
      atColumn: this.#atColumn.slice(),
      columnOf: this.#columnOf.slice(),
    });
    copy.work = this.work;
    return copy;
  }

  valueOf(variable: number): number {
    return this.#values[variable] ?? 0;
  }

  /** The variable that is the sum of a row. */
  sumOf(row: number): number {
    return this.#columns + row;
  }

  get cost(): number {
    const at = this.#rows * this.#columns;
    let cost = 0;
    for (let column = 0; column < this.#columns; column += 1) {
      const rate = this.#lines[at + column] ?? 0;
      if (rate !== 0) cost += rate * (this.#values[this.#atColumn[column] ?? 0] ?? 0);
    }
    return cost;
  }

  /** New bounds of a variable. */
  confine(variable: number, low: number, high: number): void {
    this.#low[variable] = low;
    this.#high[variable] = high;
    const column = this.#columnOf[variable] ?? -1;
    if (column >= 0) this.#settle(column);
  }

  /** By how much the cost rises with a variable that is at a bound; nothing of one between them. */
  rateOf(variable: number): number | undefined {
    const column = this.#columnOf[variable] ?? -1;
    return column < 0 ? undefined : this.#lines[this.#rows * this.#columns + column];
  }

  /** Finds the least cost; false where the bounds leave nothing, nothing where it went round. */
  solve(): boolean | undefined {
    for (let pivots = 0; pivots < PIVOTS * (this.#rows + 1); pivots += 1) {
      const line = this.#worst();
      if (line === undefined) return true;
      const off = this.#offOf(line);
      const column = this.#entering(line, off);
      if (column === undefined) return false;
      const variable = this.#atLine[line] ?? 0;
      this.#exchange(line, column, (off > 0 ? this.#low : this.#high)[variable] ?? 0);
    }
    return undefined;
  }

  /** The line whose variable is furthest out of its bounds. */
  #worst(): number | undefined {
    let [worst, most]: [number | undefined, number] = [undefined, TOLERANCE];
    for (let line = 0; line < this.#rows; line += 1) {
      const off = Math.abs(this.#offOf(line));
      if (off > most) [worst, most] = [line, off];
    }
    return worst;
  }

  /** How much the variable of a line lacks, below zero where it has too much. */
  #offOf(line: number): number {
    const variable = this.#atLine[line] ?? 0;
    const value = this.#values[variable] ?? 0;
    const [low, high] = [this.#low[variable] ?? 0, this.#high[variable] ?? 0];
    return value < low ? low - value : Math.min(0, high - value);
  }

  /**
   * The column to bring a line back by: that of the least rise of cost for what it brings. Columns
   * before it in that order go from bound to bound, as all of what they can bring is wanted.
   */
  #entering(line: number, off: number): number | undefined {
    const candidates = this.#candidates(line, Math.sign(off));
    let lacks = Math.abs(off);
    for (const [at, { column, slope }] of candidates.entries()) {
      const variable = this.#atColumn[column] ?? 0;
      const range = (this.#high[variable] ?? 0) - (this.#low[variable] ?? 0);
      lacks -= Math.abs(slope) * range;
      if (lacks > TOLERANCE) continue;
      for (const { column: passed } of candidates.slice(0, at)) this.#flip(passed);
      return column;
    }
    return undefined;
  }

  #candidates(line: number, sign: number): { column: number; slope: number; ratio: number }[] {
    const [own, costs] = [line * this.#columns, this.#rows * this.#columns];
    const found: { column: number; slope: number; ratio: number }[] = [];
    for (let column = 0; column < this.#columns; column += 1) {
      const slope = this.#lines[own + column] ?? 0;
      if (Math.abs(slope) < TINY) continue;
      const variable = this.#atColumn[column] ?? 0;
      const [low, high] = [this.#low[variable] ?? 0, this.#high[variable] ?? 0];
      const isLow = this.#values[variable] === low;
      if (low === high || slope * sign > 0 !== isLow) continue;
      const ratio = Math.abs((this.#lines[costs + column] ?? 0) / slope);
      found.push({ column, slope, ratio });
    }
    return found.sort((a, b) => a.ratio - b.ratio || Math.abs(b.slope) - Math.abs(a.slope));
  }

  /** Puts the variable of a column to the bound where it costs least. */
  #settle(column: number): void {
    const variable = this.#atColumn[column] ?? 0;
    const rate = this.#lines[this.#rows * this.#columns + column] ?? 0;
    const [low, high] = [this.#low[variable] ?? 0, this.#high[variable] ?? 0];
    this.#put(column, (rate < 0 && Number.isFinite(high)) || !Number.isFinite(low) ? high : low);
  }

  #flip(column: number): void {
    const variable = this.#atColumn[column] ?? 0;
    const [low, high] = [this.#low[variable] ?? 0, this.#high[variable] ?? 0];
    this.#put(column, this.#values[variable] === low ? high : low);
  }

  #put(column: number, to: number): void {
    const variable = this.#atColumn[column] ?? 0;
    const by = to - (this.#values[variable] ?? 0);
    this.#values[variable] = to;
    if (by === 0) return;
    for (let line = 0; line < this.#rows; line += 1) {
      const times = this.#lines[line * this.#columns + column] ?? 0;
      const other = this.#atLine[line] ?? 0;
      if (times !== 0) this.#values[other] = (this.#values[other] ?? 0) + times * by;
    }
  }

  /** The variable of a line goes to a bound and changes places with that of a column. */
  #exchange(line: number, column: number, bound: number): void {
    const pivot = this.#lines[line * this.#columns + column] ?? 0;
    const [leaves, enters] = [this.#atLine[line] ?? 0, this.#atColumn[column] ?? 0];
    const by = bound - (this.#values[leaves] ?? 0);
    this.#put(column, (this.#values[enters] ?? 0) + by / pivot);
    this.#values[leaves] = bound;
    this.#turn(line, column, pivot);
    this.#atLine[line] = enters;
    this.#atColumn[column] = leaves;
    this.#columnOf[leaves] = column;
    this.#columnOf[enters] = -1;
  }

  #turn(line: number, column: number, pivot: number): void {
    const [lines, width] = [this.#lines, this.#columns];
    const own = line * width;
    for (let at = own; at < own + width; at += 1) lines[at] = -(lines[at] ?? 0) / pivot;
    lines[own + column] = 1 / pivot;
    for (let other = 0; other <= this.#rows; other += 1) {
      const start = other * width;
      const times = lines[start + column] ?? 0;
      if (other === line || times === 0) continue;
      lines[start + column] = 0;
      for (let at = 0; at < width; at += 1) {
        lines[start + at] = (lines[start + at] ?? 0) + times * (lines[own + at] ?? 0);
      }
      this.work += width;
    }
  }
}

interface Parts {
  readonly lines: Float64Array;
  readonly values: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly atLine: Int32Array;
  readonly atColumn: Int32Array;
  readonly columnOf: Int32Array;
}
