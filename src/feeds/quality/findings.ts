import { micros, type Micros } from '../../platform/time.ts';

/**
 * What is looked for. A fault is something that a sound feed of a venue does not hold; a notice is
 * something to know about that may be quite right.
 */
export const CHECKS = {
  gap: { severity: 'fault', unit: undefined, means: 'the recorder or importer missed something' },
  stale: {
    severity: 'notice',
    unit: 'us',
    means: 'the book is stale: from a gap, or from its first level, to the next snapshot',
  },
  'received-backwards': {
    severity: 'fault',
    unit: undefined,
    means: 'received before the row ahead of it; a replay counts it as received with that row',
  },
  'stamped-backwards': {
    severity: 'fault',
    unit: undefined,
    means: 'stamped by the venue before the latest row of its kind; snapshots may be',
  },
  'duplicate-trade': {
    severity: 'fault',
    unit: undefined,
    means: 'a trade whose id is not above that of the trade before',
  },
  'trade-jump': {
    severity: 'notice',
    unit: 'trades',
    means: 'trade ids left out; normal where a venue numbers several instruments together',
  },
  'old-level': {
    severity: 'notice',
    unit: undefined,
    means: 'a level whose sequence is not newer than the book; a replay ignores it',
  },
  'crossed-book': {
    severity: 'fault',
    unit: undefined,
    means: 'after a whole message the best bid is above the best ask',
  },
  'locked-book': {
    severity: 'fault',
    unit: undefined,
    means: 'after a whole message the best bid equals the best ask',
  },
  'crossed-quote': {
    severity: 'fault',
    unit: undefined,
    means: 'a quote whose bid is above its ask',
  },
  'locked-quote': { severity: 'fault', unit: undefined, means: 'a quote whose bid equals its ask' },
  'bad-price': { severity: 'fault', unit: undefined, means: 'a price that is zero or negative' },
  'bad-size': {
    severity: 'fault',
    unit: undefined,
    means: 'a negative size, or a trade of size zero',
  },
  outlier: {
    severity: 'notice',
    unit: undefined,
    means:
      'a price further from the median of the 101 before it than 10 of their interquartile ranges and than 0.5%',
  },
  'candle-shape': {
    severity: 'fault',
    unit: undefined,
    means: 'a candle whose low is above, or whose high is below, its open or close',
  },
  'candle-time': {
    severity: 'fault',
    unit: undefined,
    means: 'a candle that does not span its period, or that is not later than the one before',
  },
  'candle-hole': {
    severity: 'notice',
    unit: 'candles',
    means: 'candles left out; normal for periods without a trade',
  },
  silence: { severity: 'notice', unit: 'us', means: 'nothing was received for long' },
  'cut-message': {
    severity: 'fault',
    unit: undefined,
    means: 'the recording ends inside a message, as after a recovery',
  },
} as const satisfies Record<
  string,
  {
    readonly severity: 'fault' | 'notice';
    /** What the extent of a finding is counted in, where it has one. */
    readonly unit: 'us' | 'trades' | 'candles' | undefined;
    readonly means: string;
  }
>;

export type CheckName = keyof typeof CHECKS;

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
export class Findings {
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
