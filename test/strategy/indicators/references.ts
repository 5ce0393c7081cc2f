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

type Parameters = Readonly<Record<string, number>>;
/** The values of an indicator over bars: one series, or one by each name. */
export type Reference = (bars: Bars, p: Parameters) => Series | Readonly<Record<string, Series>>;

const { each, by } = s;
const minus = (a: Series, b: Series): Series => each((x, y) => x - y, a, b);
const times = (a: Series, factor: number): Series => each((x) => x * factor, a);
const abs = (a: Series): Series => each((x) => Math.abs(x), a);
const median = ({ h, l }: Bars): Series => each((x, y) => (x + y) / 2, h, l);
const typical = ({ h, l, c }: Bars): Series => each((x, y, z) => (x + y + z) / 3, h, l, c);
const change = (x: Series, length = 1): Series => minus(x, s.lag(x, length));
const rate = (x: Series, length: number): Series =>
  each((now, before) => (now - before) / before, x, s.lag(x, length));
const up = (x: Series): Series => each((value) => Math.max(value, 0), x);
const down = (x: Series): Series => each((value) => Math.max(-value, 0), x);

const trueRange = ({ h, l, c }: Bars): Series =>
  h.map((high, turn) =>
    turn === 0 ? high - l[0] : Math.max(high, c[turn - 1]) - Math.min(l[turn], c[turn - 1]),
  );
const atr = (bars: Bars, length: number): Series => s.wilder(trueRange(bars), length);

const rsiOf = (moves: Series, length: number): Series =>
  each(
    (gain, loss) => (loss === 0 ? 100 : 100 - 100 / (1 + gain / loss)),
    s.wilder(up(moves), length),
    s.wilder(down(moves), length),
  );
const rsi = (x: Series, length: number): Series => rsiOf(change(x), length);

const bands = (x: Series, length: number, width: number): Record<string, Series> => {
  const middle = s.sma(x, length);
  const spread = times(s.over(x, length, s.deviation), width);
  return { lower: minus(middle, spread), middle, upper: each((a, b) => a + b, middle, spread) };
};

const regression = (y: readonly number[]): { slope: number; intercept: number } => {
  const [mx, my] = [(y.length - 1) / 2, s.mean(y)];
  const slope =
    s.total(y.map((value, x) => (x - mx) * (value - my))) / s.total(y.map((_, x) => (x - mx) ** 2));
  return { slope, intercept: my - slope * mx };
};

const chain = (x: Series, length: number, count: number): Series =>
  Array.from({ length: count }).reduce<Series>((last) => s.ema(last, length), x);

