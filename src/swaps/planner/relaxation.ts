import { slotName } from '../../model/portfolio.ts';
import type { Problem } from './problem.ts';
import type { Row } from './simplex.ts';
import type { Stretch } from './stretches.ts';

/** Of two sets of moves that cost the same, the one of fewer moves is taken; a share of the whole. */
export const MOVE = 2e-9;

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

/** A linear program that no real set of moves beats, as shares of the whole. */
export interface Relaxation {
  readonly costs: readonly number[];
  readonly rows: readonly Row[];
  /** By slot of the targets: the places of its rows. */
  readonly slots: readonly SlotRows[];
}

/** The rows of a slot: the ends of its band, and by how much its holding changes. */
export interface SlotRows {
  readonly above: number;
  readonly below: number;
  readonly change: number;
}

/** What one variable at 1 comes to. */
interface Column {
  readonly from: string;
  readonly to: string;
  readonly send: number;
  readonly least: number;
  readonly expected: number;
  readonly moves: number;
}

export function relaxationOf(problem: Problem, stretches: readonly Stretch[]): Relaxation {
  const { slots, total } = problem;
  const columns = stretches.flatMap((stretch) => columnsFor(stretch, total));
  const names = slots.map(({ name }) => name);
  const changes = names.map((name) => columns.map((column) => changeOf(column, name, 'least')));
  const hopes = names.map((name) => columns.map((column) => changeOf(column, name, 'expected')));
  const isWeighted = slots.map(({ fixed }) => fixed === undefined);
  const ofWeighted = (lines: readonly (readonly number[])[]): readonly number[] =>
    sumOf(lines.filter((_, at) => isWeighted[at]), columns.length); // prettier-ignore
  const [least, expected] = [ofWeighted(changes), ofWeighted(hopes)];
  const weighted = slots.reduce((sum, { value }, at) => sum + (isWeighted[at] ? value : 0), 0);
  const rows: Row[] = [];
  const slotRows = slots.map(({ value, reserve, weight, band, fixed }, at) => {
    const held = value / total;
    const [change, hope] = [changes[at] ?? [], hopes[at] ?? []];
    // An amount is no share of anything: it is the same whatever comes to others.
    const [most, fewest] = fixed === undefined ? [weight + band, weight - band] : [0, 0];
    const high = fixed === undefined ? (most * weighted) / total : fixed.high / total;
    const low = fixed === undefined ? (fewest * weighted) / total : fixed.low / total;
    const [isCapped, isFloored] = fixed === undefined ? [most < 1, fewest > 0] : [true, low > 0];
    // As much as may come to this slot and the least to all others; and the other way round.
    const above = change.map((one, i) => (hope[i] ?? 0) - most * ((hope[i] ?? 0) + (least[i] ?? 0) - one)); // prettier-ignore
    const below = hope.map((one, i) => (change[i] ?? 0) - fewest * ((change[i] ?? 0) + (expected[i] ?? 0) - one)); // prettier-ignore
    const first = rows.length;
    rows.push(
      { terms: above, low: -Infinity, high: isCapped ? high - held : Infinity },
      { terms: below, low: isFloored ? low - held : -Infinity, high: Infinity },
      { terms: change, low: Math.min(held, reserve / total) - held, high: Infinity },
    );
    return { above: first, below: first + 1, change: first + 2 };
  });
  const places = new Set(stretches.flatMap(({ edge }) => [slotName(edge.from), slotName(edge.to)]));
  for (const place of places) {
    if (names.includes(place)) continue;
    const terms = columns.map((column) => changeOf(column, place, 'least'));
    rows.push({ terms, low: 0, high: 0 });
  }
  const costs = columns.map((column) => costOf(column, names));
  return { costs, rows, slots: slotRows };
}

function columnsFor({ edge, piece }: Stretch, total: number): readonly Column[] {
  const [from, to] = [slotName(edge.from), slotName(edge.to)];
  const end = (send: number): Column => ({
    from,
    to,
    send: send / total,
    moves: 1,
    least: (piece.least.base + piece.least.rate * send) / total,
    expected: (piece.expected.base + piece.expected.rate * send) / total,
  });
  const [low, high] = [end(piece.low), end(piece.high)];
  const between = {
    from,
    to,
    send: high.send - low.send,
    moves: 0,
    least: high.least - low.least,
    expected: high.expected - low.expected,
  };
  return [low, high, between];
}

const changeOf = (column: Column, name: string, kind: 'least' | 'expected'): number =>
  (column.to === name ? column[kind] : 0) - (column.from === name ? column.send : 0);

const costOf = ({ from, to, send, expected, moves }: Column, names: readonly string[]): number =>
  (names.includes(from) ? send : 0) - (names.includes(to) ? expected : 0) + moves * MOVE;

const sumOf = (lines: readonly (readonly number[])[], length: number): readonly number[] =>
  Array.from({ length }, (_, at) => lines.reduce((sum, line) => sum + (line[at] ?? 0), 0));
