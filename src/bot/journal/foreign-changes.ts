import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Fill } from '../../model/report.ts';
import { changesOf } from './holdings.ts';

/** What fills of others have changed of each currency of the account since the journal was opened; exact. */
export class ForeignChanges {
  readonly #changes = new Map<string, Decimal>();

  of(currency: string): Decimal {
    return this.#changes.get(currency) ?? ZERO;
  }

  /** Counts a fill in; nothing if the terms of its symbol are not known. */
  add(instrument: Instrument | undefined, fill: Fill): void {
    this.#count(instrument, fill, 1);
  }

  /** Counts in what others had on a margin account that a strategy took over. */
  bring(currency: string, amount: Decimal): void {
    this.#changes.set(currency, this.of(currency).plus(amount));
  }

  /** Takes a fill out again: it has become one of ours. */
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
