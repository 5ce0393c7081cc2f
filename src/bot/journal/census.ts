import type { JournalFile } from './file.ts';
import type { StoredHoldings } from './holdings.ts';
import type { StoredOrders } from './orders.ts';
import type { StoredMargin } from './stored-margin.ts';
import type { StateTable } from './state-table.ts';

const NAME = 'census';

/** What is counted: all that a start takes from its journal. */
export interface Counted {
  readonly orders: StoredOrders;
  readonly holdings: StoredHoldings;
  readonly stateTable: StateTable;
  readonly margin: Pick<StoredMargin, 'size'>;
}

/**
 * Keeps, with each commit, how many open orders and rows of small tables there are. A checksum finds a row
 * that changed; this finds one that is gone.
 */
export function keepCensus(counted: Counted, adopted: number): void {
  const { stateTable } = counted;
  const text = countsOf(counted, adopted).join(' ');
  if (stateTable.fact(NAME) !== text) stateTable.setFact(NAME, text);
}

/**
 * Throws `journal-invalid` if rows are gone. A journal of an older release has no census yet, or one of
 * fewer tables.
 */
export function checkCensus(file: Pick<JournalFile, 'damaged'>, counted: Counted): void {
  const kept = counted.stateTable.fact(NAME);
  if (kept === undefined) return;
  const found = countsOf(counted, 0).slice(0, kept.split(' ').length).join(' ');
  if (found === kept) return;
  throw file.damaged(
    `rows are gone: of open orders, holdings, entries, balances, states, days, counters and margin accounts there are ${found}, and were ${kept}`,
  );
}

/** How many rows each table has; a table that is counted later comes behind the others. */
const countsOf = (
  { orders, holdings, stateTable, margin }: Counted,
  adopted: number,
): readonly number[] => [
  orders.openCount + adopted,
  ...holdings.sizes,
  ...stateTable.sizes,
  margin.size,
];
