import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import { branch } from './branching.ts';
import { valueAt } from './curve.ts';
import type { Flow, Solution, Problem } from './problem.ts';

export interface SearchResult {
  /** `undefined` where no flows that reach the targets were found. */
  readonly solution: Solution | undefined;
  /**
   * A lower bound of the cost of all flows that move as few holdings inside their bands, by the
   * known offers; in the unit of prices.
   */
  readonly bound: number;
  /** True where no better flows exist; without a solution, where none exist at all. */
  readonly isComplete: boolean;
  /** Multiplications done. */
  readonly work: number;
}

/**
 * The best flows by the known offers, with a proof unless that takes more than `workMax`
 * multiplications. Cycles are forbidden: value lost in a cycle could bring shares into their bands,
 * and services with different prices would seem to pay for one.
 */
export function search(problem: Problem, workMax: number): SearchResult {
  const { total, holdings } = problem;
  const { incumbent, bound, isComplete, work } = branch(problem, workMax);
  const common = { bound: bound * total, isComplete, work };
  if (incumbent === undefined) return { solution: undefined, ...common };
  const flows = new Map<number, Flow>();
  const names = new Set(holdings.map(({ name }) => name));
  const isTarget = (holding: HoldingKey): boolean => names.has(holdingName(holding));
  let cost = 0;
  for (const { segment, send: share } of incumbent.flows) {
    const { edge, piece } = segment;
    const send = share * total;
    const [least, expected] = [valueAt(piece.least, send), valueAt(piece.expected, send)];
    flows.set(edge.index, { send, least, expected });
    cost += piece.fee?.value ?? 0;
    cost += (isTarget(edge.from) ? send : 0) - (isTarget(edge.to) ? expected : 0);
  }
  return { solution: { flows, movedInBand: incumbent.movedInBand, cost }, ...common };
}
