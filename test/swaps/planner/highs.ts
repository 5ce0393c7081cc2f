import loadHighs from 'highs';
import { holdingName } from '../../../src/model/portfolio.ts';
import type { Piece } from '../../../src/swaps/planner/curve.ts';
import type { Edge } from '../../../src/swaps/planner/edges.ts';
import type { Problem, ProblemHolding } from '../../../src/swaps/planner/problem.ts';

/** The types of the package are those of its CommonJS form; imported, the loader is its default. */
const load = loadHighs as unknown as typeof loadHighs.default;

/** What the solver has come to: the least that counts, or nothing where there is nothing. */
export interface Optimum {
  readonly touched: number;
  /** As a share of the whole. */
  readonly cost: number;
}

/**
 * The same question as a mixed-integer linear program with a switch for each piece, answered by a
 * solver that shares nothing with the search.
 */
export async function optimumOf(problem: Problem): Promise<Optimum | undefined> {
  const highs = await load();
  const stretches = stretchesOf(problem);
  const program = programOf(problem, stretches);
  forbidRounds(program, stretches);
  const { Status, Columns } = highs.solve(program.toString(), {
    output_flag: false,
    mip_abs_gap: 1e-6,
    mip_rel_gap: 0,
    mip_feasibility_tolerance: 1e-9,
    primal_feasibility_tolerance: 1e-9,
    dual_feasibility_tolerance: 1e-9,
  });
  if (Status === 'Infeasible') return undefined;
  if (Status !== 'Optimal') throw new Error(`the solver ends as ${Status}`);
  const valueOf = (name: string): number => {
    const column = Columns[name];
    return column !== undefined && 'Primal' in column ? column.Primal : 0;
  };
  const costs = stretches.map(({ isUsed, send, piece, leaves, reaches }) => {
    const arrives = (piece.expected.base / problem.total) * valueOf(isUsed) + piece.expected.rate * valueOf(send); // prettier-ignore
    return (leaves < 0 ? 0 : valueOf(send)) - (reaches < 0 ? 0 : arrives);
  });
  const touched = problem.holdings.filter(({ isIn }, at) => isIn && valueOf(touchName(at)) > 0.5);
  return { touched: touched.length, cost: costs.reduce((sum, one) => sum + one, 0) };
}

/** A sum of variables by their names, each so many times, and a constant. */
class Sum {
  constant: number;
  readonly terms = new Map<string, number>();

  constructor(constant = 0) {
    this.constant = constant;
  }

  add(name: string, times: number): this {
    this.terms.set(name, (this.terms.get(name) ?? 0) + times);
    return this;
  }

  plus(other: Sum, times = 1): this {
    this.constant += other.constant * times;
    for (const [name, factor] of other.terms) this.add(name, factor * times);
    return this;
  }
}

/** A mixed-integer linear program to be minimised, written as CPLEX LP text. Variables are not below 0. */
class LinearProgram {
  readonly objective = new Sum();
  readonly #rows: string[] = [];
  readonly #bounds: string[] = [];
  readonly #switches: string[] = [];

  /** A variable that is 0 or 1. */
  switch(name: string): void {
    this.#switches.push(name);
  }

  /** A variable that is no more than this. */
  atMost(name: string, most: number): void {
    this.#bounds.push(`0 <= ${name} <= ${text(most)}`);
  }

  /** Something that must hold: a sum is `<=`, `>=` or `=` to 0. */
  row(sum: Sum, sense: '<=' | '>=' | '='): void {
    if ([...sum.terms.values()].every((times) => times === 0)) return;
    this.#rows.push(`r${this.#rows.length}: ${linear(sum)} ${sense} ${text(-sum.constant)}`);
  }

