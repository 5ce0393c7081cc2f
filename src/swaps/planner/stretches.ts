import { holdingName } from '../../model/portfolio.ts';
import type { Piece } from './curve.ts';
import { orderOf, type Edge } from './edges.ts';
import type { Problem } from './problem.ts';

/** Points that are off a line by less, as a share of the whole, are so by what routes round off. */
const HAIR = 2e-6;

/** More than that goes by no edge, as a share of the whole. */
export const ALL = 1.05;

/** What floats may be off, as a share of the whole. */
const NEAR = 1e-6;

/** A straight piece of what an edge brings for what is sent by it. */
export interface Stretch {
  readonly edge: Edge;
  readonly piece: Piece;
}

/** All straight pieces up to so much, as a share of the whole. */
export const stretchesOf = ({ edges, curves, total }: Problem, most: number): readonly Stretch[] =>
  edges.flatMap((edge) =>
    (curves[edge.index]?.pieces(most * total, HAIR * total) ?? []).map((piece) => ({
      edge,
      piece,
    })),
  );

/**
 * The most that goes by any edge in transfers that cost no more than this, as a share of the whole.
 * Where nothing goes round, all that flows comes from holdings that are less afterwards, and these
 * keep what is left of the whole times the lower end of their bands, or the least of their amounts.
 */
export function mostOf(
  { holdings, total }: Problem,
  stretches: readonly Stretch[],
  cost: number,
): number {
  const ends = stretches.flatMap(({ piece }) =>
    [piece.low, piece.high]
      .filter((send) => send > 0)
      .map((send) => ({
        least: (piece.least.base + piece.least.rate * send) / send,
        expected: (piece.expected.base + piece.expected.rate * send) / send,
      })),
  );
  const slip = Math.max(0, ...ends.map(({ least, expected }) => expected - least));
  const count = new Set(stretches.map(({ edge }) => holdingName(edge.to))).size;
  const gain = Math.max(1, ...ends.map(({ expected }) => expected)) ** count;
  const fixedMost = holdings.reduce((sum, { fixed }) => sum + (fixed?.high ?? 0) / total, 0);
  const left = Math.max(0, 1 - cost - slip * ALL - fixedMost);
  const spare = holdings.map(({ value, reserve, weight, band, fixed }) => {
    const least = fixed === undefined ? (weight - band) * left : fixed.low / total;
    const kept = Math.max(Math.min(value, reserve) / total, least);
    return Math.max(0, value / total - kept);
  });
  return Math.min(ALL, gain * spare.reduce((sum, one) => sum + one, 0) + NEAR);
}

/** Of what is used, all that stands on a way that comes back to where it began, and between two such. */
export function roundsOf(used: readonly Stretch[]): readonly Stretch[] {
  if (orderOf(used.map(({ edge }) => edge)) !== undefined) return [];
  let left = used;
  for (;;) {
    const [from, to] = [endsOf(left, 'from'), endsOf(left, 'to')];
    const next = left.filter(({ edge }) => to.has(holdingName(edge.from)) && from.has(holdingName(edge.to))); // prettier-ignore
    if (next.length === left.length) return left;
    left = next;
  }
}

const endsOf = (stretches: readonly Stretch[], end: 'from' | 'to'): ReadonlySet<string> =>
  new Set(stretches.map(({ edge }) => holdingName(edge[end])));
