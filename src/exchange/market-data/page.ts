/** Which part of a history is asked for. */
export interface Page {
  /** Smallest key that counts, inclusive; none where absent. */
  readonly from?: number;
  /** Largest key that counts, inclusive; none where absent. */
  readonly till?: number;
  /** Order of the keys, and from which end `offset` and `limit` count. */
  readonly sort: 'ASC' | 'DESC';
  readonly limit: number;
  readonly offset?: number;
}

/**
 * The ranks of a page among `count` items whose keys rise with their rank. Items are emitted one by one, in
 * the order of the page.
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

/** The first rank for which something holds that holds for all ranks after it; `count` for none. */
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
