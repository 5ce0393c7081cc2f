import { Decimal, sumOf, ZERO } from '../../model/decimal.ts';
import { holdingName } from '../../model/portfolio.ts';
import { isRejection } from '../../model/rejections.ts';
import type { NetworkFee, Offer } from '../execution/transfer-route.ts';
import type { Source } from '../execution/plan.ts';
import { topologicalOrder, type Edge } from './edges.ts';
import type { Inquiry } from './inquiry.ts';
import { heldAmounts, worstExcess, type Amounts } from './ledger.ts';
import type { Flow, Solution, Problem } from './problem.ts';
import type { PlanRequest } from './request.ts';

/** A transfer with its offer. */
export interface RealTransfer {
  readonly id: string;
  readonly edge: Edge;
  readonly offer: Offer;
  readonly after: readonly Source[];
}

/** The outcome of requesting offers for flows. */
export type Realization =
  | {
      readonly kind: 'whole';
      readonly transfers: readonly RealTransfer[];
      readonly amounts: Amounts;
    }
  /** A route rejected what the curves allowed; they have the rejection now. */
  | { readonly kind: 'refused' }
  /** A holding would be outside its band by this value. */
  | { readonly kind: 'outside'; readonly by: Decimal }
  /** No more offers may be requested. */
  | { readonly kind: 'spent' };

/** A smaller share of what a holding sends is rounding of floats, not money of its own. */
const FLOW_EPSILON = 1e-8;
/** An amount closer to a bound, as a share of it, is at the bound. */
const BOUND_EPSILON = 1e-8;

/**
 * Requests offers for the flows of a solution, in an order in which they can be made, and calculates
 * the outcome exactly. A transfer sends the least that those before it bring.
 */
export async function realize(
  request: PlanRequest,
  problem: Pick<Problem, 'edges' | 'holdings'>,
  { flows }: Solution,
  inquiry: Inquiry,
): Promise<Realization> {
  const used = problem.edges.filter(({ index }) => flows.has(index));
  const run = new Run(request, used, flows, inquiry);
  for (const name of topologicalOrder(used) ?? []) {
    const failed = await run.sendFrom(name);
    if (failed !== undefined) return { kind: failed };
  }
  // Fees have risen, or an amount was rounded up: the curves have it now.
  if (!run.coversFees()) return { kind: 'refused' };
  const by = worstExcess(request.targets, run, request.priceOf, run.payFees(problem.holdings));
  if (by.greaterThan(0)) return { kind: 'outside', by };
  return { kind: 'whole', transfers: run.transfers, amounts: run };
}

/** Transfers made one after the other, and the amounts after them. */
class Run implements Amounts {
  readonly least: Map<string, Decimal>;
  readonly expected: Map<string, Decimal>;
  readonly transfers: RealTransfer[] = [];
  readonly #request: PlanRequest;
  readonly #edges: readonly Edge[];
  readonly #flows: ReadonlyMap<number, Flow>;
  readonly #inquiry: Inquiry;

  constructor(
    request: PlanRequest,
    edges: readonly Edge[],
    flows: ReadonlyMap<number, Flow>,
    inquiry: Inquiry,
  ) {
    const { least, expected } = heldAmounts(request);
    this.least = new Map(least);
    this.expected = new Map(expected);
    this.#request = request;
    this.#edges = edges;
    this.#flows = flows;
    this.#inquiry = inquiry;
  }

