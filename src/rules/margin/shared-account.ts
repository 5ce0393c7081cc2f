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
import { closedPart, positionAfterFill } from './position-fill.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';
import { largestOf, splitAmount, splitLots } from './split.ts';

/** A strategy's part of a shared margin account. */
export interface MarginShare {
  readonly strategy: string;
  /** The account as the strategy sees it: its own funds and positions, from its own fills. */
  readonly state: MarginAccountState;
}

/** A shared margin account in parts. */
export interface SharedParts {
  readonly shares: readonly MarginShare[];
  /** What the account has beyond the shares: funds and lots of no strategy. */
  readonly foreign: ForeignPart;
}

export interface ForeignPart {
  /** See `cashOf`. */
  readonly cash: Decimal;
  /** By symbol, negative for a short; without zeros. */
  readonly lots: Readonly<Record<string, number>>;
}

/** An event of a strategy's part. */
export interface ShareEvent {
  readonly strategy: string;
  readonly before: MarginAccountState;
  readonly after: MarginAccountState;
  /** Funds moved from the spot balance, negative if moved back. */
  readonly moved: Decimal;
  /** True if its strategy requested the setting that the report answers. */
  readonly isRequested: boolean;
  /** Payment or receipt of its position. */
  readonly carry?: MarginCarry | undefined;
  /** A position after a forced close of its lots. */
  readonly forced?: VenuePosition | undefined;
}

export const NO_PARTS: SharedParts = { shares: [], foreign: { cash: ZERO, lots: {} } };

/**
 * Cash of an account: its funds less the entry value of longs plus that of shorts, which is its
 * equity if its positions were worth nothing. Trades change it by their value, however positions
 * are netted, so the parts of an account add up to it exactly, and so does equity at any mark
 * price.
 */
export const cashOf = ({ balance, positions }: MarginAccountState): Decimal =>
  positions.reduce(
    (sum, { lots, entryValue }) => (lots > 0 ? sum.minus(entryValue) : sum.plus(entryValue)),
    balance,
  );

export const lotsAt = ({ positions }: MarginAccountState, symbol: string): number =>
  positions.find((position) => position.symbol === symbol)?.lots ?? 0;

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

/** The share of a strategy; an empty one if it has none. */
export function shareOf(
  { shares }: SharedParts,
  strategy: string,
  account: MarginAccountState,
): MarginShare {
  const found = shares.find((one) => one.strategy === strategy);
  return found ?? { strategy, state: { ...emptyAccount(account), leverage: account.leverage } };
}

/** The parts with a changed share. */
export function withShare(parts: SharedParts, share: MarginShare): SharedParts {
  const { strategy } = share;
  const isThere = parts.shares.some((one) => one.strategy === strategy);
  const shares = isThere
    ? parts.shares.map((one) => (one.strategy === strategy ? share : one))
    : [...parts.shares, share];
  return { ...parts, shares };
}

/**
 * A share after a fill of its strategy; the foreign part changes with the report of the account.
 */
