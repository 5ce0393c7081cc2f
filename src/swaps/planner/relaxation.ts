import { holdingName } from '../../model/portfolio.ts';
import { valueAt } from './curve.ts';
import type { Problem } from './problem.ts';
import type { Row } from './simplex.ts';
import type { Segment } from './segments.ts';

/** Cost of a transfer as a share of the portfolio, so that fewer transfers win a tie. */
export const TRANSFER_PENALTY = 2e-9;

/** Rounding of floats, as a share of what is held of a coin. */
const FLOAT_EPSILON = 1e-9;
/** Where a coin pays fees and is sent too, this share of it stays, as amounts are rounded up. */
const COIN_MARGIN = 1e-7;

/**
 * The relaxation allows any point in the triangle of the origin and both ends of a segment, so its
 * cost is a lower bound. A segment has three variables, each from 0 to 1.
 */
export const COLUMNS = 3;

/** Variables of a segment: the share of its low end, of its high end, and of the way between them. */
export const columnsAt = (segment: number) => ({
  low: COLUMNS * segment,
  high: COLUMNS * segment + 1,
  between: COLUMNS * segment + 2,
});

/** A linear program whose optimum is a lower bound of the cost of all transfers; shares of the portfolio. */
export interface Relaxation {
  readonly costs: readonly number[];
  readonly rows: readonly Row[];
  /** By holding of the targets: the indexes of its rows. */
  readonly holdings: readonly HoldingRows[];
}

/** Rows of a holding: upper and lower end of its band, and its change. */
export interface HoldingRows {
  readonly above: number;
  readonly below: number;
  readonly change: number;
  /** Ends of the band after fees, for a holding inside its band that pays them; bounds are set once it may change. */
  readonly paid?: { readonly above: number; readonly below: number };
}

/** Effect of a variable at 1. */
interface Column {
  readonly from: string;
  readonly to: string;
  readonly send: number;
  readonly least: number;
  readonly expected: number;
  readonly transfers: number;
  /** Network fee, as expected and at most; its coin, and the share of what is held of it. */
  readonly fee: number;
  readonly feeMost: number;
  readonly coin: string | undefined;
  readonly share: number;
}

export function relaxationOf(problem: Problem, segments: readonly Segment[]): Relaxation {
  const { holdings, total } = problem;
  const columns = segments.flatMap((segment) => columnsOf(segment, total));
  const names = holdings.map(({ name }) => name);
  const changes = names.map((name) => columns.map((column) => changeOf(column, name, 'least')));
  const expectedChanges = names.map((name) =>
    columns.map((column) => changeOf(column, name, 'expected')),
  );
  // Fees lower the share of a coin's holding, though no transfer leaves it.
  const paidChanges = names.map((name) =>
    columns.map((column) => changeAfterFee(column, name, 'least')),
  );
  const paidExpectedChanges = names.map((name) =>
    columns.map((column) => changeAfterFee(column, name, 'expected')),
  );
  const isWeighted = holdings.map(({ fixed }) => fixed === undefined);
  // The share of the only holding with a weight is always 1, so that it has no band to keep.
  const isAlone = isWeighted.filter(Boolean).length === 1;
  const ofWeighted = (lines: readonly (readonly number[])[]): readonly number[] =>
    sumOf(lines.filter((_, at) => isWeighted[at]), columns.length); // prettier-ignore
  const [least, expected] = [ofWeighted(paidChanges), ofWeighted(paidExpectedChanges)];
  const weighted = holdings.reduce((sum, { value }, at) => sum + (isWeighted[at] ? value : 0), 0);
  const rows: Row[] = [];
  const holdingRows = holdings.map(({ value, reserve, weight, band, fixed, isIn }, at) => {
    const held = value / total;
    const change = changes[at];
    const [paid, paidExpected] = [paidChanges[at], paidExpectedChanges[at]];
    // A holding that only pays fees is judged without them.
    const [own, ownExpected] = isIn ? [change, expectedChanges[at]] : [paid, paidExpected];
    // A target amount does not depend on other holdings.
    const [shareMax, shareMin] = fixed === undefined ? [weight + band, weight - band] : [0, 0];
    const high = fixed === undefined ? (shareMax * weighted) / total : fixed.high / total;
    const low = fixed === undefined ? (shareMin * weighted) / total : fixed.low / total;
    const [hasMaximum, hasMinimum] =
      fixed === undefined ? [shareMax < 1, shareMin > 0 && !isAlone] : [true, low > 0];
    // The share is highest where this holding gets the expected amount and all others the least.
    const above = (terms: readonly number[]): readonly number[] =>
      paid.map((one, i) => terms[i] - shareMax * (terms[i] + least[i] - one));
    const below = (terms: readonly number[]): readonly number[] =>
      paidExpected.map((one, i) => terms[i] - shareMin * (terms[i] + expected[i] - one)); // prettier-ignore
    const first = rows.length;
    rows.push(
      { terms: above(ownExpected), low: -Infinity, high: hasMaximum ? high - held : Infinity },
      { terms: below(own), low: hasMinimum ? low - held : -Infinity, high: Infinity },
      { terms: change, low: Math.min(held, reserve / total) - held, high: Infinity },
    );
    const holdingRow = { above: first, below: first + 1, change: first + 2 };
    if (!isIn || columns.every(({ coin }) => coin !== names[at])) return holdingRow;
    rows.push({ terms: above(paidExpected), low: -Infinity, high: Infinity });
    rows.push({ terms: below(paid), low: -Infinity, high: Infinity });
    return { ...holdingRow, paid: { above: first + 3, below: first + 4 } };
  });
  const ends = new Set(
    segments.flatMap(({ edge }) => [holdingName(edge.from), holdingName(edge.to)]),
  );
  for (const name of ends) {
    if (names.includes(name)) continue;
    const terms = columns.map((column) => changeOf(column, name, 'least'));
    rows.push({ terms, low: 0, high: 0 });
  }
  if (problem.ignoresCoins !== true) rows.push(...coinRows(segments, columns, total));
  const costs = columns.map((column) => costOf(column, names));
  return { costs, rows, holdings: holdingRows };
}

