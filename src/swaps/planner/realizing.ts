import { Decimal, ZERO } from '../../model/decimal.ts';
import { slotName } from '../../model/portfolio.ts';
import { isRejection } from '../../model/rejections.ts';
import type { NetworkFee, Offer } from '../execution/carrier.ts';
import type { Source } from '../execution/plan.ts';
import { orderOf, type Edge } from './edges.ts';
import type { Inquiry } from './inquiry.ts';
import { held, worstExcess, type Amounts } from './ledger.ts';
import type { Flow, Found, Problem } from './problem.ts';
import type { PlanRequest } from './request.ts';

/** A move with its real offer. */
export interface RealMove {
  readonly id: string;
  readonly edge: Edge;
  readonly offer: Offer;
  readonly after: readonly Source[];
}

/** Flows with real offers: what they bring, or what was learned by asking. */
export type Realized =
  | { readonly kind: 'whole'; readonly moves: readonly RealMove[]; readonly amounts: Amounts }
  /** Something was refused that estimates took for possible; they know better now. */
  | { readonly kind: 'refused' }
  /** A slot would be out of its band by so much, in worth. */
  | { readonly kind: 'outside'; readonly by: Decimal }
  /** No more may be asked. */
  | { readonly kind: 'spent' };

/** A part this small of what a place sends is no money of its own, but what floats leave over. */
const NONE = 1e-8;
/** An amount this near to a bound is there because of it. */
const NEAR = 1e-8;

/**
 * Asks for offers on what a search has found, in the order in which it can be done, and reckons
 * exactly what comes of it. What one move brings at the least the next one sends.
 */
export async function realize(
  request: PlanRequest,
  problem: Pick<Problem, 'edges' | 'slots'>,
  { flows }: Found,
  inquiry: Inquiry,
): Promise<Realized> {
  const used = problem.edges.filter(({ index }) => flows.has(index));
  const run = new Run(request, used, flows, inquiry);
  for (const place of orderOf(used) ?? []) {
    const failed = await run.leave(place);
    if (failed !== undefined) return { kind: failed };
  }
  // Fees have risen, or what is sent was rounded up: the next search knows.
  if (!run.hasCoins()) return { kind: 'refused' };
  const by = worstExcess(request.targets, run, request.priceOf, run.payFees(problem.slots));
  if (by.greaterThan(0)) return { kind: 'outside', by };
  return { kind: 'whole', moves: run.moves, amounts: run };
}

/** Moves as they are made one after the other, and what slots hold then. */
class Run implements Amounts {
  readonly least: Map<string, Decimal>;
  readonly expected: Map<string, Decimal>;
  readonly moves: RealMove[] = [];
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
   * Makes all moves that leave a place. First goes what has come, then what was there. The last move
   * takes what is left where nothing of its own leaves the place, so that nothing is stranded; that
   * is one that is not at a bound of what its carrier takes.
   */
  async leave(place: string): Promise<'refused' | 'spent' | undefined> {
    const leaving = this.#edges.filter(({ from }) => slotName(from) === place);
    const order = leaving.toSorted((a, b) => Number(this.#isBound(b)) - Number(this.#isBound(a)));
    const came = this.moves.filter(({ edge }) => slotName(edge.to) === place);
    const left = new Map(came.map(({ id, offer }) => [id, offer.least]));
    const isPassing = this.#isPassing(place);
    let own = isPassing ? ZERO : this.#spendable(place);
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
    return this.moves.every(({ offer: { networkFee: own } }) => {
      if (own?.held === undefined || own.isIncluded) return true;
      const name = slotName(own.coin);
      const fees = this.#feesOf(name).map(({ most }) => most);
      const leaves = this.moves
        .filter(({ edge }) => slotName(edge.from) === name)
        .map(({ offer, after }) => offer.send.minus(sum(after.map(({ amount }) => amount))));
      return !sum([...fees, ...leaves]).greaterThan(own.held);
    });
  }

  /** Takes all fees from the slots of their coins; gives those of slots that were in their bands and that transfers leave as they are. */
  payFees(slots: Problem['slots']): Amounts {
    const paid = { least: new Map<string, Decimal>(), expected: new Map<string, Decimal>() };
    const coins = this.moves.flatMap(({ offer }) => offer.networkFee?.coin ?? []);
    for (const name of new Set(coins.map(slotName))) {
      const fees = this.#feesOf(name);
      const most = sum(fees.map((fee) => fee.most));
      const expected = sum(fees.map((fee) => fee.expected));
      add(this.least, name, most.negated());
      add(this.expected, name, expected.negated());
      const wasIn = slots.some((slot) => slot.name === name && slot.isIn);
      if (!wasIn || !this.#keeps(name)) continue;
      paid.least.set(name, most);
      paid.expected.set(name, expected);
    }
    return paid;
  }

  /** The fees that a coin pays beside what is sent. */
  #feesOf(coin: string): readonly NetworkFee[] {
    const fees = this.moves.flatMap(({ offer }) => offer.networkFee ?? []);
    return fees.filter((fee) => !fee.isIncluded && slotName(fee.coin) === coin);
  }

  #make(edge: Edge, offer: Offer, left: Map<string, Decimal>): readonly Source[] {
    const { send, least, expected } = offer;
    const after: Source[] = [];
    let wanted = send;
    for (const [move, there] of left) {
      const amount = Decimal.min(there, wanted);
      if (!amount.greaterThan(0)) continue;
      after.push({ move, amount });
      left.set(move, there.minus(amount));
      wanted = wanted.minus(amount);
    }
    this.moves.push({ id: String(this.moves.length + 1), edge, offer, after });
    const [from, to] = [slotName(edge.from), slotName(edge.to)];
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

  /** True where a carrier has rounded a move to below what is worth moving; a larger one is tried then. */
  #isSmall({ index, from }: Edge, { send }: Offer): boolean {
    const { targets, priceOf } = this.#request;
    const short = targets.minimumValue.minus(send.times(priceOf(from.asset) ?? ZERO));
    const curve = this.#inquiry.curves[index];
    if (!short.greaterThan(0) || curve === undefined) return false;
    curve.confine(curve.minimum + 2 * short.toNumber());
    return true;
  }

  /** True for a place that sends what has come to it and nothing of its own. */
  #isPassing(place: string): boolean {
    const isTarget = this.#request.targets.slots.some((slot) => slotName(slot) === place);
    return !isTarget || this.#keeps(place);
  }

  /** Whether a place sends as much as comes to it, or neither. */
  #keeps(place: string): boolean {
    let [sends, brings] = [0, 0];
    for (const { index, from, to } of this.#edges) {
      const { send, least } = this.#flows.get(index) ?? { send: 0, least: 0 };
      if (slotName(from) === place) sends += send;
      if (slotName(to) === place) brings += least;
    }
    return Math.abs(sends - brings) <= NONE * sends;
  }

  /** What may leave a slot of what it held before: all but its reserve. */
  #spendable(place: string): Decimal {
    const { targets } = this.#request;
    const target = targets.slots.find((slot) => slotName(slot) === place);
    if (target === undefined) return ZERO;
    const before = held(this.#request).least.get(place) ?? ZERO;
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
