import type { Random } from './random.ts';

/** A duration in microseconds: constant, uniform between two bounds, or exponential. */
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