function columnsOf({ edge, piece }: Segment, total: number): readonly Column[] {
  const [from, to] = [holdingName(edge.from), holdingName(edge.to)];
  const { value = 0, most = 0, share = 0, coin } = piece.fee ?? {};
  const end = (send: number): Column => ({
    from,
    to,
    ...{ send: send / total, transfers: 1, fee: value / total, feeMost: most / total, coin, share },
    least: valueAt(piece.least, send) / total,
    expected: valueAt(piece.expected, send) / total,
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

const changeAfterFee = (column: Column, name: string, kind: 'least' | 'expected'): number =>
  changeOf(column, name, kind) -
  (column.coin === name ? (kind === 'least' ? column.feeMost : column.fee) : 0);

/**
 * Two rows for each coin: what is held covers the fees of all transfers before anything arrives, and
 * with what arrives also what is sent of the coin.
 */
function coinRows(
  segments: readonly Segment[],
  columns: readonly Column[],
  total: number,
): readonly Row[] {
  const heldByCoin = new Map<string, number>();
  for (const { piece } of segments) {
    if (piece.fee === undefined) continue;
    const { coin, held } = piece.fee;
    heldByCoin.set(coin, Math.min(held, heldByCoin.get(coin) ?? Infinity));
  }
  return [...heldByCoin].flatMap(([coin, held]) => {
    const fees = columns.map((column) => (column.coin === coin ? column.share : 0));
    const alone = { terms: fees, low: -Infinity, high: 1 + FLOAT_EPSILON };
    if (held === 0 || columns.every(({ from }) => from !== coin)) return [alone];
    const own = columns.map((column) => (-changeOf(column, coin, 'least') * total) / held);
    const terms = fees.map((fee, at) => fee + own[at]);
    return [alone, { terms, low: -Infinity, high: 1 - COIN_MARGIN }];
  });
}

const costOf = (
  { from, to, send, expected, transfers, fee }: Column,
  names: readonly string[],
): number =>
  (names.includes(from) ? send : 0) -
  (names.includes(to) ? expected : 0) +
  transfers * TRANSFER_PENALTY +
  fee;

const sumOf = (lines: readonly (readonly number[])[], length: number): readonly number[] =>
  Array.from({ length }, (_, at) => lines.reduce((sum, line) => sum + line[at], 0));
