import { holdingName } from '../../model/portfolio.ts';
import type { Problem } from './problem.ts';
import { columnsAt, TRANSFER_PENALTY, relaxationOf, type Relaxation } from './relaxation.ts';
import { Simplex } from './simplex.ts';
import { FLOW_MAX, flowMaxOf, cyclesOf, segmentsOf, type Segment } from './segments.ts';

/** Differences below this, as a share of the portfolio, are rounding of floats. */
const LINE_EPSILON = 1e-9;
/** A flow below this, as a share of the portfolio, is 0. */
const FLOW_EPSILON = 1e-10;
/** Costs that differ by less, as a share of the portfolio, are equal. */
const COST_EPSILON = 1e-8;

/** The cheapest feasible transfers so far, by the known offers; shares of the portfolio. */
export interface Incumbent {
  readonly flows: readonly SegmentFlow[];
  readonly movedInBand: number;
  /** With `TRANSFER_PENALTY` for each transfer. */
  readonly cost: number;
}

export interface SegmentFlow {
  readonly segment: Segment;
  readonly send: number;
}

export interface BranchResult {
  readonly incumbent: Incumbent | undefined;
  /**
   * A lower bound of the cost of all transfers that move as few holdings inside their bands, as a
   * share of the portfolio; -Infinity where fewer such holdings might do.
   */
  readonly bound: number;
  /** False where the search ended before it had excluded everything better. */
  readonly isComplete: boolean;
  /** Multiplications done. */
  readonly work: number;
}

/**
 * The cheapest transfers, by branch and bound: where the optimum of the relaxation uses a segment
 * in a way that no transfer can, the search branches into nodes with and without that segment.
 * Transfers that move fewer holdings inside their bands are better at any cost, so the search
 * allows 0 of these holdings, then 1, and so on. The cost of the first incumbent bounds how much
 * can flow at all, which shortens the segments for the rest of the search.
 */
export function branch(problem: Problem, workMax: number): BranchResult {
  const inside = problem.holdings.filter(({ isIn }) => isIn).length;
  const segments = segmentsOf(problem, FLOW_MAX);
  let [work, isComplete] = [0, true];
  for (
    let movedInBandMax = problem.byCostAlone ? inside : 0;
    movedInBandMax <= inside;
    movedInBandMax += 1
  ) {
    // Half of the remaining work decides whether so few holdings suffice; then one more is allowed.
    const workLeft = workMax - work;
    const first = new Branching(problem, segments, movedInBandMax);
    first.run(movedInBandMax < inside ? workLeft / 2 : workLeft, true);
    work += first.work;
    if (first.incumbent === undefined) {
      isComplete &&= first.isComplete;
      continue;
    }
    const shorter = segmentsOf(problem, flowMaxOf(problem, segments, first.incumbent.cost));
    const last = first.isComplete
      ? first
      : new Branching(problem, shorter, movedInBandMax, first.incumbent);
    if (last !== first) last.run(workMax - work, false);
    if (last !== first) work += last.work;
    const bound = isComplete ? last.bound - TRANSFER_PENALTY * segments.length : -Infinity;
    return { incumbent: last.incumbent, bound, isComplete: isComplete && last.isComplete, work };
  }
  return { incumbent: undefined, bound: isComplete ? Infinity : -Infinity, isComplete, work };
}

/** Decisions of a node on a segment or a holding. */
const OPEN = 0;
const USED = 1;
const UNUSED = 2;

interface Node {
  readonly simplex: Simplex;
  /** Lower bound of the cost. */
  readonly bound: number;
  readonly uses: Uint8Array;
  readonly changes: Uint8Array;
  /** By two holdings: 1 where used segments lead from the first to the second. */
  readonly reaches: Uint8Array;
}

class Branching {
  incumbent: Incumbent | undefined;
  bound = Infinity;
  isComplete = true;
  work = 0;
  readonly #problem: Problem;
  readonly #segments: readonly Segment[];
  readonly #movedInBandMax: number;
  readonly #relaxation: Relaxation;
  /** Both holdings of each segment, by number. */
  readonly #ends: readonly (readonly [number, number])[];
  readonly #holdings: number;

