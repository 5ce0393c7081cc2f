import type { MarginAccountReport } from '../../../model/margin-account.ts';
import type { Fill, OrderReport } from '../../../model/report.ts';
import type { Discrepancy } from '../finding.ts';
import type { ReportedAccount } from './account.ts';

/** A discrepancy, or a part of one, and its time. */
interface Piece {
  readonly at: number;
  /** At one moment fills come first, as they were executed. */
  readonly rank: number;
  readonly discrepancy: Discrepancy;
  /** Identifies the discrepancy of its parts. */
  readonly of: object;
}

/**
 * Discrepancies of orders and reports of margin accounts in order of time. A discrepancy of an order with
 * margin fills is split if other events happened between its fills; spot comes first, unchanged. Reports
 * without a discrepancy are returned separately, last.
 */
export function timeline(
  orders: readonly Discrepancy[],
  reported: readonly ReportedAccount[],
): {
  readonly discrepancies: readonly Discrepancy[];
  readonly margin: readonly MarginAccountReport[];
} {
  const after = new Map<Fill, MarginAccountReport>();
  for (const { fill, report } of reported) if (fill !== undefined) after.set(fill, report);
  const spot: Discrepancy[] = [];
  const pieces: Piece[] = [];
  for (const one of orders) {
    if (one.reports.some(isOnMargin)) pieces.push(...piecesOf(one, after));
    else spot.push(one);
  }
  for (const one of reported) {
    const { at, discrepancy, before, report } = one;
    if (discrepancy === undefined) continue;
    const margin = before === undefined ? [report] : [before, report];
    pieces.push({
      at,
      rank: Number.POSITIVE_INFINITY,
      discrepancy: { ...discrepancy, margin },
      of: one,
    });
  }
  return {
    discrepancies: [...spot, ...joined(pieces.toSorted(inTime))],
    margin: reported
      .filter(({ discrepancy, fill }) => discrepancy === undefined && fill === undefined)
      .map(({ report }) => report),
  };
}

const inTime = (one: Piece, other: Piece): number =>
  one.at - other.at || (one.rank === other.rank ? 0 : one.rank - other.rank);

const isOnMargin = (report: Discrepancy['reports'][number]): boolean =>
  report.kind === 'trade' && report.fill.margin !== undefined;

/** The parts of a discrepancy: each of its fills with the account after it, and the rest with the last of them. */
function piecesOf(
  discrepancy: Discrepancy,
  after: ReadonlyMap<Fill, MarginAccountReport>,
): readonly Piece[] {
  const trades = discrepancy.reports.filter((one): one is Extract<OrderReport, { kind: 'trade' }> => one.kind === 'trade'); // prettier-ignore
  const others = discrepancy.reports.filter(({ kind }) => kind !== 'trade');
  return trades.map((trade, i): Piece => {
    const account = after.get(trade.fill);
    const margin = account === undefined ? [] : [account];
    const isLast = i === trades.length - 1;
    const reports = isLast ? [trade, ...others] : [trade];
    // Its owner must be known before its first report.
    const { adopt, foreignOrder, foreignFills, requests, ...rest } = discrepancy;
    const first = i === 0 ? { adopt, foreignOrder, foreignFills, requests } : NOTHING;
    const { at, id } = trade.fill;
    return { at, rank: id, of: discrepancy, discrepancy: { ...rest, ...first, reports, margin } };
  });
}

const NOTHING = { foreignFills: [], requests: [] } as const;

/** Joins adjacent parts of one discrepancy. */
function joined(pieces: readonly Piece[]): readonly Discrepancy[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.of === piece.of) {
      const { reports, margin } = last.discrepancy;
      const more = piece.discrepancy;
      const together = {
        ...last.discrepancy,
        reports: [...reports, ...more.reports],
        // Intermediate states of the account are not emitted.
        margin: more.margin.length === 0 ? margin : more.margin,
      };
      all[all.length - 1] = { ...last, discrepancy: together };
    } else all.push(piece);
  }
  return all.map(({ discrepancy }) => discrepancy);
}
