import * as s from './series.ts';
import type { Series } from './series.ts';

/** Open, high, low, close and volume of bars. */
export interface Bars {
  readonly o: readonly number[];
  readonly h: readonly number[];
  readonly l: readonly number[];
  readonly c: readonly number[];
  readonly v: readonly number[];
}

export type Parameters = Readonly<Record<string, number>>;
/** The values of an indicator over bars: one series, or one by each name. */
export type Reference = (bars: Bars, p: Parameters) => Series | Readonly<Record<string, Series>>;

export const { each, by } = s;
export const minus = (a: Series, b: Series): Series => each((x, y) => x - y, a, b);
export const times = (a: Series, factor: number): Series => each((x) => x * factor, a);
export const abs = (a: Series): Series => each((x) => Math.abs(x), a);
export const median = ({ h, l }: Bars): Series => each((x, y) => (x + y) / 2, h, l);
export const typical = ({ h, l, c }: Bars): Series => each((x, y, z) => (x + y + z) / 3, h, l, c);
export const change = (x: Series, length = 1): Series => minus(x, s.lag(x, length));
export const rate = (x: Series, length: number): Series =>
  each((now, before) => (now - before) / before, x, s.lag(x, length));
export const up = (x: Series): Series => each((value) => Math.max(value, 0), x);
export const down = (x: Series): Series => each((value) => Math.max(-value, 0), x);

export const trueRange = ({ h, l, c }: Bars): Series =>
  h.map((high, turn) =>
    turn === 0 ? high - l[0] : Math.max(high, c[turn - 1]) - Math.min(l[turn], c[turn - 1]),
  );
export const atr = (bars: Bars, length: number): Series => s.wilder(trueRange(bars), length);

export const rsiOf = (moves: Series, length: number): Series =>
  each(
    (gain, loss) => (loss === 0 ? 100 : 100 - 100 / (1 + gain / loss)),
    s.wilder(up(moves), length),
    s.wilder(down(moves), length),
  );
export const rsi = (x: Series, length: number): Series => rsiOf(change(x), length);

export const bands = (x: Series, length: number, width: number): Record<string, Series> => {
  const middle = s.sma(x, length);
  const spread = times(s.over(x, length, s.deviation), width);
  return { lower: minus(middle, spread), middle, upper: each((a, b) => a + b, middle, spread) };
};

export const regression = (y: readonly number[]): { slope: number; intercept: number } => {
  const [mx, my] = [(y.length - 1) / 2, s.mean(y)];
  const slope =
    s.total(y.map((value, x) => (x - mx) * (value - my))) / s.total(y.map((_, x) => (x - mx) ** 2));
  return { slope, intercept: my - slope * mx };
};

export const chain = (x: Series, length: number, count: number): Series =>
  Array.from({ length: count }).reduce<Series>((last) => s.ema(last, length), x);

export const directional = (bars: Bars, length: number) => {
  const rise = change(bars.h);
  const fall = times(change(bars.l), -1);
  const first = (x: Series): Series => x.map((value, turn) => (turn === 0 ? 0 : value));
  const range = atr(bars, length);
  const line = (a: Series, b: Series): Series =>
    each(
      (moved, span) => by(100 * moved, span, 0),
      s.wilder(first(each((x, y) => (x > 0 && x >= y ? x : 0), a, b)), length),
      range,
    );
  const [plus, less] = [line(rise, fall), line(fall, rise)];
  const dx = each((a, b) => by(100 * Math.abs(a - b), a + b, 0), plus, less);
  return { plus, minus: less, dx, adx: s.wilder(dx, length) };
};

export const alligator = (bars: Bars, p: Parameters): Record<'jaw' | 'teeth' | 'lips', Series> => {
  const line = (name: string): Series => s.lag(s.wilder(median(bars), p[name]), p[`${name}Shift`]);
  return { jaw: line('jaw'), teeth: line('teeth'), lips: line('lips') };
};

export const moneyFlow = ({ h, l, c }: Bars): Series =>
  each((high, low, close) => by(2 * close - low - high, high - low, 0), h, l, c);

export const accumulation = (bars: Bars): Series =>
  s.running(each((flow, volume) => flow * volume, moneyFlow(bars), bars.v));

export const swing = ({ o, h, l, c }: Bars, limit: number): Series =>
  c.map((close, t) => {
    if (t === 0) return undefined;
    const [before, opened] = [c[t - 1], o[t - 1]];
    const [a, b, r] = [Math.abs(h[t] - before), Math.abs(l[t] - before), h[t] - l[t]];
    const body = Math.abs(before - opened) / 4;
    const range = a >= b && a >= r ? a - b / 2 + body : b >= r ? b - a / 2 + body : r + body;
    const moved = close - before + (close - o[t]) / 2 + (before - opened) / 4;
    return range === 0 ? 0 : (50 * moved * Math.max(a, b)) / range / limit;
  });

