import type { EventColumns } from '../../model/events.ts';
import type { Findings } from './findings.ts';
import { Outliers } from './outliers.ts';

/** Watches the trades: their ids, sizes and prices. */
export class TradeCheck {
  readonly #findings: Findings;
  readonly #outliers: Outliers | undefined;
  #id = 0;

  constructor(findings: Findings, judgesPrices: boolean) {
    this.#findings = findings;
    this.#outliers = judgesPrices ? new Outliers(findings) : undefined;
  }

  look(columns: EventColumns, row: number): void {
    const price = columns.price[row];
    const size = columns.size[row];
    this.#identity(columns.sequence[row]);
    if (size <= 0) this.#findings.note('bad-size', () => `a trade of ${size} lots`);
    if (price <= 0) {
      this.#findings.note('bad-price', () => `a trade at ${price} ticks`);
      return;
    }
    if (this.#outliers === undefined) return;
    this.#outliers.judge(price);
    this.#outliers.add(price);
  }

  #identity(id: number): void {
    if (id === 0) return;
    const before = this.#id;
    if (id <= before) {
      this.#findings.note('duplicate-trade', () => `trade ${id} after trade ${before}`);
      return;
    }
    const missing = id - before - 1;
    if (before !== 0 && missing > 0) {
      this.#findings.note('trade-jump', () => `from trade ${before} to ${id}`, missing);
    }
    this.#id = id;
  }
}