  /**
   * Makes all transfers from a holding. What arrived is sent first, then what it held before. The
   * last transfer of a holding that only passes value through sends all that remains, so that
   * nothing is stranded; it is one that is not at a bound of its route.
   */
  async sendFrom(name: string): Promise<'refused' | 'spent' | undefined> {
    const leaving = this.#edges.filter(({ from }) => holdingName(from) === name);
    const order = leaving.toSorted(
      (a, b) => Number(this.#isAtBound(b)) - Number(this.#isAtBound(a)),
    );
    const came = this.transfers.filter(({ edge }) => holdingName(edge.to) === name);
    const left = new Map(came.map(({ id, offer }) => [id, offer.least]));
    const isPassThrough = this.#isPassThrough(name);
    let own = isPassThrough ? ZERO : this.#spendable(name);
    for (const [at, edge] of order.entries()) {
      const there = sumOf([...left.values(), own]);
      const isRest = isPassThrough && at === order.length - 1;
      const asked = isRest ? there : Decimal.min(there, this.#amountOf(edge));
      const offer = await this.#ask(edge, asked);
      if (offer === 'refused' || offer === 'spent') return offer;
      const after = this.#addTransfer(edge, offer, left);
      own = own.minus(offer.send).plus(sumOf(after.map(({ amount }) => amount)));
    }
    return undefined;
  }

  /** True where each coin suffices for all fees and for what is sent of it. */
  coversFees(): boolean {
    return this.transfers.every(({ offer: { networkFee: own } }) => {
      if (own?.held === undefined || own.isIncluded) return true;
      const name = holdingName(own.coin);
      const fees = this.#feesOf(name).map(({ most }) => most);
      const leaves = this.transfers
        .filter(({ edge }) => holdingName(edge.from) === name)
        .map(({ offer, after }) => offer.send.minus(sumOf(after.map(({ amount }) => amount))));
      return !sumOf([...fees, ...leaves]).greaterThan(own.held);
    });
  }

  /** Takes all fees from the holdings of their coins; gives the fees of those in `holdings` that only pay. */
  payFees(holdings: Problem['holdings']): Amounts {
    const paid = { least: new Map<string, Decimal>(), expected: new Map<string, Decimal>() };
    const coins = this.transfers.flatMap(({ offer }) => offer.networkFee?.coin ?? []);
    for (const name of new Set(coins.map(holdingName))) {
      const fees = this.#feesOf(name);
      const most = sumOf(fees.map((fee) => fee.most));
      const expected = sumOf(fees.map((fee) => fee.expected));
      add(this.least, name, most.negated());
      add(this.expected, name, expected.negated());
      const wasIn = holdings.some((holding) => holding.name === name && holding.isIn);
      if (!wasIn || !this.#isUnchanged(name)) continue;
      paid.least.set(name, most);
      paid.expected.set(name, expected);
    }
    return paid;
  }

  /** Fees paid in a coin beside what is sent. */
  #feesOf(coin: string): readonly NetworkFee[] {
    const fees = this.transfers.flatMap(({ offer }) => offer.networkFee ?? []);
    return fees.filter((fee) => !fee.isIncluded && holdingName(fee.coin) === coin);
  }

  #addTransfer(edge: Edge, offer: Offer, left: Map<string, Decimal>): readonly Source[] {
    const { send, least, expected } = offer;
    const after: Source[] = [];
    let missing = send;
    for (const [transfer, there] of left) {
      const amount = Decimal.min(there, missing);
      if (!amount.greaterThan(0)) continue;
      after.push({ transfer, amount });
      left.set(transfer, there.minus(amount));
      missing = missing.minus(amount);
    }
    this.transfers.push({ id: String(this.transfers.length + 1), edge, offer, after });
    const [from, to] = [holdingName(edge.from), holdingName(edge.to)];
    add(this.least, from, send.negated());
    add(this.expected, from, send.negated());
    add(this.least, to, least);
    add(this.expected, to, expected);
    return after;
  }

  async #ask(edge: Edge, asked: Decimal): Promise<Offer | 'refused' | 'spent'> {
    if (!asked.greaterThan(0)) return 'refused';
    const offer = await this.#inquiry.ask(edge, asked);
    if (offer === undefined) return 'spent';
    if (isRejection(offer) || this.#isSmall(edge, offer)) return 'refused';
    return offer;
  }

  /** True where a route rounded a transfer to below the minimum value; the next search sends more. */
  #isSmall({ index, from }: Edge, { send }: Offer): boolean {
    const { targets, priceOf } = this.#request;
    const short = targets.minimumValue.minus(send.times(priceOf(from.asset) ?? ZERO));
    if (!short.greaterThan(0)) return false;
    const curve = this.#inquiry.curves[index];
    curve.raiseMinimum(curve.minimum + 2 * short.toNumber());
    return true;
  }

  /** True for a holding that sends what arrived and nothing of its own. */
  #isPassThrough(name: string): boolean {
    const isTarget = this.#request.targets.holdings.some(
      (holding) => holdingName(holding) === name,
    );
    return !isTarget || this.#isUnchanged(name);
  }

  /** True for a holding that sends as much as it receives, or neither. */
  #isUnchanged(name: string): boolean {
    let [sends, brings] = [0, 0];
    for (const { index, from, to } of this.#edges) {
      const { send, least } = this.#flows.get(index) ?? { send: 0, least: 0 };
      if (holdingName(from) === name) sends += send;
      if (holdingName(to) === name) brings += least;
    }
    return Math.abs(sends - brings) <= FLOW_EPSILON * sends;
  }

  /** What a holding may send of what it held before: all but its reserve. */
  #spendable(name: string): Decimal {
    const { targets } = this.#request;
    const target = targets.holdings.find((holding) => holdingName(holding) === name);
    if (target === undefined) return ZERO;
    const before = heldAmounts(this.#request).least.get(name) ?? ZERO;
    return Decimal.max(ZERO, before.minus(target.reserve));
  }

  /** The amount of a flow: rounded up, so that enough arrives, but down at the maximum of the route. */
  #amountOf({ index, from }: Edge): Decimal {
    const send = this.#flows.get(index)?.send ?? 0;
    const isMost = send >= this.#inquiry.curves[index].maximum * (1 - BOUND_EPSILON);
    return this.#inquiry.amountOf(send, from.asset, isMost ? 'down' : 'up');
  }

  #isAtBound({ index }: Edge): boolean {
    const send = this.#flows.get(index)?.send ?? 0;
    const { minimum, maximum } = this.#inquiry.curves[index];
    return send <= minimum * (1 + BOUND_EPSILON) || send >= maximum * (1 - BOUND_EPSILON);
  }
}

const add = (amounts: Map<string, Decimal>, name: string, by: Decimal): void =>
  void amounts.set(name, (amounts.get(name) ?? ZERO).plus(by));
