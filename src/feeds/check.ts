import { CANDLE, LAST, QUOTE, TRADE, type EventColumns } from '../model/events.ts';
import { US_PER_MINUTE } from '../platform/time.ts';
import { BookCheck } from './quality/book.ts';
import { CandleCheck } from './quality/candles.ts';
import { ClockCheck } from './quality/clock.ts';
import { Findings, type CheckResult } from './quality/findings.ts';
import { TradeCheck } from './quality/trades.ts';
import type { Recording } from './reader.ts';

export interface CheckOptions {
  /** A longer time without a row is silence; one minute where nothing is said. Not for candles. */
  readonly silenceUs?: number;
  /** Examples kept of each finding, 3 where nothing is said. */
  readonly examples?: number;
}

/** What a recording is worth. */
export interface QualityReport {
  readonly path: string;
  readonly rows: number;
  /** Findings that a sound feed does not have. */
  readonly faults: number;
  /** Findings to know about. */
  readonly notices: number;
  /** Every check, those that found nothing too. */
  readonly checks: readonly CheckResult[];
}

/**
 * Reads a recording once from end to end and tells what is wrong with it: what, where, how often.
 * Memory does not grow with the recording. Throws `recording-invalid` at a damaged batch.
 */
export function checkRecording(recording: Recording, options: CheckOptions = {}): QualityReport {
  const findings = new Findings(options.examples ?? 3);
  const inspector = new Inspector(findings, recording, options.silenceUs ?? US_PER_MINUTE);
  for (const columns of recording.batches()) inspector.look(columns);
  inspector.end();
  const checks = findings.results();
  const sum = (severity: string): number =>
    checks.reduce((total, check) => total + (check.severity === severity ? check.count : 0), 0);
  const { path, summary } = recording;
  return { path, rows: summary.rows, faults: sum('fault'), notices: sum('notice'), checks };
}

/** Hands each row to those whom it concerns. */
class Inspector {
  readonly #findings: Findings;
  readonly #clock: ClockCheck;
  readonly #trades: TradeCheck;
  readonly #book: BookCheck;
  readonly #candles: CandleCheck | undefined;
  #flags = LAST;

  constructor(findings: Findings, recording: Recording, silenceUs: number) {
    const { period } = recording.meta;
    this.#findings = findings;
    this.#clock = new ClockCheck(findings, period === undefined ? silenceUs : Infinity);
    this.#trades = new TradeCheck(findings);
    this.#book = new BookCheck(findings);
    this.#candles = period === undefined ? undefined : new CandleCheck(findings, period);
    findings.row = -1;
  }

  look(columns: EventColumns): void {
    for (let row = 0; row < columns.length; row += 1) {
      this.#findings.row += 1;
      this.#findings.at = columns.receivedAt[row];
      this.#clock.look(columns, row);
      const kind = columns.kind[row];
      if (kind === TRADE) this.#trades.look(columns, row);
      else if (kind === QUOTE) this.#book.quote(columns, row);
      else if (kind === CANDLE) this.#candles?.look(columns, row);
      else this.#book.look(columns, row);
    }
    if (columns.length > 0) this.#flags = columns.flags[columns.length - 1];
  }

  end(): void {
    this.#book.end();
    if ((this.#flags & LAST) === 0) {
      this.#findings.note('cut-message', () => 'the last row has no LAST');
    }
  }
}
