import type { Page } from '../orders/page.ts';

/** A page of a list that is short enough to be put in order for it. */
export function pageFrom<T extends { readonly id: number }>(
  fitting: readonly T[],
  { by, sort, from, till, limit, offset }: Page,
  timeOf: (one: T) => number,
): readonly T[] {
  const keyOf = by === 'id' ? ({ id }: T): number => id : timeOf;
  const within = fitting
    .filter((one) => keyOf(one) >= from && keyOf(one) <= till)
    .toSorted((one, other) => keyOf(one) - keyOf(other) || one.id - other.id);
  return (sort === 'ASC' ? within : within.reverse()).slice(offset, offset + limit);
}
