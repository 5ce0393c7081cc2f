import { defined } from '../../model/members.ts';
import type { MarginStore } from '../../engine/account/margin-store.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  emptyAccount,
  isSetting,
  marginAccountKey,
  marginAccountId,
  movedToMargin,
  accountIdOf,
  type MarginAccountId,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginRejectReport,
  type MarginReport,
} from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Fill } from '../../model/report.ts';
import { micros, type Micros } from '../../platform/time.ts';
import {
  filledParts,
  foreignPart,
  inheritedParts,
  NO_PARTS,
  sharedReport,
  shareOf,
  type SharedParts,
  type Sharing,
} from '../../rules/margin/shared-account.ts';
import { whole } from './checked-rows.ts';
import type { JournalFile } from './file.ts';
import type { ForeignChanges } from './foreign-changes.ts';
import type { StoredHoldings } from './holdings.ts';
import { carryOf, MarginCarries } from './margin-carries.ts';
import { marginText, readMargin } from './margin-text.ts';
import type {
  CaughtUp,
  ComparedSnapshot,
  ReceivedMargin,
  JournaledMargin,
  MarginBase,
  PartFill,
} from './records.ts';
import { regriddedMargin } from './regrid.ts';
import { JournalRows, type Form } from './rows.ts';
import {
  forcedEndOf,
  hasAnything,
  isAsAsked,
  isUntouched,
  missedFrom,
  openBase,
  ownPart,
  withFill,
  withFills,
} from './shared-base.ts';
import { shareReport } from './share-report.ts';

/** Stored transfers of each account, which explain balances. */
const MOVES_MAX = 8;
/** Most held reports of an account: reconciliation finds the events up to the last of them. */
const HELD_MAX = 1_000;

type InstrumentOf = (symbol: string) => Instrument | undefined;

/** Dependencies of the stored margin accounts. */
export interface KeptMarginSetup {
  readonly store: MarginStore;
  readonly holdings: StoredHoldings;
  readonly changes: ForeignChanges;
}

const ACCOUNTS: Form<JournaledMargin> = {
  table: 'margin_accounts',
  key: ({ marginAccount }) => marginAccountKey(marginAccount),
  read: ({ strategy, state, at }) => ({
    ...readMargin(String(state)),
    ...(strategy === null ? {} : { strategy: String(strategy) }),
    ...(at === null ? {} : { at: micros(whole('at', at, 0)) }),
  }),
  columns: (kept) => [
    marginAccountKey(kept.marginAccount),
    kept.strategy ?? null,
    marginText(kept),
    kept.at ?? null,
  ],
};

/** The stored margin accounts, as in the file. */
export const marginRows = (file: JournalFile): JournalRows<JournaledMargin> =>
  new JournalRows(file, ACCOUNTS);

/**
 * The margin accounts of the account with everything that a comparison needs, beside the record that all
 * read; and the payments for positions.
 */
export class StoredMargin {
  readonly carries: MarginCarries;
  readonly #rows: JournalRows<JournaledMargin>;
  readonly #store: MarginStore;
  readonly #holdings: StoredHoldings;
  readonly #changes: ForeignChanges;
  /** Strategies with fills on shared accounts that were not reported yet, by account. */
  readonly #filled = new Map<string, Set<string>>();
  /** True while reports may be missing: since the start, or since the connection was lost. */
  #isBehind = true;

