import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  emptyAccount,
  isSetting,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginCarry,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import { fundingPayment } from './funding.ts';
import { closedPart, filledPosition } from './position-fill.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';
import { largestOf, splitAmount, splitLots } from './split.ts';

/** A strategy's part of a margin account that several strategies share. */
export interface MarginShare {
  readonly strategy: string;
  /** The account as the strategy has it: its own funds and positions, as its own fills made them. */
  readonly state: MarginAccountState;
}

/** A margin account in its parts. */
export interface SharedParts {
  readonly shares: readonly MarginShare[];
  /** What no strategy brought and no fill of theirs made: what the account has beyond the shares. */
  readonly foreign: ForeignPart;
}

export interface ForeignPart {
  /** See `cashOf`. */
  readonly cash: Decimal;
  /** By symbol, negative for a short; none that are zero. */
  readonly lots: Readonly<Record<string, number>>;
}

/** What happened to the part of a strategy. */
export interface ShareEvent {
  readonly strategy: string;
  readonly before: MarginAccountState;
  readonly after: MarginAccountState;
  /** What came to it from the spot balance, negative for what went back. */
  readonly moved: Decimal;
  /** True where it asked for the setting that the report answers. */
  readonly isAsked: boolean;
  /** What its position paid or received. */
  readonly carry?: MarginCarry | undefined;
  /** The position of which lots were closed by force, as it is then. */
  readonly forced?: VenuePosition | undefined;
}

export const NO_PARTS: SharedParts = { shares: [], foreign: { cash: ZERO, lots: {} } };

/**
 * The funds of an account less what its longs cost and with what its shorts brought: what it would have if
 * its positions were worth nothing. Trades change it by what they cost and bring, whichever way positions are
 * netted, so the parts of an account add up to it to the last digit, and so does equity at any mark price.
 */
export const cashOf = ({ balance, positions }: MarginAccountState): Decimal =>
  positions.reduce(
    (sum, { lots, entryValue }) => (lots > 0 ? sum.minus(entryValue) : sum.plus(entryValue)),
    balance,
  );

export const lotsAt = ({ positions }: MarginAccountState, symbol: string): number =>
  positions.find((one) => one.symbol === symbol)?.lots ?? 0;

/** What an account has beyond the shares. */
export function foreignPart(
  account: MarginAccountState,
  shares: readonly MarginShare[],
): ForeignPart {
  const lots: Record<string, number> = {};
  const states = [account, ...shares.map(({ state }) => state)];
  for (const [index, { positions }] of states.entries()) {
    for (const { symbol, lots: held } of positions) {
      lots[symbol] = (lots[symbol] ?? 0) + (index === 0 ? held : -held);
    }
  }
  return {
    cash: shares.reduce((sum, { state }) => sum.minus(cashOf(state)), cashOf(account)),
    lots: Object.fromEntries(Object.entries(lots).filter(([, held]) => held !== 0)),
  };
}

/** The share of a strategy; an empty one where it has none. */
export function shareOf(
  { shares }: SharedParts,
  strategy: string,
  account: MarginAccountState,
): MarginShare {
  const found = shares.find((one) => one.strategy === strategy);
  return found ?? { strategy, state: { ...emptyAccount(account), leverage: account.leverage } };
}

/** The parts with another state of a strategy's. */
export function withShare(parts: SharedParts, share: MarginShare): SharedParts {
  const { strategy } = share;
  const isThere = parts.shares.some((one) => one.strategy === strategy);
  const shares = isThere
    ? parts.shares.map((one) => (one.strategy === strategy ? share : one))
    : [...parts.shares, share];
  return { ...parts, shares };
}

/** A share after a fill of its strategy; what is foreign waits for the report of the account. */
export function filledShare(share: MarginShare, instrument: Instrument, fill: Fill): MarginShare {
  const { state } = share;
  const { symbol } = instrument;
  const fee = fill.feeCurrency === state.currency ? fill.fee.toDecimal() : ZERO;
  const held = state.positions.find((one) => one.symbol === symbol);
  const { open, pnl } = filledPosition(held, instrument, fill, { fee, newId: () => fill.id });
  const balance = state.balance.minus(fee).plus(pnl);
  return { ...share, state: { ...withPosition(state, symbol, open), balance } };
}

/** The parts after fills of their strategies; see `filledShare`. */
export const filledParts = (
  parts: SharedParts,
  account: MarginAccountState,
  strategy: string,
  instrument: Instrument,
  fill: Fill,
): SharedParts =>
  withShare(parts, filledShare(shareOf(parts, strategy, account), instrument, fill));

