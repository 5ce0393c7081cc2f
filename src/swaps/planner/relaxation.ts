import { holdingName } from '../../model/portfolio.ts';
import type { Problem } from './problem.ts';
import type { Row } from './simplex.ts';
import type { Stretch } from './stretches.ts';

/**
 * Of two sets of transfers that cost the same, the one of fewer transfers is taken; a share of the
 * whole.
 */
export const MOVE = 2e-9;

/** What floats may be off, as a part of a coin. */
const NEAR = 1e-9;
/** This part of a coin is left where it is moved too, as amounts are rounded up. */
const SPARE = 1e-7;

/**
 * What is tried of a stretch is a point between nothing, its low end and its high end: the lowest
 * cost of that is no more than any real one. Each has three variables, which lie between 0 and 1.
 */
export const COLUMNS = 3;

/** The variables of a stretch: so much of its low end, of its high end, and of what is between. */
export const columnsOf = (stretch: number) => ({
  low: COLUMNS * stretch,
  high: COLUMNS * stretch + 1,
  between: COLUMNS * stretch + 2,
});

/** A linear program that no real set of transfers beats, as shares of the whole. */
export interface Relaxation {
  readonly costs: readonly number[];
  readonly rows: readonly Row[];
  /** By holding of the targets: the indexes of its rows. */
  readonly holdings: readonly HoldingRows[];
}

/** The rows of a holding: the ends of its band, and by how much it changes. */
export interface HoldingRows {
  readonly above: number;
  readonly below: number;
  readonly change: number;
  /** Of one in its band that pays fees: the ends of it once something else moves it, as yet without bounds. */
  readonly paid?: { readonly above: number; readonly below: number };
}

/** What one variable at 1 comes to. */
interface Column {
  readonly from: string;
  readonly to: string;
  readonly send: number;
  readonly least: number;
  readonly expected: number;
  readonly transfers: number;
  /** What the network takes, as expected and at the most, and of which coin what part. */
  readonly fee: number;
  readonly feeMost: number;
  readonly coin: string | undefined;
  readonly share: number;
}

export function relaxationOf(problem: Problem, stretches: readonly Stretch[]): Relaxation {
  const { holdings, total } = problem;
  const columns = stretches.flatMap((stretch) => columnsFor(stretch, total));
  const names = holdings.map(({ name }) => name);
  const changes = names.map((name) => columns.map((column) => changeOf(column, name, 'least')));
  const hopes = names.map((name) => columns.map((column) => changeOf(column, name, 'expected')));
  // What fees take of a coin is no transfer of its holding, but lowers its share.
  const paidChanges = names.map((name) => columns.map((column) => paidOf(column, name, 'least')));
  const paidHopes = names.map((name) => columns.map((column) => paidOf(column, name, 'expected')));
  const isWeighted = holdings.map(({ fixed }) => fixed === undefined);
  const ofWeighted = (lines: readonly (readonly number[])[]): readonly number[] =>
    sumOf(lines.filter((_, at) => isWeighted[at]), columns.length); // prettier-ignore
  const [least, expected] = [ofWeighted(paidChanges), ofWeighted(paidHopes)];
  const weighted = holdings.reduce((sum, { value }, at) => sum + (isWeighted[at] ? value : 0), 0);
  const rows: Row[] = [];
  const holdingRows = holdings.map(({ value, reserve, weight, band, fixed, isIn }, at) => {
    const held = value / total;
    const change = changes[at] ?? [];
    const [paid, paidHope] = [paidChanges[at] ?? [], paidHopes[at] ?? []];
    // One that only pays fees is judged as if it had not.
    const [own, hope] = isIn ? [change, hopes[at] ?? []] : [paid, paidHope];
    // An amount is no share of anything: it is the same whatever comes to others.
    const [most, fewest] = fixed === undefined ? [weight + band, weight - band] : [0, 0];
    const high = fixed === undefined ? (most * weighted) / total : fixed.high / total;
    const low = fixed === undefined ? (fewest * weighted) / total : fixed.low / total;
    const [isCapped, isFloored] = fixed === undefined ? [most < 1, fewest > 0] : [true, low > 0];
    // As much as may come to this holding and the least to all others; and the other way round.
    const above = (hoped: readonly number[]): readonly number[] =>
      paid.map((one, i) => (hoped[i] ?? 0) - most * ((hoped[i] ?? 0) + (least[i] ?? 0) - one));
    const below = (came: readonly number[]): readonly number[] =>
      paidHope.map((one, i) => (came[i] ?? 0) - fewest * ((came[i] ?? 0) + (expected[i] ?? 0) - one)); // prettier-ignore
    const first = rows.length;
    rows.push(
      { terms: above(hope), low: -Infinity, high: isCapped ? high - held : Infinity },
      { terms: below(own), low: isFloored ? low - held : -Infinity, high: Infinity },
      { terms: change, low: Math.min(held, reserve / total) - held, high: Infinity },
    );
    const holdingRow = { above: first, below: first + 1, change: first + 2 };
    if (!isIn || columns.every(({ coin }) => coin !== names[at])) return holdingRow;
    rows.push({ terms: above(paidHope), low: -Infinity, high: Infinity });
    rows.push({ terms: below(paid), low: -Infinity, high: Infinity });
    return { ...holdingRow, paid: { above: first + 3, below: first + 4 } };
  });
  const touched = new Set(
    stretches.flatMap(({ edge }) => [holdingName(edge.from), holdingName(edge.to)]),
  );
  for (const name of touched) {
    if (names.includes(name)) continue;
    const terms = columns.map((column) => changeOf(column, name, 'least'));
    rows.push({ terms, low: 0, high: 0 });
  }
  if (problem.ignoresCoins !== true) rows.push(...coinRows(stretches, columns, total));
  const costs = columns.map((column) => costOf(column, names));
  return { costs, rows, holdings: holdingRows };
}

