import type { EventColumns } from '../../model/events.ts';
import type { QualityIssues } from './findings.ts';
import { Outliers } from './outliers.ts';

/** Watches the trades: their ids, sizes and prices. */
export class TradeCheck {
  readonly #findings: QualityIssues;
  readonly #outliers: Outliers | undefined;
  #id = 0;
  /** Price of the last trade; NaN before the first. */
  lastTicks = Number.NaN;

  constructor(findings: QualityIssues, judgesPrices: boolean) {
    this.#findings = findings;
    this.#outliers = judgesPrices ? new Outliers(findings) : undefined;
  }

  check(columns: EventColumns, row: number): void {
    const price = columns.price[row];
    const size = columns.size[row];
    this.#identity(columns.sequence[row]);
    if (size <= 0 || price <= 0) this.#bad(price, size);
    if (price <= 0) return;
    this.lastTicks = price;
    if (this.#outliers === undefined) return;
    this.#outliers.judge(price);
    this.#outliers.add(price);
  }

  #identity(id: number): void {
    if (id === 0) return;
    const before = this.#id;
    if (id > before) this.#id = id;
    if (id !== before + 1 && (before !== 0 || id <= before)) this.#jump(before, id);
  }

  // Functions of their own: one that makes a closure for a note is slower for every row.

  #bad(price: number, size: number): void {
    if (size <= 0) this.#findings.note('bad-size', () => `a trade of ${size} lots`);
    if (price <= 0) this.#findings.note('bad-price', () => `a trade at ${price} ticks`);
  }

  #jump(before: number, id: number): void {
    if (id <= before) {
      this.#findings.note('duplicate-trade', () => `trade ${id} after trade ${before}`);
    } else {
      this.#findings.note('trade-jump', () => `from trade ${before} to ${id}`, id - before - 1);
    }
  }
}