/** The last value that there was. */
export const held = (x: Series): Series => {
  let last: number | undefined;
  return x.map((value) => (last = value ?? last));
};

export const stochastic = (x: Series, h: Series, l: Series, length: number, flat: number): Series =>
  each(
    (value, high, low) => (high === low ? flat : (100 * (value - low)) / (high - low)),
    x,
    s.highest(h, length),
    s.lowest(l, length),
  );

export const klinger = (bars: Bars): Series => {
  let [trend, measured] = [0, 0];
  return bars.c.map((_, t) => {
    if (t === 0) return undefined;
    const sum = (i: number): number => bars.h[i] + bars.l[i] + bars.c[i];
    const range = (i: number): number => bars.h[i] - bars.l[i];
    const now = sum(t) > sum(t - 1) ? 1 : sum(t) < sum(t - 1) ? -1 : trend;
    measured = (now === trend ? measured : range(t - 1)) + range(t);
    trend = now;
    const force = measured === 0 ? 0 : Math.abs((2 * range(t)) / measured - 1);
    return force * 100 * bars.v[t] * (trend === -1 ? -1 : 1);
  });
};

export const volumeIndex = (
  { c, v }: Bars,
  counts: (now: number, before: number) => boolean,
): Series =>
  s.scan(
    c,
    1_000,
    (index, close, t) => (t > 0 && counts(v[t], v[t - 1]) ? (index * close) / c[t - 1] : index),
    (index) => index,
  );

export const trendName = (isUp: boolean): number => (isUp ? 1 : -1);

/** Ehlers' Hilbert transform from an event on: phase and period of the dominant cycle, of prices less the first. */
export function hilbert(
  c: readonly number[],
  start: number,
): { phases: number[]; periods: number[] } {
  const zeros = (): number[] => c.map(() => 0);
  const [smooth, detrended, q1, i2, q2, re, im] = Array.from({ length: 7 }, zeros);
  const [phases, periods] = [zeros(), zeros()];
  const at = (x: readonly number[], t: number): number => x[t] ?? 0;
  const wave = (x: readonly number[], t: number): number =>
    0.0962 * (at(x, t) - at(x, t - 6)) + 0.5769 * (at(x, t - 2) - at(x, t - 4));
  for (let t = start; t < c.length; t += 1) {
    const price = (back: number): number => c[t - back] - c[0];
    const last = periods[t - 1];
    const adjusted = 0.075 * last + 0.54;
    smooth[t] = (4 * price(0) + 3 * price(1) + 2 * price(2) + price(3)) / 10;
    detrended[t] = adjusted * wave(smooth, t);
    q1[t] = adjusted * wave(detrended, t);
    const i1 = at(detrended, t - 3);
    i2[t] = 0.2 * (i1 - adjusted * wave(q1, t)) + 0.8 * i2[t - 1];
    q2[t] = 0.2 * (q1[t] + adjusted * wave(detrended, t - 3)) + 0.8 * q2[t - 1];
    re[t] = 0.2 * (i2[t] * i2[t - 1] + q2[t] * q2[t - 1]) + 0.8 * re[t - 1];
    im[t] = 0.2 * (i2[t] * q2[t - 1] - q2[t] * i2[t - 1]) + 0.8 * im[t - 1];
    const measured = im[t] * re[t] === 0 ? last : (2 * Math.PI) / Math.atan(im[t] / re[t]);
    const bounded = Math.max(0.67 * last, Math.min(1.5 * last, measured));
    periods[t] = 0.2 * Math.max(6, Math.min(50, bounded)) + 0.8 * last;
    phases[t] = i1 === 0 ? 0 : (Math.atan(q1[t] / i1) * 180) / Math.PI;
  }
  return { phases, periods };
}

/** Wilder's stop and reverse, with the begin of the library: the side of the first move of the middle. */
export function parabolic(
  h: readonly number[],
  l: readonly number[],
  step: number,
  max: number,
): Series {
  let [isLong, stop, far, pace] = [true, 0, 0, step];
  return h.map((high, t) => {
    if (t === 0) return undefined;
    const low = l[t];
    if (t === 1) {
      isLong = high + low >= h[0] + l[0];
      [stop, far] = isLong ? [l[0], high] : [h[0], low];
      return stop;
    }
    let next = stop + pace * (far - stop);
    // The stop never enters the range of the two bars before.
    const within = isLong
      ? Math.min(l[t - 1], low < next ? l[t - 2] : Infinity, next)
      : Math.max(h[t - 1], high > next ? h[t - 2] : -Infinity, next);
    next = within;
    if (isLong ? high > far : low < far) {
      far = isLong ? high : low;
      pace = Math.min(max, pace + step);
    }
    if (isLong ? low < next : high > next) {
      [isLong, next, far, pace] = [!isLong, far, isLong ? low : high, step];
      if (isLong && next >= low) next = low - 0.01;
    }
    return (stop = next);
  });
}
