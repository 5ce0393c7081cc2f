import type { BacktestResult } from '../backtest/result.ts';
import { everySample } from '../backtest/tables/equity-series.ts';
import { everyRow } from '../backtest/tables/row-table.ts';
import { parseIsoTime } from '../platform/time.ts';

/**
 * Series of a run as typed arrays, one number for each row: for statistics and plots. Times are
 * microseconds since 1970, money is rounded to doubles; the exact text of each row is in the result.
 */
export interface RunSeries {
  readonly equity: EquityArrays;
  readonly fills: FillArrays;
  readonly orders: OrderArrays;
}

/** Every sample of the equity. */
export interface EquityArrays {
  readonly length: number;
  readonly at: Float64Array;
  readonly equity: Float64Array;
  /** How far below the highest so far, as a ratio; NaN where there is none. */
  readonly drawdown: Float64Array;
}

/** Every fill. */
export interface FillArrays {
  readonly length: number;
  readonly at: Float64Array;
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly fee: Float64Array;
  /** 1 for a buy, -1 for a sell. */
  readonly side: Int8Array;
  /** 1 where the own order took, 0 where it made. */
  readonly taker: Uint8Array;
  readonly symbol: readonly string[];
  readonly feeCurrency: readonly string[];
  /** Client order id. */
  readonly order: readonly string[];
}

/** Every order, as it was sent and as it ended. */
export interface OrderArrays {
  readonly length: number;
  readonly sentAt: Float64Array;
  /** NaN while it had not ended. */
  readonly endedAt: Float64Array;
  /** NaN where it has none. */
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly filled: Float64Array;
  /** 1 for a buy, -1 for a sell. */
  readonly side: Int8Array;
  readonly symbol: readonly string[];
  readonly type: readonly string[];
  readonly status: readonly string[];
  /** Client order id. */
  readonly order: readonly string[];
}

const timeOf = (text: string | null): number =>
  text === null ? Number.NaN : (parseIsoTime(text) ?? Number.NaN);
const numberOf = (text: string | null): number => (text === null ? Number.NaN : Number(text));
const sideOf = (side: 'buy' | 'sell'): number => (side === 'buy' ? 1 : -1);

export function equityArrays({ series }: BacktestResult): EquityArrays {
  const rows = [...everySample(series)];
  return {
    length: rows.length,
    at: Float64Array.from(rows, ({ at }) => timeOf(at)),
    equity: Float64Array.from(rows, ({ equity }) => Number(equity)),
    drawdown: Float64Array.from(rows, ({ drawdown }) => drawdown ?? Number.NaN),
  };
}

export function fillArrays({ fills }: BacktestResult): FillArrays {
  const rows = [...everyRow(fills)];
  return {
    length: rows.length,
    at: Float64Array.from(rows, ({ at }) => timeOf(at)),
    price: Float64Array.from(rows, ({ price }) => Number(price)),
    size: Float64Array.from(rows, ({ size }) => Number(size)),
    fee: Float64Array.from(rows, ({ fee }) => Number(fee)),
    side: Int8Array.from(rows, ({ side }) => sideOf(side)),
    taker: Uint8Array.from(rows, ({ taker }) => Number(taker)),
    symbol: rows.map(({ symbol }) => symbol),
    feeCurrency: rows.map(({ feeCurrency }) => feeCurrency),
    order: rows.map(({ order }) => order),
  };
}

export function orderArrays({ orderHistory }: BacktestResult): OrderArrays {
  const rows = [...everyRow(orderHistory)];
  return {
    length: rows.length,
    sentAt: Float64Array.from(rows, ({ sentAt }) => timeOf(sentAt)),
    endedAt: Float64Array.from(rows, ({ endedAt }) => timeOf(endedAt)),
    price: Float64Array.from(rows, ({ price }) => numberOf(price)),
    size: Float64Array.from(rows, ({ size }) => Number(size)),
    filled: Float64Array.from(rows, ({ filled }) => Number(filled)),
    side: Int8Array.from(rows, ({ side }) => sideOf(side)),
    symbol: rows.map(({ symbol }) => symbol),
    type: rows.map(({ type }) => type),
    status: rows.map(({ status }) => status),
    order: rows.map(({ order }) => order),
  };
}
