import { Decimal, ZERO } from '../../model/decimal.ts';
import {
  SLIPPAGE,
  holdingName,
  type PortfolioTargets,
  type HoldingTarget,
} from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { portfolioTargetsRejection } from '../../rules/portfolio-targets.ts';
import { costOf, feeValue } from '../execution/plan.ts';
import { feesOf, feeWarnings, shortOfCoin } from './fees.ts';
import { aimsOf } from './aims.ts';
import { Inquiry } from './inquiry.ts';
import { boundsOf, expectedValue, held, ledgerOf, type Amounts, type LedgerRow } from './ledger.ts';
import type { Plan, PlanEffort } from './plan.ts';
import { edgesOf } from './edges.ts';
import type { Found, Problem, ProblemHolding } from './problem.ts';
import { realize, type RealTransfer } from './realizing.ts';
import { amountsRejection, impossible, whyLeft, whyTransferred } from './reasons.ts';
import { PLANNER_LIMITS, type PlannerLimits, type PlanRequest } from './request.ts';
import { sample } from './sampling.ts';
import { search } from './search.ts';

/** Searches of one plan: each knows the offers that the one before has asked for. */
const ROUNDS = 60;
/** Offers that may be asked for on each pair, where there are many. */
const OFFERS_EACH = 4;
/** From this search on, what is off is taken for prices that move, and bands are made narrower. */
const LATE = 6;
/** Costs this near to each other, as a share of the portfolio, are taken for the same. */
const SAME = 1e-8;
/** Costs that are off by less, as a share of the cost, are the cheapest. */
const HAIR = new Decimal(1e-6);
/** A margin that grew by less would ask for the same amounts again, whose digits are cut. */
const LEAST_MARGIN = 1e-9;
/**
 * Holdings that are out of their bands by less, as a share of the portfolio, are so by rounding.
 */
const NEAR = 1e-7;

/**
 * Plans the cheapest transfers that bring every holding into its band, and half way into it where
 * that can be had. Of transfers that bring every holding in, those come first that touch fewer
 * holdings within their bands, and of these the cheapest. Where they cost more than they may,
 * holdings within their bands serve too. Ties go by name: the same request and offers give the same
 * plan. Refuses with `targets-invalid`, `plan-impossible` and `cost-above-maximum`.
 */
export async function plan(request: PlanRequest): Promise<Plan | Rejection> {
  const { targets, priceOf, toEdges = false } = request;
  const invalid = portfolioTargetsRejection(targets) ?? valueRejection(request);
  if (invalid !== undefined) return invalid;
  const search = new PlanSearch(request, toEdges);
  if (search.before.every(({ isIn }) => isIn)) return search.planOf(search.empty);
  const missing = amountsRejection(targets, search.before, priceOf);
  if (missing !== undefined) return missing;
  if (!(search.problem.total > 0)) {
    return { code: 'plan-impossible', message: 'What the targets name is worth nothing.' };
  }
  const aimed = await cheapest(search);
  if (!isRejection(aimed) || toEdges) return aimed;
  return cheapest(new PlanSearch(request, true, search.inquiry));
}

async function cheapest(search: PlanSearch): Promise<Plan | Rejection> {
  await sample(search.problem, search.inquiry);
  const first = await search.best(false);
  const best = first === undefined || search.isWithin(first) ? first : await search.best(true);
  if (best === undefined) return search.impossible();
  return search.isWithin(best) ? search.planOf(best) : search.tooDear(best);
}

function valueRejection({ targets, priceOf }: PlanRequest): Rejection | undefined {
  const holding = targets.holdings.find(({ asset }) => !(priceOf(asset)?.greaterThan(0) ?? false));
  if (holding === undefined) return undefined;
  const message = `Nothing says what ${holding.asset} is worth.`;
  return { code: 'targets-invalid', field: holdingName(holding), message };
}

/** Transfers with real offers, and what they come to. */
interface Candidate {
  readonly transfers: readonly RealTransfer[];
  readonly amounts: Amounts;
  readonly touched: number;
  readonly cost: Decimal;
  readonly moved: Decimal;
}