/** The same of a fill that was foreign until now: what it made goes from what is foreign to the strategy. */
export function inheritedParts(
  parts: SharedParts,
  account: MarginAccountState,
  strategy: string,
  instrument: Instrument,
  fill: Fill,
): SharedParts {
  const before = shareOf(parts, strategy, account).state;
  const after = filledParts(parts, account, strategy, instrument, fill);
  const { state } = shareOf(after, strategy, account);
  const { cash, lots } = parts.foreign;
  const { symbol } = instrument;
  const left = (lots[symbol] ?? 0) - lotsAt(state, symbol) + lotsAt(before, symbol);
  const { [symbol]: _, ...others } = lots;
  return {
    ...after,
    foreign: {
      cash: cash.plus(cashOf(before)).minus(cashOf(state)),
      lots: left === 0 ? others : { ...others, [symbol]: left },
    },
  };
}

/** What a report is to be shared by. */
export interface Sharing {
  /** The strategy that asked for a setting; absent where none did. */
  readonly asker: string | undefined;
  /** What a setting brought, where it is known exactly; or else it is what the account has beyond its parts. */
  readonly moved?: Decimal | undefined;
  instrument(symbol: string): Instrument | undefined;
}

/**
 * The parts after a report of their account: payments, forced closes and settings are shared, and what is left
 * unexplained is foreign. Gives what happened to each share that anything happened to.
 */
export function sharedReport(
  parts: SharedParts,
  report: MarginAccountReport,
  sharing: Sharing,
): { readonly parts: SharedParts; readonly events: readonly ShareEvent[] } {
  const { account } = report;
  const work = new Sharer(parts, account);
  if (report.carry !== undefined) work.pay(report, report.carry, sharing);
  else if (isForced(report)) work.force(report, sharing);
  else if (report.covered !== undefined) work.cover(report.covered);
  else if (isSetting(report)) work.set(report, sharing);
  work.bearDeficits();
  work.terms();
  return work.done();
}

const isForced = ({ reason, end, forced }: MarginAccountReport): boolean =>
  forced !== undefined ||
  reason === 'liquidated' ||
  end === 'liquidated' ||
  end === 'deleveraged' ||
  end === 'settled';

/** Shares one report. */
class Sharer {
  readonly #account: MarginAccountState;
  readonly #before: SharedParts;
  #shares: MarginShare[];
  readonly #moved = new Map<string, Decimal>();
  readonly #carries = new Map<string, MarginCarry>();
  readonly #forced = new Map<string, VenuePosition>();
  #asker: string | undefined;

  constructor(parts: SharedParts, account: MarginAccountState) {
    this.#before = parts;
    this.#account = account;
    this.#shares = [...parts.shares];
  }

  /** What the account has, and the parts had not. */
  get #unexplained(): Decimal {
    return foreignPart(this.#account, this.#shares).cash.minus(this.#before.foreign.cash);
  }

  /**
   * Funding is linear: each position's own payment, and the rounding to the largest. Interest is not, and is
   * shared by the lots on the side of the account's position.
   */
  pay({ position }: MarginAccountReport, carry: MarginCarry, sharing: Sharing): void {
    const symbol = position?.symbol ?? this.#account.symbol;
    if (symbol === undefined) return;
    const lots = this.#lots(symbol, position?.lots);
    const net = lots.reduce((sum, one) => sum + one, 0);
    const instrument = sharing.instrument(symbol);
    const parts =
      carry.kind === 'funding'
        ? fundingParts(carry, lots, instrument)
        : splitAmount(carry.amount, lots.map((one) => sideLots(one, net))); // prettier-ignore
    for (const [index, { strategy, state }] of this.#shares.entries()) {
      const amount = parts[index] ?? ZERO;
      if (amount.isZero()) continue;
      const held = state.positions.find((one) => one.symbol === symbol);
      const paid = held && { ...held, carry: held.carry.plus(amount) };
      const next = withPosition(state, symbol, paid);
      this.#put(index, { ...next, balance: state.balance.plus(amount) });
      this.#carries.set(strategy, { ...carry, amount });
    }
  }

