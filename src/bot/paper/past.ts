import { EventRows } from '../../gateways/rows.ts';
import { CandleBuilder } from '../../model/candle-builder.ts';
import type { Candle } from '../../model/candle.ts';
import { DepthFeed } from '../../model/depth-feed.ts';
import {
  CANDLE,
  eventColumns,
  FUNDING,
  GAP,
  isMarket,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import { firstWholePeriod, PERIODS, type Period } from '../../model/period.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { nextTurn } from '../../platform/turn.ts';
import type { RecordingSequence } from './recording-sequence.ts';

/** What is kept of a row: of a quote, or about a derivative. */
type Kept = Readonly<
  Record<'stampedAt' | 'sequence' | 'price' | 'size' | 'askPrice' | 'askSize', number>
>;

/** The market state in the middle of a recording, for a replay that begins there. */
export class ResumedBook {
  readonly #feed = new DepthFeed();
  #quote: Kept | undefined;
  #hasBook = false;
  /** The latest of each kind that is said of a derivative. */
  readonly #beside = new Map<number, Kept>();

  take(columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    if (!isMarket(kind)) this.#beside.set(kind, keptOf(columns, row));
    else if (kind === QUOTE) this.#quote = keptOf(columns, row);
    else {
      if (kind === LEVEL || kind === RESET) this.#hasBook = true;
      this.#feed.apply(columns, row);
    }
  }

  /** Writes it as rows: the market, then the contract data. */
  write(rows: EventRows, at: Micros): void {
    this.writeMarket(rows, at);
    this.writeBeside(rows, at);
  }

  /** A snapshot of the book, its gap if it is stale, and the quote. */
  writeMarket(rows: EventRows, at: Micros): void {
    const { depth } = this.#feed;
    const { sequence, bids, asks } = depth;
    if (this.#hasBook) {
      rows.add(at, at, RESET, 0, sequence, 0, 0, 0, 0, 0);
      for (const [side, flag] of [
        [bids, 0],
        [asks, SELL],
      ] as const) {
        for (let rank = 0; rank < side.length; rank += 1) {
          rows.add(at, at, LEVEL, flag, sequence, side.ticksAt(rank), side.lotsAt(rank), 0, 0, 0);
        }
      }
      rows.end();
      if (depth.stale) rows.add(at, at, GAP, LAST, 0, 0, 0, 0, 0, 0);
    }
    if (this.#quote !== undefined) {
      const { sequence: id, price, size, askPrice, askSize } = this.#quote;
      rows.add(at, at, QUOTE, LAST, id, price, size, askPrice, askSize, 0);
    }
  }

  /** The latest contract data; `timeOf` converts a row's time and timestamp to the reader's. */
  writeBeside(rows: EventRows, at: Micros, timeOf = (reported: number): number => reported): void {
    // They keep their timestamps: the venue's next ones are earlier than what is received now.
    for (const [
      kind,
      { stampedAt, sequence: id, price, size, askPrice, askSize },
    ] of this.#beside) {
      const [from, till] =
        kind === FUNDING ? [timeOf(askPrice), timeOf(askSize)] : [askPrice, askSize];
      rows.add(at, timeOf(stampedAt), kind, LAST, id, price, size, from, till, 0);
    }
  }
}

const keptOf = (columns: EventColumns, row: number): Kept => ({
  stampedAt: columns.stampedAt[row],
  sequence: columns.sequence[row],
  price: columns.price[row],
  size: columns.size[row],
  askPrice: columns.askPrice[row],
  askSize: columns.askSize[row],
});

/** Reads what a reel holds from before a time; gives way to the rest of the process now and then. */
export async function readBefore(
  sequence: RecordingSequence,
  before: number,
  take: (columns: EventColumns, row: number, receivedAt: number) => void,
): Promise<void> {
  let receivedAt = Number.NEGATIVE_INFINITY;
  for (const columns of sequence.batches()) {
    for (let row = 0; row < columns.length; row += 1) {
      receivedAt = Math.max(receivedAt, columns.receivedAt[row]);
      if (receivedAt >= before) return;
      take(columns, row, receivedAt);
    }
    await nextTurn();
  }
}

/**
 * The candles of a period that ended before a time, from the sequence's candles or trades; the first whose
 * start it includes is the first.
 */
export async function pastCandles(
  sequence: RecordingSequence,
  period: Period,
  before: number,
): Promise<readonly Candle[]> {
  const candles: Candle[] = [];
  const builder = new CandleBuilder(sequence.instrument, period);
  const keep = (candle: Candle | undefined): void => {
    if (candle !== undefined) candles.push(candle);
  };
  const fromCandles = sequence.period !== undefined;
  if (sequence.period !== undefined && PERIODS.indexOf(sequence.period) > PERIODS.indexOf(period))
    return [];
  let from: Micros | undefined;
  await readBefore(sequence, before, (columns, row, receivedAt) => {
    const seenAt = micros(fromCandles ? columns.stampedAt[row] : receivedAt);
    from ??= firstWholePeriod(period, seenAt);
    if (seenAt < from) return;
    const kind = columns.kind[row];
    const close = columns.price[row] as Ticks;
    const size = columns.size[row] as Lots;
    if (fromCandles && kind === CANDLE) {
      const at = micros(columns.stampedAt[row]);
      // As four trades, of which the last has the volume.
      keep(builder.trade(at, columns.open[row] as Ticks, 0 as Lots));
      keep(builder.trade(at, columns.askPrice[row] as Ticks, 0 as Lots));
      keep(builder.trade(at, columns.askSize[row] as Ticks, 0 as Lots));
      keep(builder.trade(at, close, size));
      keep(builder.advance(micros(receivedAt)));
    } else if (kind === TRADE) keep(builder.trade(micros(receivedAt), close, size));
  });
  keep(builder.advance(micros(before)));
  return candles;
}

/** Candles as rows, shifted by `shiftUs`. */
export function candleRows(candles: readonly Candle[], shiftUs: number): EventColumns {
  const rows = new EventRows(eventColumns(Math.max(1, candles.length)));
  for (const candle of candles) addCandle(rows, candle, candle.closedAt + shiftUs, shiftUs);
  return rows.columns;
}

export function addCandle(rows: EventRows, candle: Candle, receivedAt: number, shiftUs = 0): void {
  const { openedAt, openTicks, highTicks, lowTicks, closeTicks, volumeLots } = candle;
  const stampedAt = openedAt + shiftUs;
  rows.add(
    receivedAt,
    stampedAt,
    CANDLE,
    LAST,
    0,
    closeTicks,
    volumeLots,
    highTicks,
    lowTicks,
    openTicks,
  );
}
