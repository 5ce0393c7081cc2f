import { decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  CANDLE,
  eventColumns,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { readTime, type TestTime } from './time.ts';

/**
 * A price or size as a test writes it: `10`, `0.5`, or as text `'61837.63'`. It must be on the
 * grid.
 */
export type TestNumber = number | string;

/** Price and size of a level. */
export type TestLevel = readonly [price: TestNumber, size: TestNumber];

/** One event of a test. */
export type TestEvent =
  | {
      readonly at: TestTime;
      readonly trade: TestNumber;
      /** One lot if absent. */
      readonly size?: TestNumber;
      /** `buy` if absent. */
      readonly aggressor?: Side;
    }
  /** Best bid and ask as one quote; an absent side is empty, an absent size is one lot. */
  | {
      readonly at: TestTime;
      readonly bid?: TestNumber | TestLevel;
      readonly ask?: TestNumber | TestLevel;
    }
  /** A whole book. */
  | {
      readonly at: TestTime;
      readonly bids: readonly TestLevel[];
      readonly asks: readonly TestLevel[];
    }
  /** A candle of the kit's period that ends at `at`. */
  | {
      readonly at: TestTime;
      readonly candle: {
        readonly open: TestNumber;
        readonly high: TestNumber;
        readonly low: TestNumber;
        readonly close: TestNumber;
        readonly volume?: TestNumber;
      };
    };

interface Row {
  readonly kind: number;
  readonly flags: number;
  readonly stampedAt: Micros;
  readonly price: number;
  readonly size: number;
  readonly askPrice?: number;
  readonly askSize?: number;
  readonly open?: number;
}

/** Events of a test as rows of a feed. */
export function testFeed(
  instrument: Instrument,
  events: readonly TestEvent[],
  period: Period | undefined,
): EventColumns {
  const rows = events.flatMap((event) => {
    const at = readTime(event.at);
    return rowsOf(instrument, event, at, period).map((row) => ({ at, ...row }));
  });
  const columns = eventColumns(rows.length);
  columns.length = rows.length;
  rows.forEach((row, index) => {
    const before = index === 0 ? row.at : columns.receivedAt[index - 1];
    if (row.at < before) {
      throw new MillraceError(
        'usage',
        'The events of a test must stand in the order of their times.',
      );
    }
    columns.receivedAt[index] = row.at;
    columns.stampedAt[index] = row.stampedAt;
    columns.kind[index] = row.kind;
    columns.flags[index] = row.flags;
    columns.price[index] = row.price;
    columns.size[index] = row.size;
    columns.askPrice[index] = row.askPrice ?? 0;
    columns.askSize[index] = row.askSize ?? 0;
    columns.open[index] = row.open ?? 0;
  });
  return columns;
}

function rowsOf(
  instrument: Instrument,
  event: TestEvent,
  at: Micros,
  period: Period | undefined,
): readonly Row[] {
  if ('trade' in event) {
    const { trade, size, aggressor = 'buy' } = event;
    const flags = LAST | (aggressor === 'sell' ? SELL : 0);
    const lots = size === undefined ? 1 : lotsOf(instrument, size);
    return [{ kind: TRADE, flags, stampedAt: at, price: ticksOf(instrument, trade), size: lots }];
  }
  if ('bids' in event) return bookRows(instrument, event.bids, event.asks, at);
  if ('candle' in event) return [candleRow(instrument, event.candle, at, period)];
  const [price, size] = bestOf(instrument, event.bid);
  const [askPrice, askSize] = bestOf(instrument, event.ask);
  return [{ kind: QUOTE, flags: LAST, stampedAt: at, price, size, askPrice, askSize }];
}

function bookRows(
  instrument: Instrument,
  bids: readonly TestLevel[],
  asks: readonly TestLevel[],
  stampedAt: Micros,
): readonly Row[] {
  const levels = (side: readonly TestLevel[], flags: number): Row[] =>
    side.map(([price, size]) => ({
      kind: LEVEL,
      flags,
      stampedAt,
      price: ticksOf(instrument, price),
      size: lotsOf(instrument, size),
    }));
  const reset: Row = { kind: RESET, flags: 0, stampedAt, price: 0, size: 0 };
  const rows = [reset, ...levels(bids, 0), ...levels(asks, SELL)];
  return rows.map((row, index) =>
    index === rows.length - 1 ? { ...row, flags: row.flags | LAST } : row,
  );
}

function candleRow(
  instrument: Instrument,
  candle: Extract<TestEvent, { readonly candle: unknown }>['candle'],
  at: Micros,
  period: Period | undefined,
): Row {
  if (period === undefined || periodEnd(period, micros(at - 1)) !== at) {
    throw new MillraceError(
      'usage',
      'A candle of a test needs the option `period`, and its time is the end of one.',
    );
  }
  const { open, high, low, close, volume } = candle;
  return {
    kind: CANDLE,
    flags: LAST,
    stampedAt: periodStart(period, micros(at - 1)),
    price: ticksOf(instrument, close),
    size: volume === undefined ? 1 : lotsOf(instrument, volume),
    askPrice: ticksOf(instrument, high),
    askSize: ticksOf(instrument, low),
    open: ticksOf(instrument, open),
  };
}

function bestOf(
  instrument: Instrument,
  best: TestNumber | TestLevel | undefined,
): readonly [ticks: number, lots: number] {
  if (best === undefined) return [0, 0];
  if (typeof best !== 'object') return [ticksOf(instrument, best), 1];
  return [ticksOf(instrument, best[0]), lotsOf(instrument, best[1])];
}

function ticksOf(instrument: Instrument, price: TestNumber): number {
  return onGrid(instrument.ticksExactly(decimal(String(price))), price, 'price', instrument);
}

function lotsOf(instrument: Instrument, size: TestNumber): number {
  return onGrid(instrument.lotsExactly(decimal(String(size))), size, 'size', instrument);
}

function onGrid(
  count: number | undefined,
  given: TestNumber,
  field: 'price' | 'size',
  { tickSize, quantityIncrement }: Instrument,
): number {
  if (count !== undefined) return count;
  const step = field === 'price' ? tickSize : quantityIncrement;
  throw new MillraceError(
    'off-grid',
    `The ${field} ${given} is no multiple of ${step.toFixed()}; change it or the instrument of the test.`,
    { field },
  );
}
