import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Fill } from '../../model/report.ts';
import { changesOf } from './holdings.ts';

/** Exact changes of each currency of the account by foreign fills since the journal was opened. */
export class ForeignChanges {
  readonly #changes = new Map<string, Decimal>();

  of(currency: string): Decimal {
    return this.#changes.get(currency) ?? ZERO;
  }

  /** Adds a fill; does nothing if the terms of its symbol are unknown. */
  add(instrument: Instrument | undefined, fill: Fill): void {
    this.#count(instrument, fill, 1);
  }

  /** Adds foreign funds on a margin account that a strategy took over. */
  addTransfer(currency: string, amount: Decimal): void {
    this.#changes.set(currency, this.of(currency).plus(amount));
  }

  /** Removes a fill that now belongs to the bot. */
  remove(instrument: Instrument, fill: Fill): void {
    this.#count(instrument, fill, -1);
  }

  #count(instrument: Instrument | undefined, fill: Fill, sign: 1 | -1): void {
    if (instrument === undefined) return;
    for (const [currency, change] of changesOf(instrument, fill)) {
      this.#changes.set(currency, this.of(currency).plus(change.times(sign)));
    }
  }
}
