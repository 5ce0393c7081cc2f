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
