import type { BacktestResult, FillRow } from '../result.ts';

/** What the chart script draws: seconds since 1970 and doubles, since pixels need no more. */
export interface ChartData {
  readonly times: readonly number[];
  readonly equity: readonly number[];
  readonly start: number;
  readonly currency: string;
  /** In percent, zero or negative. */
  readonly drawdown: readonly (number | null)[];
  readonly instruments: readonly ChartInstrument[];
  readonly plots: BacktestResult['series']['plots'];
}

export interface ChartInstrument {
  readonly symbol: string;
  readonly base: string;
  readonly tickSize: number;
  /** Digits after the point of a price. */
  readonly digits: number;
  /** Open, high, low and close of each time, `null` before the first price. */
  readonly candles: readonly (readonly number[] | null)[];
  readonly position: readonly number[];
  /** Fills of each point and side that has some: index of the point, side, how many, size, mean price. */
  readonly fills: readonly (readonly [number, 'buy' | 'sell', number, number, number])[];
}

/** Turns the series of a result into what is drawn. Two points of one second become one. */
export function chartData(result: BacktestResult): ChartData {
  const { series, metrics, instruments } = result;
  const seconds = series.at.map((at) => Math.floor(Date.parse(at) / 1_000));
  const kept = seconds.flatMap((second, index) => (seconds[index + 1] === second ? [] : [index]));
  const pick = <T>(values: readonly T[]): T[] => kept.map((index) => values[index]);
  const times = pick(seconds);
  return {
    times,
    equity: pick(series.equity).map(Number),
    start: Number(metrics.equity.start),
    currency: metrics.equity.currency,
    drawdown: pick(series.drawdown).map((ratio) => (ratio === null ? null : -100 * ratio)),
    instruments: series.instruments.map((columns, order) => {
      const { tickSize, baseCurrency } = instruments[order];
      const { symbol, open, high, low, close } = columns;
      return {
        symbol,
        base: baseCurrency,
        tickSize: Number(tickSize),
        digits: tickSize.split('.')[1]?.length ?? 0,
        candles: kept.map((i) => {
          const corners = [open[i], high[i], low[i], close[i]];
          return corners.includes(null) ? null : corners.map(Number);
        }),
        position: pick(columns.position).map(Number),
        fills: fillsOf(
          result.fills.rows.filter((fill) => fill.symbol === symbol),
          times,
        ),
      };
    }),
    plots: series.plots.map(({ name, values }) => ({ name, values: pick(values) })),
  };
}

/** Gathers fills by the point of the chart that they belong to, the first one not before them. */
function fillsOf(fills: readonly FillRow[], times: readonly number[]): ChartInstrument['fills'] {
  const gathered = new Map<string, [number, 'buy' | 'sell', number, number, number]>();
  let index = 0;
  for (const { at, side, size, price } of fills) {
    const second = Date.parse(at) / 1_000;
    while (index + 1 < times.length && times[index] + 1 <= second) index += 1;
    const key = `${index} ${side}`;
    const entry = gathered.get(key) ?? [index, side, 0, 0, 0];
    const sum = entry[3] + Number(size);
    entry[4] = (entry[4] * entry[3] + Number(price) * Number(size)) / sum;
    entry[3] = sum;
    entry[2] += 1;
    gathered.set(key, entry);
  }
  return [...gathered.values()];
}
