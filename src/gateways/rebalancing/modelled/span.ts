import type { Random } from '../../../platform/random.ts';

/** How long something takes: always the same, evenly between two bounds, or exponentially. */
export type Span =
  | { readonly kind: 'fixed'; readonly us: number }
  | { readonly kind: 'uniform'; readonly fromUs: number; readonly toUs: number }
  | { readonly kind: 'exponential'; readonly meanUs: number };

/** A span by chance, in whole microseconds. */
export function drawn(span: Span, random: Random): number {
  switch (span.kind) {
    case 'fixed':
      return span.us;
    case 'uniform':
      return random.integer(span.fromUs, span.toUs);
    case 'exponential':
      return Math.round(random.exponential(span.meanUs));
  }
}

/** What it comes to in the mean. */
export function meanOf(span: Span): number {
  switch (span.kind) {
    case 'fixed':
      return span.us;
    case 'uniform':
      return Math.round((span.fromUs + span.toUs) / 2);
    case 'exponential':
      return span.meanUs;
  }
}
