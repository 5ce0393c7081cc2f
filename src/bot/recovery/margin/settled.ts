import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { MarginAccountState, VenuePosition } from '../../../model/margin-account.ts';
import { resultOf } from '../../../model/margin-account.ts';
import { discrepancy, type Discrepancy, type DiscrepancyKind } from '../finding.ts';
import {
  missedReport,
  nameOf,
  signed,
  startOf,
  type ComparedAccount,
  type ReportedAccount,
} from './account.ts';
import { isOf, type AccountReplay } from './replay.ts';

/** Differences left after all events of an account were replayed. */
export interface Rest {
  /** Symbols whose position differs from the replayed one. */
  readonly symbols: readonly string[];
  /** Unexplained funds. */
  readonly funds: Decimal;
}

/** Compares a replay with the snapshot. */
export function restOf(
  account: ComparedAccount,
  replay: AccountReplay,
  instruments: ReadonlyMap<string, Instrument>,
): Rest {
  const { reported } = account;
  const there = new Map((reported?.positions ?? []).map((one) => [one.symbol, one]));
  const symbols = [...new Set([...replay.symbols, ...there.keys()])].filter(
    (symbol) => !isSame(replay.position(symbol), there.get(symbol), instruments.get(symbol)),
  );
  if (reported === undefined) return { symbols, funds: ZERO };
  const funds = reported.balance.minus(replay.balance);
  const isExplained = funds.abs().lessThanOrEqualTo(replay.slack) || byResults(account)?.isZero() === true; // prettier-ignore
  return { symbols, funds: isExplained ? ZERO : funds };
}

/** Funds not explained by the PnL of positions as the venue reports them. */
function byResults(account: ComparedAccount): Decimal | undefined {
  const { reported, ends } = account;
  const { state } = startOf(account);
  if (reported === undefined || state === undefined) return undefined;
  let rest = reported.balance.minus(state.balance);
  const previous = new Map(state.positions.map((one) => [one.id, one]));
  const take = (id: number, result: Decimal): void => {
    const known = previous.get(id);
    previous.delete(id);
    rest = rest.minus(result).plus(known === undefined ? ZERO : resultOf(known));
  };
  for (const one of reported.positions) take(one.id, resultOf(one));
  for (const { ended } of ends) {
    const { id, realizedPnl, fees } = ended;
    if (realizedPnl === undefined || fees === undefined) return undefined;
    // Its earlier payments while held are not part of its history.
    take(id, realizedPnl.minus(fees).plus(previous.get(id)?.carry ?? ZERO));
  }
  return previous.size === 0 ? rest : undefined;
}

function isSame(
  one: VenuePosition | undefined,
  other: VenuePosition | undefined,
  instrument: Instrument | undefined,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.lots !== other.lots || !isOf(one, other.id)) return false;
  const apart = one.entryPrice.minus(other.entryPrice).abs();
  return apart.lessThanOrEqualTo(instrument?.tickSize ?? ZERO);
}

/** Reports of the differences that are left, and of the account as it is then. */
export function settled(
  account: ComparedAccount,
  replay: AccountReplay,
  rest: Rest,
): readonly ReportedAccount[] {
  const { reported, at, kept } = account;
  if (reported === undefined) return [];
  const found: ReportedAccount[] = [];
  for (const symbol of rest.symbols) found.push(otherPosition(account, replay, symbol));
  // Positions and their reserves as the venue has them; leverage and funds as they were.
  const { state } = startOf(account);
  const before = state?.isOpen === true ? state : reported;
  let present: MarginAccountState = {
    ...reported,
    balance: reported.balance.minus(rest.funds),
    leverage: before.leverage,
  };
  if (!isSameNumber(before.leverage, reported.leverage)) {
    const isAsked = isSameNumber(kept?.asked?.leverage, reported.leverage);
    const settledReport = missedReport(at, present);
    present = { ...present, leverage: reported.leverage };
    found.push(setting(account, isAsked ? 'margin-answered' : 'leverage-changed', settledReport, present)); // prettier-ignore
  }
  if (rest.funds.isZero()) return found;
  const isExact = replay.isExact && rest.symbols.length === 0;
  // Unknown results cannot be distinguished from transfers.
  if (!isExact && kept?.asked?.balance === undefined) return found;
  const isAsked = kept?.asked?.balance !== undefined;
  found.push(setting(account, isAsked ? 'margin-answered' : 'margin-moved', missedReport(at, present), reported, rest.funds)); // prettier-ignore
  return found;
}

