import { holdingName } from '../../model/portfolio.ts';
import type { Problem } from './problem.ts';
import { columnsOf, MOVE, relaxationOf, type Relaxation } from './relaxation.ts';
import { Simplex } from './simplex.ts';
import { ALL, mostOf, roundsOf, stretchesOf, type Stretch } from './stretches.ts';

/** What is off a line by less, as a share of the whole, is on it. */
const HAIR = 1e-9;
/** Less than this, as a share of the whole, is nothing. */
const NONE = 1e-10;
/** Costs nearer to each other than this, as a share of the whole, are the same. */
const SAME = 1e-8;

/** Transfers that keep all rules, by what is known of the offers; shares of the whole. */
export interface Leaf {
  readonly sends: readonly Sent[];
  readonly touched: number;
  /** With what transfers count on top. */
  readonly cost: number;
}

/** What is sent by a stretch. */
export interface Sent {
  readonly stretch: Stretch;
  readonly send: number;
}

/** What branching has come to. */
export interface Branched {
  readonly leaf: Leaf | undefined;
  /**
   * No transfers that touch as few holdings cost less than this, which is a share of the whole;
   * below all where it is not known that transfers cannot touch fewer.
   */
  readonly bound: number;
  /** True where all that could be better was looked into. */
  readonly isWhole: boolean;
  /** Multiplications that it took. */
  readonly work: number;
}

/**
 * The cheapest transfers, by branch and bound: where the least cost of the relaxation takes a part
 * of a stretch that cannot be had, the search goes on with the stretch used and without it.
 * Transfers that touch fewer holdings within their bands come first, so these are looked for one
 * number after the other. What the first transfers found cost says how much can flow at all, and
 * with that it goes on.
 */
export function branch(problem: Problem, most: number): Branched {
  const inside = problem.holdings.filter(({ isIn }) => isIn).length;
  const wide = stretchesOf(problem, ALL);
  let [work, isWhole] = [0, true];
  for (let may = problem.byCostAlone ? inside : 0; may <= inside; may += 1) {
    // Where it cannot be settled in half of what is left whether so few suffice, more are tried.
    const rest = most - work;
    const first = new Branching(problem, wide, may);
    first.run(may < inside ? rest / 2 : rest, true);
    work += first.work;
    if (first.leaf === undefined) {
      isWhole &&= first.isWhole;
      continue;
    }
    const narrow = stretchesOf(problem, mostOf(problem, wide, first.leaf.cost));
    const last = first.isWhole ? first : new Branching(problem, narrow, may, first.leaf);
    if (last !== first) last.run(most - work, false);
    if (last !== first) work += last.work;
    const bound = isWhole ? last.bound - MOVE * wide.length : -Infinity;
    return { leaf: last.leaf, bound, isWhole: isWhole && last.isWhole, work };
  }
  return { leaf: undefined, bound: isWhole ? Infinity : -Infinity, isWhole, work };
}

/** What is settled of a stretch or a holding. */
const OPEN = 0;
const USED = 1;
const UNUSED = 2;

interface Node {
  readonly simplex: Simplex;
  /** What it costs at the least. */
  readonly bound: number;
  readonly uses: Uint8Array;
  readonly touches: Uint8Array;
  /** By two nodes: 1 where what is used leads from the one to the other. */
  readonly leads: Uint8Array;
}

class Branching {
  leaf: Leaf | undefined;
  bound = Infinity;
  isWhole = true;
  work = 0;
  readonly #problem: Problem;
  readonly #stretches: readonly Stretch[];
  readonly #may: number;
  readonly #relaxation: Relaxation;
  /** The nodes of each stretch, by number. */
  readonly #ends: readonly (readonly [number, number])[];
  readonly #nodes: number;

  constructor(problem: Problem, stretches: readonly Stretch[], may: number, known?: Leaf) {
    this.#problem = problem;
    this.#stretches = stretches;
    this.#may = may;
    this.#relaxation = relaxationOf(problem, stretches);
    const ends = stretches.map(
      ({ edge }) => [holdingName(edge.from), holdingName(edge.to)] as const,
    );
    const nodes = [...new Set(ends.flat())];
    this.#ends = ends.map(([from, to]) => [nodes.indexOf(from), nodes.indexOf(to)]);
    this.#nodes = nodes.length;
    this.leaf = known;
  }

  /** Looks into all, or into what comes until there are transfers at all. */
  run(work: number, untilLeaf: boolean): void {
    const open = [this.#root()];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (this.work >= work || (untilLeaf && this.leaf !== undefined)) {
        this.isWhole = false;
        this.bound = Math.min(this.bound, node.bound, ...open.map(({ bound }) => bound));
        break;
      }
      open.push(...this.#look(node));
    }
    this.bound = Math.min(this.bound, this.leaf?.cost ?? Infinity);
  }

