import type { Random } from './random.ts';

/** How long something takes, in microseconds: always the same, evenly between two bounds, or exponentially. */
export type Span =
  | number
  | { readonly kind: 'uniform'; readonly fromUs: number; readonly toUs: number }
  | { readonly kind: 'exponential'; readonly meanUs: number };

/** A span at random, in whole microseconds; draws nothing if it is always the same. */
export function drawn(span: Span, random: Random): number {
  if (typeof span === 'number') return span;
  return span.kind === 'uniform'
    ? random.integer(span.fromUs, span.toUs)
    : Math.round(random.exponential(span.meanUs));
}