  constructor(file: JournalFile, { store, holdings, changes }: KeptMarginSetup) {
    this.#rows = marginRows(file);
    this.#store = store;
    this.#holdings = holdings;
    this.#changes = changes;
    this.carries = new MarginCarries(file);
    for (const { marginAccount, state, strategy, parts } of this.#rows.values())
      store.load(marginAccount, { state, strategy, parts });
  }

  get size(): number {
    return this.#rows.size;
  }

  all(): readonly JournaledMargin[] {
    return this.#rows.values();
  }

  /** Until when everything is known of all open accounts; `undefined` if there is none. */
  get knownUntil(): Micros | undefined {
    const open = this.#rows.values().filter(({ state, base }) => state?.isOpen === true || base?.state?.isOpen === true); // prettier-ignore
    return open.length === 0 ? undefined : micros(Math.min(...open.map(knownUntil)));
  }

  /** Reports may be missing from now on, until the next comparison. */
  behind(): void {
    this.#isBehind = true;
    for (const kept of this.#rows.values()) {
      if (kept.held === undefined) continue;
      this.#rows.set({ ...kept, held: undefined, base: missedFrom(openBase(kept)) });
    }
  }

  /**
   * True for a shared account until reconciliation has found what happened before the connection. Until
   * then its reports are held, as it is unknown whose part each of them changed.
   */
  waits(marginAccount: MarginAccountId): boolean {
    const { parts, base } = this.#kept(marginAccount);
    return parts !== undefined && (base !== undefined || this.#isBehind);
  }

  /**
   * Makes an account that of the first strategy that uses it. Its funds count as brought by the strategy,
   * so that taking one over is no profit; they came from others, and not from the balances.
   */
  claim(marginAccount: MarginAccountId, strategy: string): void {
    if (this.#store.claim(marginAccount, strategy) !== strategy) return;
    const kept = this.#kept(marginAccount);
    if (kept.strategy !== undefined || kept.parts !== undefined) return;
    const funds = kept.state?.balance ?? ZERO;
    this.#holdings.transfer(strategy, marginAccount.currency, funds);
    this.#changes.addTransfer(marginAccount.currency, funds);
    const { base } = kept;
    const brought = funds.minus(kept.transferred);
    this.#rows.set({
      ...kept,
      strategy,
      transferred: funds,
      base: base && { ...base, transferred: base.transferred.plus(brought) },
    });
  }

  /**
   * Makes an account shared: its owner's funds become that strategy's part, and foreign funds stay foreign.
   */
  share(marginAccount: MarginAccountId): void {
    const kept = this.#kept(marginAccount);
    if (kept.parts !== undefined) return;
    const { strategy, base } = kept;
    const state = base === undefined ? kept.state : base.state;
    const shares =
      strategy === undefined || state === undefined ? [] : [{ strategy, state: ownPart(state) }];
    const foreign = state === undefined ? NO_PARTS.foreign : foreignPart(state, shares);
    const parts = { shares, foreign };
    this.#put({ ...kept, strategy: undefined, parts, base: base && { ...base, parts } });
  }

  /**
   * Makes a shared account that of the only strategy with funds or positions on it, or nobody's if there is
   * none. Returns false, without a change, if several strategies or others have some, or another may get
   * some by an unanswered setting.
   */
  unshare(marginAccount: MarginAccountId): boolean {
    const kept = this.#kept(marginAccount);
    if (kept.parts === undefined) return true;
    const { shares, foreign } = kept.parts;
    const left = shares.filter(({ state }) => hasAnything(state));
    const isForeign = !foreign.cash.isZero() || Object.keys(foreign.lots).length > 0;
    if (left.length > 1 || (left.length === 1 && isForeign)) return false;
    const asker = kept.asked?.by;
    if (asker !== undefined && left.some(({ strategy }) => strategy !== asker)) return false;
    const { base } = kept;
    this.#put({
      ...kept,
      strategy: left[0]?.strategy,
      parts: undefined,
      held: undefined,
      base: base && { ...base, parts: undefined, fills: undefined },
    });
    return true;
  }

  /**
   * Adds a fill to the part of its strategy if the account is shared; a missed one came before all held
   * reports.
   */
  fill(strategy: string, instrument: Instrument, fill: Fill, isMissed = false): void {
    if (fill.margin === undefined) return;
    const kept = this.#kept(marginAccountId(instrument, fill.margin));
    const { parts, state, marginAccount, held } = kept;
    if (parts === undefined) return;
    const heldBefore = isMissed ? 0 : (held?.length ?? 0);
    this.#put({
      ...kept,
      parts: filledParts(parts, state ?? emptyAccount(marginAccount), strategy, instrument, fill),
      base: this.waits(marginAccount)
        ? withFill(openBase(kept), { strategy, fill, heldBefore })
        : undefined,
    });
    const key = marginAccountKey(marginAccount);
    const filled = this.#filled.get(key);
    if (filled === undefined) this.#filled.set(key, new Set([strategy]));
    else filled.add(strategy);
  }

  /** The same of a fill that was foreign until now, so that the account has it already. */
  inherit(strategy: string, instrument: Instrument, fill: Fill): void {
    if (fill.margin === undefined) return;
    const kept = this.#kept(marginAccountId(instrument, fill.margin));
    const { parts, base, state = emptyAccount(kept.marginAccount) } = kept;
    if (parts === undefined) return;
    const after = (some: SharedParts): SharedParts =>
      inheritedParts(some, state, strategy, instrument, fill);
    this.#put({
      ...kept,
      parts: after(parts),
      base: base && { ...base, parts: base.parts && after(base.parts) },
    });
  }

  /**
   * Makes an account without a position nobody's, and removes its balance from its strategy's books, as the
   * next claim adds it again. Returns that balance; `undefined`, without a change, while a request or a
   * reconciliation is pending.
   */
  release(marginAccount: MarginAccountId): Decimal | undefined {
    const kept = this.#kept(marginAccount);
    const { strategy, state, asked, base } = kept;
    if (strategy === undefined || asked !== undefined || base !== undefined) return undefined;
    if (state !== undefined && state.positions.length > 0) return undefined;
    const funds = state?.balance ?? ZERO;
    this.#holdings.transfer(strategy, marginAccount.currency, funds.negated());
    this.#changes.addTransfer(marginAccount.currency, funds.negated());
    this.#rows.set({ ...kept, strategy: undefined, transferred: ZERO, moves: [] });
    this.#store.release(marginAccount);
    return funds;
  }

  /** A strategy requested a setting; see `answered`. */
  asked(
    marginAccount: MarginAccountId,
    { balance, leverage }: MarginRequest,
    strategy: string,
  ): void {
    const kept = this.#kept(marginAccount);
    const by = kept.parts === undefined ? undefined : strategy;
    const asked = { ...kept.asked, ...defined({ balance, leverage, by }) };
    this.#rows.set({ ...kept, asked });
  }

  /** Applies a margin account report; returns the reports for strategies. */
  received(report: MarginReport, instrumentOf: InstrumentOf): readonly ReceivedMargin[] {
    if (report.kind === 'marginAccount') {
      const { account, at, missed } = report;
      // It is overtaken by a snapshot that has it.
      if (missed === undefined && at < (this.#kept(account).comparedAt ?? at)) return [];
      return missed === undefined && this.waits(account)
        ? this.#hold(report)
        : this.#take(report, instrumentOf);
    }
    const instrument = instrumentOf(report.symbol);
    const strategy = instrument && this.rejected(instrument, report);
    return strategy === undefined ? [] : [{ strategy, report }];
  }

  /** Takes the account as it is, and holds the effect on its parts; emits their fills to its strategies. */
  #hold(report: MarginAccountReport): readonly ReceivedMargin[] {
    const { account: state, at } = report;
    const kept = this.#kept(state);
    const { held = [], since = at } = kept;
    const base = openBase(kept);
    const isFull = held.length === HELD_MAX;
    this.#put({
      ...kept,
      state,
      since,
      at: latest(kept.at, at),
      base: isFull ? missedFrom(base) : base,
      held: isFull ? [report] : [...held, report],
    });
    return this.#filledNow(kept.marginAccount, report);
  }

  /** Applies a report; returns the reports for strategies, none if nothing is new. */
  #take(report: MarginAccountReport, instrumentOf: InstrumentOf): readonly ReceivedMargin[] {
    const { account, at } = report;
    const kept = this.#kept(account);
    const isKnown = report.carry !== undefined && !this.carries.book(carryOf(report));
    const amount = movedToMargin(report, this.#before(kept, report));
    const transferred = kept.transferred.plus(amount);
    if (kept.strategy !== undefined) {
      this.#holdings.transfer(kept.strategy, account.currency, amount);
    }
    const isAnswer =
      isSetting(report) && (report.byOthers === undefined || isAsAsked(kept, report));
    const after: JournaledMargin = {
      ...kept,
      // Held reports are later.
      state: kept.held === undefined ? account : kept.state,
      since: kept.since ?? at,
      at: latest(kept.at, at),
      transferred,
      moves: amount.isZero() ? kept.moves : [...kept.moves, { at, amount }].slice(-MOVES_MAX),
      asked: isAnswer ? undefined : kept.asked,
      base: this.#baseOf(kept, report, transferred),
    };
    if (kept.parts !== undefined) {
      const asker = isAnswer ? kept.asked?.by : undefined;
      const isExact = report.missed !== undefined || isUntouched(kept.state, account);
      return this.#takeShared(after, isKnown ? withoutCarry(report) : report, {
        requester: asker,
        moved: isExact ? amount : undefined,
        instrument: instrumentOf,
      });
    }
    this.#rows.set(after);
    const strategy = this.#store.take(report);
    return isKnown || strategy === undefined ? [] : [{ strategy, report }];
  }

  /** Splits a report; returns what to emit to each strategy for its part. */
  #takeShared(
    kept: JournaledMargin,
    report: MarginAccountReport,
    sharing: Sharing,
  ): readonly ReceivedMargin[] {
    const { base, parts: shown = NO_PARTS } = kept;
    const { account, at } = report;
    const instrument: InstrumentOf = (symbol) => sharing.instrument(symbol);
    // Split by each strategy's share at that time: earlier fills are counted first, later ones after it.
    const isDue = ({ fill, heldBefore }: PartFill): boolean => heldBefore === 0 && fill.at <= at;
    const due = (base?.fills ?? []).filter(isDue);
    const later = (base?.fills ?? []).filter((one) => !isDue(one));
    const before = withFills(base?.parts ?? shown, account, due, instrument);
    const shared = sharedReport(before, report, sharing);
    const parts = withFills(shared.parts, account, later, instrument);
    this.#put({ ...kept, parts, base: base && { ...base, parts: shared.parts, fills: later } });
    const { currency } = kept.marginAccount;
    const reported = shared.events.map((event): ReceivedMargin => {
      const { strategy, moved } = event;
      this.#holdings.transfer(strategy, currency, moved);
      const own = shareReport(report, event);
      if (later.length === 0) return { strategy, before: event.before, report: own };
      const of = (some: SharedParts): MarginAccountState => shareOf(some, strategy, account).state;
      return { strategy, before: of(shown), report: { ...own, account: of(parts) } };
    });
    const isReported = new Set(reported.map(({ strategy }) => strategy));
    const others = this.#filledNow(kept.marginAccount, report);
    return [...reported, ...others.filter(({ strategy }) => !isReported.has(strategy))];
  }

  /** Emits the parts of strategies whose fills the account now includes: they waited for its report. */
  #filledNow(
    marginAccount: MarginAccountId,
    report: MarginAccountReport,
  ): readonly ReceivedMargin[] {
    const key = marginAccountKey(marginAccount);
    const filled = [...(this.#filled.get(key) ?? [])];
    this.#filled.delete(key);
    const { parts = NO_PARTS } = this.#kept(marginAccount);
    const { kind, at, missed, account } = report;
    return filled.map((strategy): ReceivedMargin => {
      const { state } = shareOf(parts, strategy, account);
      return { strategy, before: state, report: { kind, at, reason: 'updated', account: state, missed } }; // prettier-ignore
    });
  }

  /** A request was rejected; one with an unknown outcome may still be done. */
  rejected(instrument: Instrument, { mode, rejection }: MarginRejectReport): string | undefined {
    const kept = this.#kept(marginAccountId(instrument, mode));
    const isUnknown = (rejection.code as string) === 'outcome-unknown';
    if (kept.parts !== undefined) {
      if (!isUnknown) this.#rows.set({ ...kept, asked: undefined });
      return kept.asked?.by;
    }
    if (isUnknown) return kept.strategy;
    // An account that never opened has no owner, and another strategy may request it.
    const isNever = kept.state === undefined;
    if (kept.asked !== undefined || isNever) {
      this.#rows.set({ ...kept, asked: undefined, strategy: isNever ? undefined : kept.strategy });
    }
    if (isNever) this.#store.load(kept.marginAccount, {});
    return kept.strategy;
  }

  /**
   * Everything was compared with a snapshot of this time, except later reports and what is left. Returns
   * the reports for strategies that were held until then. While the account is not connected, reports
   * continue to be missed.
   */
  compared(
    { at, isLeft, isReceived = true }: ComparedSnapshot,
    instrumentOf: InstrumentOf,
  ): readonly CaughtUp[] {
    this.#isBehind = !isReceived;
    const caughtUp: CaughtUp[] = [];
    for (const kept of this.#rows.values()) {
      if (kept.held !== undefined) {
        caughtUp.push(...this.#catchUp(kept, kept.held, instrumentOf));
        continue;
      }
      if ((kept.at !== undefined && kept.at > at) || isLeft?.(kept.marginAccount) === true)
        continue;
      this.#rows.set({ ...kept, comparedAt: at, base: undefined });
      this.#settle(this.#kept(kept.marginAccount));
    }
    return caughtUp;
  }

  /**
   * Everything is known until the first report of this connection; held reports are applied after it, with
   * the fills between.
   */
  #catchUp(
    kept: JournaledMargin,
    [first, ...more]: readonly MarginAccountReport[],
    instrumentOf: InstrumentOf,
  ): readonly CaughtUp[] {
    if (first === undefined) return [];
    const { parts = NO_PARTS, fills = [] } = openBase(kept);
    const fillsAfter = (held: number): readonly PartFill[] =>
      fills.filter(({ heldBefore }) => heldBefore === held);
    const { shares } = withFills(parts, first.account, fillsAfter(0), instrumentOf);
    this.#put({
      ...kept,
      state: first.account,
      base: undefined,
      held: undefined,
      parts: { shares, foreign: foreignPart(first.account, shares) },
    });
    const caughtUp: CaughtUp[] = [{ report: first, received: [] }];
    const fillAll = (held: number): void => {
      for (const { strategy, fill } of fillsAfter(held)) {
        const instrument = instrumentOf(fill.symbol);
        if (instrument !== undefined) this.fill(strategy, instrument, fill);
      }
    };
    for (const [index, report] of more.entries()) {
      fillAll(index + 1);
      caughtUp.push({ report, received: this.#take(report, instrumentOf) });
    }
    fillAll(more.length + 1);
    return caughtUp;
  }

  /** Funds beyond the parts of strategies are foreign, now that all events are known. */
  #settle(kept: JournaledMargin): void {
    const { parts, state } = kept;
    if (parts === undefined || state === undefined) return;
    const foreign = foreignPart(state, parts.shares);
    const { cash, lots } = parts.foreign;
    if (foreign.cash.equals(cash) && JSON.stringify(foreign.lots) === JSON.stringify(lots)) return;
    this.#put({ ...kept, parts: { ...parts, foreign } });
  }

  /** Counts the lots of positions on a new grid. */
  regrid(from: Instrument, to: Instrument): void {
    for (const kept of this.#rows.values()) this.#put(regriddedMargin(kept, from, to));
  }

  write(): void {
    this.#rows.write();
    this.carries.write();
  }

  written(): void {
    this.#rows.written();
    this.carries.written();
  }

  #put(kept: JournaledMargin): void {
    this.#rows.set(kept);
    const { marginAccount, state, strategy, parts } = kept;
    this.#store.load(marginAccount, { state, strategy, parts });
  }

  #kept(marginAccount: MarginAccountId): JournaledMargin {
    const none = { marginAccount: accountIdOf(marginAccount), transferred: ZERO, moves: [] };
    return this.#rows.get(marginAccountKey(marginAccount)) ?? none;
  }

  /** The account before a report, with the funds moved since. */
  #before(
    { state, base, transferred }: JournaledMargin,
    { missed }: MarginAccountReport,
  ): MarginAccountState | undefined {
    if (missed === undefined || base === undefined) return state;
    const since = transferred.minus(base.transferred);
    return base.state && { ...base.state, balance: base.state.balance.plus(since) };
  }

  /** The certain state of the account after a report; `transferred` includes it. */
  #baseOf(
    kept: JournaledMargin,
    report: MarginAccountReport,
    transferred: Decimal,
  ): MarginBase | undefined {
    if (kept.base === undefined && !this.#isBehind) return undefined;
    const { account, at, missed } = report;
    const { state, at: keptAt, transferred: were } = kept;
    const before =
      kept.parts === undefined
        ? (kept.base ?? { state, at: keptAt, transferred: were, ends: [] })
        : openBase(kept);
    const ended = forcedEndOf(report);
    const ends = ended === undefined ? before.ends : [...before.ends, ended];
    // A confirmed unchanged account adds no knowledge; of one that opens everything is known.
    const isNearer =
      missed === true ? account !== state : isOpening(report) && before.state?.isOpen !== true;
    if (!isNearer) return { ...before, ends };
    return { ...before, state: account, at: latest(before.at, at), transferred, ends };
  }
}

const withoutCarry = ({ carry: _, ...report }: MarginAccountReport): MarginAccountReport => report;

const isOpening = ({ reason }: MarginAccountReport): boolean =>
  reason === 'created' || reason === 'reopened';

/** Until when everything is known of an account, by its reports or by a comparison; 0 if nothing is. */
export const knownUntil = ({ base, at, comparedAt }: JournaledMargin): Micros =>
  micros(Math.max((base === undefined ? at : base.at) ?? 0, comparedAt ?? 0));

const latest = (one: Micros | undefined, other: Micros): Micros =>
  one === undefined || other > one ? other : one;