  #root(): Node {
    const { costs, rows } = this.#relaxation;
    const node: Node = {
      simplex: Simplex.of(costs, rows),
      bound: -Infinity,
      uses: new Uint8Array(this.#stretches.length),
      touches: new Uint8Array(this.#problem.holdings.length),
      leads: new Uint8Array(this.#nodes ** 2),
    };
    for (const stretch of this.#stretches.keys()) {
      node.simplex.confine(columnsOf(stretch).between, 0, 0);
    }
    const { holdings, byCostAlone } = this.#problem;
    for (const [at, { isIn }] of holdings.entries()) {
      if (!isIn || byCostAlone) this.#touch(node, at, !isIn);
    }
    if (this.#may === 0) this.#leaveRest(node);
    return node;
  }

  /** What is left to look into below a node, the best last. */
  #look(node: Node): readonly Node[] {
    const { simplex } = node;
    const before = simplex.work;
    const found = simplex.solve();
    this.work += simplex.work - before + this.#size;
    if (found === undefined) {
      this.isWhole = false;
      this.bound = Math.min(this.bound, node.bound);
    }
    if (found !== true) return [];
    const { cost } = simplex;
    if (cost >= this.#cutoff) {
      this.bound = Math.min(this.bound, cost);
      return [];
    }
    this.#prune(node, cost);
    const holding = this.#holdingToSettle(node);
    if (holding !== undefined) return this.#branchHolding(node, holding);
    const stretch = this.#stretchToSettle(node);
    if (stretch !== undefined) return this.#branchStretch(node, stretch);
    const sends = this.#stretches.map((_, at) => this.#pointOf(node, at).send);
    const used = this.#stretches.filter((_, at) => (sends[at] ?? 0) > NONE);
    const rounds = roundsOf(used);
    if (rounds.length > 0) return this.#branchRounds(node, rounds);
    this.#take(node, sends);
    return [];
  }

  /** Drops what is not used and would, if it were, cost more than what was found. */
  #prune(node: Node, cost: number): void {
    if (this.leaf === undefined) return;
    for (const at of this.#stretches.keys()) {
      if (node.uses[at] !== OPEN) continue;
      const { low, high, between } = columnsOf(at);
      const { simplex } = node;
      if (simplex.valueOf(low) !== 0 || simplex.valueOf(high) !== 0) continue;
      const [rate, more] = [simplex.rateOf(low), simplex.rateOf(between)];
      if (rate === undefined || more === undefined) continue;
      const least = cost + rate + Math.min(0, more);
      if (least < this.#cutoff) continue;
      this.bound = Math.min(this.bound, least);
      this.#drop(node, at);
    }
  }

  get #size(): number {
    return this.#relaxation.costs.length * this.#relaxation.rows.length;
  }

  get #cutoff(): number {
    return this.leaf === undefined ? Infinity : this.leaf.cost - SAME;
  }

  /** Transfers at which nothing is left to settle; those before were dearer. */
  #take({ simplex, touches }: Node, sends: readonly number[]): void {
    let cost = simplex.cost;
    for (const [at, send] of sends.entries()) {
      const { low, high } = columnsOf(at);
      const fee = (this.#stretches[at]?.piece.fee?.value ?? 0) / this.#problem.total;
      if (send > NONE) cost += (MOVE + fee) * (1 - simplex.valueOf(low) - simplex.valueOf(high));
    }
    if (cost >= (this.leaf?.cost ?? Infinity)) return;
    const touched = [...touches.keys()].filter(
      (at) => this.#isIn(at) && touches[at] !== UNUSED && this.#isMoved(simplex, at),
    );
    const own = this.#stretches.map((stretch, at) => ({ stretch, send: sends[at] ?? 0 }));
    const used = own.filter(({ send }) => send > NONE);
    this.leaf = { sends: used, touched: touched.length, cost };
  }

