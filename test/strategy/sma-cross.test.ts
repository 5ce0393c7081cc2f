import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { above, derive, sma } from '../../src/index.ts';
import { Random } from '../../src/platform/random.ts';

const FAST = 10;
const SLOW = 30;
const BARS = 1_000_000;

/** Closes in whole cents about 100.00, drawn by chance and drawn back to the middle. */
function closesOf(count: number, seed: number): Int32Array {
  const random = new Random(seed);
  const closes = new Int32Array(count);
  let cents = 10_000;
  for (let i = 0; i < count; i += 1) {
    cents += random.integer(-8, 8) + Math.sign(10_000 - cents) * random.integer(0, 2);
    closes[i] = cents;
  }
  return closes;
}

interface Signals {
  /** Bars at which the side changes or is first known, with the side. */
  readonly changes: readonly (readonly [bar: number, up: boolean])[];
  readonly ties: number;
}

/** The independent computation: prefix sums of BigInt, fractions compared by cross-multiplying. */
function exactSignals(closes: Int32Array): Signals {
  const sums = [0n];
  for (const close of closes) sums.push(sums[sums.length - 1] + BigInt(close));
  const changes: [number, boolean][] = [];
  let up: boolean | undefined;
  let ties = 0;
  for (let end = SLOW; end <= closes.length; end += 1) {
    const fast = (sums[end] - sums[end - FAST]) * BigInt(SLOW);
    const slow = (sums[end] - sums[end - SLOW]) * BigInt(FAST);
    if (fast === slow) {
      ties += 1;
    } else if (fast > slow !== up) {
      up = fast > slow;
      changes.push([end - 1, up]);
    }
  }
  return { changes, ties };
}

/** The same cross as a strategy writes it, on these numbers. */
function signalsOf(closes: ArrayLike<number>, fast = sma(FAST, Number), slow = sma(SLOW, Number)) {
  const changes: [number, boolean][] = [];
  let bar = -1;
  const watch = () => (): number => (bar += 1);
  from(Array.from(closes))
    .pipe(derive({ fast, slow, watch }), above('fast', 'slow'))
    .subscribe((up) => changes.push([bar, up]));
  return changes;
}

/** What floating prices make of it: a running sum in dollars. */
const floating = (length: number) => () => {
  const window: number[] = [];
  let sum = 0;
  return (dollars: number): number | undefined => {
    window.push(dollars);
    sum += dollars;
    if (window.length > length) sum -= window.shift() ?? 0;
    return window.length < length ? undefined : sum / length;
  };
};

describe(`an SMA ${FAST}/${SLOW} cross on ${BARS} seeded bars`, () => {
  const closes = closesOf(BARS, 1);
  const exact = exactSignals(closes);

  test('has exact ties, or it would prove nothing', () => {
    expect(exact.ties).toBeGreaterThan(BARS / 1_000);
    expect(exact.changes.length).toBeGreaterThan(BARS / 200);
  });

  test('turns where an independent integer computation turns, bar by bar', () => {
    expect(signalsOf(closes)).toEqual(exact.changes);
  });

  test('on floating dollars would turn at other bars', () => {
    const dollars = Float64Array.from(closes, (cents) => cents / 100);
    expect(signalsOf(dollars, floating(FAST), floating(SLOW))).not.toEqual(exact.changes);
  });
});
