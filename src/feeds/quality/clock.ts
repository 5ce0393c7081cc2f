import { TRADE, LEVEL, QUOTE, CANDLE, type EventColumns } from '../../model/events.ts';
import type { Findings } from './findings.ts';

/** Kinds whose stamps rise; resets and gaps are stamped by whoever noticed them. */
const STAMPED = [TRADE, LEVEL, QUOTE, CANDLE];

/** Watches the two times of every row. */
export class ClockCheck {
  readonly #findings: Findings;
  readonly #silenceUs: number;
  readonly #stampedAt = new Float64Array(8).fill(Number.NEGATIVE_INFINITY);
  readonly #isStamped = Array.from({ length: 8 }, (_, kind) => STAMPED.includes(kind));
  #receivedAt = Number.NaN;

  constructor(findings: Findings, silenceUs: number) {
    this.#findings = findings;
    this.#silenceUs = silenceUs;
  }

  look(columns: EventColumns, row: number): void {
    const receivedAt = columns.receivedAt[row];
    const before = this.#receivedAt;
    if (receivedAt < before) {
      this.#findings.note('received-backwards', () => `${before - receivedAt} µs back`);
    } else if (receivedAt - before > this.#silenceUs) {
      const us = receivedAt - before;
      this.#findings.note('silence', () => `${us} µs without a row`, us);
    }
    this.#receivedAt = receivedAt;
    const kind = columns.kind[row];
    if (!this.#isStamped[kind]) return;
    const stampedAt = columns.stampedAt[row];
    const latest = this.#stampedAt[kind];
    if (stampedAt < latest) {
      this.#findings.note('stamped-backwards', () => `${latest - stampedAt} µs back`);
    } else this.#stampedAt[kind] = stampedAt;
  }
}
