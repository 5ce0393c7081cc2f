import type { MarginAccountReport } from '../../../model/margin-account.ts';
import type { Fill, OrderReport } from '../../../model/report.ts';
import type { Finding } from '../finding.ts';
import type { Told } from './account.ts';

/** A finding, or a part of one, and when it happened. */
interface Piece {
  readonly at: number;
  /** At one moment fills come first, as they were executed. */
  readonly rank: number;
  readonly finding: Finding;
  /** Parts of one finding. */
  readonly of: object;
}

/**
 * The findings of orders and what is told of margin accounts in the order of time. A finding of an order
 * with fills on margin is told in parts where something else happened between its fills; what is of spot
 * comes first, as it was. Gives apart what is told without a finding, last.
 */
export function timeline(
  orders: readonly Finding[],
  told: readonly Told[],
): { readonly findings: readonly Finding[]; readonly margin: readonly MarginAccountReport[] } {
  const after = new Map<Fill, MarginAccountReport>();
  for (const { fill, report } of told) if (fill !== undefined) after.set(fill, report);
  const spot: Finding[] = [];
  const pieces: Piece[] = [];
  for (const one of orders) {
    if (one.reports.some(isOnMargin)) pieces.push(...piecesOf(one, after));
    else spot.push(one);
  }
  for (const one of told) {
    const { at, finding, before, report } = one;
    if (finding === undefined) continue;
    const margin = before === undefined ? [report] : [before, report];
    pieces.push({ at, rank: Number.POSITIVE_INFINITY, finding: { ...finding, margin }, of: one });
  }
  return {
    findings: [...spot, ...joined(pieces.toSorted(inTime))],
    margin: told
      .filter(({ finding, fill }) => finding === undefined && fill === undefined)
      .map(({ report }) => report),
  };
}

const inTime = (one: Piece, other: Piece): number =>
  one.at - other.at || (one.rank === other.rank ? 0 : one.rank - other.rank);

const isOnMargin = (report: Finding['reports'][number]): boolean =>
  report.kind === 'trade' && report.fill.margin !== undefined;

/** The parts of a finding: each of its fills with the account after it, and the rest with the last of them. */
function piecesOf(
  finding: Finding,
  after: ReadonlyMap<Fill, MarginAccountReport>,
): readonly Piece[] {
  const trades = finding.reports.filter((one): one is Extract<OrderReport, { kind: 'trade' }> => one.kind === 'trade'); // prettier-ignore
  const others = finding.reports.filter(({ kind }) => kind !== 'trade');
  return trades.map((trade, i): Piece => {
    const account = after.get(trade.fill);
    const margin = account === undefined ? [] : [account];
    const isLast = i === trades.length - 1;
    const reports = isLast ? [trade, ...others] : [trade];
    // Who it is for must be known before its first report.
    const { adopt, foreignOrder, foreignFills, requests, ...rest } = finding;
    const first = i === 0 ? { adopt, foreignOrder, foreignFills, requests } : NOTHING;
    const { at, id } = trade.fill;
    return { at, rank: id, of: finding, finding: { ...rest, ...first, reports, margin } };
  });
}

const NOTHING = { foreignFills: [], requests: [] } as const;

/** Puts parts of one finding together again between which nothing else is. */
function joined(pieces: readonly Piece[]): readonly Finding[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.of === piece.of) {
      const { reports, margin } = last.finding;
      const more = piece.finding;
      const together = {
        ...last.finding,
        reports: [...reports, ...more.reports],
        // The account as it was in between is shown to nobody.
        margin: more.margin.length === 0 ? margin : more.margin,
      };
      all[all.length - 1] = { ...last, finding: together };
    } else all.push(piece);
  }
  return all.map(({ finding }) => finding);
}