const directional = (bars: Bars, length: number) => {
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

const alligator = (bars: Bars, p: Parameters): Record<'jaw' | 'teeth' | 'lips', Series> => {
  const line = (name: string): Series => s.lag(s.wilder(median(bars), p[name]), p[`${name}Shift`]);
  return { jaw: line('jaw'), teeth: line('teeth'), lips: line('lips') };
};

const moneyFlow = ({ h, l, c }: Bars): Series =>
  each((high, low, close) => by(2 * close - low - high, high - low, 0), h, l, c);

const accumulation = (bars: Bars): Series =>
  s.running(each((flow, volume) => flow * volume, moneyFlow(bars), bars.v));

const swing = ({ o, h, l, c }: Bars, limit: number): Series =>
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
const held = (x: Series): Series => {
  let last: number | undefined;
  return x.map((value) => (last = value ?? last));
};

const stochastic = (x: Series, h: Series, l: Series, length: number, flat: number): Series =>
  each(
    (value, high, low) => (high === low ? flat : (100 * (value - low)) / (high - low)),
    x,
    s.highest(h, length),
    s.lowest(l, length),
  );

const klinger = (bars: Bars): Series => {
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

const volumeIndex = ({ c, v }: Bars, counts: (now: number, before: number) => boolean): Series =>
  s.scan(
    c,
    1_000,
    (index, close, t) => (t > 0 && counts(v[t], v[t - 1]) ? (index * close) / c[t - 1] : index),
    (index) => index,
  );

const trendName = (isUp: boolean): number => (isUp ? 1 : -1);

export const REFERENCES: Readonly<Record<string, Reference>> = {
  ac: (b, p) => {
    const ao = minus(s.sma(median(b), p.fast), s.sma(median(b), p.slow));
    return minus(ao, s.sma(ao, p.signal));
  },
  accumulativeSwingIndex: (b, p) => s.running(swing(b, p.limitMove)),
  ao: (b, p) => minus(s.sma(median(b), p.fast), s.sma(median(b), p.slow)),
  apo: ({ c }, p) => minus(s.ema(c, p.fast), s.ema(c, p.slow)),
  bop: ({ o, h, l, c }) => each((a, x, y, z) => by(z - a, x - y, 0), o, h, l, c),
  cci: (b, p) =>
    each(
      (value, middle, spread) => by(value - middle, 0.015 * spread, 0),
      typical(b),
      s.sma(typical(b), p.length),
      s.over(typical(b), p.length, (w) => {
        const middle = s.mean(w);
        return s.mean(w.map((value) => Math.abs(value - middle)));
      }),
    ),
  cfo: ({ c }, p) =>
    each(
      (now, forecast) => (100 * (now - forecast)) / now,
      c,
      s.lag(
        s.over(c, p.length, (w) => {
          const { slope, intercept } = regression(w);
          return intercept + slope * w.length;
        }),
        1,
      ),
    ),
  cg: ({ c }, p) =>
    s.over(c, p.length, (w) => s.total(w.map((value, i) => value * (i + 1))) / s.total(w)),
  cmo: ({ c }, p) =>
    each(
      (gain, loss) => by(100 * (gain - loss), gain + loss, 0),
      s.sum(up(change(c)), p.length),
      s.sum(down(change(c)), p.length),
    ),
  connorsRsi: ({ c }, p) => {
    const streak: Series = c.map((_, t) => {
      if (t === 0) return undefined;
      const side = (i: number): number => Math.sign(c[i] - c[i - 1]);
      let length = 0;
      while (t - length > 0 && side(t) !== 0 && side(t - length) === side(t)) length += 1;
      return side(t) * length;
    });
    const rank = s.over(rate(c, 1), p.rank + 1, (w) => {
      const now = w.at(-1) ?? 0;
      return (100 * w.slice(0, -1).filter((one) => one < now).length) / p.rank;
    });
    return each((a, b, d) => (a + b + d) / 3, rsi(c, p.rsi), rsi(streak, p.streak), rank);
  },
  coppockCurve: ({ c }, p) =>
    s.wma(
      each((a, b) => 100 * (a + b), rate(c, p.fast), rate(c, p.slow)),
      p.length,
    ),
  deMarker: ({ h, l }, p) =>
    each(
      (rise, fall) => by(rise, rise + fall, 0.5),
      s.sum(up(change(h)), p.length),
      s.sum(down(change(l)), p.length),
    ),
  derivativeOscillator: ({ c }, p) => {
    const smoothed = s.ema(s.ema(rsi(c, p.rsi), p.first), p.second);
    return minus(smoothed, s.sma(smoothed, p.signal));
  },
  disparityIndex: ({ c }, p) => each((x, m) => (100 * (x - m)) / m, c, s.sma(c, p.length)),
  dpo: ({ c }, p) => minus(s.lag(c, Math.floor(p.length / 2) + 1), s.sma(c, p.length)),
  elderRay: ({ h, l, c }, p) => ({
    bull: minus(h, s.ema(c, p.length)),
    bear: minus(l, s.ema(c, p.length)),
  }),
  er: ({ h, l, c }, p) =>
    each(
      (net, high, low) => by(net, high - low, 0),
      s.over(c, p.length, (w) => Math.abs((w.at(-1) ?? 0) - w[0])),
      s.highest(h, p.length),
      s.lowest(l, p.length),
    ),
  fisherTransform: (b, p) => {
    const m = median(b);
    const place = each(
      (value, high, low) => (value - low) / (high === low ? 0.001 : high - low) - 0.5,
      m,
      s.highest(m, p.length),
      s.lowest(m, p.length),
    );
    const near = s.scan(
      place,
      0,
      (last, value) => {
        const next = 0.66 * value + 0.67 * last;
        return next > 0.99 ? 0.999 : next < -0.99 ? -0.999 : next;
      },
      (value) => value,
    );
    return s.scan(
      near,
      0,
      (last, x) => Math.atanh(x) + 0.5 * last,
      (value) => value,
    );
  },
  ibs: ({ h, l, c }) => each((x, y, z) => by(z - y, x - y, 0.5), h, l, c),
  imi: ({ o, c }, p) =>
    each(
      (gain, loss) => by(100 * gain, gain + loss, 50),
      s.sum(up(minus(c, o)), p.length),
      s.sum(down(minus(c, o)), p.length),
    ),
  kst: ({ c }, p) =>
    each(
      (a, b, d, e) => 100 * (a + 2 * b + 3 * d + 4 * e),
      ...[1, 2, 3, 4].map((i) => s.sma(rate(c, p[`roc${i}`]), p[`sma${i}`])),
    ),
  laguerreRsi: ({ c }, p) => {
    const filters = [c, c, c, c].map((_, stage) => {
      const line = (depth: number): number[] => {
        if (depth === 0) return [...s.smooth(c, 1 - p.gamma)] as number[];
        const before = line(depth - 1);
        return before.reduce<number[]>((all, value, t) => {
          const last = all.at(-1) ?? before[0];
          all.push(t === 0 ? before[0] : -p.gamma * value + before[t - 1] + p.gamma * last);
          return all;
        }, []);
      };
      return line(stage);
    });
    return s.from(
      c.map((_, t) => {
        const gaps = [0, 1, 2].map((i) => filters[i][t] - filters[i + 1][t]);
        const rise = s.total(gaps.map((gap) => Math.max(gap, 0)));
        const all = s.total(gaps.map((gap) => Math.abs(gap)));
        return all < 1e-9 ? 0 : rise / all;
      }),
      4,
    );
  },
  macd: ({ c }, p) => {
    const macd = minus(s.ema(c, p.fast), s.ema(c, p.slow));
    const signal = s.ema(macd, p.signal);
    return { macd: s.from(macd, p.signal), signal, histogram: minus(macd, signal) };
  },
  mfi: (b, p) => {
    const flow = each((price, volume) => price * volume, typical(b), b.v);
    const rise = each((moved, value) => (moved > 0 ? value : 0), change(typical(b)), flow);
    const fall = each((moved, value) => (moved < 0 ? value : 0), change(typical(b)), flow);
    return each((x, y) => by(100 * x, x + y, 50), s.sum(rise, p.length), s.sum(fall, p.length));
  },
  mom: ({ c }, p) => change(c, p.length),
  obv: ({ c, v }) => s.running(each((moved, volume) => Math.sign(moved) * volume, change(c), v)),
  pgo: (b, p) =>
    each(
      (x, middle, range) => by(x - middle, range, 0),
      b.c,
      s.sma(b.c, p.length),
      s.ema(atr(b, p.length), p.length),
    ),
  pmo: ({ c }, p) => {
    const first = s.from(s.smooth(times(rate(c, 1), 100), 2 / p.first), p.first);
    const pmo = s.from(s.smooth(times(first, 10), 2 / p.second), p.second);
    return { pmo: s.from(pmo, p.signal), signal: s.ema(pmo, p.signal) };
  },
  ppo: ({ c }, p) => each((a, b) => (100 * (a - b)) / b, s.ema(c, p.fast), s.ema(c, p.slow)),
  premierStochastic: ({ h, l, c }, p) => {
    const k = times(
      each((x) => x - 50, stochastic(c, h, l, p.length, 50)),
      0.1,
    );
    return each((x) => Math.tanh(x / 2), chain(k, p.smooth, 2));
  },
  psl: ({ c }, p) =>
    s.over(change(c), p.length, (w) => (100 * w.filter((move) => move > 0).length) / p.length),
  qqe: ({ c }, p) => {
    const line = s.ema(rsi(c, p.rsi), p.smooth);
    const wide = times(chain(abs(change(line)), 2 * p.rsi - 1, 2), p.factor);
    const [longs, shorts]: [number[], number[]] = [[], []];
    let isUp = true;
    const stop = line.map((now, t) => {
      const [band, before] = [wide[t], line[t - 1]];
      if (now === undefined || band === undefined || before === undefined) return undefined;
      const [long, short] = [longs.at(-1), shorts.at(-1)];
      if (long === undefined || short === undefined) {
        longs.push(now - band);
        shorts.push(now + band);
        return now - band;
      }
      const crossed = (level: number, last: number | undefined): boolean =>
        last !== undefined && ((now > level && before <= last) || (now < level && before >= last));
      if (crossed(short, shorts.at(-2))) isUp = true;
      else if (crossed(long, longs.at(-2))) isUp = false;
      longs.push(before > long && now > long ? Math.max(long, now - band) : now - band);
      shorts.push(before < short && now < short ? Math.min(short, now + band) : now + band);
      return isUp ? longs.at(-1) : shorts.at(-1);
    });
    return { rsi: each((value) => value, line, stop), stop };
  },
  qstick: ({ o, c }, p) => s.sma(minus(c, o), p.length),
  rci: ({ c }, p) =>
    s.over(c, p.length, (w) => {
      const n = w.length;
      const rank = (x: number): number =>
        w.filter((y) => y > x).length + (w.filter((y) => y === x).length + 1) / 2;
      const distances = s.total(w.map((value, i) => (n - i - rank(value)) ** 2));
      return 100 * (1 - (6 * distances) / (n * (n * n - 1)));
    }),
  rei: ({ h, l, c }, p) => {
    const term = (t: number): readonly [number, number] => {
      const moved = h[t] - h[t - 2] + l[t] - l[t - 2];
      const high = h[t - 2] >= Math.min(c[t - 7], c[t - 8]) || h[t] >= Math.min(h[t - 5], h[t - 6]);
      const low = l[t - 2] <= Math.max(c[t - 7], c[t - 8]) || l[t] <= Math.max(l[t - 5], l[t - 6]);
      return [high && low ? moved : 0, Math.abs(h[t] - h[t - 2]) + Math.abs(l[t] - l[t - 2])];
    };
    return c.map((_, t) => {
      if (t < 7 + p.length) return undefined;
      const terms = Array.from({ length: p.length }, (_each, i) => term(t - i));
      return by(100 * s.total(terms.map(([x]) => x)), s.total(terms.map(([, x]) => x)), 0);
    });
  },
  relativeVigorIndex: ({ o, h, l, c }, p) => {
    const swma = (x: Series): Series => s.over(x, 4, ([a, b, d, e]) => (a + 2 * b + 2 * d + e) / 6);
    const rvgi = each(
      (body, range) => by(body, range, 0),
      s.sum(swma(minus(c, o)), p.length),
      s.sum(swma(minus(h, l)), p.length),
    );
    return { rvgi: s.from(rvgi, 4), signal: swma(rvgi) };
  },
  rmi: ({ c }, p) => rsiOf(change(c, p.momentum), p.length),
  roc: ({ c }, p) => rate(c, p.length),
  rsi: ({ c }, p) => rsi(c, p.length),
  smi: ({ h, l, c }, p) => {
    const [high, low] = [s.highest(h, p.length), s.lowest(l, p.length)];
    const twice = (x: Series): Series => s.ema(s.ema(x, p.first), p.second);
    return each(
      (distance, range) => by(200 * distance, range, 0),
      twice(each((x, a, b) => x - (a + b) / 2, c, high, low)),
      twice(minus(high, low)),
    );
  },
  stc: ({ c }, p) => {
    const macd = minus(s.ema(c, p.fast), s.ema(c, p.slow));
    const cycle = (x: Series): Series => s.smooth(stochastic(x, x, x, p.cycle, 50), 0.5);
    return cycle(cycle(macd));
  },
  stochasticOscillator: ({ h, l, c }, p) => {
    const k = s.sma(stochastic(c, h, l, p.length, 0), p.smooth);
    const d = s.sma(k, p.signal);
    return { k: s.from(k, p.signal), d, j: each((x, y) => 3 * x - 2 * y, k, d) };
  },
  stochasticRsi: ({ c }, p) => {
    // A difference of the last digits is none.
    const value = each((x) => Math.round(x * 1e9) / 1e9, rsi(c, p.length));
    const k = s.sma(times(stochastic(value, value, value, p.length, 0), 0.01), p.smooth);
    return { k: s.from(k, p.signal), d: s.sma(k, p.signal) };
  },
  swingIndex: (b, p) => swing(b, p.limitMove),
  tds: ({ c }) => {
    let [count, side] = [0, 0];
    return c.map((close, t) => {
      if (t < 4) return undefined;
      const now = Math.sign(close - c[t - 4]);
      if (now !== 0) [count, side] = [now === -side ? 1 : count + 1, now];
      const done = count >= 9 ? side : 0;
      if (done !== 0) [count, side] = [0, 0];
      return t < 12 ? undefined : done;
    });
  },
  trix: ({ c }, p) =>
    each(
      (now, before) => (100 * (now - before)) / now,
      ...((x) => [x, s.lag(x, 1)])(chain(c, p.length, 3)),
    ),
  tsi: ({ c }, p) => {
    const twice = (x: Series): Series => s.ema(s.ema(x, p.first), p.second);
    return each((x, y) => by(100 * x, y, 0), twice(change(c)), twice(abs(change(c))));
  },
  ultimateOscillator: (b, p) => {
    const low = b.c.map((_, t) => (t === 0 ? undefined : Math.min(b.l[t], b.c[t - 1])));
    const pressure = minus(b.c, low);
    const range = trueRange(b).map((value, t) => (t === 0 ? undefined : value));
    const [fast, medium, slow] = ['fast', 'medium', 'slow'].map((name) =>
      each((x, y) => by(x, y, Number.NaN), s.sum(pressure, p[name]), s.sum(range, p[name])),
    );
    return each(
      (x, y, z) => (Number.isNaN(x) ? 50 : (100 * (4 * x + 2 * y + z)) / 7),
      fast,
      medium,
      slow,
    );
  },
  waddahAttarExplosion: (b, p) => {
    const { lower, upper } = bands(b.c, p.bands, p.deviations);
    const trend = times(change(minus(s.ema(b.c, p.fast), s.ema(b.c, p.slow))), p.sensitivity);
    return { trend, explosion: minus(upper, lower), deadZone: times(atr(b, p.atr), p.deadZone) };
  },
  waveTrend: (b, p) => {
    const price = typical(b);
    const middle = s.smooth(price, 2 / (p.channel + 1));
    const spread = s.smooth(abs(minus(price, middle)), 2 / (p.channel + 1));
    const index = each((x, m, d) => by(x - m, 0.015 * d, 0), price, middle, spread);
    const wave = s.smooth(index, 2 / (p.average + 1));
    const first = Math.max(p.channel, p.average, p.signal);
    return { wave: s.from(wave, first), signal: s.sma(wave, p.signal) };
  },
  williamsR: ({ h, l, c }, p) => each((x) => x - 100, stochastic(c, h, l, p.length, 0)),

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
      REFERENCES.cmo(b, p) as Series,
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

/** Ehlers' Hilbert transform from an event on: phase and period of the dominant cycle, of prices less the first. */
function hilbert(c: readonly number[], start: number): { phases: number[]; periods: number[] } {
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
function parabolic(h: readonly number[], l: readonly number[], step: number, max: number): Series {
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
