import {
  abs,
  atr,
  bands,
  chain,
  change,
  down,
  median,
  minus,
  rate,
  regression,
  rsi,
  rsiOf,
  stochastic,
  swing,
  times,
  trueRange,
  typical,
  up,
  type Reference,
} from './formulas.ts';
import * as s from './series.ts';
import type { Series } from './series.ts';

const { each, by } = s;

export const MOMENTUM_REFERENCES: Readonly<Record<string, Reference>> = {
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
};
