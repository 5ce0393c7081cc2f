import { holdingName } from '../../model/portfolio.ts';
import { valueAt, type Piece } from './curve.ts';
import type { Edge } from './edges.ts';
import type { Problem } from './problem.ts';

/** Points that are off a line by less, as a share of the portfolio, are on it but for rounding by routes. */
const ROUNDING_EPSILON = 2e-6;

/** No edge sends more, as a share of the portfolio. */
export const FLOW_MAX = 1.05;

/** Rounding of floats, as a share of the portfolio. */
const FLOAT_EPSILON = 1e-6;

/** A linear piece of the curve of an edge. */
export interface Segment {
  readonly edge: Edge;
  readonly piece: Piece;
}

/** All segments up to a flow of `sendMax`, as a share of the portfolio. */
export const segmentsOf = (
  { edges, curves, total }: Problem,
  sendMax: number,
): readonly Segment[] =>
  edges.flatMap((edge) =>
    curves[edge.index]
      .pieces(sendMax * total, ROUNDING_EPSILON * total)
      .map((piece) => ({ edge, piece })),
  );

/**
 * The most that any edge sends in transfers that cost no more than `cost`, as shares of the
 * portfolio. Without cycles, all that flows comes from holdings that shrink, and each of these keeps
 * at least the lower end of its band of the portfolio that remains after the cost.
 */
export function flowMaxOf(
  { holdings, total }: Problem,
  segments: readonly Segment[],
  cost: number,
): number {
  const ends = segments.flatMap(({ piece }) =>
    [piece.low, piece.high]
      .filter((send) => send > 0)
      .map((send) => ({
        least: valueAt(piece.least, send) / send,
        expected: valueAt(piece.expected, send) / send,
      })),
  );
  const slip = Math.max(0, ...ends.map(({ least, expected }) => expected - least));
  const count = new Set(segments.map(({ edge }) => holdingName(edge.to))).size;
  const gain = Math.max(1, ...ends.map(({ expected }) => expected)) ** count;
  const fixedMost = holdings.reduce((sum, { fixed }) => sum + (fixed?.high ?? 0) / total, 0);
  const left = Math.max(0, 1 - cost - slip * FLOW_MAX - fixedMost);
  const spare = holdings.map(({ value, reserve, weight, band, fixed }) => {
    const least = fixed === undefined ? (weight - band) * left : fixed.low / total;
    const kept = Math.max(Math.min(value, reserve) / total, least);
    return Math.max(0, value / total - kept);
  });
  return Math.min(FLOW_MAX, gain * spare.reduce((sum, one) => sum + one, 0) + FLOAT_EPSILON);
}

/** The used segments that are part of a cycle, or lead from one cycle to another. */
export function cyclesOf(used: readonly Segment[]): readonly Segment[] {
  let remaining = used;
  for (;;) {
    const [from, to] = [endsOf(remaining, 'from'), endsOf(remaining, 'to')];
    const next = remaining.filter(({ edge }) => to.has(holdingName(edge.from)) && from.has(holdingName(edge.to))); // prettier-ignore
    if (next.length === remaining.length) return remaining;
    remaining = next;
  }
}

const endsOf = (segments: readonly Segment[], end: 'from' | 'to'): ReadonlySet<string> =>
  new Set(segments.map(({ edge }) => holdingName(edge[end])));
