/** What is asked for, again and again. */
export type What = 'market' | 'limit' | 'quote' | 'nothing';

export interface Pattern {
  readonly what: What;
  /** Trades of the market between two requests. */
  readonly every: number;
}

/** How far from the market an order rests that nothing is to reach, in ticks. */
export const FAR = 1_000_000;

export const LOTS = 10;

/** The client order id of a resting order: it is placed in one turn and canceled in the next. */
export const restingId = (turn: number): string => `resting-${turn >> 1}`;

/** Further than the price goes from one trade to the next, so that a quote never stays where it is. */
const STEP = 10_000;

/** Both sides of a quote, which moves each time. */
export const quoteAt = (ticks: number, turn: number): readonly [bid: number, ask: number] => [
  ticks - FAR + STEP * (turn % 2),
  ticks + FAR + STEP * (turn % 2),
];
