/** A linear constraint: a sum within bounds, which may be infinite. */
export interface Row {
  /** Coefficients of the variables. */
  readonly terms: readonly number[];
  readonly low: number;
  readonly high: number;
}

/** Bounds hold to this, as a share of the portfolio. */
const TOLERANCE = 1e-10;
/** Smaller coefficients are not used as pivots. */
const PIVOT_EPSILON = 1e-9;
/** A solution that takes more pivots cycles. */
const PIVOTS_PER_ROW = 50;

/**
 * A linear program of variables from 0 to 1, solved by the dual simplex method with lower and upper
 * bounds. After a change of bounds it goes on from its last basis, as branch and bound needs.
 * Variables 0 to n - 1 are those of the program; the sum of each row follows as a variable.
 *
 * The tableau is dense: a portfolio has some dozen rows.
 */
export class Simplex {
  /** Multiplications done, including those before it was copied. */
  work = 0;
  readonly #rows: number;
  readonly #columns: number;
  /** Basic variables, and last the cost, by the nonbasic ones; row by row. */
  readonly #lines: Float64Array;
  readonly #values: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  /** Variable of each line and of each column. */
  readonly #atLine: Int32Array;
  readonly #atColumn: Int32Array;
  /** Column of each variable; -1 for a basic one. */
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

  /** Minimizes the costs within the rows. */
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
    for (const column of costs.keys()) simplex.#toCheapestBound(column);
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
    return this.#values[variable];
  }

  /** Number of the variable that is the sum of a row. */
  rowVariable(row: number): number {
    return this.#columns + row;
  }

  get cost(): number {
    const at = this.#rows * this.#columns;
    let cost = 0;
    for (let column = 0; column < this.#columns; column += 1) {
      const rate = this.#lines[at + column];
      if (rate !== 0) cost += rate * this.#values[this.#atColumn[column]];
    }
    return cost;
  }

  setBounds(variable: number, low: number, high: number): void {
    this.#low[variable] = low;
    this.#high[variable] = high;
    const column = this.#columnOf[variable] ?? -1;
    if (column >= 0) this.#toCheapestBound(column);
  }

  /** Reduced cost of a nonbasic variable; `undefined` for a basic one. */
  rateOf(variable: number): number | undefined {
    const column = this.#columnOf[variable] ?? -1;
    return column < 0 ? undefined : this.#lines[this.#rows * this.#columns + column];
  }

  /** Finds the least cost; false where no solution exists, `undefined` where it cycled. */
  solve(): boolean | undefined {
    for (let pivots = 0; pivots < PIVOTS_PER_ROW * (this.#rows + 1); pivots += 1) {
      const line = this.#mostViolated();
      if (line === undefined) return true;
      const off = this.#violationOf(line);
      const column = this.#entering(line, off);
      if (column === undefined) return false;
      const variable = this.#atLine[line];
      this.#exchange(line, column, (off > 0 ? this.#low : this.#high)[variable] ?? 0);
    }
    return undefined;
  }

  /** The line whose variable is furthest outside its bounds. */
  #mostViolated(): number | undefined {
    let [worst, most]: [number | undefined, number] = [undefined, TOLERANCE];
    for (let line = 0; line < this.#rows; line += 1) {
      const off = Math.abs(this.#violationOf(line));
      if (off > most) [worst, most] = [line, off];
    }
    return worst;
  }

  /** How far the variable of a line is below its lower bound; negative where it is above the upper one. */
  #violationOf(line: number): number {
    const variable = this.#atLine[line];
    const value = this.#values[variable];
    const [low, high] = [this.#low[variable], this.#high[variable]];
    return value < low ? low - value : Math.min(0, high - value);
  }

  /**
   * The entering column, by the ratio test of long steps: columns with a lower ratio that cannot
   * remove the whole violation go to their other bound first.
   */
  #entering(line: number, off: number): number | undefined {
    const candidates = this.#candidates(line, Math.sign(off));
    let remaining = Math.abs(off);
    for (const [at, { column, slope }] of candidates.entries()) {
      const variable = this.#atColumn[column];
      const range = this.#high[variable] - this.#low[variable];
      remaining -= Math.abs(slope) * range;
      if (remaining > TOLERANCE) continue;
      for (const { column: passed } of candidates.slice(0, at)) this.#toOtherBound(passed);
      return column;
    }
    return undefined;
  }

  #candidates(line: number, sign: number): { column: number; slope: number; ratio: number }[] {
    const [own, costs] = [line * this.#columns, this.#rows * this.#columns];
    const found: { column: number; slope: number; ratio: number }[] = [];
    for (let column = 0; column < this.#columns; column += 1) {
      const slope = this.#lines[own + column];
      if (Math.abs(slope) < PIVOT_EPSILON) continue;
      const variable = this.#atColumn[column];
      const [low, high] = [this.#low[variable], this.#high[variable]];
      const isLow = this.#values[variable] === low;
      if (low === high || slope * sign > 0 !== isLow) continue;
      const ratio = Math.abs(this.#lines[costs + column] / slope);
      found.push({ column, slope, ratio });
    }
    return found.sort((a, b) => a.ratio - b.ratio || Math.abs(b.slope) - Math.abs(a.slope));
  }

  /** Puts the variable of a column at the bound where it costs least. */
  #toCheapestBound(column: number): void {
    const variable = this.#atColumn[column];
    const rate = this.#lines[this.#rows * this.#columns + column];
    const [low, high] = [this.#low[variable], this.#high[variable]];
    this.#setValue(
      column,
      (rate < 0 && Number.isFinite(high)) || !Number.isFinite(low) ? high : low,
    );
  }

  #toOtherBound(column: number): void {
    const variable = this.#atColumn[column];
    const [low, high] = [this.#low[variable], this.#high[variable]];
    this.#setValue(column, this.#values[variable] === low ? high : low);
  }

  #setValue(column: number, to: number): void {
    const variable = this.#atColumn[column];
    const by = to - this.#values[variable];
    this.#values[variable] = to;
    if (by === 0) return;
    for (let line = 0; line < this.#rows; line += 1) {
      const times = this.#lines[line * this.#columns + column];
      const other = this.#atLine[line];
      if (times !== 0) this.#values[other] = this.#values[other] + times * by;
    }
  }

  /** The variable of a line leaves the basis at a bound, and that of a column enters it. */
  #exchange(line: number, column: number, bound: number): void {
    const pivot = this.#lines[line * this.#columns + column];
    const [leaves, enters] = [this.#atLine[line], this.#atColumn[column]];
    const by = bound - this.#values[leaves];
    this.#setValue(column, this.#values[enters] + by / pivot);
    this.#values[leaves] = bound;
    this.#pivot(line, column, pivot);
    this.#atLine[line] = enters;
    this.#atColumn[column] = leaves;
    this.#columnOf[leaves] = column;
    this.#columnOf[enters] = -1;
  }

  #pivot(line: number, column: number, pivot: number): void {
    const [lines, width] = [this.#lines, this.#columns];
    const own = line * width;
    for (let at = own; at < own + width; at += 1) lines[at] = -lines[at] / pivot;
    lines[own + column] = 1 / pivot;
    for (let other = 0; other <= this.#rows; other += 1) {
      const start = other * width;
      const times = lines[start + column];
      if (other === line || times === 0) continue;
      lines[start + column] = 0;
      for (let at = 0; at < width; at += 1) {
        lines[start + at] = lines[start + at] + times * lines[own + at];
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
