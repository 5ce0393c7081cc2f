import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  isSetting,
  marginAccountKey,
  marginAccountId,
  movedToMargin,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginReport,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginMode, OrderMargin } from '../../model/margin-terms.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Side } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { effectiveLeverage } from '../../rules/margin/leverage.ts';
import { accountMissing, positionUnknown } from '../../rules/margin/margin-setting.ts';
import { accountTerms } from '../../rules/margin/account-terms.ts';
import { equity, requirement, type MarkedPosition } from '../../rules/margin/maintenance.ts';
import { isCalledAt } from '../../rules/margin/margin-call.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';
import { orderReserve, positionReserve } from '../../rules/margin/reserve.ts';
import { unrealizedPnl, valueAt, type PositionValue } from '../../rules/margin/position-value.ts';
import type { MarginAccount, MarginEvent, MarginPosition } from '../../strategy/positions.ts';
import { asWritten } from './as-written.ts';
import { notOnMargin } from './not-on-margin.ts';

/** A report without a listener when it came, and the account before it. */
export interface MissedReport {
  readonly report: MarginAccountReport;
  readonly before: MarginAccountState | undefined;
}

/** A margin call that started or ended by a market move. */
export interface CallChange {
  readonly account: MarginAccountState;
  readonly event: MarginEvent;
}

const isDerived = ({ isCalled, positions }: MarginAccountState): boolean =>
  isCalled === undefined && positions.length > 0;

/** Where a strategy trades on margin. */
export interface MarginMarket {
  readonly instrument: Instrument;
  readonly mode: MarginMode;
}

export interface MarginAccountsSetup {
  /** Throws `symbol-unknown`. */
  instrument(symbol: string): Instrument;
  /** The price that positions in a symbol are checked by. */
  markPrice(symbol: string): Decimal | undefined;
}

/** Margin accounts of a strategy as the venue last reported them. */
export class StrategyMarginAccounts {
  readonly #setup: MarginAccountsSetup;
  readonly #accounts = new Map<string, MarginAccountState>();
  /** Accounts with a reported margin call. */
  readonly #isCalled = new Set<string>();
  /** Unanswered requests, by account, oldest first. */
  readonly #pending = new Map<string, readonly MarginRequest[]>();
  /** Filled lots since the last report of their account, by account and symbol. */
  readonly #fills = new Map<string, Map<string, number>>();

  constructor(setup: MarginAccountsSetup) {
    this.#setup = setup;
  }

