import type { Funding } from '../../../exchange/positions/contract.ts';
import { turn, type Page } from '../../../exchange/market-data/page.ts';
import { RecentItems } from '../../../exchange/market-data/recent.ts';
import type { Instrument } from '../../../model/instrument.ts';

/** Fundings kept of each contract: nine years of three a day. */
const KEPT = 10_000;

/** The fundings of contracts as they were paid, the latest of each. */
export class Fundings {
  /** By instrument. */
  readonly #kept: readonly RecentItems<Funding>[];

  constructor(instruments: readonly Instrument[], kept = KEPT) {
    this.#kept = instruments.map(() => new RecentItems(kept));
  }

  /** A contract's funding was paid; times rise. */
  record(instrument: number, funding: Funding): void {
    this.#kept[instrument].push(funding);
  }

  /** A part of a contract's fundings, by their times. */
  query(instrument: number, page: Page): Funding[] {
    const kept = this.#kept[instrument];
    const found: Funding[] = [];
    turn(
      page,
      kept.length,
      (rank) => kept.at(rank).at,
      (rank) => found.push(kept.at(rank)),
    );
    return found;
  }
}
