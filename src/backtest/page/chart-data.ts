import type { BacktestResult, FillRow, FirstRows, OrderRow } from '../result.ts';
import { FillTable, type FillMark } from '../tables/fill-table.ts';
import { OrderTable } from '../tables/order-table.ts';

/** Data of the chart script: seconds since 1970 and doubles, which suffice for pixels. */
export interface ChartData {
  readonly times: readonly number[];
  readonly equity: readonly number[];
  readonly start: number;
  readonly currency: string;
  /** In percent, zero or negative. */
  readonly drawdown: readonly (number | null)[];
  readonly instruments: readonly ChartInstrument[];
  readonly plots: BacktestResult['series']['plots'];
  /** Samples of the equity per point. */
  readonly samplesPerPoint: number;
}

export interface ChartInstrument {
  readonly symbol: string;
  readonly base: string;
  readonly tickSize: number;
  /** Decimals of a price. */
  readonly digits: number;
  /** Open, high, low and close of each time, `null` before the first price. */
  readonly candles: readonly (readonly number[] | null)[];
  readonly position: readonly number[];
  readonly fills: readonly ChartFills[];
}

/**
 * Purpose of an order: a single order, or an exit of a list, for a profit or a loss; or a forced
 * close by the venue.
 */
export type ExitKind = 'plain' | 'profit' | 'loss' | 'forced';

/**
 * Fills of one point, side and purpose: index of the point, side, number, size, average price,
 * purpose.
 */
export type ChartFills = readonly [number, 'buy' | 'sell', number, number, number, ExitKind];

/** Converts the series of a result for the chart. Two points in one second become one. */
export function chartData(result: BacktestResult): ChartData {
  const { series, metrics, instruments } = result;
  const seconds = series.at.map((at) => Math.floor(Date.parse(at) / 1_000));
  const kept = seconds.flatMap((second, index) => (seconds[index + 1] === second ? [] : [index]));
  const pick = <T>(values: readonly T[]): T[] => kept.map((index) => values[index]);
  const times = pick(seconds);
  const exitKinds = exitKindsOf(result.orderHistory);
  const fills = fillsOf(result.fills, times, (order) => exitKinds.get(order) ?? 'plain');
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
          const prices = [open[i], high[i], low[i], close[i]];
          return prices.includes(null) ? null : prices.map(Number);
        }),
        position: pick(columns.position).map(Number),
        fills: fills.get(symbol) ?? [],
      };
    }),
    samplesPerPoint: series.samplesPerPoint,
    plots: series.plots.map(({ name, values }) => ({ name, values: pick(values) })),
  };
}

/**
 * A leg of a list that excludes others is an exit: a stop order for a loss, any other for a profit.
 */
function exitKindOf({ contingencyType, listIndex, type }: OrderRow): ExitKind {
  const isExit =
    contingencyType === 'oneCancelOther' ||
    (contingencyType === 'oneTriggerOneCancelOther' && listIndex !== 0);
  if (!isExit) return 'plain';
  return type === 'stopLimit' || type === 'stopMarket' ? 'loss' : 'profit';
}

/** Purposes of the orders of lists; all others are plain. */
function exitKindsOf(orders: FirstRows<OrderRow>): ReadonlyMap<string, ExitKind> {
  const listed = orders instanceof OrderTable ? orders.listed() : orders.rows;
  const exitKinds = new Map<string, ExitKind>();
  for (const row of listed) exitKinds.set(row.order, exitKindOf(row));
  return exitKinds;
}

/** Fills of one point while they are merged. */
type MergedFills = [number, 'buy' | 'sell', number, number, number, ExitKind];

/** Groups all fills of each symbol by the first point of the chart that is not before them. */
function fillsOf(
  fills: FirstRows<FillRow>,
  times: readonly number[],
  exitKindOfOrder: (order: string) => ExitKind,
): ReadonlyMap<string, readonly ChartFills[]> {
  const merged = new Map<string, Map<string, MergedFills>>();
  let index = 0;
  const marks = fills instanceof FillTable ? fills.marks() : fills.rows.map(markOf);
  for (const { second, symbol, side, size, price, order, forced } of marks) {
    while (index + 1 < times.length && times[index] + 1 <= second) index += 1;
    const purpose = forced === undefined ? exitKindOfOrder(order) : 'forced';
    const key = `${index} ${side} ${purpose}`;
    const own = merged.get(symbol) ?? new Map<string, MergedFills>();
    const entry = own.get(key) ?? [index, side, 0, 0, 0, purpose];
    const sum = entry[3] + size;
    entry[4] = (entry[4] * entry[3] + price * size) / sum;
    entry[3] = sum;
    entry[2] += 1;
    own.set(key, entry);
    merged.set(symbol, own);
  }
  return new Map([...merged].map(([symbol, own]) => [symbol, [...own.values()]]));
}

const markOf = ({ at, symbol, side, size, price, order, forced }: FillRow): FillMark => ({
  second: Date.parse(at) / 1_000,
  symbol,
  side,
  size: Number(size),
  price: Number(price),
  order,
  forced,
});