export function filledShare(share: MarginShare, instrument: Instrument, fill: Fill): MarginShare {
  const { state } = share;
  const { symbol } = instrument;
  const fee = fill.feeCurrency === state.currency ? fill.fee.toDecimal() : ZERO;
  const position = state.positions.find((one) => one.symbol === symbol);
  const { open, pnl } = positionAfterFill(position, instrument, fill, {
    fee,
    newId: () => fill.id,
  });
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

/**
 * Same as `filledParts` for a fill that was foreign before: it moves from the foreign part to the
 * strategy.
 */
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

/** How a report is shared. */
export interface Sharing {
  /** The strategy that requested a setting; absent if none did. */
  readonly requester: string | undefined;
  /**
   * Funds that a setting moved, if known exactly; else they follow from the account and its parts.
   */
  readonly moved?: Decimal | undefined;
  instrument(symbol: string): Instrument | undefined;
}

/**
 * The parts after a report of their account: payments, forced closes and settings are shared, and
 * an unexplained rest is foreign. Returns the events of the changed shares.
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
  work.chargeDeficits();
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
  #requester: string | undefined;

  constructor(parts: SharedParts, account: MarginAccountState) {
    this.#before = parts;
    this.#account = account;
    this.#shares = [...parts.shares];
  }

  /** Cash of the account beyond the parts. */
  get #unexplained(): Decimal {
    return foreignPart(this.#account, this.#shares).cash.minus(this.#before.foreign.cash);
  }

  /**
   * Shares funding by each position's own payment, with the rounding rest to the largest, as
   * funding is linear. Interest is not, and is shared by the lots on the side of the account's
   * position.
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
      const heldPosition = state.positions.find((one) => one.symbol === symbol);
      const paid = heldPosition && { ...heldPosition, carry: heldPosition.carry.plus(amount) };
      const next = withPosition(state, symbol, paid);
      this.#put(index, { ...next, balance: state.balance.plus(amount) });
      this.#carries.set(strategy, { ...carry, amount });
    }
  }

  /** Takes a forced close from the lots on its side, and shares its proceeds and cost by them. */
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

  /** Shares a paid deficit first among the parts with negative funds, as they caused it. */
  cover(amount: Decimal): void {
    const lacking = this.#shares.map(({ state }) => Decimal.max(ZERO, state.balance.negated()));
    this.#give(Decimal.min(amount, Decimal.sum(ZERO, ...lacking)), lacking);
  }

  /**
   * Gives requested funds to the strategy that asked. If another client closed the account, each
   * strategy gets back its part; all other transfers are foreign.
   */
  set({ reason }: MarginAccountReport, { requester, moved = this.#unexplained }: Sharing): void {
    if (requester !== undefined) {
      const share = shareOf({ ...this.#before, shares: this.#shares }, requester, this.#account);
      const { state } = share;
      const balance = state.balance.plus(moved);
      const shares = withShare({ ...this.#before, shares: this.#shares }, { ...share, state: { ...state, balance } }); // prettier-ignore
      this.#shares = [...shares.shares];
      this.#requester = requester;
      this.#moved.set(requester, moved);
    } else if (reason === 'closed' && moved.isNegative()) {
      const has = this.#shares.map(({ state }) => Decimal.max(ZERO, state.balance));
      const given = this.#give(Decimal.max(moved, Decimal.sum(ZERO, ...has).negated()), has);
      for (const [strategy, amount] of given) this.#moved.set(strategy, amount);
    }
  }

  /**
   * Charges losses of a strategy beyond its funds, without a position, to foreign funds first and
   * then to the others, in proportion to theirs.
   */
  chargeDeficits(): void {
    const isOver = ({ state }: MarginShare): boolean =>
      state.positions.length === 0 && state.balance.isNegative();
    const lost = this.#shares.filter(isOver);
    if (lost.length === 0) return;
    let lacking = lost.reduce((sum, { state }) => sum.minus(state.balance), ZERO);
    const { cash, lots } = foreignPart(this.#account, this.#shares);
    const foreignShare = Object.keys(lots).length === 0 ? Decimal.max(ZERO, cash) : ZERO;
    lacking = Decimal.max(ZERO, lacking.minus(foreignShare));
    const has = this.#shares.map(({ state }) => Decimal.max(ZERO, state.balance));
    const charged = Decimal.min(lacking, Decimal.sum(ZERO, ...has));
    this.#give(charged.negated(), has);
    // A loss that nobody can cover stays where it was made.
    let left = charged.plus(foreignShare);
    this.#shares.forEach((share, index) => {
      if (!isOver(share)) return;
      const part = Decimal.min(left, share.state.balance.negated());
      left = left.minus(part);
      this.#put(index, { ...share.state, balance: share.state.balance.plus(part) });
    });
  }

  /** Sets the account's leverage on every part, and closes empty ones. */
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
      const isRequested = strategy === this.#requester;
      const isReported = isRequested || (carry ?? forced ?? moved) !== undefined;
      if (!isReported && isSame && sameLeverage(before, state)) return [];
      return [{ strategy, before, after: state, moved: moved ?? ZERO, isRequested, carry, forced }];
    });
    return { parts, events };
  }

  /** Lots of the shares, and of the foreign part last, if they add up to the account's. */
  #lots(symbol: string, held: number | undefined): readonly number[] {
    const own = this.#shares.map(({ state }) => lotsAt(state, symbol));
    const all = held === undefined || held === 0 ? lotsAt(this.#account, symbol) : held;
    return [...own, own.reduce((rest, one) => rest - one, all)];
  }

  /**
   * Distributes an amount, negative to charge it, in proportion to `has`; returns each part's
   * amount.
   */
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

/** Each position's own payment, if price and rate are known; the rest goes to the largest. */
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

/** Parts that add up to an amount: the rest goes to the largest position. */
function withRest(
  amount: Decimal,
  parts: readonly Decimal[],
  lots: readonly number[],
): readonly Decimal[] {
  const rest = amount.minus(Decimal.sum(ZERO, ...parts));
  const largest = largestOf(lots.map(Math.abs));
  return parts.map((part, index) => (index === largest ? part.plus(rest) : part));
}

/** Number of lots on the given side. */
const sideLots = (lots: number, side: number): number =>
  Math.sign(lots) === Math.sign(side) ? Math.abs(lots) : 0;

/** An amount split in proportion to others, no part larger than its weight unless the total is. */
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

const sameLeverage = (account: MarginAccountState, other: MarginAccountState): boolean =>
  account.leverage === undefined || other.leverage === undefined
    ? account.leverage === other.leverage
    : account.leverage.equals(other.leverage);

/** A state with another position in a symbol, or none. */
function withPosition(
  state: MarginAccountState,
  symbol: string,
  position: VenuePosition | undefined,
): MarginAccountState {
  const others = state.positions.filter((one) => one.symbol !== symbol);
  return { ...state, positions: position === undefined ? others : [...others, position] };
}
