/** A page of a history. */
export interface Page {
  /** Smallest key, inclusive; no bound if absent. */
  readonly from?: number;
  /** Largest key, inclusive; no bound if absent. */
  readonly till?: number;
  /** Order of the keys, and the end from which `offset` and `limit` count. */
  readonly sort: 'ASC' | 'DESC';
  readonly limit: number;
  readonly offset?: number;
}

/**
 * Emits the ranks of a page among `count` items whose keys rise with their rank, in the order of
 * the page.
 */
export function turn(
  page: Page,
  count: number,
  keyAt: (rank: number) => number,
  emit: (rank: number) => void,
): void {
  const { from, till, sort, limit, offset = 0 } = page;
  const low = from === undefined ? 0 : firstRank(count, (rank) => keyAt(rank) >= from);
  const high = till === undefined ? count : firstRank(count, (rank) => keyAt(rank) > till);
  if (sort === 'ASC') {
    const end = Math.min(high, low + offset + limit);
    for (let rank = low + offset; rank < end; rank += 1) emit(rank);
  } else {
    const end = Math.max(low, high - offset - limit);
    for (let rank = high - offset - 1; rank >= end; rank -= 1) emit(rank);
  }
}

/** The first rank for which `holds` is true, as it is for all ranks after it; `count` for none. */
export function firstRank(count: number, holds: (rank: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