  constructor(
    problem: Problem,
    segments: readonly Segment[],
    movedInBandMax: number,
    known?: Incumbent,
  ) {
    this.#problem = problem;
    this.#segments = segments;
    this.#movedInBandMax = movedInBandMax;
    this.#relaxation = relaxationOf(problem, segments);
    const ends = segments.map(
      ({ edge }) => [holdingName(edge.from), holdingName(edge.to)] as const,
    );
    const names = [...new Set(ends.flat())];
    this.#ends = ends.map(([from, to]) => [names.indexOf(from), names.indexOf(to)]);
    this.#holdings = names.length;
    this.incumbent = known;
  }

  /** Explores all nodes, or only until it has an incumbent. */
  run(workMax: number, untilFound: boolean): void {
    const open = [this.#root()];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (this.work >= workMax || (untilFound && this.incumbent !== undefined)) {
        this.isComplete = false;
        this.bound = Math.min(this.bound, node.bound, ...open.map(({ bound }) => bound));
        break;
      }
      open.push(...this.#explore(node));
    }
    this.bound = Math.min(this.bound, this.incumbent?.cost ?? Infinity);
  }

  #root(): Node {
    const { costs, rows } = this.#relaxation;
    const node: Node = {
      simplex: Simplex.of(costs, rows),
      bound: -Infinity,
      uses: new Uint8Array(this.#segments.length),
      changes: new Uint8Array(this.#problem.holdings.length),
      reaches: new Uint8Array(this.#holdings ** 2),
    };
    for (const segment of this.#segments.keys()) {
      node.simplex.setBounds(columnsAt(segment).between, 0, 0);
    }
    const { holdings, byCostAlone } = this.#problem;
    for (const [at, { isIn }] of holdings.entries()) {
      if (!isIn || byCostAlone) this.#allowChange(node, at, !isIn);
    }
    if (this.#movedInBandMax === 0) this.#fixRest(node);
    return node;
  }

  /** The children of a node that remain to be explored, the most promising last. */
  #explore(node: Node): readonly Node[] {
    const { simplex } = node;
    const before = simplex.work;
    const isSolved = simplex.solve();
    this.work += simplex.work - before + this.#size;
    if (isSolved === undefined) {
      this.isComplete = false;
      this.bound = Math.min(this.bound, node.bound);
    }
    if (isSolved !== true) return [];
    const { cost } = simplex;
    if (cost >= this.#cutoff) {
      this.bound = Math.min(this.bound, cost);
      return [];
    }
    this.#prune(node, cost);
    const holding = this.#holdingToBranch(node);
    if (holding !== undefined) return this.#branchHolding(node, holding);
    const segment = this.#segmentToBranch(node);
    if (segment !== undefined) return this.#branchSegment(node, segment);
    const sends = this.#segments.map((_, at) => this.#pointOf(node, at).send);
    const used = this.#segments.filter((_, at) => sends[at] > FLOW_EPSILON);
    const cycle = cyclesOf(used);
    if (cycle.length > 0) return this.#branchCycle(node, cycle);
    this.#accept(node, sends);
    return [];
  }

  /** Excludes unused segments whose reduced cost shows that using them costs more than the incumbent. */
  #prune(node: Node, cost: number): void {
    if (this.incumbent === undefined) return;
    for (const at of this.#segments.keys()) {
      if (node.uses[at] !== OPEN) continue;
      const { low, high, between } = columnsAt(at);
      const { simplex } = node;
      if (simplex.valueOf(low) !== 0 || simplex.valueOf(high) !== 0) continue;
      const [rate, more] = [simplex.rateOf(low), simplex.rateOf(between)];
      if (rate === undefined || more === undefined) continue;
      const least = cost + rate + Math.min(0, more);
      if (least < this.#cutoff) continue;
      this.bound = Math.min(this.bound, least);
      this.#exclude(node, at);
    }
  }

  get #size(): number {
    return this.#relaxation.costs.length * this.#relaxation.rows.length;
  }

  get #cutoff(): number {
    return this.incumbent === undefined ? Infinity : this.incumbent.cost - COST_EPSILON;
  }

