import {
  accumulation,
  atr,
  bands,
  chain,
  change,
  klinger,
  median,
  minus,
  moneyFlow,
  rate,
  regression,
  times,
  trueRange,
  volumeIndex,
  type Reference,
} from './formulas.ts';
import * as s from './series.ts';
import type { Series } from './series.ts';

const { each, by } = s;

export const VOLATILITY_REFERENCES: Readonly<Record<string, Reference>> = {
  accelerationBands: ({ h, l, c }, p) => {
    const width = each((x, y) => (p.width * (x - y)) / (x + y), h, l);
    return {
      lower: s.sma(
        each((x, w) => x * (1 - w), l, width),
        p.length,
      ),
      middle: s.sma(c, p.length),
      upper: s.sma(
        each((x, w) => x * (1 + w), h, width),
        p.length,
      ),
    };
  },
  atr: (b, p) => atr(b, p.length),
  bollingerBands: ({ c }, p) => bands(c, p.length, p.deviations),
  bollingerBandsWidth: ({ c }, p) => {
    const { lower, middle, upper } = bands(c, p.length, p.deviations);
    return each((x, y, z) => (z - x) / y, lower, middle, upper);
  },
  chop: (b, p) => {
    const [high, low] = [Math.max, Math.min].map((pick, i) =>
      b.c.map((_, t) => (t === 0 ? undefined : pick([b.h, b.l][i][t], b.c[t - 1]))),
    );
    return each(
      (path, top, floor) =>
        top === floor ? 100 : (100 * Math.log(path / (top - floor))) / Math.log(p.length),
      s.sum(minus(high, low), p.length),
      s.highest(high, p.length),
      s.lowest(low, p.length),
    );
  },
  cvi: ({ h, l }, p) => {
    const range = s.ema(minus(h, l), p.length);
    return each(
      (now, before) => by(100 * (now - before), before, 0),
      range,
      s.lag(range, p.length),
    );
  },
  donchianChannels: ({ h, l }, p) => {
    const [upper, lower] = [s.highest(h, p.length), s.lowest(l, p.length)];
    return { lower, middle: each((x, y) => (x + y) / 2, upper, lower), upper };
  },
  gapo: ({ h, l }, p) =>
    each(
      (range) => (range === 0 ? 0 : Math.log(range) / Math.log(p.length)),
      minus(s.highest(h, p.length), s.lowest(l, p.length)),
    ),
  iqr: ({ c }, p) =>
    s.over(c, p.length, (w) => {
      const sorted = w.toSorted((x, y) => x - y);
      const half = Math.floor(w.length / 2);
      const middle = (x: readonly number[]): number =>
        (x[Math.floor((x.length - 1) / 2)] + x[Math.ceil((x.length - 1) / 2)]) / 2;
      return middle(sorted.slice(-half)) - middle(sorted.slice(0, half));
    }),
  keltnerChannels: (b, p) => {
    const [middle, width] = [s.ema(b.c, p.length), times(atr(b, p.atr), p.multiplier)];
    return {
      lower: minus(middle, width),
      middle: each((x) => x, middle, width),
      upper: each((x, y) => x + y, middle, width),
    };
  },
  mad: ({ c }, p) =>
    s.over(c, p.length, (w) => {
      const middle = s.mean(w);
      return s.mean(w.map((value) => Math.abs(value - middle)));
    }),
  massIndex: ({ h, l }, p) => {
    const range = minus(h, l);
    return s.sum(
      each((x, y) => by(x, y, 1), s.ema(range, 9), chain(range, 9, 2)),
      p.length,
    );
  },
  natr: (b, p) => each((range, close) => (100 * range) / close, atr(b, p.length), b.c),
  percentB: ({ c }, p) => {
    const { lower, upper } = bands(c, p.length, p.deviations);
    return each((x, y, z) => by(x - y, z - y, 0.5), c, lower, upper);
  },
  period: ({ c }, p) => ({ highest: s.highest(c, p.length), lowest: s.lowest(c, p.length) }),
  projectionOscillator: ({ h, l, c }, p) =>
    c.map((close, t) => {
      const first = t - p.length + 1;
      if (first < 0) return undefined;
      const { slope } = regression(c.slice(first, t + 1));
      const ahead = (x: readonly number[]): number[] =>
        x.slice(first, t + 1).map((value, i) => value + slope * (t - first - i));
      const [upper, lower] = [Math.max(...ahead(h)), Math.min(...ahead(l))];
      return by(100 * (close - lower), upper - lower, 50);
    }),
  relativeVolatilityIndex: ({ c }, p) => {
    const spread = s.over(c, p.deviation, s.deviation);
    const side = (sign: number): Series =>
      s.wilder(
        each((moved, d) => (Math.sign(moved) === sign ? d : 0), change(c), spread),
        p.length,
      );
    return each((x, y) => by(100 * x, x + y, 50), side(1), side(-1));
  },
  rogersSatchellVolatility: ({ o, h, l, c }, p) =>
    each(
      (variance) => Math.sqrt(variance),
      s.sma(
        each(
          (a, x, y, z) => Math.log(x / z) * Math.log(x / a) + Math.log(y / z) * Math.log(y / a),
          o,
          h,
          l,
          c,
        ),
        p.length,
      ),
    ),
  tr: (b) => trueRange(b),
  ttmSqueeze: (b, p) => {
    const outer = bands(b.c, p.bands, p.deviations);
    const [middle, width] = [s.ema(b.c, p.length), times(atr(b, p.length), p.multiplier)];
    const distance = each(
      (close, high, low, average) => close - ((high + low) / 2 + average) / 2,
      b.c,
      s.highest(b.h, p.length),
      s.lowest(b.l, p.length),
      s.sma(b.c, p.length),
    );
    return {
      momentum: s.over(distance, p.length, (w) => {
        const { slope, intercept } = regression(w);
        return intercept + slope * (w.length - 1);
      }),
      isSqueezed: each(
        (upper, lower, m, w) => Number(upper < m + w && lower > m - w),
        outer.upper,
        outer.lower,
        middle,
        width,
      ),
    };
  },
  ulcerIndex: ({ c }, p) =>
    s.over(c, p.length, (w) =>
      Math.sqrt(
        s.mean(
          w.map((close, i) => {
            const top = Math.max(...w.slice(0, i + 1));
            return ((100 * (close - top)) / top) ** 2;
          }),
        ),
      ),
    ),

  ad: (b) => accumulation(b),
  adosc: (b, p) => minus(s.ema(accumulation(b), p.fast), s.ema(accumulation(b), p.slow)),
  cmf: (b, p) =>
    each(
      (flow, volume) => by(flow, volume, 0),
      s.sum(
        each((x, y) => x * y, moneyFlow(b), b.v),
        p.length,
      ),
      s.sum(b.v, p.length),
    ),
  emv: (b, p) =>
    s.sma(
      each(
        (moved, high, low, volume) => by(moved * (high - low) * p.scale, volume, 0),
        change(median(b)),
        b.h,
        b.l,
        b.v,
      ),
      p.length,
    ),
  forceIndex: ({ c, v }, p) =>
    s.ema(
      each((moved, volume) => moved * volume, change(c), v),
      p.length,
    ),
  kvo: (b, p) => minus(s.ema(klinger(b), p.fast), s.ema(klinger(b), p.slow)),
  marketFacilitationIndex: ({ h, l, v }) => each((x, y, z) => by(x - y, z, 0), h, l, v),
  nvi: (b) => volumeIndex(b, (now, before) => now < before),
  pvi: (b) => volumeIndex(b, (now, before) => now > before),
  pvo: ({ v }, p) => each((x, y) => by(100 * (x - y), y, 0), s.ema(v, p.fast), s.ema(v, p.slow)),
  pvt: ({ c, v }) => s.running(each((moved, volume) => moved * volume, rate(c, 1), v)),
  rvol: ({ v }, p) =>
    each((now, usual) => (usual === 0 ? undefined : now / usual), v, s.lag(s.sma(v, p.length), 1)),
  vroc: ({ v }, p) =>
    each((now, before) => by(100 * (now - before), before, 0), v, s.lag(v, p.length)),
  vwma: ({ c, v }, p) =>
    each(
      (value, volume) => (volume === 0 ? undefined : value / volume),
      s.sum(
        each((x, y) => x * y, c, v),
        p.length,
      ),
      s.sum(v, p.length),
    ),
  wad: ({ h, l, c }) =>
    s.running(
      c.map((close, t) => {
        if (t === 0) return undefined;
        const before = c[t - 1];
        if (close > before) return close - Math.min(l[t], before);
        return close < before ? close - Math.max(h[t], before) : 0;
      }),
    ),
};