function columnsFor({ edge, piece }: Stretch, total: number): readonly Column[] {
  const [from, to] = [holdingName(edge.from), holdingName(edge.to)];
  const { value = 0, most = 0, share = 0, coin } = piece.fee ?? {};
  const end = (send: number): Column => ({
    from,
    to,
    ...{ send: send / total, transfers: 1, fee: value / total, feeMost: most / total, coin, share },
    least: (piece.least.base + piece.least.rate * send) / total,
    expected: (piece.expected.base + piece.expected.rate * send) / total,
  });
  const [low, high] = [end(piece.low), end(piece.high)];
  const between = {
    from,
    to,
    ...{ send: high.send - low.send, transfers: 0, fee: 0, feeMost: 0, coin, share: 0 },
    least: high.least - low.least,
    expected: high.expected - low.expected,
  };
  return [low, high, between];
}

const changeOf = (column: Column, name: string, kind: 'least' | 'expected'): number =>
  (column.to === name ? column[kind] : 0) - (column.from === name ? column.send : 0);

const paidOf = (column: Column, name: string, kind: 'least' | 'expected'): number =>
  changeOf(column, name, kind) -
  (column.coin === name ? (kind === 'least' ? column.feeMost : column.fee) : 0);

/**
 * Of each coin there is enough for the fees of all transfers before anything has come, and with
 * what came for what leaves of it too.
 */
function coinRows(
  stretches: readonly Stretch[],
  columns: readonly Column[],
  total: number,
): readonly Row[] {
  const helds = new Map<string, number>();
  for (const { piece } of stretches) {
    if (piece.fee === undefined) continue;
    const { coin, held } = piece.fee;
    helds.set(coin, Math.min(held, helds.get(coin) ?? Infinity));
  }
  return [...helds].flatMap(([coin, held]) => {
    const fees = columns.map((column) => (column.coin === coin ? column.share : 0));
    const alone = { terms: fees, low: -Infinity, high: 1 + NEAR };
    if (held === 0 || columns.every(({ from }) => from !== coin)) return [alone];
    const own = columns.map((column) => (-changeOf(column, coin, 'least') * total) / held);
    const terms = fees.map((fee, at) => fee + (own[at] ?? 0));
    return [alone, { terms, low: -Infinity, high: 1 - SPARE }];
  });
}

const costOf = (
  { from, to, send, expected, transfers, fee }: Column,
  names: readonly string[],
): number =>
  (names.includes(from) ? send : 0) - (names.includes(to) ? expected : 0) + transfers * MOVE + fee;

const sumOf = (lines: readonly (readonly number[])[], length: number): readonly number[] =>
  Array.from({ length }, (_, at) => lines.reduce((sum, line) => sum + (line[at] ?? 0), 0));