  toString(): string {
    return [
      ...['Minimize', ` o: ${linear(this.objective)}`, 'Subject To', ...this.#rows],
      ...['Bounds', ...this.#bounds, 'Binary', ...this.#switches, 'End', ''],
    ].join('\n');
  }
}

/** A term a line, as readers of the format have limits to lines. */
const linear = ({ terms }: Sum): string =>
  [...terms]
    .filter(([, times]) => times !== 0)
    .map(([name, times]) => `${times < 0 ? '-' : '+'} ${text(Math.abs(times))} ${name}`)
    .join('\n ');

/** Without the `-0` of some programs. */
const text = (value: number): string => String(value === 0 ? 0 : value);

/** What counts: to move a holding without need more than all that transfers may cost. */
const TOUCH = 1000;
const COST = 1000;
/**
 * Of two sets of transfers that cost the same, the one of fewer transfers is taken; a share of the
 * whole.
 */
const MOVE = 2e-9;
/** Points that are off a line by less, as a share of the whole, are so by what routes round off. */
const HAIR = 2e-6;
/** More than that goes by no edge, as a share of the whole. */
const ALL = 1.05;

/** A straight piece of an edge, with the names of its two variables. */
interface Stretch {
  readonly edge: Edge;
  readonly piece: Piece;
  /** Holdings of the targets, by their indexes; -1 for all others. */
  readonly leaves: number;
  readonly reaches: number;
  /** 1 where it is used; what is sent by it, as a share of the whole. */
  readonly isUsed: string;
  readonly send: string;
}

/** The name of the variable that is 1 where a holding sends or receives of its own. */
const touchName = (holding: number): string => `t${holding}`;

function stretchesOf({ holdings, edges, curves, total }: Problem): readonly Stretch[] {
  const indexes = new Map(holdings.map(({ name }, index) => [name, index]));
  return edges.flatMap((edge) => {
    const pieces = curves[edge.index]?.pieces(ALL * total, HAIR * total) ?? [];
    return pieces.map((piece, at) => ({
      edge,
      piece,
      isUsed: `z${edge.index}_${at}`,
      send: `x${edge.index}_${at}`,
      leaves: indexes.get(holdingName(edge.from)) ?? -1,
      reaches: indexes.get(holdingName(edge.to)) ?? -1,
    }));
  });
}

/**
 * The cheapest flows as a mixed-integer linear program: what an edge brings is piecewise linear in
 * what it is sent, each piece with a switch of its own, and the bounds of bands are linear in what
 * the holdings hold. All worth is a share of the whole.
 */
function programOf(problem: Problem, stretches: readonly Stretch[]): LinearProgram {
  const program = new LinearProgram();
  for (const edge of new Set(stretches.map((one) => one.edge))) {
    const own = stretches.filter((one) => one.edge === edge);
    const used = own.reduce((sum, { isUsed }) => sum.add(isUsed, 1), new Sum(-1));
    if (own.length > 1) program.row(used, '<=');
  }
  for (const { isUsed, send, piece, leaves, reaches } of stretches) {
    const [low, high] = [piece.low / problem.total, piece.high / problem.total];
    program.switch(isUsed);
    program.atMost(send, high);
    program.row(new Sum().add(send, 1).add(isUsed, -low), '>=');
    program.row(new Sum().add(send, 1).add(isUsed, -high), '<=');
    program.objective.add(isUsed, MOVE * COST);
    if (leaves >= 0) program.objective.add(send, COST);
    if (reaches < 0) continue;
    const { base, rate } = piece.expected;
    program.objective.add(send, -rate * COST).add(isUsed, (-base / problem.total) * COST);
  }
  const balances = new Map(problem.holdings.map(({ name }, at) => [name, balanceOf(problem, at)]));
  for (const stretch of stretches) book(balances, stretch, problem.total);
  for (const [name, { least }] of balances) {
    if (!isTarget(problem, name)) program.row(least, '=');
  }
  const targets = problem.holdings.map(({ name }, at) => {
    const { least, expected } = balances.get(name) ?? NOTHING;
    return {
      least: variableOf(program, `l${at}`, least),
      expected: variableOf(program, `e${at}`, expected),
    };
  });
  for (const [at, holding] of problem.holdings.entries())
    target(program, problem, targets, at, holding);
  return program;
}

/** A sum by a name of its own, so that the many rows that it stands in stay short. */
function variableOf(program: LinearProgram, name: string, sum: Sum): Sum {
  program.row(new Sum().plus(sum).add(name, -1), '=');
  return new Sum().add(name, 1);
}

const NOTHING: Balance = { least: new Sum(), expected: new Sum() };

const isTarget = ({ holdings }: Problem, name: string): boolean =>
  holdings.some((holding) => holding.name === name);

/** A holding after all transfers, where the least arrives and where what is expected does. */
interface Balance {
  readonly least: Sum;
  readonly expected: Sum;
}

function balanceOf({ holdings, total }: Problem, at: number): Balance {
  const share = (holdings[at]?.value ?? 0) / total;
  return { least: new Sum(share), expected: new Sum(share) };
}

function book(balances: Map<string, Balance>, stretch: Stretch, total: number): void {
  const { edge, piece, send, isUsed } = stretch;
  const of = (name: string): Balance => {
    const balance = balances.get(name) ?? { least: new Sum(), expected: new Sum() };
    balances.set(name, balance);
    return balance;
  };
  const [from, to] = [of(holdingName(edge.from)), of(holdingName(edge.to))];
  for (const sum of [from.least, from.expected]) sum.add(send, -1);
  for (const kind of ['least', 'expected'] as const) {
    to[kind].add(send, piece[kind].rate).add(isUsed, piece[kind].base / total);
  }
}

/** What must hold of a holding of the targets: its reserve, its band, and whether it is touched. */
function target(
  program: LinearProgram,
  { margin, total, byCostAlone, holdings }: Problem,
  balances: readonly Balance[],
  at: number,
  { value, reserve, weight, band, fixed, isIn }: ProblemHolding,
): void {
  const own = balances[at];
  if (own === undefined) return;
  const held = value / total;
  program.row(new Sum(-Math.min(held, reserve / total)).plus(own.least), '>=');
  const inner = isIn ? new Sum().add(touchName(at), margin) : new Sum(margin);
  const shared = balances.map((one, index) =>
    holdings[index]?.fixed === undefined ? one : NOTHING,
  );
  if (fixed !== undefined) {
    const [low, high] = [fixed.low / total, fixed.high / total];
    program.row(new Sum(-high).plus(own.expected).plus(inner), '<=');
    if (low > 0) program.row(new Sum(-low).plus(own.least).plus(inner, -1), '>=');
  } else if (weight + band < 1) {
    const most = wholeOf(shared, at, 'expected', 'least');
    program.row(
      new Sum()
        .plus(own.expected)
        .plus(most, -weight - band)
        .plus(inner),
      '<=',
    );
  }
  if (fixed === undefined && weight - band > 0) {
    const fewest = wholeOf(shared, at, 'least', 'expected');
    program.row(
      new Sum()
        .plus(own.least)
        .plus(fewest, band - weight)
        .plus(inner, -1),
      '>=',
    );
  }
  if (!isIn) return;
  program.switch(touchName(at));
  if (!byCostAlone) program.objective.add(touchName(at), TOUCH);
  program.row(new Sum(-held).plus(own.least).add(touchName(at), ALL), '>=');
  program.row(new Sum(-held).plus(own.least).add(touchName(at), -ALL), '<=');
}

/** All holdings with a weight together where a holding gets the one and all others the other. */
function wholeOf(
  balances: readonly Balance[],
  at: number,
  own: keyof Balance,
  others: keyof Balance,
): Sum {
  const whole = new Sum();
  for (const [index, balance] of balances.entries())
    whole.plus(balance[index === at ? own : others]);
  return whole;
}

/**
 * Lets what is sent come only from what stands before: each holding has a height, and transfers
 * climb.
 */
function forbidRounds(program: LinearProgram, stretches: readonly Stretch[]): void {
  const names = [...new Set(stretches.flatMap(({ edge }) => [holdingName(edge.from), holdingName(edge.to)]))]; // prettier-ignore
  const heightOf = (name: string): string => `h${names.indexOf(name)}`;
  for (const { edge, isUsed } of stretches) {
    const climb = new Sum(names.length - 1).add(heightOf(holdingName(edge.to)), 1);
    climb.add(heightOf(holdingName(edge.from)), -1).add(isUsed, -names.length);
    program.row(climb, '>=');
  }
  for (const name of names) program.atMost(heightOf(name), names.length);
}