class PlanSearch {
  readonly before: readonly LedgerRow[];
  readonly inquiry: Inquiry;
  readonly problem: Problem;
  readonly empty: Candidate;
  readonly #request: PlanRequest;
  readonly #aims: PortfolioTargets;
  /** Multiplications that are left for searches. */
  #work: number;
  #searches = 0;
  /** What the last search says that plans cost at the least, in worth. */
  #bound = 0;
  #isExact = true;

  /** To the edges of bands or half way in, and by what is known of offers already. */
  constructor(request: PlanRequest, toEdges: boolean, known?: Inquiry) {
    const { targets, priceOf, routes } = request;
    const amounts = held(request);
    // What is passed through has to be worth something too.
    const edges = edgesOf(routes).filter(({ from, to }) =>
      [from, to].every(({ asset }) => priceOf(asset)?.greaterThan(0)),
    );
    this.#request = request;
    const limits = { ...limitsFor(edges.length), ...request.limits };
    this.#work = limits.work;
    this.before = ledgerOf(targets, amounts, priceOf);
    this.#aims = toEdges ? targets : aimsOf(targets, this.before);
    this.inquiry = known ?? new Inquiry(edges, targets.minimumValue, priceOf, limits);
    this.empty = { transfers: [], amounts, touched: 0, cost: ZERO, moved: ZERO };
    this.problem = {
      edges,
      curves: this.inquiry.curves,
      margin: 0,
      byCostAlone: false,
      total: expectedValue(targets, amounts, priceOf).toNumber(),
      holdings: this.#aims.holdings.map((holding, index) => ({
        name: holdingName(holding),
        value: this.before[index]?.value.toNumber() ?? 0,
        ...aimOf(holding, priceOf(holding.asset) ?? ZERO),
        isIn: this.before[index]?.isIn ?? false,
      })),
    };
  }

  /** The best that is to be had; nothing where no transfers reach the targets. */
  async best(byCostAlone: boolean): Promise<Candidate | undefined> {
    let problem: Problem = { ...this.problem, byCostAlone };
    let best: Candidate | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const found = this.#search(problem);
      if (found === undefined) return best;
      if (best !== undefined && !this.#isCheaper(found.touched, found.cost, best, byCostAlone)) {
        return best;
      }
      const asked = this.inquiry.asked;
      const aimed = { ...this.#request, targets: this.#aims };
      const realized = await realize(aimed, problem, found, this.inquiry);
      if (realized.kind === 'spent') break;
      if (realized.kind === 'outside') {
        // Where something new was learned, estimates were off; else it is what routes round off.
        const isNear = realized.by.toNumber() <= NEAR * problem.total;
        const isKnown = asked === this.inquiry.asked;
        if (isNear || isKnown || round >= LATE) {
          problem = { ...problem, margin: marginOf(problem, realized.by) };
        }
      }
      if (realized.kind !== 'whole') continue;
      const candidate = this.#candidate(found, realized.transfers, realized.amounts);
      const isBetter =
        best === undefined ||
        this.#isCheaper(candidate.touched, candidate.cost.toNumber(), best, byCostAlone);
      if (isBetter) best = candidate;
      // Nothing is left to learn where it comes to what the search took it for.
      const off = Math.abs(candidate.cost.toNumber() - found.cost);
      if (off <= SAME * problem.total || asked === this.inquiry.asked) return best;
    }
    this.#isExact = false;
    return best;
  }

  /** The best by what is known now. */
  #search(problem: Problem): Found | undefined {
    const { found, bound, isWhole, work } = search(problem, this.#work / 2);
    this.#work -= work;
    this.#searches += 1;
    this.#isExact = isWhole;
    this.#bound = bound;
    return found;
  }

  isWithin({ cost, moved }: Candidate): boolean {
    return !cost.greaterThan(this.#maximum(moved));
  }

  tooDear({ cost, moved, transfers }: Candidate): Rejection {
    const [costs, may] = [money(cost), money(this.#maximum(moved))];
    const fees = this.#outsideFees(transfers, 'expected');
    const networks = fees.isZero() ? '' : `, ${money(fees)} of it as fees of networks,`;
    return {
      code: 'cost-above-maximum',
      field: 'maximumCost',
      message: `The cheapest of ${transfers.length === 1 ? 'all transfers' : `all sets of transfers, ${transfers.length} transfers,`} costs ${costs}${networks} to move ${money(moved)}, and may cost ${may}.`,
      limit: this.#request.targets.maximumCost.toFixed(),
    };
  }

  impossible(): Rejection {
    const isCertain = this.#isExact && !this.inquiry.isSpent;
    const { edges } = this.problem;
    const short = this.#shortOfCoin();
    if (short !== undefined) return short;
    return impossible(this.#request, this.before, edges, this.inquiry, isCertain);
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
      const why = whyTransferred(transfer, this.before, transfers);
      return { transfer: own, cost: costOf(offer, offer.expected, prices), why };
    });
    return {
      plan: {
        id,
        createdAt: now(),
        prices: prices,
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
      leftAlone: whyLeft(this.before, transfers),
      effort: this.#effort(candidate),
    };
  }

  #effort({ cost }: Candidate): PlanEffort {
    const { asked, isSpent } = this.inquiry;
    const isExact = this.#isExact && !isSpent;
    const reported = { isExact, offers: asked, searches: this.#searches };
    if (isExact || isSpent || !Number.isFinite(this.#bound) || !cost.greaterThan(0))
      return reported;
    const within = cost.minus(this.#bound).div(cost).toDecimalPlaces(6, Decimal.ROUND_UP);
    return within.lessThanOrEqualTo(HAIR)
      ? { ...reported, isExact: true }
      : { ...reported, within };
  }

  /** What networks take of coins that are no holdings of the targets, in worth. */
  #outsideFees(transfers: readonly RealTransfer[], by: 'expected' | 'most'): Decimal {
    const { targets, priceOf } = this.#request;
    const names = new Set(targets.holdings.map(holdingName));
    return transfers.reduce((sum, { offer: { networkFee: fee } }) => {
      if (fee === undefined || names.has(holdingName(fee.coin))) return sum;
      return sum.plus(feeValue(fee, fee[by], priceOf));
    }, ZERO);
  }

  /**
   * Why nothing was found where there would be transfers if wallets had the coins for their fees.
   */
  #shortOfCoin(): Rejection | undefined {
    const free = { ...this.problem, byCostAlone: true, ignoresCoins: true };
    const found = this.inquiry.fees.size === 0 ? undefined : this.#search(free);
    const used = this.problem.edges.filter(({ index }) => found?.flows.has(index));
    return shortOfCoin(used, this.inquiry);
  }

  #maximum(moved: Decimal): Decimal {
    return this.#request.targets.maximumCost.times(moved);
  }

  #isCheaper(touched: number, cost: number, best: Candidate, byCostAlone: boolean): boolean {
    const fewer = byCostAlone ? 0 : touched - best.touched;
    return fewer < 0 || (fewer === 0 && cost < best.cost.toNumber() - SAME * this.problem.total);
  }

  #candidate(found: Found, transfers: readonly RealTransfer[], amounts: Amounts): Candidate {
    const { targets, priceOf } = this.#request;
    const start = expectedValue(targets, this.empty.amounts, priceOf);
    const moved = transfers.map(({ offer, after }) => {
      const own = after.reduce((left, { amount }) => left.minus(amount), offer.send);
      return own.times(priceOf(offer.from.asset) ?? ZERO);
    });
    return {
      transfers,
      amounts,
      touched: found.touched,
      cost: start
        .minus(expectedValue(targets, amounts, priceOf))
        .plus(this.#outsideFees(transfers, 'expected')),
      moved: moved.reduce((sum, one) => sum.plus(one), ZERO),
    };
  }
}

/** The target of a holding, for the search. */
function aimOf(
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

/** What one plan may take of a portfolio of so many pairs. */
const limitsFor = (edges: number): PlannerLimits => ({
  ...PLANNER_LIMITS,
  offers: Math.max(PLANNER_LIMITS.offers, OFFERS_EACH * edges),
});

/** Narrow enough that what was off is in the next time. */
const marginOf = ({ margin, total }: Problem, by: Decimal): number =>
  margin + Math.max((1.5 * by.toNumber()) / total, LEAST_MARGIN);

/** An amount in the unit of prices, for people; rounded up, as what is paid. */
const money = (amount: Decimal): string => amount.toDecimalPlaces(4, Decimal.ROUND_UP).toFixed();