  /** Keeps the transfers of a node without open decisions if they are cheaper. */
  #accept({ simplex, changes }: Node, sends: readonly number[]): void {
    let cost = simplex.cost;
    for (const [at, send] of sends.entries()) {
      const { low, high } = columnsAt(at);
      const fee = (this.#segments[at].piece.fee?.value ?? 0) / this.#problem.total;
      if (send > FLOW_EPSILON)
        cost += (TRANSFER_PENALTY + fee) * (1 - simplex.valueOf(low) - simplex.valueOf(high));
    }
    if (cost >= (this.incumbent?.cost ?? Infinity)) return;
    const moved = [...changes.keys()].filter(
      (at) => this.#isIn(at) && changes[at] !== UNUSED && this.#isChanged(simplex, at),
    );
    const flows = this.#segments
      .map((segment, at) => ({ segment, send: sends[at] }))
      .filter(({ send }) => send > FLOW_EPSILON);
    this.incumbent = { flows, movedInBand: moved.length, cost };
  }

  #isChanged(simplex: Simplex, holding: number): boolean {
    const row = this.#relaxation.holdings[holding].change;
    return Math.abs(simplex.valueOf(simplex.rowVariable(row))) > LINE_EPSILON;
  }

  /** A holding inside its band that the relaxation changes, while that is still undecided. */
  #holdingToBranch({ simplex, changes }: Node): number | undefined {
    const holdings = [...this.#problem.holdings.keys()];
    return holdings.find((at) => changes[at] === OPEN && this.#isChanged(simplex, at));
  }

  #branchHolding(node: Node, holding: number): readonly Node[] {
    const [fixed, free] = [this.#child(node), this.#child(node)];
    this.#fix(fixed, holding);
    this.#allowChange(free, holding, true);
    const isLast = free.changes.filter((one, at) => one === USED && this.#isIn(at)).length >= this.#movedInBandMax; // prettier-ignore
    if (isLast) this.#fixRest(free);
    return [fixed, free];
  }

  #isIn(holding: number): boolean {
    return this.#problem.holdings[holding].isIn;
  }

  #fixRest(node: Node): void {
    for (const at of this.#problem.holdings.keys()) {
      if (node.changes[at] === OPEN) this.#fix(node, at);
    }
  }

  #fix({ simplex, changes }: Node, holding: number): void {
    const row = this.#relaxation.holdings[holding].change;
    changes[holding] = UNUSED;
    simplex.setBounds(simplex.rowVariable(row), 0, 0);
  }

  /** Narrows the band of a holding that may change by the margin for what routes round off. */
  #allowChange({ simplex, changes }: Node, holding: number, hasFullMargin: boolean): void {
    const { rows, holdings } = this.#relaxation;
    const own = holdings[holding];
    changes[holding] = USED;
    const [high, low] = [rows[own.above].high, rows[own.below].low];
    const { margin } = this.#problem;
    const inner = (space: number): number => (hasFullMargin ? margin : Math.max(0, Math.min(margin, space))); // prettier-ignore
    const { paid } = own;
    const ends = paid === undefined || this.#problem.byCostAlone ? [own] : [own, paid];
    for (const { above, below } of ends) {
      simplex.setBounds(simplex.rowVariable(above), -Infinity, high - inner(high));
      simplex.setBounds(simplex.rowVariable(below), low + inner(-low), Infinity);
    }
  }

  /** What a segment sends in the relaxation, and how far that is from what a transfer can do. */
  #pointOf({ simplex, uses }: Node, at: number): { readonly send: number; readonly off: number } {
    const { piece } = this.#segments[at];
    if (uses[at] === UNUSED) return { send: 0, off: 0 };
    const { total } = this.#problem;
    const columns = columnsAt(at);
    const [low, high] = [simplex.valueOf(columns.low), simplex.valueOf(columns.high)];
    const [from, to] = [piece.low / total, piece.high / total];
    if (uses[at] === USED) return { send: from + simplex.valueOf(columns.between) * (to - from), off: 0 }; // prettier-ignore
    const send = low * from + high * to;
    if (send <= FLOW_EPSILON) return { send: 0, off: 0 };
    const part = low + high - 1;
    const bases = Math.abs(piece.least.base) + Math.abs(piece.expected.base);
    const { value = 0, share = 0 } = piece.fee ?? {};
    const outside = Math.max(0, from - send, send - to);
    return { send, off: Math.abs(part) * ((bases + value) / total + share) + outside };
  }

  /** The open segment that is furthest from what a transfer can do, else the second one in use of an edge. */
  #segmentToBranch(node: Node): number | undefined {
    let [worst, most]: [number | undefined, number] = [undefined, LINE_EPSILON];
    const used = new Map<number, number>();
    let twice: number | undefined;
    for (const [at, { edge }] of this.#segments.entries()) {
      const { send, off } = this.#pointOf(node, at);
      if (off > most) [worst, most] = [at, off];
      if (send <= FLOW_EPSILON) continue;
      if (used.has(edge.index)) twice = node.uses[at] === OPEN ? at : used.get(edge.index);
      used.set(edge.index, at);
    }
    return worst ?? twice;
  }

  #branchSegment(node: Node, at: number): readonly Node[] {
    const [excluded, used] = [this.#child(node), this.#child(node)];
    this.#exclude(excluded, at);
    this.#use(used, at);
    return [excluded, used];
  }

  /** Breaks a cycle: one child for each of its open segments, of which there is at least one. */
  #branchCycle(node: Node, cycle: readonly Segment[]): readonly Node[] {
    return cycle
      .map((segment) => this.#segments.indexOf(segment))
      .filter((at) => node.uses[at] === OPEN)
      .map((at) => {
        const child = this.#child(node);
        this.#exclude(child, at);
        return child;
      });
  }

  #exclude({ simplex, uses }: Node, at: number): void {
    const { low, high, between } = columnsAt(at);
    uses[at] = UNUSED;
    for (const column of [low, high, between]) simplex.setBounds(column, 0, 0);
  }

  /** Fixes the low end at 1 and frees what is between: the flow is a point of the segment. */
  #use(node: Node, at: number): void {
    const { low, high, between } = columnsAt(at);
    node.uses[at] = USED;
    node.simplex.setBounds(high, 0, 0);
    node.simplex.setBounds(low, 1, 1);
    node.simplex.setBounds(between, 0, 1);
    for (const [other, { edge }] of this.#segments.entries()) {
      const isSame = other !== at && edge === this.#segments[at].edge;
      if (isSame && node.uses[other] === OPEN) this.#exclude(node, other);
    }
    this.#addPath(node, at);
  }

  /** Adds the paths through a segment that is used now, and excludes those that would close a cycle. */
  #addPath(node: Node, used: number): void {
    const { reaches, uses } = node;
    const size = this.#holdings;
    const [from, to] = this.#ends[used];
    for (let before = 0; before < size; before += 1) {
      if (before !== from && reaches[before * size + from] !== 1) continue;
      for (let after = 0; after < size; after += 1) {
        if (after === to || reaches[to * size + after] === 1) reaches[before * size + after] = 1;
      }
    }
    for (const [other, [start, end]] of this.#ends.entries()) {
      if (uses[other] === OPEN && reaches[end * size + start] === 1) this.#exclude(node, other);
    }
  }

  #child({ simplex, uses, changes, reaches }: Node): Node {
    return {
      simplex: simplex.copy(),
      bound: simplex.cost,
      uses: uses.slice(),
      changes: changes.slice(),
      reaches: reaches.slice(),
    };
  }
}
