import { holdingName } from '../../model/portfolio.ts';
import type { Curve } from './curve.ts';
import type { Edge } from './edges.ts';
import type { Inquiry } from './inquiry.ts';
import { weightedTotal, type Problem, type ProblemHolding } from './problem.ts';

/** Further requests where a route rejected the first, or has one offer only. */
const RETRIES = 3;
/** Share of the offers reserved for what the searches find. */
const RESERVED_SHARE = 0.12;
/** The first request is at least this many times the minimum, so that a fixed fee shows. */
const FIRST_SIZE = 3;

/**
 * Requests the first two offers on every edge: the most that it may send, as far as can be said
 * beforehand, and a quarter of that, which shows a fixed fee. Further offers are requested only
 * where the search sends something, as each corner of a curve makes the search longer.
 */
export async function sample(problem: Problem, inquiry: Inquiry): Promise<void> {
  const scales = scalesOf(problem);
  // Where floats show nothing outside its band and no room anywhere, there is no amount to request.
  const edges = problem.edges.filter(({ index }) => Number.isFinite(scales[index]));
  const offersMax = inquiry.offersMax * (1 - RESERVED_SHARE);
  const ask = async (edge: Edge, part: 0 | 1 | 2): Promise<void> => {
    const curve = inquiry.curves[edge.index];
    if (curve.maximum < curve.minimum || inquiry.asked >= offersMax) return;
    const value = sizesOf(curve, scales[edge.index])[part];
    const rounding = value <= curve.minimum ? 'up' : 'down';
    await inquiry.ask(edge, inquiry.amountOf(value, edge.from.asset, rounding));
  };
  await Promise.all(edges.map((edge) => ask(edge, 0)));
  for (let turn = 0; turn < RETRIES; turn += 1) {
    const unusable = edges.filter(({ index }) => !inquiry.curves[index].isUsable);
    await Promise.all(unusable.map((edge) => ask(edge, 0)));
  }
  const usable = edges.filter(({ index }) => inquiry.curves[index].isUsable);
  await Promise.all(usable.map((edge) => ask(edge, 1)));
  // Where a quarter is too little, an amount half way to it shows the fee, or half way from there.
  for (let turn = 0; turn < RETRIES; turn += 1) {
    const single = usable.filter(({ index }) => inquiry.curves[index].hasOnePoint);
    await Promise.all(single.map((edge) => ask(edge, 2)));
  }
}

/** The most, a quarter of it, and the middle of both; within the bounds of the curve. */
function sizesOf({ minimum, maximum }: Curve, scale: number): readonly [number, number, number] {
  const most = Math.min(maximum, Math.max(scale, FIRST_SIZE * minimum));
  const quarter = Math.max(minimum, most / 4);
  return [most, quarter, (most + quarter) / 2];
}

/** The most that each edge may send: the value outside bands, within the room of both ends. */
function scalesOf({ holdings, edges, total: all }: Problem): readonly number[] {
  const total = Math.max(0, weightedTotal({ holdings, total: all }));
  const byName = new Map(holdings.map((holding) => [holding.name, holding]));
  const bounds = holdings.map((holding) => boundsOf(holding, total));
  const above = sum(holdings.map(({ value }, at) => value - bounds[at].high));
  const below = sum(holdings.map(({ value }, at) => bounds[at].low - value));
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

/** The least and the most that a holding may be after the transfers. */
const boundsOf = ({ weight, band, fixed, reserve }: ProblemHolding, total: number) => ({
  low: Math.max(reserve, fixed?.low ?? (weight - band) * total),
  high: fixed?.high ?? (weight + band) * total,
});
