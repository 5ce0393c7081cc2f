import type { Wanted } from '../../gateways/market-source.ts';
import { EventRows } from '../../gateways/rows.ts';
import { CandleBuilder } from '../../model/candle-builder.ts';
import {
  CANDLE,
  FUNDING,
  GAP,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import { firstWholePeriod, periodEnd, type Period } from '../../model/period.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import { addCandle, ResumedBook } from './past.ts';
import type { RecordingSequence } from './recording-sequence.ts';
import type { ReplayClock } from './timeline.ts';

/** The replayed market of one symbol: its subscriptions, as rows waiting to be emitted. */
export class SymbolReplay {
  readonly sequence: RecordingSequence;
  readonly index: number;
  readonly rows = new EventRows();
  readonly standing = new ResumedBook();
  readonly #wanted: Wanted;
  /** Builds the subscribed candles from trades, if none were recorded. */
  readonly #builder: CandleBuilder | undefined;
  /** The start of the first built candle; a candle whose start was not played is not built. */
  #candlesFrom = Number.NEGATIVE_INFINITY;
  #candleEndsAt = Number.NEGATIVE_INFINITY;
  #isArmed = false;
  #cancel: Cancel = () => undefined;

  constructor(sequence: RecordingSequence, wanted: Wanted, index: number) {
    this.sequence = sequence;
    this.index = index;
    this.#wanted = wanted;
    const { candles, instrument } = wanted;
    const isBuilt = candles !== undefined && sequence.period === undefined && sequence.hasTrades;
    this.#builder = isBuilt ? new CandleBuilder(instrument, candles) : undefined;
  }

  /** The play begins. */
  begin(at: Micros): void {
    const period = this.#wanted.candles;
    if (period !== undefined) this.#candlesFrom = firstWholePeriod(period, at);
  }

  /** Emits the market's state when the replay begins in the middle of a recording. */
  stand(at: Micros, timeline: ReplayClock): void {
    if (this.#wanted.book !== 'none') this.standing.writeMarket(this.rows, at);
    if (this.#wanted.derivatives !== true) return;
    this.standing.writeBeside(this.rows, at, (recordedAt) => timeline.timeOf(recordedAt));
  }

  /** Processes a recorded row at its replay time. */
  play(columns: EventColumns, row: number, at: Micros, timeline: ReplayClock): void {
    const kind = columns.kind[row];
    if (kind === TRADE) this.#build(columns, row, at);
    if (!this.#isWanted(kind)) return;
    const { period } = this.sequence;
    const stampedAt =
      kind === CANDLE && period !== undefined
        ? timeline.candle(period, columns.stampedAt[row])
        : at - (columns.receivedAt[row] - columns.stampedAt[row]);
    const isFunding = kind === FUNDING;
    this.rows.add(
      at,
      stampedAt,
      kind,
      columns.flags[row],
      columns.sequence[row],
      columns.price[row],
      columns.size[row],
      isFunding ? timeline.timeOf(columns.askPrice[row]) : columns.askPrice[row],
      isFunding ? timeline.timeOf(columns.askSize[row]) : columns.askSize[row],
      columns.open[row],
    );
  }

  /** Clears the books: from now on nothing is known. */
  clear(at: Micros): void {
    if (this.#wanted.book === 'none') return;
    if (this.sequence.hasBook) this.rows.add(at, at, RESET, 0, 0, 0, 0, 0, 0, 0);
    this.rows.add(at, at, GAP, LAST, 0, 0, 0, 0, 0, 0);
  }

  /** Emits a candle built from trades when its period ends, even if no row comes then. */
  arm(scheduler: Scheduler, emit: () => void): void {
    const builder = this.#builder;
    if (builder === undefined || this.#isArmed || !Number.isFinite(this.#candleEndsAt)) return;
    this.#isArmed = true;
    const endsAt = this.#candleEndsAt as Micros;
    this.#cancel = scheduler.at(endsAt, () => {
      this.#isArmed = false;
      const candle = builder.advance(endsAt);
      if (this.#candleEndsAt === endsAt) this.#candleEndsAt = Number.NEGATIVE_INFINITY;
      if (candle !== undefined) addCandle(this.rows, candle, scheduler.now());
      if (this.rows.length > 0) emit();
      else this.arm(scheduler, emit);
    });
  }

  close(): void {
    this.#cancel();
  }

  #build(columns: EventColumns, row: number, at: Micros): void {
    const builder = this.#builder;
    const period: Period | undefined = this.#wanted.candles;
    if (builder === undefined || period === undefined || at < this.#candlesFrom) return;
    const candle = builder.trade(at, columns.price[row] as Ticks, columns.size[row] as Lots);
    if (candle !== undefined) addCandle(this.rows, candle, at);
    this.#candleEndsAt = periodEnd(period, at);
  }

  #isWanted(kind: number): boolean {
    const { trades, book, candles } = this.#wanted;
    switch (kind) {
      case TRADE:
        return trades;
      case CANDLE:
        return candles !== undefined;
      case QUOTE:
        return book !== 'none';
      case LEVEL:
      case RESET:
        return book === 'full' || (book === 'top' && !this.sequence.hasQuotes);
      case GAP:
        return book !== 'none';
      default:
        return this.#wanted.derivatives === true;
    }
  }
}
