import {
  CANDLE,
  GAP,
  isMarket,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import type { Period } from '../../model/period.ts';
import { US_PER_MINUTE } from '../../platform/time.ts';
import { BookCheck, type BookOfFeed } from './book.ts';
import { CandleCheck } from './candles.ts';
import { ClockCheck } from './clock.ts';
import { DerivativeCheck } from './derivatives.ts';
import type { QualityIssues } from './findings.ts';
import { TradeCheck } from './trades.ts';

/** A longer time without a row is silence, if nothing else is said. */
export const SILENCE_US = US_PER_MINUTE;

export interface InspectorOptions {
  /** Of the candles of the recording, where it has any. */
  readonly period?: Period | undefined;
  /** False for candles of mark and index prices, which have none; true if absent. */
  readonly hasVolume?: boolean;
  /** A longer time without a row is silence; candles are not judged by it. */
  readonly silenceUs?: number;
  /**
   * Whether trades are compared with those before them, which takes longer than all else; true if absent.
   */
  readonly judgesTradePrices?: boolean;
}

/**
 * Hands each row to the checks that it concerns. Whoever reads the rows keeps the book: `before` is
 * called with a row that the book has not taken in yet, `after` when it has.
 */
export class Inspector {
  readonly #findings: QualityIssues;
  readonly #clock: ClockCheck;
  readonly #trades: TradeCheck;
  readonly #book: BookCheck;
  readonly #candles: CandleCheck | undefined;
  readonly #derivatives: DerivativeCheck;
  #flags = LAST;

  constructor(
    findings: QualityIssues,
    book: BookOfFeed,
    {
      period,
      hasVolume = true,
      silenceUs = SILENCE_US,
      judgesTradePrices = true,
    }: InspectorOptions,
  ) {
    this.#findings = findings;
    this.#clock = new ClockCheck(findings, period === undefined ? silenceUs : Infinity);
    this.#trades = new TradeCheck(findings, judgesTradePrices);
    this.#book = new BookCheck(findings, book);
    this.#candles = period === undefined ? undefined : new CandleCheck(findings, period, hasVolume);
    this.#derivatives = new DerivativeCheck(findings, silenceUs, () => this.#marketTicks());
    findings.row = -1;
  }

  before(columns: EventColumns, row: number): void {
    const findings = this.#findings;
    findings.row += 1;
    findings.at = columns.receivedAt[row];
    this.#flags = columns.flags[row];
    const kind = columns.kind[row];
    if (!isMarket(kind)) {
      this.#clock.checkDerivative(columns, row);
      this.#derivatives.check(columns, row);
      return;
    }
    this.#clock.check(columns, row);
    if (kind === TRADE) this.#trades.check(columns, row);
    else if (kind === QUOTE) this.#book.quote(columns, row);
    else if (kind === CANDLE) this.#candles?.check(columns, row);
    else this.#book.before(columns, row);
  }

  after(columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    if (kind === LEVEL || kind === RESET || kind === GAP) this.#book.after(columns, row);
  }

  #marketTicks(): number {
    const middle = this.#book.middleTicks;
    return Number.isNaN(middle) ? this.#trades.lastTicks : middle;
  }

  /** The rows are over. */
  end(): void {
    this.#book.end();
    if ((this.#flags & LAST) === 0) {
      this.#findings.note('cut-message', () => 'the last row has no LAST');
    }
  }
}
