import type { Instrument } from '../../../model/instrument.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type {
  EndedPosition,
  MarginSnapshot,
  PositionCarry,
} from '../../../gateways/venue-account.ts';
import {
  marginAccountKey,
  accountIdOf,
  marginAccountId,
  type MarginAccountId,
  type MarginAccountReport,
} from '../../../model/margin-account.ts';
import type { MarginMode } from '../../../model/margin-terms.ts';
import { foreignKey, type JournaledMargin } from '../../journal/records.ts';
import type { Discrepancy, ReconcileInput } from '../finding.ts';
import {
  accountsByKey,
  startOf,
  type AccountFill,
  type ComparedAccount,
  type ReportedAccount,
} from './account.ts';
import { comparedAccount, isExplained } from './compare.ts';
import { UNKNOWN_ID } from './replay.ts';
import { isForced } from './steps.ts';
import { timeline } from './timeline.ts';

/** Consecutive snapshots without an open account after which it counts as closed. */
const MISSING_MAX = 2;

interface ComparedMargin {
  /** The discrepancies of orders and margin accounts in order of time. */
  readonly discrepancies: readonly Discrepancy[];
  readonly margin: readonly MarginAccountReport[];
  /** How often in a row each open account was not in the snapshot, by `missingName`. */
  readonly missing: ReadonlyMap<string, number>;
  /** From when on histories are needed the next time, as something could not be compared. */
  readonly needsSince?: Micros | undefined;
}

/** Name of a margin account among those missing from a snapshot. */
export const missingName = (marginAccount: MarginAccountId): string =>
  `margin ${marginAccountKey(marginAccount)}`;

/**
 * Compares the margin accounts of the snapshot with those of the journal. `orders` are the discrepancies of
 * orders; their missed fills on margin are reported in order of time with all else.
 */
export function comparedMargin(
  input: ReconcileInput,
  orders: readonly Discrepancy[],
): ComparedMargin {
  const { snapshot, instruments } = input;
  const missing = new Map<string, number>();
  if (snapshot.margin === undefined) return { discrepancies: orders, margin: [], missing };
  const all: ReportedAccount[] = [];
  const needed: Micros[] = [];
  for (const account of accountsOf(input, snapshot.margin, orders)) {
    const { marginAccount, kept, reported } = account;
    if (kept?.held !== undefined) {
      all.push(...comparedAccount(asFirstReceived(account, kept, instruments), instruments));
      continue;
    }
    const name = missingName(marginAccount);
    const times = (input.missing.get(name) ?? 0) + 1;
    if (reported === undefined && kept?.state?.isOpen === true && times < MISSING_MAX) {
      missing.set(name, times);
      needed.push(startOf(account).at);
      continue;
    }
    const isOvertaken = kept?.base !== undefined && kept.at !== undefined && kept.at > snapshot.at;
    if (isOvertaken) needed.push(startOf(account).at);
    all.push(...comparedAccount(account, instruments));
  }
  const needsSince = needed.length === 0 ? undefined : micros(Math.min(...needed));
  return { ...timeline(orders, all), missing, needsSince };
}

/** Allowed difference between the clocks of venue and bot. */
const CLOCKS_US = 10 * US_PER_SECOND;

/**
 * A shared account as first reported on this connection, with the events before that; later ones are in the
 * held reports. The report may have the bot's time: of payments and ends around it, those count that
 * explain it.
 */
function asFirstReceived(
  account: ComparedAccount,
  { held, base }: JournaledMargin,
  instruments: ReadonlyMap<string, Instrument>,
): ComparedAccount {
  const [first, ...more] = held ?? [];
  if (first === undefined) return account;
  const later = new Set(base?.fills?.flatMap((one) => (one.heldBefore > 0 ? [foreignKey(one.fill)] : []))); // prettier-ignore
  const payments = account.payments.filter(
    ({ carry: { at, positionId } }) =>
      !more.some((one) => one.carry !== undefined && one.at === at && one.position?.id === positionId), // prettier-ignore
  );
  const ends = account.ends.filter(
    ({ ended: { id } }) =>
      !more.some(({ end, position }) => end !== undefined && position?.id === id),
  );
  const until = (time: number): ComparedAccount => ({
    ...account,
    at: first.at,
    reported: first.account.isOpen ? first.account : undefined,
    fills: account.fills.filter(({ fill }) => !later.has(foreignKey(fill))),
    payments: payments.filter(({ carry }) => carry.at <= time),
    ends: ends.filter(({ ended }) => ended.at <= time),
  });
  const near = [...payments.map(({ carry }) => carry.at), ...ends.map(({ ended }) => ended.at)]
    .filter((at) => Math.abs(at - first.at) <= CLOCKS_US)
    .flatMap((at) => [at, at - 1]);
  const isExplainedUntil = (time: number): boolean => isExplained(until(time), instruments);
  return until([first.at, ...near].find(isExplainedUntil) ?? first.at);
}

