import type { Curve } from './curve.ts';
import type { Edge } from './edges.ts';

/**
 * A portfolio as the search sees it, in worth: floats, for they only steer which offers are asked
 * for. What is found is reckoned again, exactly, with what the routes offer.
 */
export interface Problem {
  readonly holdings: readonly ProblemHolding[];
  readonly edges: readonly Edge[];
  readonly curves: readonly Curve[];
  /** Worth of all holdings together. */
  readonly total: number;
  /** So much narrower are the bands of what is moved, for what routes round off; a share. */
  readonly margin: number;
  /**
   * False where as few holdings within their bands as possible shall be moved, whatever it costs.
   */
  readonly byCostAlone: boolean;
  /** True where it is asked what could be done if there were coins for all fees. */
  readonly ignoresCoins?: boolean;
}

export interface ProblemHolding {
  readonly name: string;
  readonly value: number;
  /** Of what all holdings with a weight are worth; both are 0 where it is to hold an amount. */
  readonly weight: number;
  readonly band: number;
  /** Where it is to hold an amount: the least and the most. */
  readonly fixed?: { readonly low: number; readonly high: number };
  readonly reserve: number;
  /** Exactly: moved only where that brings another one in. */
  readonly isIn: boolean;
}

/** What the holdings with a weight are worth together once all others hold what they are to. */
export function weightedTotal({ holdings, total }: Pick<Problem, 'holdings' | 'total'>): number {
  return holdings.reduce(
    (left, { value, fixed }) =>
      fixed === undefined ? left : left - Math.min(Math.max(value, fixed.low), fixed.high),
    total,
  );
}

/** What a search has found, by what is known of the offers. */
export interface Found {
  /** By the places of edges; those by which nothing goes are not among them. */
  readonly flows: ReadonlyMap<number, Flow>;
  /** Holdings that were in their bands and send or receive of their own. */
  readonly touched: number;
  /** What the portfolio loses, by what is expected to arrive. */
  readonly cost: number;
}

/** What goes by an edge, and what it is to bring, in worth. */
export interface Flow {
  readonly send: number;
  readonly least: number;
  readonly expected: number;
}
