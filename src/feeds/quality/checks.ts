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
    means: "received before the previous row; a replay uses the previous row's time",
  },
  'stamped-backwards': {
    severity: 'fault',
    unit: undefined,
    means: 'exchange time before that of the latest row of its kind; snapshots are exempt',
  },
  'duplicate-trade': {
    severity: 'fault',
    unit: undefined,
    means: 'trade id not above the previous one',
  },
  'trade-jump': {
    severity: 'notice',
    unit: 'trades',
    means: 'trade ids missing; normal if the venue numbers several instruments together',
  },
  'old-level': {
    severity: 'notice',
    unit: undefined,
    means: 'level whose sequence is not newer than the book; a replay ignores it',
  },
  'crossed-book': {
    severity: 'fault',
    unit: undefined,
    means: 'best bid above best ask after a complete message',
  },
  'locked-book': {
    severity: 'fault',
    unit: undefined,
    means: 'best bid equals best ask after a complete message',
  },
  'crossed-quote': {
    severity: 'fault',
    unit: undefined,
    means: 'quote with its bid above its ask',
  },
  'locked-quote': {
    severity: 'fault',
    unit: undefined,
    means: 'quote with its bid equal to its ask',
  },
  'bad-price': { severity: 'fault', unit: undefined, means: 'price zero or negative' },
  'bad-size': {
    severity: 'fault',
    unit: undefined,
    means: 'negative size, or a trade of size zero',
  },
  outlier: {
    severity: 'notice',
    unit: undefined,
    means:
      'price more than 10 interquartile ranges and more than 0.5% from the median of the 101 before it',
  },
  'candle-shape': {
    severity: 'fault',
    unit: undefined,
    means: "low above, or high below, the candle's open or close",
  },
  'candle-time': {
    severity: 'fault',
    unit: undefined,
    means: 'candle that does not span its period, or does not follow the previous one',
  },
  'candle-hole': {
    severity: 'notice',
    unit: 'candles',
    means: 'candles missing; normal for periods without a trade',
  },
  'no-volume': {
    severity: 'notice',
    unit: undefined,
    means: 'candle without volume: a replay fills no order by it',
  },
  'mark-far': {
    severity: 'notice',
    unit: undefined,
    means: 'mark or index price more than 2% from the middle of the market, or its last trade',
  },
  'mark-gap': {
    severity: 'notice',
    unit: 'us',
    means: 'no mark price for longer than `--silence`, between two of them',
  },
  'bad-funding': {
    severity: 'fault',
    unit: undefined,
    means: 'funding rate of 100% or more, or a next payment that is not after the payment',
  },
  'funding-backwards': {
    severity: 'fault',
    unit: undefined,
    means: 'funding paid before that of the funding row before it',
  },
  'funding-hole': {
    severity: 'notice',
    unit: undefined,
    means:
      'funding later than said before, or further away than the last; normal if the interval grew',
  },
  silence: { severity: 'notice', unit: 'us', means: 'no market event for longer than `--silence`' },
  'cut-message': {
    severity: 'fault',
    unit: undefined,
    means: 'recording ends inside a message, as after a recovery',
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
