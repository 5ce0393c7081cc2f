import { CANDLE, LAST, LEVEL, QUOTE, RESET, TRADE, type EventColumns } from '../../model/events.ts';
import type { Findings } from './findings.ts';

/** Kinds whose stamps rise; gaps are stamped by whoever noticed them. */
const STAMPED = [TRADE, LEVEL, QUOTE, CANDLE];

/** Watches the two times of every row. */
export class ClockCheck {
  readonly #findings: Findings;
  readonly #silenceUs: number;
  readonly #stampedAt = new Float64Array(8).fill(Number.NEGATIVE_INFINITY);
  readonly #isStamped = Array.from({ length: 8 }, (_, kind) => STAMPED.includes(kind));
  #receivedAt = Number.NaN;
  /** Between a RESET and the end of its message. */
  #snapshot = false;

  constructor(findings: Findings, silenceUs: number) {
    this.#findings = findings;
    this.#silenceUs = silenceUs;
  }

  look(columns: EventColumns, row: number): void {
    const receivedAt = columns.receivedAt[row];
    const before = this.#receivedAt;
    const us = receivedAt - before;
    if (us < 0 || us > this.#silenceUs) this.#odd(us);
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

  #odd(us: number): void {
    if (us < 0) this.#findings.note('received-backwards', () => `${-us} µs back`);
    else this.#findings.note('silence', () => `${us} µs without a row`, us);
  }

  #back(us: number): void {
    this.#findings.note('stamped-backwards', () => `${us} µs back`);
  }
}
