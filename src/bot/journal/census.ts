import type { JournalFile } from './file.ts';
import type { StoredHoldings } from './holdings.ts';
import type { StoredOrders } from './orders.ts';
import type { StoredMargin } from './stored-margin.ts';
import type { StateTable } from './state-table.ts';

const NAME = 'census';

/** Counted rows: everything that a start reads from its journal. */
export interface Counted {
  readonly orders: StoredOrders;
  readonly holdings: StoredHoldings;
  readonly stateTable: StateTable;
  readonly margin: Pick<StoredMargin, 'size'>;
}

/**
 * Stores, with each commit, the number of open orders and of rows of small tables. A checksum detects a
 * changed row; this detects a missing one.
 */
export function keepCensus(counted: Counted, adopted: number): void {
  const { stateTable } = counted;
  const text = countsOf(counted, adopted).join(' ');
  if (stateTable.fact(NAME) !== text) stateTable.setFact(NAME, text);
}

/**
 * Throws `journal-invalid` if rows are missing. A journal of an older release has no census yet, or one of
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

/** The number of rows of each table; tables counted later are appended. */
const countsOf = (
  { orders, holdings, stateTable, margin }: Counted,
  adopted: number,
): readonly number[] => [
  orders.openCount + adopted,
  ...holdings.sizes,
  ...stateTable.sizes,
  margin.size,
];
