import type { Curve } from './curve.ts';
import type { Edge } from './edges.ts';

/**
 * A portfolio for the search, in the unit of prices. Floats do: they only decide which offers are
 * requested, and each solution is calculated again, exactly, from these offers.
 */
export interface Problem {
  readonly holdings: readonly ProblemHolding[];
  readonly edges: readonly Edge[];
  readonly curves: readonly Curve[];
  /** Value of all holdings. */
  readonly total: number;
  /** The bands of holdings that are moved are narrower by this share, for what routes round off. */
  readonly margin: number;
  /** False to move as few holdings inside their bands as possible, at any cost. */
  readonly byCostAlone: boolean;
  /** True to search as if the wallets had coins for all fees. */
  readonly ignoresCoins?: boolean;
}

export interface ProblemHolding {
  readonly name: string;
  readonly value: number;
  /** As shares of the value of all holdings with a weight; 0 for a holding with a target amount. */
  readonly weight: number;
  readonly band: number;
  /** Bounds of a holding with a target amount. */
  readonly fixed?: { readonly low: number; readonly high: number };
  readonly reserve: number;
  /** Inside its band by exact numbers: moved only to bring another holding into its band. */
  readonly isIn: boolean;
}

/** Value of all holdings with a weight once the others are within the bounds of their amounts. */
export function weightedTotal({ holdings, total }: Pick<Problem, 'holdings' | 'total'>): number {
  return holdings.reduce(
    (left, { value, fixed }) =>
      fixed === undefined ? left : left - Math.min(Math.max(value, fixed.low), fixed.high),
    total,
  );
}

/** Flows that bring every holding into its band, by the known offers. */
export interface Solution {
  /** By index of the edge; only edges in use. */
  readonly flows: ReadonlyMap<number, Flow>;
  /** How many holdings that were inside their bands change. */
  readonly movedInBand: number;
  /** Value that the portfolio loses where the expected amounts arrive. */
  readonly cost: number;
}

/** What an edge sends and brings, in the unit of prices. */
export interface Flow {
  readonly send: number;
  readonly least: number;
  readonly expected: number;
}
