import type { MarginStore } from '../../engine/account/margin-store.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  isSetting,
  marginAccountKey,
  marginPlaceOf,
  movedToMargin,
  type MarginAccountPlace,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginRejectReport,
} from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import { lots as asLots } from '../../model/units.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { whole } from './checked-rows.ts';
import type { JournalFile } from './file.ts';
import type { KeptHoldings } from './holdings.ts';
import { MarginCarries } from './margin-carries.ts';
import { marginText, readMargin } from './margin-text.ts';
import type { AccountCarry, JournaledMargin, MarginBase } from './records.ts';
import { Rows, type Form } from './rows.ts';

/** Transfers that are kept of each account, to explain balances by. */
const MOVES_MAX = 8;

const ACCOUNTS: Form<JournaledMargin> = {
  table: 'margin_accounts',
  key: ({ place }) => marginAccountKey(place),
  read: ({ strategy, state, at }) => ({
    ...readMargin(String(state)),
    ...(strategy === null ? {} : { strategy: String(strategy) }),
    ...(at === null ? {} : { at: micros(whole('at', at, 0)) }),
  }),
  columns: (kept) => [
    marginAccountKey(kept.place),
    kept.strategy ?? null,
    marginText(kept),
    kept.at ?? null,
  ],
};

/** The margin accounts that are kept, as they are in the file. */
export const marginRows = (file: JournalFile): Rows<JournaledMargin> => new Rows(file, ACCOUNTS);

/**
 * The margin accounts of the account with all that a comparison needs of them, beside the record that
 * everybody reads; and what was paid or received for positions.
 */
export class KeptMargin {
  readonly carries: MarginCarries;
  readonly #rows: Rows<JournaledMargin>;
  readonly #store: MarginStore;
  readonly #holdings: KeptHoldings;
  /** True while reports may be missing: since the start, or since the connection was lost. */
  #isBehind = true;

  constructor(file: JournalFile, store: MarginStore, holdings: KeptHoldings) {
    this.#rows = marginRows(file);
    this.#store = store;
    this.#holdings = holdings;
    this.carries = new MarginCarries(file);
    for (const { place, state, strategy } of this.#rows.values())
      store.load(place, { state, strategy });
  }

  get size(): number {
    return this.#rows.size;
  }

  all(): readonly JournaledMargin[] {
    return this.#rows.values();
  }

  /** Until when everything is known of all open accounts; `undefined` where there is none. */
  get knownUntil(): Micros | undefined {
    const open = this.#rows.values().filter(({ state, base }) => state?.isOpen === true || base?.state?.isOpen === true); // prettier-ignore
    return open.length === 0 ? undefined : micros(Math.min(...open.map(knownUntil)));
  }

  /** Reports may be missing from here on, until the next comparison. */
  behind(): void {
    this.#isBehind = true;
  }

  /**
   * Makes an account that of the strategy that uses it first. What it has then counts as brought by it,
   * so that no strategy is worth more for taking one over. Gives how much that is.
   */
  claim(place: MarginAccountPlace, strategy: string): Decimal {
    if (this.#store.claim(place, strategy) !== strategy) return ZERO;
    const kept = this.#kept(place);
    if (kept.strategy !== undefined) return ZERO;
    const funds = kept.state?.balance ?? ZERO;
    this.#holdings.transfer(strategy, place.currency, funds);
    const { base } = kept;
    const brought = funds.minus(kept.transferred);
    this.#rows.set({
      ...{ ...kept, strategy, transferred: funds },
      base: base && { ...base, transferred: base.transferred.plus(brought) },
    });
    return funds;
  }

  /**
   * Makes an account that has no position nobody's, and takes what it has out of the books of the strategy
   * whose it was, as the next claim enters it there again. Gives how much that is; `undefined`, with nothing
   * done, while something of it is open: what was asked for, or what the next comparison is to tell.
   */
  release(place: MarginAccountPlace): Decimal | undefined {
    const kept = this.#kept(place);
    const { strategy, state, asked, base } = kept;
    if (strategy === undefined || asked !== undefined || base !== undefined) return undefined;
    if (state !== undefined && state.positions.length > 0) return undefined;
    const funds = state?.balance ?? ZERO;
    this.#holdings.transfer(strategy, place.currency, funds.negated());
    this.#rows.set({ ...kept, strategy: undefined, transferred: ZERO, moves: [] });
    this.#store.release(place);
    return funds;
  }

  /** A strategy asked for something; see `answered`. */
  asked(instrument: Instrument, { mode, balance, leverage }: MarginRequest): void {
    const kept = this.#kept(marginPlaceOf(instrument, mode));
    const asked = { ...kept.asked, ...defined({ balance, leverage }) };
    this.#rows.set({ ...kept, asked });
  }