  /** Restores the accounts at the start. */
  restore(accounts: readonly MarginAccountState[]): void {
    for (const account of accounts) {
      const key = marginAccountKey(account);
      this.#accounts.set(key, account);
      if (this.#calls(account)) this.#isCalled.add(key);
    }
  }

  /** Applies a report; returns its events for the strategy. */
  take(report: MarginReport): readonly MarginEvent[] {
    if (report.kind === 'marginRejected') {
      const { at, mode, symbol, rejection } = report;
      return [{ kind: 'rejected', at, mode, symbol, rejection: asWritten(rejection) }];
    }
    const key = marginAccountKey(report.account);
    this.#fills.delete(key);
    const before = this.#accounts.get(key);
    this.#accounts.set(key, report.account);
    const wasCalled = this.#isCalled.has(key);
    if (this.#calls(report.account)) this.#isCalled.add(key);
    else this.#isCalled.delete(key);
    return eventsOf(report, before, { wasCalled, isCalled: this.#isCalled.has(key) });
  }

  /** Funds that a report, not applied yet, moved to its account. */
  moved(report: MarginReport): Decimal {
    if (report.kind === 'marginRejected') return ZERO;
    return movedToMargin(report, this.#accounts.get(marginAccountKey(report.account)));
  }

  /** Events of a report that is already applied. */
  missed({ report, before }: MissedReport): readonly MarginEvent[] {
    return eventsOf(report, before, {
      wasCalled: before !== undefined && this.#calls(before),
      isCalled: this.#calls(report.account),
    });
  }

  /** True while the margin calls of an account are derived from mark prices. */
  get derivesCalls(): boolean {
    for (const account of this.#accounts.values()) if (isDerived(account)) return true;
    return false;
  }

  /**
   * Returns margin calls after mark prices changed, for accounts whose venue does not report them.
   */
  marked(at: Micros): readonly CallChange[] {
    const changes: CallChange[] = [];
    for (const [key, account] of this.#accounts) {
      if (!isDerived(account)) continue;
      const isCalled = this.#calls(account);
      if (isCalled === this.#isCalled.has(key)) continue;
      if (isCalled) this.#isCalled.add(key);
      else this.#isCalled.delete(key);
      const { mode, symbol } = account;
      const kind = isCalled ? 'marginCall' : 'recovered';
      changes.push({ account, event: Object.freeze({ at, mode, symbol, kind }) });
    }
    return changes;
  }

  /**
   * Compares the margin-call price with the mark price, if the venue does not report margin calls.
   */
  #calls(account: MarginAccountState): boolean {
    return (
      account.isCalled ??
      account.positions.some((position) =>
        isCalledAt(position, this.#setup.markPrice(position.symbol)),
      )
    );
  }

  /** True if the account is the one for trades in a market. */
  isAccountOf(market: MarginMarket, account: MarginAccountState): boolean {
    return accountKey(market) === marginAccountKey(account);
  }

  /** True while the account of a market has positions. */
  hasPositions(market: MarginMarket): boolean {
    return (this.#accounts.get(accountKey(market))?.positions.length ?? 0) > 0;
  }

  /** True while a request for the account of a market is unanswered. */
  isRequested(market: MarginMarket): boolean {
    return this.#pending.has(accountKey(market));
  }

  /**
   * Funds that the account of a market lacks to have its own leverage as the effective one, after
   * the closing fee; `undefined` while a price or the terms of a position are unknown.
   */
  lacking(market: MarginMarket): Decimal | undefined {
    const state = this.#accounts.get(accountKey(market));
    if (state === undefined) return undefined;
    const marked: MarkedPosition[] = [];
    for (const position of state.positions) {
      const instrument = this.#setup.instrument(position.symbol);
      const price = this.#setup.markPrice(position.symbol);
      const terms = accountTerms(instrument, state);
      if (price === undefined || terms === undefined) return undefined;
      const { leverage, rate } = terms;
      marked.push({ ...valueOf(instrument, position), price, leverage, rate });
    }
    const lacking = requirement(marked).minus(equity(state.balance, marked));
    return rounded(Decimal.max(ZERO, lacking), AMOUNT_PLACES, 'up');
  }

  /**
   * Notes that a request for the account of a market was sent: until its answer the account may
   * exist.
   */
  requested(market: MarginMarket, request: MarginRequest): void {
    const key = accountKey(market);
    this.#pending.set(key, [...(this.#pending.get(key) ?? []), request]);
  }

  /**
   * Returns the request that a report answers and removes it: the one in the report, else the
   * oldest of its account. `undefined` if there is none, or if the report is not an answer.
   */
  answered(report: MarginReport): MarginRequest | undefined {
    const isRejected = report.kind === 'marginRejected';
    if (!isRejected && (!isSetting(report) || report.byOthers === true)) return undefined;
    const key = isRejected
      ? accountKey({ instrument: this.#setup.instrument(report.symbol), mode: report.mode })
      : marginAccountKey(report.account);
    const pending = this.#pending.get(key) ?? [];
    const rejectedRequest = isRejected ? report.request : undefined;
    const request =
      rejectedRequest === undefined ? pending[0] : pending.find((one) => one === rejectedRequest);
    const left = pending.filter((one) => one !== request);
    if (left.length > 0) this.#pending.set(key, left);
    else this.#pending.delete(key);
    return request;
  }

  /**
   * Why an order with these margin terms is not possible: the symbol is not traded so, there is no
   * account, or no position to reduce. Without terms it is a spot order. Without a side it is a
   * target or quote, which waits for a requested account; an order does not wait.
   */
  rejection(
    instrument: Instrument,
    margin: OrderMargin | undefined,
    side?: Side,
  ): Rejection | undefined {
    const { symbol, isContract } = instrument;
    if (margin === undefined) return isContract ? contractOnly(symbol) : undefined;
    const { mode } = margin;
    if (instrument.margin[mode]?.active !== true) return notOnMargin(instrument, mode);
    const market = { instrument, mode };
    const key = accountKey(market);
    const isAwaited = side === undefined && this.#pending.has(key);
    const isThere = this.#accounts.get(key)?.isOpen === true || isAwaited;
    if (!isThere) return accountMissing(instrument, mode);
    const isReducing = margin.reduceOnly === true || margin.closePosition === true;
    if (!isReducing) return undefined;
    const lots = this.lots(market);
    const field = margin.reduceOnly === true ? 'reduceOnly' : 'closePosition';
    if (lots === 0) return positionUnknown(symbol, field);
    return side !== undefined && (side === 'buy') === lots > 0
      ? ownSide(symbol, side, field)
      : undefined;
  }

  /** Counts a fill until its account is reported, just after it. */
  fill(market: MarginMarket, { side, lots }: Fill): void {
    const key = accountKey(market);
    const { symbol } = market.instrument;
    let fills = this.#fills.get(key);
    if (fills === undefined) this.#fills.set(key, (fills = new Map<string, number>()));
    fills.set(symbol, (fills.get(symbol) ?? 0) + (side === 'buy' ? 1 : -1) * lots);
  }

  /** Lots of the position, negative for a short, with the fills received since. */
  lots(market: MarginMarket): number {
    const fills = this.#fills.get(accountKey(market))?.get(market.instrument.symbol) ?? 0;
    return (this.#held(market)?.lots ?? 0) + fills;
  }

  position(market: MarginMarket): MarginPosition {
    const { instrument, mode } = market;
    const position = this.#held(market);
    if (position === undefined) return new PositionAt(instrument, mode, undefined, undefined);
    return new PositionAt(instrument, mode, position, this.#setup.markPrice(instrument.symbol));
  }

  account(market: MarginMarket): MarginAccount {
    const { instrument, mode } = market;
    const state = this.#accounts.get(accountKey(market));
    return state === undefined ? none(mode, instrument.quoteCurrency) : this.view(state);
  }

  /** A reported account at current prices. */
  view(state: MarginAccountState): MarginAccount {
    const { mode, currency, balance, reservedOrders, leverage } = state;
    const reservedPositions = this.#reservedOf(state);
    const left = balance.minus(reservedOrders).minus(reservedPositions);
    const value = this.#priceOf(state);
    return Object.freeze({
      mode,
      state: !state.isOpen ? 'none' : this.#calls(state) ? 'marginCall' : 'normal',
      currency,
      balance,
      reservedOrders,
      reservedPositions,
      available: left.isNegative() ? ZERO : left,
      leverage,
      ...(value === undefined
        ? {}
        : {
            equity: value.equity,
            effectiveLeverage: effectiveLeverage(value.notional, value.equity),
          }),
    });
  }

  /** True while fills of an account were received but not the report that follows them. */
  isBehind(market: MarginMarket): boolean {
    return this.#fills.has(accountKey(market));
  }

  /** Equity of a market's margin account; `undefined` without one or while a price is missing. */
  equity(market: MarginMarket): Decimal | undefined {
    const state = this.#accounts.get(accountKey(market));
    return state?.isOpen === true ? this.#priceOf(state)?.equity : undefined;
  }

  /** The price that positions in this market are checked by; `undefined` while it is unknown. */
  markPrice({ instrument }: MarginMarket): Decimal | undefined {
    return this.#setup.markPrice(instrument.symbol);
  }

  /** Value of new orders, at their expected prices, that the free funds cover. */
  openableValue(market: MarginMarket): Decimal {
    const { instrument, mode } = market;
    const rules = instrument.margin[mode];
    if (rules === undefined) return ZERO;
    const { available, leverage } = this.account(market);
    const maxLeverage = rules.maxInitialLeverage;
    const reserve = orderReserve(
      ONE,
      leverage === undefined ? maxLeverage : Decimal.min(leverage, maxLeverage),
      rules.reserveRate ?? instrument.takeRate,
    );
    return available.div(reserve);
  }

  /**
   * Margin of the positions now, with their open losses; as reported while a mark price is unknown.
   */
  #reservedOf(state: MarginAccountState): Decimal {
    let sum = ZERO;
    for (const position of state.positions) {
      const instrument = this.#setup.instrument(position.symbol);
      const mark = this.#setup.markPrice(position.symbol);
      const rules = instrument.margin[state.mode];
      if (mark === undefined || rules === undefined) return state.reservedPositions;
      const maxLeverage = rules.maxInitialLeverage;
      const { leverage = maxLeverage } = state;
      const reserve = positionReserve({
        value: position.entryValue,
        leverage: Decimal.min(leverage, maxLeverage),
        rate: rules.reserveRate ?? instrument.takeRate,
        loss: unrealizedPnl(valueOf(instrument, position), mark).negated(),
      });
      sum = sum.plus(reserve);
    }
    return sum;
  }

  #held({ instrument, mode }: MarginMarket): VenuePosition | undefined {
    return this.#accounts
      .get(accountKey({ instrument, mode }))
      ?.positions.find(({ symbol }) => symbol === instrument.symbol);
  }

  #priceOf(
    state: MarginAccountState,
  ): { readonly equity: Decimal; readonly notional: Decimal } | undefined {
    let equity = state.balance;
    let notional = ZERO;
    for (const position of state.positions) {
      const mark = this.#setup.markPrice(position.symbol);
      if (mark === undefined) return undefined;
      const value = valueOf(this.#setup.instrument(position.symbol), position);
      equity = equity.plus(unrealizedPnl(value, mark));
      notional = notional.plus(valueAt(value, mark));
    }
    return { equity, notional };
  }
}

class PositionAt implements MarginPosition {
  readonly instrument: Instrument;
  readonly margin: MarginMode;
  readonly lots: Lots;
  readonly markPrice: Decimal | undefined;
  readonly #held: VenuePosition | undefined;

  constructor(
    instrument: Instrument,
    margin: MarginMode,
    position: VenuePosition | undefined,
    markPrice: Decimal | undefined,
  ) {
    this.instrument = instrument;
    this.margin = margin;
    this.lots = (position?.lots ?? 0) as Lots;
    this.#held = position;
    this.markPrice = markPrice;
  }

  get side(): 'long' | 'short' | 'none' {
    if (this.lots === 0) return 'none';
    return this.lots > 0 ? 'long' : 'short';
  }

  get size(): Decimal {
    return this.instrument.size(this.lots);
  }

  /** Average entry price in ticks, not rounded. */
  get entryTicks(): number {
    if (this.#held === undefined) return Number.NaN;
    const { tickValue } = this.instrument;
    return this.#held.entryValue.div(tickValue.times(Math.abs(this.lots))).toNumber();
  }

  get entryPrice(): Decimal | undefined {
    return this.#held?.entryPrice;
  }

  get notional(): Decimal | undefined {
    return this.#at((value, mark) => valueAt(value, mark));
  }

  get unrealizedPnl(): Decimal | undefined {
    return this.#at((value, mark) => unrealizedPnl(value, mark));
  }

  get realizedPnl(): Decimal {
    return this.#held?.realizedPnl ?? ZERO;
  }

  get fees(): Decimal {
    return this.#held?.fees ?? ZERO;
  }

  get carry(): Decimal {
    return this.#held?.carry ?? ZERO;
  }

  get marginCallPrice(): Decimal | undefined {
    return this.#held?.marginCallPrice;
  }

  get liquidationPrice(): Decimal | undefined {
    return this.#held?.liquidationPrice;
  }

  get distance(): number | undefined {
    const { markPrice, liquidationPrice } = this;
    if (markPrice === undefined || liquidationPrice === undefined) return undefined;
    return liquidationPrice.minus(markPrice).abs().div(markPrice).toNumber();
  }

  #at(of: (value: PositionValue, mark: Decimal) => Decimal): Decimal | undefined {
    if (this.#held === undefined || this.markPrice === undefined) return undefined;
    return of(valueOf(this.instrument, this.#held), this.markPrice);
  }
}

const ONE = new Decimal(1);

const valueOf = (instrument: Instrument, position: VenuePosition): PositionValue => ({
  quantity: instrument.size(position.lots as Lots),
  value: position.entryValue,
});

const contractOnly = (symbol: string): Rejection => ({
  code: 'margin-mode-invalid',
  field: 'symbol',
  message: `${symbol} is a futures contract and trades on margin alone; give the market as isolated('${symbol}') or cross('${symbol}').`,
  limit: 'isolated, cross',
});

/** Rejects a reducing order on the side of its position. */
const ownSide = (symbol: string, side: Side, field: string): Rejection => {
  const [kind, other] = side === 'buy' ? ['long', 'sell'] : ['short', 'buy'];
  return {
    code: 'position-unknown',
    field,
    message: `The position in ${symbol} is ${kind}, and a ${side} order cannot make it smaller; ${other}, or leave ${field} out.`,
  };
};

const none = (mode: MarginMode, currency: string): MarginAccount =>
  Object.freeze({
    mode,
    state: 'none',
    currency,
    balance: ZERO,
    available: ZERO,
    reservedOrders: ZERO,
    reservedPositions: ZERO,
  });

const accountKey = ({ instrument, mode }: MarginMarket): string =>
  marginAccountKey(marginAccountId(instrument, mode));

/** Events of a report, apart from fills of the strategy's orders. */
function eventsOf(
  report: MarginAccountReport,
  before: MarginAccountState | undefined,
  { wasCalled, isCalled }: { readonly wasCalled: boolean; readonly isCalled: boolean },
): readonly MarginEvent[] {
  const { at, reason, account, position, end, carry, byOthers, missed } = report;
  const { mode, balance, leverage } = account;
  const symbol = position?.symbol ?? account.symbol;
  const base = { at, mode, symbol, ...(missed === undefined ? {} : { missed }) };
  const events: MarginEvent[] = [];
  if (carry !== undefined) {
    const { kind, amount, price, rate } = carry;
    events.push({ ...base, kind, amount, price, rate });
  }
  const forcedEvent = forcedBy(reason, end);
  if (forcedEvent !== undefined)
    events.push({ ...base, kind: forcedEvent, lots: position?.lots ?? 0 });
  else if (byOthers === true && position !== undefined) {
    events.push({ ...base, kind: 'changedByOthers', lots: position.lots });
  }
  const isSet = reason === 'marginChanged' || reason === 'created' || reason === 'reopened';
  if (isSet || (byOthers === true && position === undefined)) {
    if (!(before?.balance ?? ZERO).equals(balance)) {
      events.push({ ...base, kind: 'marginChanged', balance });
    }
    if (account.isOpen && !isSame(before?.leverage, leverage)) {
      events.push({ ...base, kind: 'leverageChanged', leverage });
    }
  } else if (reason === 'closed' && position === undefined) {
    events.push({ ...base, kind: 'marginChanged', balance });
  }
  // A call that ended with the last position is not a recovery.
  const isOver = !isCalled && account.positions.length === 0;
  if (wasCalled !== isCalled && !isOver) {
    events.push({ ...base, kind: isCalled ? 'marginCall' : 'recovered' });
  }
  return events.map((event) => Object.freeze(event));
}

function forcedBy(
  reason: MarginAccountReport['reason'],
  end: MarginAccountReport['end'],
): 'liquidated' | 'deleveraged' | 'settled' | undefined {
  if (end === 'settled') return 'settled';
  if (end === 'deleveraged') return 'deleveraged';
  return reason === 'liquidated' || end === 'liquidated' ? 'liquidated' : undefined;
}

const isSame = (one: Decimal | undefined, other: Decimal | undefined): boolean =>
  one === undefined || other === undefined ? one === other : one.equals(other);
