import type { Indicator, Source } from '../indicator.ts';

/**
 * The extreme of the last `length` values, where `beats(a, b)` means that `a` is at least as
 * extreme as `b`. A value beaten by a later one can never be the extreme again and is dropped, so
 * that the work per event does not grow with the length.
 */
export function extreme<E, V extends number>(
  length: number,
  of: Source<E, V>,
  beats: (a: V, b: V) => boolean,
): Indicator<E, V> {
  return () => {
    const candidates: { readonly value: V; readonly turn: number }[] = [];
    let turn = 0;
    return (event) => {
      const value = of(event);
      let last = candidates.at(-1);
      while (last !== undefined && beats(value, last.value)) {
        candidates.pop();
        last = candidates.at(-1);
      }
      candidates.push({ value, turn });
      if (candidates[0].turn === turn - length) candidates.shift();
      turn += 1;
      return turn < length ? undefined : candidates[0].value;
    };
  };
}
