import { AO, DX, Period, RSI, SMA, WSMA } from 'trading-signals';
import type { Bar, Calculator } from './row.ts';

/*
 * Indicators whose class in trading-signals 8.3 returns values that differ from its formula,
 * composed here from its correct parts.
 */

/** 0 / 0 counts as 0: no move is no direction. */
const orZero = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value) ? 0 : value;

/** Average directional index with its two lines, in percent. */
export interface AdxValue {
  readonly adx: number;
  readonly plus: number;
  readonly minus: number;
}

/** The class stays NaN forever once a market did not move for `length` bars. */
export function adx(length: number): Calculator<Bar, AdxValue> {
  const dx = new DX(length);
  const average = new WSMA(length);
  return {
    add(bar) {
      const strength = dx.add(bar);
      const mean = strength === null ? null : average.add(orZero(strength));
      if (mean === null) return null;
      return { adx: mean, plus: 100 * orZero(dx.pdi), minus: 100 * orZero(dx.mdi) };
    },
  };
}

export function adxr(length: number): Calculator<Bar, number> {
  const inner = adx(length);
  const before: number[] = [];
  return {
    add(bar) {
      const now = inner.add(bar);
      if (now === null) return null;
      before.push(now.adx);
      if (before.length < length) return null;
      const [oldest] = before.splice(0, before.length - length + 1);
      return (now.adx + oldest) / 2;
    },
  };
}

/** The class skips bars at which the awesome oscillator is exactly 0. */
export function ac(fast: number, slow: number, signal: number): Calculator<Bar, number> {
  const oscillator = new AO(fast, slow);
  const average = new SMA(signal);
  return {
    add(bar) {
      const value = oscillator.add(bar);
      const mean = value === null ? null : average.add(value);
      return value === null || mean === null ? null : value - mean;
    },
  };
}

/** A range of an RSI, from 0 to 100, that is only rounding. */
const RSI_EPSILON = 1e-9;

export interface StochasticRsiValue {
  readonly k: number;
  readonly d: number;
}

/**
 * The class skips an RSI of 0 and returns 100 on its scale of 0 to 1 if the RSI does not change.
 */
export function stochasticRsi(
  length: number,
  smooth: number,
  signal: number,
): Calculator<number, StochasticRsiValue> {
  const rsi = new RSI(length);
  const range = new Period(length);
  const fast = new SMA(smooth);
  const slow = new SMA(signal);
  return {
    add(price) {
      const value = rsi.add(price);
      const extremes = value === null ? null : range.add(value);
      if (value === null || extremes === null) return null;
      const span = extremes.highest - extremes.lowest;
      const k = fast.add(span < RSI_EPSILON ? 0 : (value - extremes.lowest) / span);
      const d = k === null ? null : slow.add(k);
      return k === null || d === null ? null : { k, d };
    },
  };
}

/** Bars that one term of the range expansion index looks back on. */
const REI_BARS = 9;

/**
 * DeMark's range expansion index; the class sums over all bars since its start, not over `length`.
 */
export function rei(length: number): Calculator<Bar, number> {
  const bars: Bar[] = [];
  const terms: { readonly counted: number; readonly all: number }[] = [];
  return {
    add(bar) {
      bars.push(bar);
      if (bars.length > REI_BARS) bars.shift();
      if (bars.length < REI_BARS) return null;
      terms.push(reiTerm(bars));
      if (terms.length > length) terms.shift();
      if (terms.length < length) return null;
      const all = terms.reduce((sum, term) => sum + term.all, 0);
      const counted = terms.reduce((sum, term) => sum + term.counted, 0);
      return all === 0 ? 0 : (100 * counted) / all;
    },
  };
}

function reiTerm(bars: readonly Bar[]): { readonly counted: number; readonly all: number } {
  const [eight, seven, six, five, , , two, , now] = bars;
  const highs = now.high - two.high;
  const lows = now.low - two.low;
  const isLower =
    two.high < seven.close && two.high < eight.close && now.high < five.high && now.high < six.high;
  const isHigher =
    two.low > seven.close && two.low > eight.close && now.low > five.low && now.low > six.low;
  return {
    counted: isLower || isHigher ? 0 : highs + lows,
    all: Math.abs(highs) + Math.abs(lows),
  };
}

/**
 * Computes relative to the first price instead of 0: filters that start with zeros would treat the
 * distance from 0 to the price as a move, and need hundreds of events to forget it.
 */
export function fromFirst<R>(
  calculator: Calculator<number, R>,
  back: (result: R, first: number) => R,
): Calculator<number, R> {
  let first: number | undefined;
  return {
    add(price) {
      first ??= price;
      const result = calculator.add(price - first);
      return result === null ? null : back(result, first);
    },
  };
}
