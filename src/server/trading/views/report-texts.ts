import { Frame } from '../../socket/frame.ts';
import type { OrderReport } from '../orders/order-record.ts';

/**
 * Writes each order report once: its notifications and the reply to its request are consecutive, so
 * remembering the last text suffices.
 */
export class ReportTexts {
  readonly #write: (report: OrderReport) => string;
  readonly #wrap: (report: OrderReport, text: string) => string;
  #report: OrderReport | undefined;
  #text = '';
  #frame: Frame | undefined;

  /** `write` makes the JSON of a report, `wrap` the notification around it. */
  constructor(
    write: (report: OrderReport) => string,
    wrap: (report: OrderReport, text: string) => string,
  ) {
    this.#write = write;
    this.#wrap = wrap;
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

  /** Reports as a JSON list. */
  list(reports: readonly OrderReport[]): string {
    return `[${reports.map((report) => this.text(report)).join(',')}]`;
  }

  /** The frame of a report's notification; the same for all subscribers. */
  frame(report: OrderReport): Frame {
    const text = this.text(report);
    this.#frame ??= new Frame(this.#wrap(report, text));
    return this.#frame;
  }
}