  /** Takes a report; gives whose it is, `undefined` where it says nothing that is new. */
  take(report: MarginAccountReport): string | undefined {
    const { account, at } = report;
    const kept = this.#kept(account);
    // It is overtaken by a truth that has it.
    if (report.missed === undefined && at < (kept.comparedAt ?? at)) return undefined;
    const isKnown = report.carry !== undefined && !this.carries.book(carryOf(report));
    const amount = movedToMargin(report, this.#before(kept, report));
    const transferred = kept.transferred.plus(amount);
    if (kept.strategy !== undefined) {
      this.#holdings.transfer(kept.strategy, account.currency, amount);
    }
    this.#rows.set({
      ...kept,
      ...{ state: account, since: kept.since ?? at, at: latest(kept.at, at), transferred },
      moves: amount.isZero() ? kept.moves : [...kept.moves, { at, amount }].slice(-MOVES_MAX),
      asked: isSetting(report) && report.byOthers === undefined ? undefined : kept.asked,
      base: this.#baseOf(kept, report, transferred),
    });
    const strategy = this.#store.take(report);
    return isKnown ? undefined : strategy;
  }

  /** A request came to nothing; one of which nobody knows may be done all the same. */
  rejected(instrument: Instrument, { mode, refusal }: MarginRejectReport): string | undefined {
    const kept = this.#kept(marginPlaceOf(instrument, mode));
    const isUnknown = (refusal.code as string) === 'outcome-unknown';
    if (isUnknown) return kept.strategy;
    // Who asked for an account that never came to be has none, and another may ask.
    const isNever = kept.state === undefined;
    if (kept.asked !== undefined || isNever) {
      this.#rows.set({ ...kept, asked: undefined, strategy: isNever ? undefined : kept.strategy });
    }
    if (isNever) this.#store.load(kept.place, {});
    return kept.strategy;
  }

  /** Everything was compared with a truth of this time, but for what was reported after it, and what is left. */
  compared(at: Micros, isLeft: (place: MarginAccountPlace) => boolean): void {
    this.#isBehind = false;
    for (const kept of this.#rows.values()) {
      if ((kept.at !== undefined && kept.at > at) || isLeft(kept.place)) continue;
      this.#rows.set({ ...kept, comparedAt: at, base: undefined });
    }
  }

  /** Counts the lots of positions on a new grid. */
  regrid(from: Instrument, to: Instrument): void {
    const moved = (state: MarginAccountState | undefined): MarginAccountState | undefined =>
      state && {
        ...state,
        positions: state.positions.map((one) =>
          one.symbol === to.symbol
            ? { ...one, lots: to.lots(from.size(asLots(one.lots)), 'near') }
            : one,
        ),
      };
    for (const kept of this.#rows.values()) {
      if (kept.state?.positions.some(({ symbol }) => symbol === to.symbol) !== true) continue;
      const { base, strategy, place } = kept;
      const state = moved(kept.state);
      this.#rows.set({ ...kept, state, base: base && { ...base, state: moved(base.state) } });
      this.#store.load(place, { state, strategy });
    }
  }

  write(): void {
    this.#rows.write();
    this.carries.write();
  }

  written(): void {
    this.#rows.written();
    this.carries.written();
  }

  #kept(place: MarginAccountPlace): JournaledMargin {
    const { mode, symbol, isContract, currency } = place;
    return (
      this.#rows.get(marginAccountKey(place)) ?? {
        place: { mode, symbol, isContract, currency },
        transferred: ZERO,
        moves: [],
      }
    );
  }

  /** The account as it stood before a report, with the funds that were brought since. */
  #before(
    { state, base, transferred }: JournaledMargin,
    { missed }: MarginAccountReport,
  ): MarginAccountState | undefined {
    if (missed === undefined || base?.state === undefined) return state;
    const since = transferred.minus(base.transferred);
    return { ...base.state, balance: base.state.balance.plus(since) };
  }

  /** What is known of the account without doubt, after a report; `transferred` counts it in. */
  #baseOf(
    kept: JournaledMargin,
    report: MarginAccountReport,
    transferred: Decimal,
  ): MarginBase | undefined {
    if (kept.base === undefined && !this.#isBehind) return undefined;
    const { account, at, missed } = report;
    const { state, at: keptAt, transferred: were } = kept;
    const before = kept.base ?? { state, at: keptAt, transferred: were, ends: [] };
    const ended = forcedEndOf(report);
    const ends = ended === undefined ? before.ends : [...before.ends, ended];
    // An account that stays as it was reported brings nothing nearer; of one that opens all is known.
    const isNearer =
      missed === true ? account !== state : isOpening(report) && before.state?.isOpen !== true;
    if (!isNearer) return { ...before, ends };
    return { state: account, at: latest(before.at, at), transferred, ends };
  }
}

const isOpening = ({ reason }: MarginAccountReport): boolean =>
  reason === 'created' || reason === 'reopened';

/** Until when everything is known of an account, by its reports or by a comparison; 0 where nothing is. */
export const knownUntil = ({ base, at, comparedAt }: JournaledMargin): Micros =>
  micros(Math.max((base === undefined ? at : base.at) ?? 0, comparedAt ?? 0));

/** A payment of a report. */
function carryOf({ account, position, carry, at }: MarginAccountReport): AccountCarry {
  if (carry === undefined) throw new RangeError('a report without a payment');
  const symbol = position?.symbol ?? account.symbol;
  return { positionId: position?.id, symbol, mode: account.mode, carry, at };
}

/** The position that the venue ended, where it did. */
const forcedEndOf = ({ position, end }: MarginAccountReport): number | undefined =>
  end === undefined || end === 'closed' || end === 'flipped' || position?.lots !== 0
    ? undefined
    : position.id;

const latest = (one: Micros | undefined, other: Micros): Micros =>
  one === undefined || other > one ? other : one;

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
