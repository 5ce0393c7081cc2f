import { US_PER_MS } from '../../../platform/time.ts';
import { boundNumber, boundTime, type Bound, type Sort } from '../../../wire/trading/paging.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';

/** The requested part of a history. */
export interface Page {
  readonly by: 'id' | 'timestamp';
  readonly sort: Sort;
  /** Microseconds or an id, by `by`; included in the page. */
  readonly from: number;
  readonly till: number;
  readonly limit: number;
  readonly offset: number;
}

/** The same as a call has it, its bounds in whatever form. */
export interface PageParams {
  readonly by: string;
  readonly sort: Sort;
  readonly from?: Bound | undefined;
  readonly till?: Bound | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Times are shown to the millisecond, so a page that ends at a millisecond includes all of it. */
const REST_OF_MS = 999;

/** The page that the parameters of a call mean. */
export function pageOf(params: PageParams): Decoded<Page> {
  const { sort, limit, offset } = params;
  const by = params.by === 'timestamp' ? 'timestamp' : 'id';
  const from = boundOf(params.from, by, 'from', Number.NEGATIVE_INFINITY);
  if (from.kind === 'fault') return from;
  const till = boundOf(params.till, by, 'till', Number.POSITIVE_INFINITY);
  if (till.kind === 'fault') return till;
  const isWholeMs = by === 'timestamp' && till.value % US_PER_MS === 0;
  const last = isWholeMs ? till.value + REST_OF_MS : till.value;
  return decoded({ by, sort, limit, offset, from: from.value, till: last });
}

function boundOf(
  given: Bound | undefined,
  by: Page['by'],
  member: string,
  absent: number,
): Decoded<number> {
  if (given === undefined) return decoded(absent);
  const value = by === 'timestamp' ? boundTime(given) : boundNumber(given);
  if (value !== undefined) return decoded(value);
  return undecoded(fault(10001, `${member} must be a time up to the year 9999`, member));
}
