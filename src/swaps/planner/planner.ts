import { Decimal, sumOf, ZERO } from '../../model/decimal.ts';
import {
  SLIPPAGE,
  holdingName,
  type PortfolioTargets,
  type HoldingTarget,
} from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { portfolioTargetsRejection } from '../../rules/portfolio-targets.ts';
import { costOf, feeValue } from '../execution/plan.ts';
import { feesOf, feeWarnings, missingCoinRejection } from './fees.ts';
import { innerTargetsOf } from './inner-targets.ts';
import { Inquiry } from './inquiry.ts';
import {
  boundsOf,
  expectedValue,
  heldAmounts,
  ledgerOf,
  type Amounts,
  type LedgerRow,
} from './ledger.ts';
import type { Plan, PlanEffort } from './plan.ts';
import { edgesOf } from './edges.ts';
import type { Solution, Problem, ProblemHolding } from './problem.ts';
import { realize, type RealTransfer } from './realizing.ts';
import {
  amountsRejection,
  impossibleRejection,
  unmovedReasons,
  transferReason,
} from './reasons.ts';
import { PLANNER_LIMITS, type PlannerLimits, type PlanRequest } from './request.ts';
import { sample } from './sampling.ts';
import { search } from './search.ts';

/** Searches of one plan; each knows the offers that the ones before it requested. */
const SEARCHES_MAX = 60;
/** Offers requested for each pair at most, where there are many pairs. */
const OFFERS_PER_PAIR = 4;
/** From this search on, differences are put down to moving prices, and bands are narrowed. */
const MARGIN_FROM = 6;
/** Costs that differ by less, as a share of the portfolio, are equal. */
const COST_EPSILON = 1e-8;
/** A plan is the cheapest where no other can save a larger share of its cost. */
const EXACT_WITHIN = new Decimal(1e-6);
/** A margin that grows by less requests the same amounts again, as their digits are limited. */
const MARGIN_MIN = 1e-9;
/** Holdings outside their bands by less, as a share of the portfolio, are so by rounding. */
const ROUNDING_EPSILON = 1e-7;

/**
 * Plans the cheapest transfers that bring every holding into its band, half way into it where
 * possible. Transfers that move fewer holdings inside their bands are preferred, and of these the
 * cheapest. Where they exceed the maximum cost, the cheapest transfers of all are taken. Ties go by
 * name: the same request and offers give the same plan. Rejects with `targets-invalid`,
 * `plan-impossible` and `cost-above-maximum`.
 */
export async function plan(request: PlanRequest): Promise<Plan | Rejection> {
  const { targets, priceOf, toEdges = false } = request;
  const invalid = portfolioTargetsRejection(targets) ?? valueRejection(request);
  if (invalid !== undefined) return invalid;
  const search = new PlanSearch(request, toEdges);
  if (search.before.every(({ isIn }) => isIn)) return search.planOf(search.empty);
  const missing = amountsRejection(targets, search.before, priceOf);
  if (missing !== undefined) return missing;
  const inner = await cheapestPlan(search);
  if (!isRejection(inner) || toEdges) return inner;
  return cheapestPlan(new PlanSearch(request, true, search.inquiry));
}

async function cheapestPlan(search: PlanSearch): Promise<Plan | Rejection> {
  await sample(search.problem, search.inquiry);
  const first = await search.cheapest(false);
  const best = first === undefined || search.isWithin(first) ? first : await search.cheapest(true);
  if (best === undefined) return search.impossibleRejection();
  return search.isWithin(best) ? search.planOf(best) : search.costRejection(best);
}

function valueRejection({ targets, priceOf }: PlanRequest): Rejection | undefined {
  const holding = targets.holdings.find(({ asset }) => !(priceOf(asset)?.greaterThan(0) ?? false));
  if (holding === undefined) return undefined;
  const message = `Nothing says what ${holding.asset} is worth.`;
  return { code: 'targets-invalid', field: holdingName(holding), message };
}

/** Transfers with real offers, and their outcome. */
interface Candidate {
  readonly transfers: readonly RealTransfer[];
  readonly amounts: Amounts;
  readonly movedInBand: number;
  readonly cost: Decimal;
  readonly moved: Decimal;
}

class PlanSearch {
  readonly before: readonly LedgerRow[];
  readonly inquiry: Inquiry;
  readonly problem: Problem;
  readonly empty: Candidate;
  readonly #request: PlanRequest;
  readonly #innerTargets: PortfolioTargets;
  /** Multiplications left for searches. */
  #work: number;
  #searches = 0;
  /** Lower bound of the cost by the last search, in the unit of prices. */
  #bound = 0;
  #isExact = true;

