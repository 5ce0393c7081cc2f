import { micros, type Micros } from '../../platform/time.ts';
import { CHECKS, type CheckName } from './checks.ts';

export interface Example {
  /** Number of the row in the file, the first is 0. */
  readonly row: number;
  /** When it was received. */
  readonly at: Micros;
  /** What stood there. */
  readonly detail: string;
}

/** What one check found. */
export interface CheckResult {
  readonly name: CheckName;
  readonly severity: 'fault' | 'notice';
  readonly means: string;
  readonly count: number;
  /** All findings together: time that was stale or silent, trades or candles left out. */
  readonly extent?: { readonly value: number; readonly unit: 'us' | 'trades' | 'candles' };
  /** The first few. */
  readonly examples: readonly Example[];
}

interface Found {
  count: number;
  extent: number;
  readonly examples: Example[];
}

/** Collects what the checks find; keeps a few examples of each and counts the rest. */
export class QualityIssues {
  /** Of the row that is looked at now. */
  row = 0;
  at = 0;
  readonly #limit: number;
  readonly #found = new Map<CheckName, Found>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes a finding at the present row. The detail is only written where it is kept. */
  note(name: CheckName, detail: () => string, extent = 0): void {
    this.noteAt(name, this.row, this.at, detail, extent);
  }

  noteAt(name: CheckName, row: number, at: number, detail: () => string, extent = 0): void {
    let found = this.#found.get(name);
    if (found === undefined) {
      found = { count: 0, extent: 0, examples: [] };
      this.#found.set(name, found);
    }
    found.count += 1;
    found.extent += extent;
    if (found.examples.length < this.#limit) {
      found.examples.push({ row, at: micros(at), detail: detail() });
    }
  }

  /** Every check with what it found, nothing included. */
  results(): readonly CheckResult[] {
    return Object.entries(CHECKS).map(([key, { severity, unit, means }]) => {
      const name = key as CheckName;
      const { count, extent, examples } = this.#found.get(name) ?? NOTHING;
      const sum = unit === undefined ? {} : { extent: { value: extent, unit } };
      return { name, severity, means, count, ...sum, examples };
    });
  }
}

const NOTHING: Found = { count: 0, extent: 0, examples: [] };
