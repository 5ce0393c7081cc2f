import type { JournalFile } from './file.ts';
import type { KeptHoldings } from './holdings.ts';
import type { KeptOrders } from './orders.ts';
import type { Standing } from './standing.ts';

const NAME = 'census';

/** What is counted: all that a start takes from its journal. */
export interface Counted {
  readonly orders: KeptOrders;
  readonly holdings: KeptHoldings;
  readonly standing: Standing;
}

/**
 * Keeps, with each commit, how many open orders and rows of small tables there are. A checksum
 * tells a row that changed; this tells one that is gone.
 */
export function keepCensus({ orders, holdings, standing }: Counted, adopted: number): void {
  const text = [orders.openCount + adopted, ...holdings.sizes, ...standing.sizes].join(' ');
  if (standing.fact(NAME) !== text) standing.setFact(NAME, text);
}

/** Throws `journal-invalid` where rows are gone. A journal of an older release has no census yet. */
export function checkCensus(
  file: Pick<JournalFile, 'damaged'>,
  { orders, holdings, standing }: Counted,
): void {
  const kept = standing.fact(NAME);
  if (kept === undefined) return;
  const found = [orders.openCount, ...holdings.sizes, ...standing.sizes].join(' ');
  if (found === kept) return;
  throw file.damaged(
    `rows are gone: of open orders, holdings, entries, balances, states, days and counters there are ${found}, and were ${kept}`,
  );
}
