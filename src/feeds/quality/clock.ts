import {
  CANDLE,
  FUNDING,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import type { QualityIssues } from './findings.ts';

/** Kinds whose stamps rise; gaps are stamped by whoever noticed them. */
const STAMPED = [TRADE, LEVEL, QUOTE, CANDLE, MARK, INDEX, FUNDING, OPEN_INTEREST];

/** Watches the two times of every row. */
export class ClockCheck {
  readonly #findings: QualityIssues;
  readonly #silenceUs: number;
  readonly #stampedAt = new Float64Array(16).fill(Number.NEGATIVE_INFINITY);
  readonly #isStamped = Array.from({ length: 16 }, (_, kind) => STAMPED.includes(kind));
  #receivedAt = Number.NaN;
  /** When the latest row of the market was received: others do not break its silence. */
  #marketAt = Number.NaN;
  /** Between a RESET and the end of its message. */
  #snapshot = false;

  constructor(findings: QualityIssues, silenceUs: number) {
    this.#findings = findings;
    this.#silenceUs = silenceUs;
  }

  check(columns: EventColumns, row: number): void {
    const receivedAt = columns.receivedAt[row];
    const before = this.#receivedAt;
    if (receivedAt < before || receivedAt - this.#marketAt > this.#silenceUs) this.#odd(receivedAt);
    this.#receivedAt = receivedAt;
    this.#marketAt = receivedAt;
    this.#stamp(columns, row);
  }

  /** The same for a row of a derivative beside its market. */
  checkDerivative(columns: EventColumns, row: number): void {
    const receivedAt = columns.receivedAt[row];
    if (receivedAt < this.#receivedAt) this.#backwards(receivedAt);
    this.#receivedAt = receivedAt;
    this.#stamp(columns, row);
  }

  #stamp(columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    if (kind === RESET) {
      // A snapshot may be older than the stream around it, and changes may come again behind it.
      this.#snapshot = true;
      this.#stampedAt[LEVEL] = Number.NEGATIVE_INFINITY;
    }
    const excused = this.#snapshot && (kind === RESET || kind === LEVEL);
    if (excused && (columns.flags[row] & LAST) !== 0) this.#snapshot = false;
    if (excused || !this.#isStamped[kind]) return;
    const stampedAt = columns.stampedAt[row];
    const latest = this.#stampedAt[kind];
    if (stampedAt < latest) this.#back(latest - stampedAt);
    else this.#stampedAt[kind] = stampedAt;
  }

  // Functions of their own: one that makes a closure for a note is slower for every row.

  #odd(receivedAt: number): void {
    if (receivedAt < this.#receivedAt) this.#backwards(receivedAt);
    const us = receivedAt - this.#marketAt;
    if (us > this.#silenceUs) {
      this.#findings.note('silence', () => `${us} µs without a row`, us);
    }
  }

  #backwards(receivedAt: number): void {
    const us = this.#receivedAt - receivedAt;
    this.#findings.note('received-backwards', () => `${us} µs back`);
  }

  #back(us: number): void {
    this.#findings.note('stamped-backwards', () => `${us} µs back`);
  }
}
