import { Frame } from '../../socket/frame.ts';
import type { OrderReport } from '../orders/order-record.ts';

/**
 * Writes each order report once: its notifications and the reply to its request are consecutive, so
 * remembering the last text suffices.
 */
export class ReportTexts {
  readonly #write: (report: OrderReport) => string;
  #report: OrderReport | undefined;
  #text = '';
  #frame: Frame | undefined;

  constructor(write: (report: OrderReport) => string) {
    this.#write = write;
  }

  /** The report as JSON. */
  text(report: OrderReport): string {
    if (this.#report !== report) {
      this.#text = this.#write(report);
      this.#report = report;
      this.#frame = undefined;
    }
    return this.#text;
  }

  /** The frame of a report; `wrap` makes the notification around its text. */
  frame(report: OrderReport, wrap: (text: string) => string): Frame {
    const text = this.text(report);
    this.#frame ??= new Frame(wrap(text));
    return this.#frame;
  }
}