/** A change of leverage or funds, after the account as it was without it. */
function setting(
  { marginAccount, at, reported }: ComparedAccount,
  kind: DiscrepancyKind,
  before: ReportedAccount['report'],
  after: MarginAccountState,
  moved?: Decimal,
): ReportedAccount {
  const what =
    moved === undefined
      ? `its leverage is ${reported?.leverage?.toFixed() ?? 'the most that each symbol allows'}`
      : `its funds changed by ${signed(moved)} ${marginAccount.currency} and are ${after.balance.toFixed()}`;
  const message =
    kind === 'margin-answered'
      ? `${nameOf(marginAccount)} is as it was asked for though no answer came: ${what}.`
      : `${nameOf(marginAccount)} was changed by somebody else: ${what}.`;
  const others = kind === 'margin-answered' ? {} : ({ byOthers: true } as const);
  return {
    at,
    before,
    report: missedReport(at, after, { reason: 'marginChanged', ...others }),
    discrepancy: named(kind, message, marginAccount.symbol),
  };
}

const named = (kind: DiscrepancyKind, message: string, symbol: string | undefined): Discrepancy =>
  discrepancy(kind, message, symbol === undefined ? {} : { symbol });

/** A position that differs from the replayed one; the venue's is used. */
function otherPosition(
  account: ComparedAccount,
  replay: AccountReplay,
  symbol: string,
): ReportedAccount {
  const { marginAccount, reported, at } = account;
  const was = replay.position(symbol);
  const is = reported?.positions.find((one) => one.symbol === symbol);
  const kind = kindOf(account, was, is);
  replay.put(symbol, is);
  const position = is ?? (was && { ...was, lots: 0, entryValue: ZERO, updatedAt: at });
  const stands = `${is?.lots ?? 0} lots${is === undefined ? '' : ` at ${is.entryPrice.toFixed()}`}`;
  const message =
    kind === 'position-unexplained'
      ? `${nameOf(marginAccount)}: the position in ${symbol} is ${stands}, and no history reaches back to how it came about; the venue's word is taken.`
      : kind === 'position-deleveraged'
        ? `${nameOf(marginAccount)}: the position in ${symbol} is ${stands} and was ${was?.lots ?? 0} lots, by no order; the venue took the rest.`
        : `${nameOf(marginAccount)}: the position in ${symbol} is ${stands}, which no order of this bot explains; it was ${was?.lots ?? 0} lots.`;
  const more = kind === 'position-deleveraged' ? ({ end: 'deleveraged' } as const) : ({ byOthers: true } as const); // prettier-ignore
  return {
    at,
    report: missedReport(at, replay.state, { position, ...more }),
    discrepancy: discrepancy(kind, message, { symbol }),
  };
}

function kindOf(
  account: ComparedAccount,
  was: VenuePosition | undefined,
  is: VenuePosition | undefined,
): DiscrepancyKind {
  if (startOf(account).state === undefined) return 'position-unexplained';
  const isLess =
    was !== undefined &&
    is !== undefined &&
    isOf(was, is.id) &&
    was.lots > 0 === is.lots > 0 &&
    Math.abs(is.lots) < Math.abs(was.lots);
  return isLess ? 'position-deleveraged' : 'position-foreign';
}

const isSameNumber = (one: Decimal | undefined, other: Decimal | undefined): boolean =>
  one === undefined || other === undefined ? one === other : one.equals(other);