/** The accounts of journal and snapshot, with the snapshot's events on each. */
function accountsOf(
  input: ReconcileInput,
  margin: MarginSnapshot,
  orders: readonly Discrepancy[],
): readonly ComparedAccount[] {
  const { snapshot } = input;
  const there = accountsByKey(margin);
  const kept = new Map(input.margin.map((one) => [marginAccountKey(one.marginAccount), one]));
  const marginAccounts = new Map<string, MarginAccountId>();
  for (const [key, one] of kept) marginAccounts.set(key, one.marginAccount);
  for (const [key, one] of there) marginAccounts.set(key, accountIdOf(one));
  const fills = fillsOf(input, orders);
  return [...marginAccounts].map(([key, marginAccount]): ComparedAccount => {
    const isHere = (symbol: string, mode: MarginMode): boolean =>
      keyAt(input, symbol, mode) === key;
    const ended = margin.ended.filter(({ symbol, mode }) => isHere(symbol, mode));
    const bare = { marginAccount, kept: kept.get(key), reported: there.get(key), at: snapshot.at };
    const account = { ...bare, fills: fills.get(key) ?? [], payments: [], ends: [] };
    const nextId = idsOf(account, ended);
    return {
      ...account,
      nextId,
      payments: margin.carries
        .filter((carry) => isOfAccount(input, margin, carry, key, marginAccount.mode))
        .filter((carry) => !isBefore(account, carry.at))
        .map((carry) => ({ carry, isKnown: knowsCarry(input, carry, marginAccount.mode) })),
      ends: endsOf({ ...account, nextId }, ended),
    };
  });
}

/**
 * An account counts from its first report; earlier events are history. A requested one was opened since, so
 * all of its events count.
 */
const isBefore = ({ kept }: Pick<ComparedAccount, 'kept'>, at: Micros): boolean => {
  if (kept?.asked !== undefined && (kept.base ?? kept).state === undefined) return false;
  return kept?.state === undefined || at < (kept.since ?? at);
};

/** Ends of positions that the journal had, or that were opened since. */
function endsOf(
  account: ComparedAccount,
  ended: readonly EndedPosition[],
): ComparedAccount['ends'] {
  const { state, at } = startOf(account);
  if (state === undefined) return [];
  const held = new Set(state.positions.map(({ id }) => id));
  const reported = new Set(account.kept?.base?.ends ?? []);
  return ended
    .filter((one) => isForced(one.end) && (one.at > at || held.has(one.id)))
    .map((one) => ({ ended: one, isKnown: reported.has(one.id) }));
}

/** The id of a position opened at a time: the first that ended since, or the open one. */
const idsOf = (
  { reported }: Pick<ComparedAccount, 'reported'>,
  ended: readonly EndedPosition[],
): ComparedAccount['nextId'] => {
  const sorted = [...ended].sort((one, other) => one.at - other.at || one.id - other.id);
  return (symbol, at, used) =>
    sorted.find((one) => one.symbol === symbol && one.at >= at && !used.has(one.id))?.id ??
    reported?.positions.find((one) => one.symbol === symbol && !used.has(one.id))?.id ??
    UNKNOWN_ID;
};

/** Fills of margin accounts, by account, as they were executed. */
function fillsOf(
  { snapshot, orders, instruments, foreignFills }: ReconcileInput,
  discrepancies: readonly Discrepancy[],
): ReadonlyMap<string, readonly AccountFill[]> {
  const known = new Map(orders.map((one) => [one.clientOrderId, new Set(one.fillIds)]));
  const adopted = new Set(
    discrepancies.flatMap(({ adopt, clientOrderId }) =>
      adopt === undefined || clientOrderId === undefined ? [] : [clientOrderId],
    ),
  );
  const byAccount = new Map<string, AccountFill[]>();
  const sorted = [...snapshot.fills].sort((one, other) => one.at - other.at || one.id - other.id);
  for (const fill of sorted) {
    const instrument = instruments.get(fill.symbol);
    if (fill.margin === undefined || instrument === undefined) continue;
    const key = marginAccountKey(marginAccountId(instrument, fill.margin));
    const own = known.get(fill.clientOrderId);
    const isOwn = own !== undefined || adopted.has(fill.clientOrderId);
    const isKnown = own?.has(fill.id) ?? foreignFills.has(foreignKey(fill));
    const one = { fill, instrument, isOwn, isKnown };
    const before = byAccount.get(key);
    if (before === undefined) byAccount.set(key, [one]);
    else before.push(one);
  }
  return byAccount;
}

const keyAt = (
  { instruments }: ReconcileInput,
  symbol: string,
  mode: MarginMode,
): string | undefined => {
  const instrument = instruments.get(symbol);
  return instrument && marginAccountKey(marginAccountId(instrument, mode));
};

/**
 * True for a payment of an account: by its mode, else by its position, or if no other account can have it.
 */
function isOfAccount(
  input: ReconcileInput,
  { accounts, ended }: MarginSnapshot,
  { symbol, positionId, ...carry }: PositionCarry,
  key: string,
  mode: MarginMode,
): boolean {
  if (keyAt(input, symbol, mode) !== key) return false;
  if (carry.mode !== undefined) return carry.mode === mode;
  const holders = [
    ...accounts.flatMap((one) =>
      one.positions.filter(({ id }) => id === positionId).map(() => one.mode),
    ),
    ...input.margin.flatMap(({ state, marginAccount }) =>
      (state?.positions ?? []).filter(({ id }) => id === positionId).map(() => marginAccount.mode),
    ),
    ...ended.filter(({ id }) => id === positionId).map((one) => one.mode),
  ];
  if (positionId !== undefined && holders.length > 0) return holders.includes(mode);
  const users = input.margin.filter(
    ({ marginAccount, state }) => state?.isOpen === true && keyAt(input, symbol, marginAccount.mode) === marginAccountKey(marginAccount), // prettier-ignore
  );
  return users.length !== 1 ? mode === 'isolated' : users[0]?.marginAccount.mode === mode;
}

const knowsCarry = (
  { knowsCarry: knows }: ReconcileInput,
  { positionId, symbol, carry, at }: PositionCarry,
  mode: MarginMode,
): boolean => knows({ positionId, symbol, mode, carry, at });