  /** A forced close takes lots of those on its side, and shares what it brought and cost by them. */
  force({ position, forced }: MarginAccountReport, sharing: Sharing): void {
    const symbol = position?.symbol;
    const instrument = symbol === undefined ? undefined : sharing.instrument(symbol);
    if (symbol === undefined || instrument === undefined) return;
    const foreign = this.#before.foreign.lots[symbol] ?? 0;
    const own = this.#shares.map(({ state }) => lotsAt(state, symbol));
    const known = own.reduce((sum, one) => sum + one, foreign);
    const change = lotsAt(this.#account, symbol) - known;
    if (change === 0) return;
    const held = [...own, foreign].map((one) => sideLots(one, -change));
    const most = held.reduce((sum, one) => sum + one, 0);
    const lots = splitLots(Math.min(Math.abs(change), most), held);
    const cash = splitAmount(this.#unexplained, lots);
    const fees = splitAmount(forced?.fee ?? ZERO, lots);
    for (const [index, { strategy, state }] of this.#shares.entries()) {
      const size = lots[index] ?? 0;
      const one = state.positions.find((each) => each.symbol === symbol);
      if (size === 0 || one === undefined) continue;
      const fee = fees[index] ?? ZERO;
      const flow = (cash[index] ?? ZERO).plus(fee);
      const proceeds = one.lots > 0 ? flow : flow.negated();
      const { pnl, rest } = closedPart(one, instrument, size, proceeds);
      const after: VenuePosition = {
        ...one,
        ...rest,
        updatedAt: position?.updatedAt ?? one.updatedAt,
        realizedPnl: one.realizedPnl.plus(pnl),
        fees: one.fees.plus(fee),
      };
      const next = withPosition(state, symbol, after.lots === 0 ? undefined : after);
      this.#put(index, { ...next, balance: state.balance.plus(pnl).minus(fee) });
      this.#forced.set(strategy, after);
    }
  }

  /** What others paid goes first to those whose funds are below zero, as they are what was lacking. */
  cover(amount: Decimal): void {
    const lacking = this.#shares.map(({ state }) => Decimal.max(ZERO, state.balance.negated()));
    this.#give(Decimal.min(amount, Decimal.sum(ZERO, ...lacking)), lacking);
  }

  /**
   * Funds that a strategy asked for are its own. Of an account that somebody else closed each strategy gets
   * back what it has; all else that others bring or take is foreign.
   */
  set({ reason }: MarginAccountReport, { asker, moved = this.#unexplained }: Sharing): void {
    if (asker !== undefined) {
      const share = shareOf({ ...this.#before, shares: this.#shares }, asker, this.#account);
      const { state } = share;
      const balance = state.balance.plus(moved);
      const shares = withShare({ ...this.#before, shares: this.#shares }, { ...share, state: { ...state, balance } }); // prettier-ignore
      this.#shares = [...shares.shares];
      this.#asker = asker;
      this.#moved.set(asker, moved);
    } else if (reason === 'closed' && moved.isNegative()) {
      const has = this.#shares.map(({ state }) => Decimal.max(ZERO, state.balance));
      const given = this.#give(Decimal.max(moved, Decimal.sum(ZERO, ...has).negated()), has);
      for (const [strategy, amount] of given) this.#moved.set(strategy, amount);
    }
  }

  /** What a strategy without a position lost beyond its funds, funds of nobody bear and then the others, by theirs. */
  bearDeficits(): void {
    const isOver = ({ state }: MarginShare): boolean =>
      state.positions.length === 0 && state.balance.isNegative();
    const lost = this.#shares.filter(isOver);
    if (lost.length === 0) return;
    let lacking = lost.reduce((sum, { state }) => sum.minus(state.balance), ZERO);
    const { cash, lots } = foreignPart(this.#account, this.#shares);
    const nobodys = Object.keys(lots).length === 0 ? Decimal.max(ZERO, cash) : ZERO;
    lacking = Decimal.max(ZERO, lacking.minus(nobodys));
    const has = this.#shares.map(({ state }) => Decimal.max(ZERO, state.balance));
    const borne = Decimal.min(lacking, Decimal.sum(ZERO, ...has));
    this.#give(borne.negated(), has);
    // What nobody can bear stays with who lost it.
    let left = borne.plus(nobodys);
    this.#shares.forEach((share, index) => {
      if (!isOver(share)) return;
      const part = Decimal.min(left, share.state.balance.negated());
      left = left.minus(part);
      this.#put(index, { ...share.state, balance: share.state.balance.plus(part) });
    });
  }

  /** Leverage is the account's, and a part without anything is closed. */
  terms(): void {
    const { leverage, isOpen } = this.#account;
    this.#shares = this.#shares.map((share) => {
      const { balance, positions } = share.state;
      const isEmpty = balance.isZero() && positions.length === 0;
      return { ...share, state: { ...share.state, leverage, isOpen: isOpen && !isEmpty } };
    });
  }

  done(): ReturnType<typeof sharedReport> {
    const parts = { shares: this.#shares, foreign: foreignPart(this.#account, this.#shares) };
    const events = this.#shares.flatMap(({ strategy, state }): readonly ShareEvent[] => {
      const before = shareOf(this.#before, strategy, this.#account).state;
      const carry = this.#carries.get(strategy);
      const forced = this.#forced.get(strategy);
      const moved = this.#moved.get(strategy);
      const isSame = before.balance.equals(state.balance) && before.isOpen === state.isOpen;
      const isAsked = strategy === this.#asker;
      const isReported = isAsked || (carry ?? forced ?? moved) !== undefined;
      if (!isReported && isSame && sameLeverage(before, state)) return [];
      return [{ strategy, before, after: state, moved: moved ?? ZERO, isAsked, carry, forced }];
    });
    return { parts, events };
  }

  /** Lots of the shares, and of what is foreign last, where the account holds so many in all. */
  #lots(symbol: string, held: number | undefined): readonly number[] {
    const own = this.#shares.map(({ state }) => lotsAt(state, symbol));
    const all = held === undefined || held === 0 ? lotsAt(this.#account, symbol) : held;
    return [...own, own.reduce((rest, one) => rest - one, all)];
  }

  /** Gives an amount, negative where it takes, by what each has; gives what each got. */
  #give(amount: Decimal, has: readonly Decimal[]): ReadonlyMap<string, Decimal> {
    const given = new Map<string, Decimal>();
    const parts = byAmounts(amount, has);
    for (const [index, { strategy, state }] of this.#shares.entries()) {
      const part = parts[index] ?? ZERO;
      if (part.isZero()) continue;
      given.set(strategy, part);
      this.#put(index, { ...state, balance: state.balance.plus(part) });
    }
    return given;
  }

  #put(index: number, state: MarginAccountState): void {
    const share = this.#shares[index];
    if (share !== undefined) this.#shares[index] = { ...share, state };
  }
}

/** Each position's own payment, where price and rate are known; what is left goes to the largest. */
function fundingParts(
  { amount, price, rate }: MarginCarry,
  lots: readonly number[],
  instrument: Instrument | undefined,
): readonly Decimal[] {
  const net = lots.reduce((sum, one) => sum + one, 0);
  const isKnown = price !== undefined && rate !== undefined && instrument !== undefined;
  if (net === 0 && !isKnown) return lots.map(() => ZERO);
  const partOf = (one: number): Decimal =>
    isKnown
      ? fundingPayment(instrument.size(one as Lots), price, rate)
      : quotient(amount.times(one).times(Math.sign(net)), new Decimal(Math.abs(net)), AMOUNT_PLACES, 'down'); // prettier-ignore
  return withRest(amount, lots.map(partOf), lots);
}

/** Parts that add up to an amount: what is left goes to the largest position. */
function withRest(
  amount: Decimal,
  parts: readonly Decimal[],
  lots: readonly number[],
): readonly Decimal[] {
  const rest = amount.minus(Decimal.sum(ZERO, ...parts));
  const largest = largestOf(lots.map(Math.abs));
  return parts.map((part, index) => (index === largest ? part.plus(rest) : part));
}

/** How many of some lots are on the side of others. */
const sideLots = (lots: number, side: number): number =>
  Math.sign(lots) === Math.sign(side) ? Math.abs(lots) : 0;

/** An amount by amounts, each part no larger than the amount that it goes by where the sum is not. */
function byAmounts(amount: Decimal, has: readonly Decimal[]): readonly Decimal[] {
  let left = amount.abs();
  let all = Decimal.sum(ZERO, ...has);
  return has.map((one) => {
    if (all.isZero()) return ZERO;
    const part = one.equals(all) ? left : quotient(left.times(one), all, AMOUNT_PLACES, 'down'); // prettier-ignore
    left = left.minus(part);
    all = all.minus(one);
    return amount.isNegative() ? part.negated() : part;
  });
}

const sameLeverage = (one: MarginAccountState, other: MarginAccountState): boolean =>
  one.leverage === undefined || other.leverage === undefined
    ? one.leverage === other.leverage
    : one.leverage.equals(other.leverage);

/** A state with another position in a symbol, or none. */
function withPosition(
  state: MarginAccountState,
  symbol: string,
  position: VenuePosition | undefined,
): MarginAccountState {
  const others = state.positions.filter((one) => one.symbol !== symbol);
  return { ...state, positions: position === undefined ? others : [...others, position] };
}
