import type { BacktestResult } from '../backtest/result.ts';
import { everySample, sampleCount } from '../backtest/tables/equity-series.ts';
import { everyRow, rowCount } from '../backtest/tables/row-table.ts';
import { parseIsoTime } from '../platform/time.ts';

/**
 * Series of a run as typed arrays, one number per row, for statistics and plots. Times are
 * microseconds since 1970, money is rounded to doubles; the exact text of each row is in the
 * result.
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
  /** Drawdown ratio; NaN without one. */
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
  /** 1 for a taker, 0 for a maker. */
  readonly taker: Uint8Array;
  readonly symbol: readonly string[];
  readonly feeCurrency: readonly string[];
  /** Client order id. */
  readonly order: readonly string[];
}

/** Every order as sent, with its final state. */
export interface OrderArrays {
  readonly length: number;
  readonly sentAt: Float64Array;
  /** NaN if it had not ended. */
  readonly endedAt: Float64Array;
  /** NaN without one. */
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
  const length = sampleCount(series);
  const [at, equity, drawdown] = doubles(length, 3);
  let index = 0;
  for (const row of everySample(series)) {
    at[index] = timeOf(row.at);
    equity[index] = Number(row.equity);
    drawdown[index] = row.drawdown ?? Number.NaN;
    index += 1;
  }
  return { length, at, equity, drawdown };
}

export function fillArrays({ fills }: BacktestResult): FillArrays {
  const length = rowCount(fills);
  const [at, price, size, fee] = doubles(length, 4);
  const [side, taker] = [new Int8Array(length), new Uint8Array(length)];
  const [symbol, feeCurrency, order]: string[][] = [[], [], []];
  for (const row of everyRow(fills)) {
    // Texts are added row by row; the typed arrays are allocated at full length.
    const index = order.push(row.order) - 1;
    at[index] = timeOf(row.at);
    price[index] = Number(row.price);
    size[index] = Number(row.size);
    fee[index] = Number(row.fee);
    side[index] = sideOf(row.side);
    taker[index] = Number(row.taker);
    symbol.push(row.symbol);
    feeCurrency.push(row.feeCurrency);
  }
  return { length, at, price, size, fee, side, taker, symbol, feeCurrency, order };
}

export function orderArrays({ orderHistory }: BacktestResult): OrderArrays {
  const length = rowCount(orderHistory);
  const [sentAt, endedAt, price, size, filled] = doubles(length, 5);
  const side = new Int8Array(length);
  const [symbol, type, status, order]: string[][] = [[], [], [], []];
  for (const row of everyRow(orderHistory)) {
    const index = order.push(row.order) - 1;
    sentAt[index] = timeOf(row.sentAt);
    endedAt[index] = timeOf(row.endedAt);
    price[index] = numberOf(row.price);
    size[index] = Number(row.size);
    filled[index] = Number(row.filled);
    side[index] = sideOf(row.side);
    symbol.push(row.symbol);
    type.push(row.type);
    status.push(row.status);
  }
  return { length, sentAt, endedAt, price, size, filled, side, symbol, type, status, order };
}

const doubles = (length: number, count: number): readonly Float64Array<ArrayBuffer>[] =>
  Array.from({ length: count }, () => new Float64Array(length));