  /** Aims at the edges of bands, or half way into them; `known` has the offers of a search before. */
  constructor(request: PlanRequest, toEdges: boolean, known?: Inquiry) {
    const { targets, priceOf, routes } = request;
    const amounts = heldAmounts(request);
    // Assets that are only passed through need a price too.
    const edges = edgesOf(routes).filter(({ from, to }) =>
      [from, to].every(({ asset }) => priceOf(asset)?.greaterThan(0)),
    );
    this.#request = request;
    const limits = { ...limitsFor(edges.length), ...request.limits };
    this.#work = limits.work;
    this.before = ledgerOf(targets, amounts, priceOf);
    this.#innerTargets = toEdges ? targets : innerTargetsOf(targets, this.before);
    this.inquiry = known ?? new Inquiry(edges, targets.minimumValue, priceOf, limits);
    this.empty = { transfers: [], amounts, movedInBand: 0, cost: ZERO, moved: ZERO };
    this.problem = {
      edges,
      curves: this.inquiry.curves,
      margin: 0,
      byCostAlone: false,
      total: expectedValue(targets, amounts, priceOf).toNumber(),
      holdings: this.#innerTargets.holdings.map((holding, index) => ({
        name: holdingName(holding),
        value: this.before[index].value.toNumber(),
        ...targetOf(holding, priceOf(holding.asset) ?? ZERO),
        isIn: this.before[index].isIn,
      })),
    };
  }

  /** The cheapest transfers that are found; `undefined` where none reach the targets. */
  async cheapest(byCostAlone: boolean): Promise<Candidate | undefined> {
    let problem: Problem = { ...this.problem, byCostAlone };
    let best: Candidate | undefined;
    for (let round = 0; round < SEARCHES_MAX; round += 1) {
      const solution = this.#search(problem);
      if (solution === undefined) return best;
      const { movedInBand, cost } = solution;
      if (!this.#isCheaper(movedInBand, cost, best, byCostAlone)) return best;
      const asked = this.inquiry.asked;
      const inner = { ...this.#request, targets: this.#innerTargets };
      const realization = await realize(inner, problem, solution, this.inquiry);
      if (realization.kind === 'spent') break;
      if (realization.kind === 'outside') {
        // New offers show that estimates were off; without them it is what routes round off.
        const isNear = realization.by.toNumber() <= ROUNDING_EPSILON * problem.total;
        const isKnown = asked === this.inquiry.asked;
        if (isNear || isKnown || round >= MARGIN_FROM) {
          problem = { ...problem, margin: marginOf(problem, realization.by) };
        }
      }
      if (realization.kind !== 'whole') continue;
      const candidate = this.#candidate(movedInBand, realization.transfers, realization.amounts);
      const real = candidate.cost.toNumber();
      if (this.#isCheaper(movedInBand, real, best, byCostAlone)) best = candidate;
      // Where the cost is what the search estimated, more offers would change nothing.
      const off = Math.abs(real - cost);
      if (off <= COST_EPSILON * problem.total || asked === this.inquiry.asked) return best;
    }
    this.#isExact = false;
    return best;
  }

  /** The best flows by the offers known now. */
  #search(problem: Problem): Solution | undefined {
    const { solution, bound, isComplete, work } = search(problem, this.#work / 2);
    this.#work -= work;
    this.#searches += 1;
    this.#isExact = isComplete;
    this.#bound = bound;
    return solution;
  }

  isWithin({ cost, moved }: Candidate): boolean {
    return !cost.greaterThan(this.#maximum(moved));
  }

  costRejection({ cost, moved, transfers }: Candidate): Rejection {
    const [costs, may] = [shownValue(cost), shownValue(this.#maximum(moved))];
    const fees = this.#outsideFees(transfers, 'expected');
    const networks = fees.isZero() ? '' : `, ${shownValue(fees)} of it as fees of networks,`;
    return {
      code: 'cost-above-maximum',
      field: 'maximumCost',
      message: `The cheapest of ${transfers.length === 1 ? 'all transfers' : `all sets of transfers, ${transfers.length} transfers,`} costs ${costs}${networks} to move ${shownValue(moved)}, and may cost ${may}.`,
      limit: this.#request.targets.maximumCost.toFixed(),
    };
  }

  impossibleRejection(): Rejection {
    const isCertain = this.#isExact && !this.inquiry.isExhausted;
    const { edges } = this.problem;
    const short = this.#shortOfCoin();
    if (short !== undefined) return short;
    return impossibleRejection(this.#request, this.before, edges, this.inquiry, isCertain);
  }

  planOf(candidate: Candidate): Plan {
    const { id, targets, priceOf, now } = this.#request;
    const { transfers, amounts, cost, moved } = candidate;
    const assets = transfers.flatMap(({ edge }) => [edge.from.asset, edge.to.asset]);
    const coins = transfers.flatMap(({ offer }) => offer.networkFee?.coin.asset ?? []);
    const kept = new Decimal(1).minus(targets.slippage ?? SLIPPAGE);
    const priced = [...assets, ...coins.filter((asset) => priceOf(asset) !== undefined)];
    const prices = new Map(priced.map((asset) => [asset, priceOf(asset) ?? ZERO]));
    const least = { least: amounts.least, expected: amounts.least };
    const start = expectedValue(targets, this.empty.amounts, priceOf);
    const planned = transfers.map((transfer) => {
      const { offer, after } = transfer;
      const own = { id: transfer.id, offer, least: offer.least.times(kept), after };
      const why = transferReason(transfer, this.before, transfers);
      return { transfer: own, cost: costOf(offer, offer.expected, prices), why };
    });
    return {
      plan: {
        id,
        createdAt: now(),
        prices,
        maximumCost: this.#maximum(moved),
        transfers: planned.map(({ transfer }) => transfer),
      },
      transfers: planned,
      cost,
      moved,
      fees: feesOf(transfers, priceOf),
      warnings: feeWarnings(transfers, this.inquiry, priceOf),
      before: this.before,
      costAtMost: start
        .minus(expectedValue(targets, least, priceOf))
        .plus(this.#outsideFees(transfers, 'most')),
      after: ledgerOf(targets, amounts, priceOf),
      leftAlone: unmovedReasons(this.before, transfers),
      effort: this.#effort(candidate),
    };
  }

  #effort({ cost }: Candidate): PlanEffort {
    const { asked, isExhausted } = this.inquiry;
    const isExact = this.#isExact && !isExhausted;
    const effort = { isExact, offers: asked, searches: this.#searches };
    if (isExact || isExhausted || !Number.isFinite(this.#bound) || !cost.greaterThan(0))
      return effort;
    const within = cost.minus(this.#bound).div(cost).toDecimalPlaces(6, Decimal.ROUND_UP);
    return within.lessThanOrEqualTo(EXACT_WITHIN)
      ? { ...effort, isExact: true }
      : { ...effort, within };
  }

  /** Value of the network fees in coins without a target. */
  #outsideFees(transfers: readonly RealTransfer[], by: 'expected' | 'most'): Decimal {
    const { targets, priceOf } = this.#request;
    const names = new Set(targets.holdings.map(holdingName));
    return transfers.reduce((sum, { offer: { networkFee: fee } }) => {
      if (fee === undefined || names.has(holdingName(fee.coin))) return sum;
      return sum.plus(feeValue(fee, fee[by], priceOf));
    }, ZERO);
  }

  /** Names the coin that is missing, where transfers would be found if wallets had enough for fees. */
  #shortOfCoin(): Rejection | undefined {
    if (this.inquiry.fees.size === 0) return undefined;
    const solution = this.#search({ ...this.problem, byCostAlone: true, ignoresCoins: true });
    const used = this.problem.edges.filter(({ index }) => solution?.flows.has(index));
    return missingCoinRejection(used, this.inquiry);
  }

  #maximum(moved: Decimal): Decimal {
    return this.#request.targets.maximumCost.times(moved);
  }

  #isCheaper(
    movedInBand: number,
    cost: number,
    best: Candidate | undefined,
    byCostAlone: boolean,
  ): boolean {
    if (best === undefined) return true;
    const more = byCostAlone ? 0 : movedInBand - best.movedInBand;
    const limit = best.cost.toNumber() - COST_EPSILON * this.problem.total;
    return more < 0 || (more === 0 && cost < limit);
  }

  #candidate(movedInBand: number, transfers: readonly RealTransfer[], amounts: Amounts): Candidate {
    const { targets, priceOf } = this.#request;
    const start = expectedValue(targets, this.empty.amounts, priceOf);
    const moved = transfers.map(({ offer, after }) => {
      const own = offer.send.minus(sumOf(after.map(({ amount }) => amount)));
      return own.times(priceOf(offer.from.asset) ?? ZERO);
    });
    return {
      transfers,
      amounts,
      movedInBand,
      cost: start
        .minus(expectedValue(targets, amounts, priceOf))
        .plus(this.#outsideFees(transfers, 'expected')),
      moved: sumOf(moved),
    };
  }
}

/** The target of a holding, for the search. */
function targetOf(
  holding: HoldingTarget,
  price: Decimal,
): Omit<ProblemHolding, 'name' | 'value' | 'isIn'> {
  const reserve = holding.reserve.times(price).toNumber();
  if (holding.amount === undefined) {
    return { weight: holding.weight.toNumber(), band: holding.band.toNumber(), reserve };
  }
  const [low, high] = boundsOf(holding);
  const fixed = { low: low.times(price).toNumber(), high: high.times(price).toNumber() };
  return { weight: 0, band: 0, fixed, reserve };
}

/** Limits of a plan with this many pairs. */
const limitsFor = (edges: number): PlannerLimits => ({
  ...PLANNER_LIMITS,
  offers: Math.max(PLANNER_LIMITS.offers, OFFERS_PER_PAIR * edges),
});

/** A margin that brings in what was outside by this value. */
const marginOf = ({ margin, total }: Problem, by: Decimal): number =>
  margin + Math.max((1.5 * by.toNumber()) / total, MARGIN_MIN);

/** A cost for people; rounded up. */
const shownValue = (amount: Decimal): string =>
  amount.toDecimalPlaces(4, Decimal.ROUND_UP).toFixed();
