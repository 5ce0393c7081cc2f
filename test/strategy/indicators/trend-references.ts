import {
  abs,
  alligator,
  atr,
  chain,
  change,
  directional,
  held,
  hilbert,
  minus,
  parabolic,
  regression,
  times,
  trendName,
  trueRange,
  typical,
  type Reference,
} from './formulas.ts';
import { MOMENTUM_REFERENCES } from './momentum-references.ts';
import * as s from './series.ts';
import type { Series } from './series.ts';

const { each, by } = s;

export const TREND_REFERENCES: Readonly<Record<string, Reference>> = {
  adx: (b, p) => {
    const { adx, plus, minus: less } = directional(b, p.length);
    return { adx, plus, minus: less };
  },
  adxr: (b, p) => {
    const { adx } = directional(b, p.length);
    return each((x, y) => (x + y) / 2, adx, s.lag(adx, p.length - 1));
  },
  alligator: (b, p) => alligator(b, p),
  alma: ({ c }, p) =>
    s.over(c, p.length, (w) => {
      const weights = w.map((_, i) =>
        Math.exp(-((((i - p.offset * (w.length - 1)) * p.sigma) / w.length) ** 2) / 2),
      );
      return s.total(w.map((value, i) => value * weights[i])) / s.total(weights);
    }),
  aroon: ({ h, l }, p) => {
    const age = (x: Series, best: (...values: number[]) => number): Series =>
      s.over(x, p.length + 1, (w) => (100 * w.lastIndexOf(best(...w))) / p.length);
    return { up: age(h, Math.max), down: age(l, Math.min) };
  },
  breakoutBarLow: ({ h, l }, p) =>
    held(
      each(
        (now, before, low) => (now > before ? low : undefined),
        h,
        s.lag(s.highest(h, p.length), 1),
        l,
      ),
    ),
  chandeKrollStop: (b, p) => {
    const range = times(atr(b, p.length), p.multiplier);
    return {
      long: s.lowest(
        each((x, y) => x + y, s.lowest(b.l, p.length), range),
        p.stop,
      ),
      short: s.highest(minus(s.highest(b.h, p.length), range), p.stop),
    };
  },
  chandelierExit: (b, p) => {
    const range = times(atr(b, p.length), p.multiplier);
    return {
      long: minus(s.highest(b.h, p.length), range),
      short: each((x, y) => x + y, s.lowest(b.l, p.length), range),
    };
  },
  dema: ({ c }, p) => {
    const one = s.smooth(c, 2 / (p.length + 1));
    const two = s.smooth(one, 2 / (p.length + 1));
    return s.from(
      each((x, y) => 2 * x - y, one, two),
      p.length,
    );
  },
  dma: ({ c }, p) => ({ fast: s.sma(c, p.fast), slow: s.sma(c, p.slow) }),
  dx: (b, p) => directional(b, p.length).dx,
  ema: ({ c }, p) => s.ema(c, p.length),
  frama: ({ c }, p) => {
    const width = (w: readonly number[]): number => (Math.max(...w) - Math.min(...w)) / w.length;
    const alpha = s.over(c, p.length, (w) => {
      const [one, two] = [w.slice(0, w.length / 2), w.slice(w.length / 2)].map(width);
      const d = one === 0 || two === 0 ? 1 : Math.log2((one + two) / width(w));
      return Math.min(1, Math.max(0.01, Math.exp(-4.6 * (d - 1))));
    });
    return s.scan(
      alpha,
      undefined as number | undefined,
      (last, a, t) => (last === undefined ? c[t] : a * c[t] + (1 - a) * last),
      (value) => value,
    );
  },
  gannHiLo: ({ h, l, c }, p) => {
    const [high, low] = [s.sma(h, p.high), s.sma(l, p.low)];
    let last: { line: number; trend: number } | undefined;
    const found = c.map((close, t) => {
      const [above, below] = [high[t - 1], low[t - 1]];
      const [lineUp, lineDown] = [low[t], high[t]];
      if (above !== undefined && close > above) {
        last = lineUp === undefined ? undefined : { line: lineUp, trend: 1 };
      } else if (below !== undefined && close < below) {
        last = lineDown === undefined ? undefined : { line: lineDown, trend: -1 };
      }
      return last;
    });
    return { line: found.map((one) => one?.line), trend: found.map((one) => one?.trend) };
  },
  gatorOscillator: (b, p) => {
    const { jaw, teeth, lips } = alligator(b, p);
    const upper = abs(minus(jaw, teeth));
    const lower = times(abs(minus(teeth, lips)), -1);
    return { upper: each((x) => x, upper, lower), lower: each((x) => x, lower, upper) };
  },
  higherLowTrail: ({ l }, p) => {
    let last: number | undefined;
    return s
      .over(l, p.length + 1, ([first, ...rest]) =>
        rest.every((low) => low > first) ? first : Number.NaN,
      )
      .map((pivot) => {
        if (pivot === undefined || Number.isNaN(pivot)) return last;
        if (p.monotonic && last !== undefined && pivot <= last) return last;
        return (last = pivot);
      });
  },
  hma: ({ c }, p) =>
    s.wma(
      each((x, y) => 2 * x - y, s.wma(c, Math.floor(p.length / 2)), s.wma(c, p.length)),
      Math.floor(Math.sqrt(p.length)),
    ),
  ichimokuCloud: ({ h, l }, p) => {
    const [conversion, base, spanB] = ['conversion', 'base', 'spanB'].map((name) =>
      each((x, y) => (x + y) / 2, s.highest(h, p[name]), s.lowest(l, p[name])),
    );
    return { conversion, base, spanA: each((x, y) => (x + y) / 2, conversion, base), spanB };
  },
  kama: ({ c }, p) => {
    const path = s.sum(abs(change(c)), p.length);
    const seed: Series = c.map((_, t) =>
      t === p.length - 1 ? 1 : path[t] === undefined ? undefined : 0,
    );
    return s.scan(
      seed,
      0,
      (last, isFirst, t) => {
        if (isFirst === 1) return c[t];
        const ratio = by(Math.abs(c[t] - c[t - p.length]), path[t] ?? 0, 1);
        const weight = (ratio * (2 / 3 - 2 / 31) + 2 / 31) ** 2;
        return last + weight * (c[t] - last);
      },
      (value) => value,
    );
  },
  linearRegression: ({ c }, p) => {
    const part = (f: (line: { slope: number; intercept: number }) => number): Series =>
      s.over(c, p.length, (w) => f(regression(w)));
    return {
      slope: part(({ slope }) => slope),
      intercept: part(({ intercept }) => intercept),
      prediction: part(({ slope, intercept }) => intercept + slope * p.length),
    };
  },
  htTrendline: ({ c }) => {
    const { periods } = hilbert(c, 37);
    const x = c.map((price) => price - c[0]);
    let smooth = 0;
    const averages = c.map((_, t) => {
      if (t < 37) return 0;
      smooth = 0.33 * periods[t] + 0.67 * smooth;
      const length = Math.trunc(smooth + 0.5);
      return by(s.total(Array.from({ length }, (_each, i) => x[t - i] ?? 0)), length, 0);
    });
    return c.map((_, t) => {
      const [a, b, d, e] = [0, 1, 2, 3].map((back) => averages[t - back]);
      return t < 63 ? undefined : c[0] + (4 * a + 3 * b + 2 * d + e) / 10;
    });
  },
  mama: ({ c }, p) => {
    const { phases } = hilbert(c, 12);
    let [mama, fama] = [c[0], c[0]];
    const found = c.map((price, t) => {
      if (t < 12) return undefined;
      const moved = Math.max(1, phases[t - 1] - phases[t]);
      const alpha = Math.max(p.slowLimit, p.fastLimit / moved);
      mama += alpha * (price - mama);
      fama += (alpha / 2) * (mama - fama);
      return t < 32 ? undefined : { mama, fama };
    });
    return { mama: found.map((one) => one?.mama), fama: found.map((one) => one?.fama) };
  },
  mcGinleyDynamic: ({ c }, p) =>
    s.from(
      s.scan(
        c,
        undefined as number | undefined,
        (last, x) =>
          last === undefined ? x : last + (x - last) / (0.6 * p.length * (x / last) ** 4),
        (value) => value,
      ),
      p.length,
    ),
  psar: ({ h, l }, p) => parabolic(h, l, p.step, p.max),
  randomWalkIndex: (b, p) => {
    const ranges = Array.from({ length: p.length + 1 }, (_, n) => (n < 2 ? [] : atr(b, n)));
    const best = (f: (t: number, n: number) => number): Series =>
      b.c.map((_, t) => {
        if (t < p.length) return undefined;
        const found = Array.from({ length: p.length - 1 }, (_each, i) => i + 2).flatMap((n) => {
          const range = ranges[n][t] ?? 0;
          return range === 0 ? [] : [f(t, n) / (range * Math.sqrt(n))];
        });
        return found.length === 0 ? 0 : Math.max(...found);
      });
    return {
      high: best((t, n) => b.h[t] - b.l[t - n + 1]),
      low: best((t, n) => b.h[t - n + 1] - b.l[t]),
    };
  },
  rma: ({ c }, p) => s.from(s.smooth(c, 1 / p.length), p.length),
  sma: ({ c }, p) => s.sma(c, p.length),
  sma15: ({ c }) =>
    s.over(c, 15, (w) => {
      const weights = [-3, -6, -5, 3, 21, 46, 67, 74, 67, 46, 21, 3, -5, -6, -3];
      return s.total(w.map((value, i) => value * weights[i])) / s.total(weights);
    }),
  superSmoother: ({ c }, p) => {
    const a = Math.exp((-Math.SQRT2 * Math.PI) / p.length);
    const b = 2 * a * Math.cos((Math.SQRT2 * Math.PI) / p.length);
    const line: number[] = [];
    for (const [t, x] of c.entries()) {
      line.push(
        t < 2 ? x : ((1 - b + a * a) * (x + c[t - 1])) / 2 + b * line[t - 1] - a * a * line[t - 2],
      );
    }
    return s.from(line, p.length);
  },
  superTrend: (b, p) => {
    const range = times(atr(b, p.length), p.multiplier);
    let [high, low, isUp, isOpen] = [0, 0, false, false];
    const found = b.c.map((close, t) => {
      const width = range[t];
      if (width === undefined) return undefined;
      const middle = (b.h[t] + b.l[t]) / 2;
      const before = b.c[t - 1];
      if (!isOpen)
        [high, low, isUp, isOpen] = [middle + width, middle - width, close > middle + width, true];
      else {
        if (middle + width < high || before > high) high = middle + width;
        if (middle - width > low || before < low) low = middle - width;
        isUp = isUp ? close >= low : close > high;
      }
      return { line: isUp ? low : high, trend: trendName(isUp) };
    });
    return { line: found.map((one) => one?.line), trend: found.map((one) => one?.trend) };
  },
  swingHigh: ({ h }, p) =>
    held(
      s.over(h, 2 * p.length + 1, (w) => {
        const top = w[p.length];
        return w.every((high, i) => i === p.length || high < top) ? top : undefined;
      }),
    ),
  swingLow: ({ l }, p) =>
    held(
      s.over(l, 2 * p.length + 1, (w) => {
        const floor = w[p.length];
        return w.every((low, i) => i === p.length || low > floor) ? floor : undefined;
      }),
    ),
  t3: ({ c }, p) => {
    const e = (n: number): Series => chain(c, p.length, n);
    // GD of GD of GD: the same filter three times, spread out.
    const [a, b] = [1 + p.volumeFactor, -p.volumeFactor];
    return each(
      (e3, e4, e5, e6) => a ** 3 * e3 + 3 * a * a * b * e4 + 3 * a * b * b * e5 + b ** 3 * e6,
      e(3),
      e(4),
      e(5),
      e(6),
    );
  },
  tema: ({ c }, p) =>
    each(
      (x, y, z) => 3 * x - 3 * y + z,
      chain(c, p.length, 1),
      chain(c, p.length, 2),
      chain(c, p.length, 3),
    ),
  trima: ({ c }, p) =>
    s.sma(s.sma(c, Math.ceil((p.length + 1) / 2)), Math.floor((p.length + 1) / 2)),
  vhf: ({ c }, p) => {
    const later: Series = c.map((close, t) => (t === 0 ? undefined : close));
    return each(
      (high, low, path) => by(high - low, path, 0),
      s.highest(later, p.length),
      s.lowest(later, p.length),
      s.sum(abs(change(c)), p.length),
    );
  },
  vidya: (b, p) =>
    s.scan(
      MOMENTUM_REFERENCES.cmo(b, p) as Series,
      b.c[0],
      (last, cmo, t) => {
        const weight = ((2 / (p.length + 1)) * Math.abs(cmo)) / 100;
        return weight * b.c[t] + (1 - weight) * last;
      },
      (value) => value,
    ),
  volatilityStop: (b, p) => {
    const range = times(atr(b, p.length), p.multiplier);
    let last: { stop: number; trend: number } | undefined;
    const found = b.c.map((close, t) => {
      const width = range[t];
      if (width === undefined) return undefined;
      const before = b.c[t - 1];
      if (last === undefined) last = { stop: close - width, trend: 1 };
      else {
        const isUp = close > last.stop;
        const isSame = isUp ? before > last.stop : close < last.stop && before < last.stop;
        const next = isUp ? close - width : close + width;
        const kept = isUp ? Math.max(last.stop, next) : Math.min(last.stop, next);
        last = { stop: isSame ? kept : next, trend: trendName(isUp) };
      }
      return last;
    });
    return { stop: found.map((one) => one?.stop), trend: found.map((one) => one?.trend) };
  },
  vortexIndicator: (b, p) => {
    const range = s.sum(
      trueRange(b).map((value, t) => (t === 0 ? undefined : value)),
      p.length,
    );
    const line = (x: Series, y: Series): Series =>
      each((moved, span) => by(moved, span, 0), s.sum(abs(minus(x, s.lag(y, 1))), p.length), range);
    return { plus: line(b.h, b.l), minus: line(b.l, b.h) };
  },
  vwap: (b) =>
    held(
      each(
        (value, volume) => (volume === 0 ? undefined : value / volume),
        s.running(each((x, y) => x * y, typical(b), b.v)),
        s.running(b.v),
      ),
    ),
  wma: ({ c }, p) => s.wma(c, p.length),
  wsma: ({ c }, p) => s.wilder(c, p.length),
  zigZag: ({ h, l }, p) => {
    let [top, floor, isUp] = [h[0], l[0], false];
    return held(
      h.map((high, t) => {
        const low = l[t];
        if (isUp) {
          const turn = top - ((top - floor) * p.deviation) / 100;
          if (high > top) top = high;
          else if (low < turn) {
            [isUp, floor] = [false, low];
            return top;
          }
        } else if (low < floor) floor = low;
        else if (high > low + ((top - low) * p.deviation) / 100) {
          [isUp, top] = [true, high];
          return floor;
        }
        return undefined;
      }),
    );
  },
  zlema: ({ c }, p) => {
    const by2 = Math.floor((p.length - 1) / 2);
    const weight = 2 / (p.length + 1);
    let last: number | undefined;
    return s.from(
      c.map((x, t) => {
        const count = t + 1;
        if (count < by2) return undefined;
        const lagged = 2 * x - c[Math.max(0, t - by2)];
        if (count === by2) last = x;
        else last = last === undefined ? lagged : last + weight * (lagged - last);
        return count < p.length ? undefined : last;
      }),
      1,
    );
  },
};
