import { Decimal, ZERO } from '../../model/decimal.ts';
import { holdingName } from '../../model/portfolio.ts';
import { isRejection } from '../../model/rejections.ts';
import type { NetworkFee, Offer } from '../execution/transfer-route.ts';
import type { Source } from '../execution/plan.ts';
import { orderOf, type Edge } from './edges.ts';
import type { Inquiry } from './inquiry.ts';
import { held, worstExcess, type Amounts } from './ledger.ts';
import type { Flow, Found, Problem } from './problem.ts';
import type { PlanRequest } from './request.ts';

/** A transfer with its real offer. */
export interface RealTransfer {
  readonly id: string;
  readonly edge: Edge;
  readonly offer: Offer;
  readonly after: readonly Source[];
}

/** Flows with real offers: what they bring, or what was learned by asking. */
export type Realized =
  | {
      readonly kind: 'whole';
      readonly transfers: readonly RealTransfer[];
      readonly amounts: Amounts;
    }
  /** Something was refused that estimates took for possible; they know better now. */
  | { readonly kind: 'refused' }
  /** A holding would be out of its band by so much, in worth. */
  | { readonly kind: 'outside'; readonly by: Decimal }
  /** No more may be asked. */
  | { readonly kind: 'spent' };

/** A part this small of what a holding sends is no money of its own, but what floats leave over. */
const NONE = 1e-8;
/** An amount this near to a bound is there because of it. */
const NEAR = 1e-8;

/**
 * Asks for offers on what a search has found, in the order in which it can be done, and reckons
 * exactly what comes of it. What one transfer brings at the least the next one sends.
 */
export async function realize(
  request: PlanRequest,
  problem: Pick<Problem, 'edges' | 'holdings'>,
  { flows }: Found,
  inquiry: Inquiry,
): Promise<Realized> {
  const used = problem.edges.filter(({ index }) => flows.has(index));
  const run = new Run(request, used, flows, inquiry);
  for (const name of orderOf(used) ?? []) {
    const failed = await run.leave(name);
    if (failed !== undefined) return { kind: failed };
  }
  // Fees have risen, or what is sent was rounded up: the next search knows.
  if (!run.hasCoins()) return { kind: 'refused' };
  const by = worstExcess(request.targets, run, request.priceOf, run.payFees(problem.holdings));
  if (by.greaterThan(0)) return { kind: 'outside', by };
  return { kind: 'whole', transfers: run.transfers, amounts: run };
}

