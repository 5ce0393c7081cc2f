import { branch } from './branching.ts';
import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import type { Flow, Found, Problem } from './problem.ts';

/** What a search has come to. */
export interface Searched {
  /** Nothing where no flows that reach the targets were found. */
  readonly found: Found | undefined;
  /** No flows that touch as few holdings cost less, as far as is known of the offers; in worth. */
  readonly bound: number;
  /** True where no flows are better, and where nothing was found there are none. */
  readonly isWhole: boolean;
  /** Multiplications that it took. */
  readonly work: number;
}

/**
 * The best flows by what is known of the offers, for certain unless it takes more than so many
 * multiplications. Worth that goes round is forbidden: to burn it may bring shares to where they are
 * wanted, and services that do not agree on prices would seem to pay for it.
 */
export function search(problem: Problem, most: number): Searched {
  const { total, holdings } = problem;
  const { leaf, bound, isWhole, work } = branch(problem, most);
  const reported = { bound: bound * total, isWhole, work };
  if (leaf === undefined) return { found: undefined, ...reported };
  const flows = new Map<number, Flow>();
  const names = new Set(holdings.map(({ name }) => name));
  const isTarget = (holding: HoldingKey): boolean => names.has(holdingName(holding));
  let cost = 0;
  for (const { stretch, send: share } of leaf.sends) {
    const { edge, piece } = stretch;
    const send = share * total;
    const least = piece.least.base + piece.least.rate * send;
    const expected = piece.expected.base + piece.expected.rate * send;
    flows.set(edge.index, { send, least, expected });
    cost += piece.fee?.value ?? 0;
    cost += (isTarget(edge.from) ? send : 0) - (isTarget(edge.to) ? expected : 0);
  }
  return { found: { flows, touched: leaf.touched, cost }, ...reported };
}
