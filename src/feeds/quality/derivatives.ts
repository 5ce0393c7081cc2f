import { FUNDING, INDEX, MARK, OPEN_INTEREST, type EventColumns } from '../../model/events.ts';
import { PARTS, RATE_UNITS } from '../../model/derivative.ts';
import type { QualityIssues } from './findings.ts';

/** A mark or index further than this from the market is worth a look. */
const FAR_SHARE = 0.02;

/** Watches what a venue says of a derivative beside its market. */
export class DerivativeCheck {
  readonly #findings: QualityIssues;
  readonly #silenceUs: number;
  /** The price of the market in ticks, NaN while none is known. */
  readonly #marketTicks: () => number;
  #markAt = Number.NaN;
  /** When the latest rate is paid, the payment after it, and how far apart the last two were; 0 unknown. */
  #fundingAt = 0;
  #nextAt = 0;
  #apartUs = 0;

  constructor(findings: QualityIssues, silenceUs: number, marketTicks: () => number) {
    this.#findings = findings;
    this.#silenceUs = silenceUs;
    this.#marketTicks = marketTicks;
  }

  check(columns: EventColumns, row: number): void {
    switch (columns.kind[row]) {
      case MARK:
        this.#gap(columns.receivedAt[row]);
        this.#price('mark', columns.price[row], columns.size[row]);
        return;
      case INDEX:
        this.#price('index', columns.price[row], columns.size[row]);
        return;
      case FUNDING:
        this.#funding(columns, row);
        return;
      case OPEN_INTEREST:
        this.#openInterest(columns.size[row], columns.price[row]);
        return;
    }
  }

  #gap(receivedAt: number): void {
    const us = receivedAt - this.#markAt;
    if (us > this.#silenceUs) {
      this.#findings.note('mark-gap', () => `${us} µs without a mark price`, us);
    }
    this.#markAt = receivedAt;
  }

  #price(name: string, ticks: number, parts: number): void {
    if (ticks < 0 || parts < 0 || parts >= PARTS || ticks + parts <= 0) {
      this.#findings.note('bad-price', () => `${name} of ${ticks} ticks and ${parts} parts`);
      return;
    }
    const market = this.#marketTicks();
    // NaN if no price is known: then it is not far.
    if (!(Math.abs(ticks - market) > FAR_SHARE * market)) return;
    this.#findings.note('mark-far', () => `${name} ${ticks} ticks, the market is at ${market}`);
  }

  #openInterest(lots: number, parts: number): void {
    if (lots >= 0 && parts >= 0 && parts < PARTS) return;
    this.#findings.note('bad-size', () => `an open interest of ${lots} lots and ${parts} parts`);
  }

  #funding(columns: EventColumns, row: number): void {
    const [rate, rest] = [columns.price[row], columns.size[row]];
    const [at, next] = [columns.askPrice[row], columns.askSize[row]];
    const isRate = Math.abs(rate) < RATE_UNITS && Math.abs(rest) < RATE_UNITS && rate * rest >= 0;
    if (!isRate || at < 0 || next < 0 || (next !== 0 && next <= at)) {
      this.#findings.note(
        'bad-funding',
        () => `a rate of ${rate}e-9 and ${rest}e-18, paid at ${at}, then at ${next} µs`,
      );
      return;
    }
    if (at === 0) return;
    const before = this.#fundingAt;
    if (at < before) {
      this.#findings.note('funding-backwards', () => `paid at ${at} after ${before} µs`);
      return;
    }
    if (at > before && before !== 0) this.#later(at, before);
    this.#fundingAt = at;
    this.#nextAt = next;
  }

  /** A payment follows another: as it was said, or as far away as before at most. */
  #later(at: number, before: number): void {
    const due = this.#nextAt !== 0 ? this.#nextAt : before + this.#apartUs;
    if (due !== before && at > due) {
      this.#findings.note('funding-hole', () => `paid at ${at}, expected at ${due} µs`);
    }
    this.#apartUs = at - before;
  }
}