  #isMoved(simplex: Simplex, holding: number): boolean {
    const row = this.#relaxation.holdings[holding]?.change ?? 0;
    return Math.abs(simplex.valueOf(simplex.sumOf(row))) > HAIR;
  }

  /** A holding within its band that would be moved, and may not be for certain. */
  #holdingToSettle({ simplex, touches }: Node): number | undefined {
    const holdings = [...this.#problem.holdings.keys()];
    return holdings.find((at) => touches[at] === OPEN && this.#isMoved(simplex, at));
  }

  #branchHolding(node: Node, holding: number): readonly Node[] {
    const [left, touched] = [this.#below(node), this.#below(node)];
    this.#leave(left, holding);
    this.#touch(touched, holding, true);
    const isSpent = touched.touches.filter((one, at) => one === USED && this.#isIn(at)).length >= this.#may; // prettier-ignore
    if (isSpent) this.#leaveRest(touched);
    return [left, touched];
  }

  #isIn(holding: number): boolean {
    return this.#problem.holdings[holding]?.isIn ?? false;
  }

  #leaveRest(node: Node): void {
    for (const at of this.#problem.holdings.keys()) {
      if (node.touches[at] === OPEN) this.#leave(node, at);
    }
  }

  #leave({ simplex, touches }: Node, holding: number): void {
    const row = this.#relaxation.holdings[holding]?.change ?? 0;
    touches[holding] = UNUSED;
    simplex.confine(simplex.sumOf(row), 0, 0);
  }

  /** What is moved has its band a little narrower, for what routes round off. */
  #touch({ simplex, touches }: Node, holding: number, isWhole: boolean): void {
    const { rows, holdings } = this.#relaxation;
    const own = holdings[holding];
    touches[holding] = USED;
    if (own === undefined) return;
    const [high, low] = [rows[own.above]?.high ?? 0, rows[own.below]?.low ?? 0];
    const { margin } = this.#problem;
    const inner = (space: number): number => (isWhole ? margin : Math.max(0, Math.min(margin, space))); // prettier-ignore
    const { paid } = own;
    const ends = paid === undefined || this.#problem.byCostAlone ? [own] : [own, paid];
    for (const { above, below } of ends) {
      simplex.confine(simplex.sumOf(above), -Infinity, high - inner(high));
      simplex.confine(simplex.sumOf(below), low + inner(-low), Infinity);
    }
  }

  /** What goes by a stretch, and what is wrong with it there. */
  #pointOf({ simplex, uses }: Node, at: number): { readonly send: number; readonly off: number } {
    const piece = this.#stretches[at]?.piece;
    if (piece === undefined || uses[at] === UNUSED) return { send: 0, off: 0 };
    const { total } = this.#problem;
    const columns = columnsOf(at);
    const [low, high] = [simplex.valueOf(columns.low), simplex.valueOf(columns.high)];
    const [from, to] = [piece.low / total, piece.high / total];
    if (uses[at] === USED) return { send: from + simplex.valueOf(columns.between) * (to - from), off: 0 }; // prettier-ignore
    const send = low * from + high * to;
    if (send <= NONE) return { send: 0, off: 0 };
    const part = low + high - 1;
    const bases = Math.abs(piece.least.base) + Math.abs(piece.expected.base);
    const { value = 0, share = 0 } = piece.fee ?? {};
    const outside = Math.max(0, from - send, send - to);
    return { send, off: Math.abs(part) * ((bases + value) / total + share) + outside };
  }

  /** The open stretch that is furthest from what can be had, or of two of an edge the larger. */
  #stretchToSettle(node: Node): number | undefined {
    let [worst, most]: [number | undefined, number] = [undefined, HAIR];
    const used = new Map<number, number>();
    let twice: number | undefined;
    for (const [at, { edge }] of this.#stretches.entries()) {
      const { send, off } = this.#pointOf(node, at);
      if (off > most) [worst, most] = [at, off];
      if (send <= NONE) continue;
      if (used.has(edge.index)) twice = node.uses[at] === OPEN ? at : used.get(edge.index);
      used.set(edge.index, at);
    }
    return worst ?? twice;
  }

  #branchStretch(node: Node, at: number): readonly Node[] {
    const [unused, used] = [this.#below(node), this.#below(node)];
    this.#drop(unused, at);
    this.#use(used, at);
    return [unused, used];
  }

  /** A round is open at one stretch at least. */
  #branchRounds(node: Node, rounds: readonly Stretch[]): readonly Node[] {
    const nodes = rounds.map((stretch) => this.#stretches.indexOf(stretch));
    return nodes
      .filter((at) => node.uses[at] === OPEN)
      .map((at) => {
        const below = this.#below(node);
        this.#drop(below, at);
        return below;
      });
  }

  #drop({ simplex, uses }: Node, at: number): void {
    const { low, high, between } = columnsOf(at);
    uses[at] = UNUSED;
    for (const column of [low, high, between]) simplex.confine(column, 0, 0);
  }

  /** All of the low end and any part of what is between: a point of the stretch itself. */
  #use(node: Node, at: number): void {
    const { low, high, between } = columnsOf(at);
    node.uses[at] = USED;
    node.simplex.confine(high, 0, 0);
    node.simplex.confine(low, 1, 1);
    node.simplex.confine(between, 0, 1);
    for (const [other, { edge }] of this.#stretches.entries()) {
      const isSame = other !== at && edge === this.#stretches[at]?.edge;
      if (isSame && node.uses[other] === OPEN) this.#drop(node, other);
    }
    this.#lead(node, at);
  }

  /** Notes where what is used leads now, and drops all that would come back from there. */
  #lead(node: Node, used: number): void {
    const { leads, uses } = node;
    const size = this.#nodes;
    const [from, to] = this.#ends[used] ?? [0, 0];
    for (let before = 0; before < size; before += 1) {
      if (before !== from && leads[before * size + from] !== 1) continue;
      for (let after = 0; after < size; after += 1) {
        if (after === to || leads[to * size + after] === 1) leads[before * size + after] = 1;
      }
    }
    for (const [other, [start, end]] of this.#ends.entries()) {
      if (uses[other] === OPEN && leads[end * size + start] === 1) this.#drop(node, other);
    }
  }

  #below({ simplex, uses, touches, leads }: Node): Node {
    return {
      simplex: simplex.copy(),
      bound: simplex.cost,
      uses: uses.slice(),
      touches: touches.slice(),
      leads: leads.slice(),
    };
  }
}
