import { holdingName } from '../../model/portfolio.ts';
import type { Curve } from './curve.ts';
import type { Edge } from './edges.ts';
import type { Inquiry } from './inquiry.ts';
import { weightedTotal, type Problem, type ProblemHolding } from './problem.ts';

/** Looks for what is taken where a route takes nothing that was asked for. */
const TRIES = 3;
/** This part of all offers is kept for what the search finds. */
const KEPT = 0.12;
/** What is asked for first is so many times the least that is taken, so that a fee shows. */
const WIDE = 3;

/**
 * Asks for the first two offers on every edge: the most that may go by it, as far as can be said
 * beforehand, and a quarter of that, which shows a fixed fee. How rates change is asked for where
 * the search sends something, as each bend makes the search longer.
 */
export async function sample(problem: Problem, inquiry: Inquiry): Promise<void> {
  const scales = scalesOf(problem);
  const edges = problem.edges.filter(({ index }) => (scales[index] ?? 0) > 0);
  const may = inquiry.most * (1 - KEPT);
  const ask = async (edge: Edge, part: 0 | 1 | 2): Promise<void> => {
    const curve = inquiry.curves[edge.index];
    if (curve === undefined || curve.maximum < curve.minimum || inquiry.asked >= may) return;
    const value = sizesOf(curve, scales[edge.index] ?? 0)[part];
    const rounding = value <= curve.minimum ? 'up' : 'down';
    await inquiry.ask(edge, inquiry.amountOf(value, edge.from.asset, rounding));
  };
  await Promise.all(edges.map((edge) => ask(edge, 0)));
  for (let turn = 0; turn < TRIES; turn += 1) {
    const closed = edges.filter(({ index }) => !inquiry.curves[index]?.isOpen);
    await Promise.all(closed.map((edge) => ask(edge, 0)));
  }
  const open = edges.filter(({ index }) => inquiry.curves[index]?.isOpen);
  await Promise.all(open.map((edge) => ask(edge, 1)));
  // Where a quarter is too little, half way to it shows the fee, or half way from there.
  for (let turn = 0; turn < TRIES; turn += 1) {
    const lone = open.filter(({ index }) => inquiry.curves[index]?.isLone);
    await Promise.all(lone.map((edge) => ask(edge, 2)));
  }
}

/** The most, a quarter, and the middle of them; within what is taken. */
function sizesOf({ minimum, maximum }: Curve, scale: number): readonly [number, number, number] {
  const most = Math.min(maximum, Math.max(scale, WIDE * minimum));
  const quarter = Math.max(minimum, most / 4);
  return [most, quarter, (most + quarter) / 2];
}

/** By edge, the most that may go by it: what is out of bands, as far as both ends have it. */
function scalesOf({ holdings, edges, total: all }: Problem): readonly number[] {
  const total = Math.max(0, weightedTotal({ holdings, total: all }));
  const byName = new Map(holdings.map((holding) => [holding.name, holding]));
  const bounds = holdings.map((holding) => boundsOf(holding, total));
  const above = sum(holdings.map(({ value }, at) => value - (bounds[at]?.high ?? 0)));
  const below = sum(holdings.map(({ value }, at) => (bounds[at]?.low ?? 0) - value));
  const needed = Math.max(above, below);
  return edges.map(({ from, to }) => {
    const [source, goal] = [byName.get(holdingName(from)), byName.get(holdingName(to))];
    const spare = source === undefined ? 0 : source.value - boundsOf(source, total).low;
    const space = goal === undefined ? 0 : boundsOf(goal, total).high - goal.value;
    return Math.min(...[needed, spare, space].filter((one) => one > 0));
  });
}

const sum = (values: readonly number[]): number =>
  values.reduce((all, one) => all + Math.max(0, one), 0);

/** The least and the most that a holding may come to. */
const boundsOf = ({ weight, band, fixed, reserve }: ProblemHolding, total: number) => ({
  low: Math.max(reserve, fixed?.low ?? (weight - band) * total),
  high: fixed?.high ?? (weight + band) * total,
});