/** Transfers as they are made one after the other, and the holdings then. */
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
    const { least, expected } = held(request);
    this.least = new Map(least);
    this.expected = new Map(expected);
    this.#request = request;
    this.#edges = edges;
    this.#flows = flows;
    this.#inquiry = inquiry;
  }

  /**
   * Makes all transfers that leave a holding. First goes what has come, then what was there. The
   * last transfer takes what is left where nothing of its own leaves the holding, so that nothing
   * is stranded; that is one that is not at a bound of what its route takes.
   */
  async leave(name: string): Promise<'refused' | 'spent' | undefined> {
    const leaving = this.#edges.filter(({ from }) => holdingName(from) === name);
    const order = leaving.toSorted((a, b) => Number(this.#isBound(b)) - Number(this.#isBound(a)));
    const came = this.transfers.filter(({ edge }) => holdingName(edge.to) === name);
    const left = new Map(came.map(({ id, offer }) => [id, offer.least]));
    const isPassing = this.#isPassing(name);
    let own = isPassing ? ZERO : this.#spendable(name);
    for (const [at, edge] of order.entries()) {
      const there = sum([...left.values(), own]);
      const isRest = isPassing && at === order.length - 1;
      const asked = isRest ? there : Decimal.min(there, this.#amountOf(edge));
      const offer = await this.#ask(edge, asked);
      if (offer === 'refused' || offer === 'spent') return offer;
      const after = this.#make(edge, offer, left);
      own = own.minus(offer.send).plus(sum(after.map(({ amount }) => amount)));
    }
    return undefined;
  }

  /** Whether there is enough of each coin for all fees and for what leaves of it. */
  hasCoins(): boolean {
    return this.transfers.every(({ offer: { networkFee: own } }) => {
      if (own?.held === undefined || own.isIncluded) return true;
      const name = holdingName(own.coin);
      const fees = this.#feesOf(name).map(({ most }) => most);
      const leaves = this.transfers
        .filter(({ edge }) => holdingName(edge.from) === name)
        .map(({ offer, after }) => offer.send.minus(sum(after.map(({ amount }) => amount))));
      return !sum([...fees, ...leaves]).greaterThan(own.held);
    });
  }

  /**
   * Takes all fees from the holdings of their coins; gives those of holdings that were in their
   * bands and that transfers leave as they are.
   */
  payFees(holdings: Problem['holdings']): Amounts {
    const paid = { least: new Map<string, Decimal>(), expected: new Map<string, Decimal>() };
    const coins = this.transfers.flatMap(({ offer }) => offer.networkFee?.coin ?? []);
    for (const name of new Set(coins.map(holdingName))) {
      const fees = this.#feesOf(name);
      const most = sum(fees.map((fee) => fee.most));
      const expected = sum(fees.map((fee) => fee.expected));
      add(this.least, name, most.negated());
      add(this.expected, name, expected.negated());
      const wasIn = holdings.some((holding) => holding.name === name && holding.isIn);
      if (!wasIn || !this.#keeps(name)) continue;
      paid.least.set(name, most);
      paid.expected.set(name, expected);
    }
    return paid;
  }

  /** The fees that a coin pays beside what is sent. */
  #feesOf(coin: string): readonly NetworkFee[] {
    const fees = this.transfers.flatMap(({ offer }) => offer.networkFee ?? []);
    return fees.filter((fee) => !fee.isIncluded && holdingName(fee.coin) === coin);
  }

  #make(edge: Edge, offer: Offer, left: Map<string, Decimal>): readonly Source[] {
    const { send, least, expected } = offer;
    const after: Source[] = [];
    let wanted = send;
    for (const [transfer, there] of left) {
      const amount = Decimal.min(there, wanted);
      if (!amount.greaterThan(0)) continue;
      after.push({ transfer, amount });
      left.set(transfer, there.minus(amount));
      wanted = wanted.minus(amount);
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

  /**
   * True where a route has rounded a transfer to below what is worth moving; a larger one is tried
   * then.
   */
  #isSmall({ index, from }: Edge, { send }: Offer): boolean {
    const { targets, priceOf } = this.#request;
    const short = targets.minimumValue.minus(send.times(priceOf(from.asset) ?? ZERO));
    const curve = this.#inquiry.curves[index];
    if (!short.greaterThan(0) || curve === undefined) return false;
    curve.confine(curve.minimum + 2 * short.toNumber());
    return true;
  }

  /** True for a holding that sends what has come to it and nothing of its own. */
  #isPassing(name: string): boolean {
    const isTarget = this.#request.targets.holdings.some(
      (holding) => holdingName(holding) === name,
    );
    return !isTarget || this.#keeps(name);
  }

  /** Whether a holding sends as much as comes to it, or neither. */
  #keeps(name: string): boolean {
    let [sends, brings] = [0, 0];
    for (const { index, from, to } of this.#edges) {
      const { send, least } = this.#flows.get(index) ?? { send: 0, least: 0 };
      if (holdingName(from) === name) sends += send;
      if (holdingName(to) === name) brings += least;
    }
    return Math.abs(sends - brings) <= NONE * sends;
  }

  /** What may leave a holding of what it held before: all but its reserve. */
  #spendable(name: string): Decimal {
    const { targets } = this.#request;
    const target = targets.holdings.find((holding) => holdingName(holding) === name);
    if (target === undefined) return ZERO;
    const before = held(this.#request).least.get(name) ?? ZERO;
    return Decimal.max(ZERO, before.minus(target.reserve));
  }

  /** Up to a hair more than was found, so that what is needed arrives, but no more than is taken. */
  #amountOf({ index, from }: Edge): Decimal {
    const send = this.#flows.get(index)?.send ?? 0;
    const isMost = send >= (this.#inquiry.curves[index]?.maximum ?? Infinity) * (1 - NEAR);
    return this.#inquiry.amountOf(send, from.asset, isMost ? 'down' : 'up');
  }

  #isBound({ index }: Edge): boolean {
    const send = this.#flows.get(index)?.send ?? 0;
    const curve = this.#inquiry.curves[index];
    if (curve === undefined) return false;
    const { minimum, maximum } = curve;
    return send <= minimum * (1 + NEAR) || send >= maximum * (1 - NEAR);
  }
}

const add = (amounts: Map<string, Decimal>, name: string, by: Decimal): void =>
  void amounts.set(name, (amounts.get(name) ?? ZERO).plus(by));

const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((all, one) => all.plus(one), ZERO);
