import { ZERO } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import {
  emptyAccount,
  type MarginAccountReport,
  type MarginAccountState,
} from '../../../model/margin-account.ts';
import { micros } from '../../../platform/time.ts';
import { stateText } from '../../journal/margin-text.ts';
import { discrepancy } from '../finding.ts';
import {
  missedReport,
  nameOf,
  startOf,
  type AccountFill,
  type ComparedAccount,
  type ReportedAccount,
} from './account.ts';
import { AccountReplay } from './replay.ts';
import { restOf, settled, type Rest } from './settled.ts';
import { stepsOf, takeStep } from './steps.ts';

/** Reports to emit of a margin account, oldest first; the last is the account as it is. */
export function comparedAccount(
  account: ComparedAccount,
  instruments: ReadonlyMap<string, Instrument>,
): readonly ReportedAccount[] {
  const { kept, reported, at } = account;
  if (kept?.strategy === undefined && kept?.parts === undefined) return foreignAccount(account);
  const isHeld = kept.held !== undefined;
  if (!isHeld && kept.at !== undefined && kept.at > at) return eventsAlone(account, kept.state);
  const start = startOf(account);
  const isOpen = start.state?.isOpen === true;
  if (!isOpen && reported === undefined) return [];
  const { fills, rest } = bestFills(account, instruments);
  const opened = isOpen ? undefined : openedBy(account, fills, rest);
  const from = opened?.report.account ?? start.state ?? emptyAccount(account.marginAccount);
  const { replay, found } = replayed(account, from, fills);
  const all = [
    ...(opened === undefined ? [] : [opened]),
    ...found,
    ...(reported === undefined
      ? [closedBy(account, replay)]
      : settled(account, replay, opened === undefined ? rest : { ...rest, funds: ZERO })),
  ];
  // The held reports have its state.
  return isHeld ? all : withLast(all, account);
}

/** Appends the snapshot's account if the last report differs. */
function withLast(
  all: readonly ReportedAccount[],
  { kept, reported, at }: ComparedAccount,
): readonly ReportedAccount[] {
  const last = all.at(-1)?.report.account ?? kept?.state;
  if (reported === undefined || (last !== undefined && stateText(last) === stateText(reported)))
    return all;
  return [...all, { at, report: missedReport(at, reported) }];
}

/** Replays the events since the given state of an account. */
function replayed(
  account: ComparedAccount,
  from: MarginAccountState,
  fills: readonly AccountFill[],
): { readonly replay: AccountReplay; readonly found: readonly ReportedAccount[] } {
  const replay = new AccountReplay(from, account.nextId);
  const found: ReportedAccount[] = [];
  for (const step of stepsOf(account, fills, startOf(account).at)) {
    const one = takeStep(account, replay, step);
    if (one !== undefined) found.push(one);
  }
  return { replay, found };
}

interface Explained {
  readonly fills: readonly AccountFill[];
  readonly rest: Rest;
}

/**
 * The fills that the last known state of the account does not include. A fill is reported just before its
 * account, and a snapshot may be a little ahead of its time: if the later fills do not explain the
 * snapshot, others around that time may.
 */
function bestFills(
  account: ComparedAccount,
  instruments: ReadonlyMap<string, Instrument>,
): Explained {
  const { fills } = account;
  const { state, at } = startOf(account);
  const explained = (some: readonly AccountFill[]): Explained => {
    const { replay } = replayed(account, state ?? emptyAccount(account.marginAccount), some);
    return { fills: some, rest: restOf(account, replay, instruments) };
  };
  const later = explained(fills.filter(({ fill }) => fill.at > at));
  if (isWhole(later.rest) || state?.isOpen !== true) return later;
  const near = fills.filter(({ fill }) => Math.abs(fill.at - at) <= NEAR_US);
  const others = [
    fills.filter(({ isKnown }) => !isKnown),
    ...near.map((first) => fills.slice(fills.indexOf(first))),
    fills.filter(({ fill }) => fill.at > at + NEAR_US),
    ...withoutLast(later.fills),
  ];
  let best = later;
  for (const some of others) {
    const one = explained(some);
    if (isWhole(one.rest)) return one;
    // Funds may differ by transfers; positions change only by fills.
    if (best.rest.symbols.length > 0 && one.rest.symbols.length === 0) best = one;
  }
  return best;
}

/** True if the known events lead to the snapshot's account. */
export const isExplained = (
  account: ComparedAccount,
  instruments: ReadonlyMap<string, Instrument>,
): boolean => isWhole(bestFills(account, instruments).rest);

/**
 * Fills without the last ones unknown to the journal: the snapshot has them, and the account may not yet.
 */
function withoutLast(fills: readonly AccountFill[]): readonly (readonly AccountFill[])[] {
  const unknown = fills.filter(({ isKnown }) => !isKnown).slice(-AHEAD_MAX);
  return unknown.map((_, index) => {
    const left = new Set(unknown.slice(unknown.length - 1 - index));
    return fills.filter((one) => !left.has(one));
  });
}

/** Most fills in a snapshot that an earlier reported account may not include. */
const AHEAD_MAX = 10;

const isWhole = ({ symbols, funds }: Rest): boolean => symbols.length === 0 && funds.isZero();

/** Longest time to read a snapshot, or between reports of one moment. */
const NEAR_US = 5_000_000;

/** A new account: its strategy or another opened it. */
function openedBy(
  { marginAccount, kept, reported, at, payments, ends }: ComparedAccount,
  fills: readonly AccountFill[],
  { funds }: Rest,
): ReportedAccount | undefined {
  if (reported === undefined) return undefined;
  const isAsked = kept?.asked !== undefined;
  const account = {
    ...emptyAccount(marginAccount),
    isOpen: true,
    balance: funds,
    leverage: reported.leverage,
  };
  // Before all that happened on it.
  const steps = [
    ...fills.map(({ fill }) => fill.at),
    ...payments.map(({ carry }) => carry.at),
    ...ends.map(({ ended }) => ended.at),
  ];
  const first = micros(Math.min(at, ...steps.map((one) => one - 1)));
  const reason = kept?.state === undefined ? 'created' : 'reopened';
  const by = isAsked ? 'though no answer to its request came' : 'by somebody else';
  const message = `${nameOf(marginAccount)} was opened ${by}; it has ${reported.balance.toFixed()} ${reported.currency}.`;
  const more = isAsked ? {} : ({ byOthers: true } as const);
  return {
    at: first,
    report: missedReport(first, account, { reason, ...more }),
    discrepancy: discrepancy(
      isAsked ? 'margin-answered' : 'margin-moved',
      message,
      symbolOf(marginAccount),
    ),
  };
}

/** An account is gone: its funds went back. */
function closedBy(
  { marginAccount, kept, at }: ComparedAccount,
  replay: AccountReplay,
): ReportedAccount {
  const isAsked = kept?.asked?.balance?.isZero() === true;
  const by = isAsked ? 'as it was asked for though no answer came' : 'by somebody else';
  const message = `${nameOf(marginAccount)} was closed ${by}; what it had went back.`;
  const more = isAsked ? {} : ({ byOthers: true } as const);
  const account = emptyAccount(marginAccount);
  return {
    at,
    before: missedReport(at, replay.state),
    report: missedReport(at, account, { reason: 'closed', ...more }),
    discrepancy: discrepancy(isAsked ? 'margin-answered' : 'margin-account-closed', message, symbolOf(marginAccount)), // prettier-ignore
  };
}

const symbolOf = ({ symbol }: ComparedAccount['marginAccount']): { symbol?: string } =>
  symbol === undefined ? {} : { symbol };

/** Reports arrived since the snapshot: emits earlier events; the account stays as reported. */
function eventsAlone(
  account: ComparedAccount,
  state: MarginAccountState | undefined,
): readonly ReportedAccount[] {
  if (state === undefined) return [];
  const { found } = replayed(account, startOf(account).state ?? state, []);
  return found.map((one) => ({ ...one, report: { ...one.report, account: state } }));
}

/** A foreign account is reported once, and stored as in the snapshot. */
function foreignAccount({
  marginAccount,
  kept,
  reported,
  at,
}: ComparedAccount): readonly ReportedAccount[] {
  const known = kept?.state;
  if (reported === undefined) {
    if (known?.isOpen !== true) return [];
    return [{ at, report: missedReport(at, emptyAccount(marginAccount), { reason: 'closed' }) }];
  }
  if (known?.isOpen === true) {
    const isNewer = kept?.at !== undefined && kept.at > at;
    if (isNewer || stateText(known) === stateText(reported)) return [];
    return [{ at, report: missedReport(at, reported) }];
  }
  const message = `${nameOf(marginAccount)} is open with ${reported.balance.toFixed()} ${reported.currency}, and no strategy of this bot has used it; it is left alone.`;
  const report: MarginAccountReport = missedReport(at, reported, { byOthers: true });
  return [
    {
      at,
      report,
      discrepancy: discrepancy('margin-account-foreign', message, symbolOf(marginAccount)),
    },
  ];
}
