import { brief, type Decimal, ZERO } from '../../model/decimal.ts';
import { MARGIN_MODES, type OrderMargin } from '../../model/margin-terms.ts';
import type { Rejection } from '../../model/rejections.ts';
import { stopReserveTicks } from '../../rules/funds.ts';
import { reachesLeverage } from '../../rules/margin/leverage.ts';
import { equity } from '../../rules/margin/maintenance.ts';
import {
  accountMissing,
  marginForbidden,
  marginInsufficient,
  positionUnknown,
} from '../../rules/margin/margin-setting.ts';
import { modeInvalid } from '../../rules/margin/order-margin.ts';
import { valueAt } from '../../rules/margin/position-value.ts';
import { positionValueMax } from '../../rules/margin/risk-limit.ts';
import {
  type Candidate,
  growthValue,
  ordersRequirement,
  positionsRequirement,
} from '../clearing/requirement.ts';
import { NONE } from '../orders/orders.ts';
import { BUY, SELL, sideCode } from '../orders/side.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import type { MarginDeal } from '../positions/accounts.ts';
import { CLOSE_POSITION, REDUCE_ONLY } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import { estimateFill } from './fill-estimate.ts';
import type { Placement } from './guard.ts';

/** Terms of an order that decide the funds it needs. */
interface RequestedTerms {
  readonly instrument: number;
  readonly side: number;
  /** Limit price, 0 without one. */
  readonly ticks: number;
  /** Stop price, 0 without one. */
  readonly stopTicks: number;
  readonly lots: number;
  readonly isReducing: boolean;
}

/** Why a symbol is not traded in this mode; a spot order has no margin terms. */
export function marginTermsRejection(
  state: State,
  trader: number,
  instrument: number,
  margin: OrderMargin | undefined,
): Rejection | undefined {
  const traded = state.instruments[instrument];
  // A contract has no spot market, so its order needs a mode.
  if (margin === undefined) return traded.isContract ? modeInvalid(undefined) : undefined;
  const { symbol, margin: terms } = traded;
  if (!MARGIN_MODES.includes(margin.mode)) return modeInvalid(margin.mode);
  if (terms[margin.mode]?.active !== true) return marginForbidden(symbol, margin.mode);
  const account = state.marginAccounts.on(trader, instrument, margin.mode);
  return account === undefined ? accountMissing(traded, margin.mode) : undefined;
}

/**
 * Why an account's funds do not cover a margin order. A `restored` order only needs an account that
 * is covered, not the checks of a new order.
 */
export function marginRejection(
  state: State,
  { account: trader, instrument, order, passed }: Placement,
  margin: OrderMargin,
): Rejection | undefined {
  const account = state.marginAccounts.on(trader, instrument, margin.mode);
  if (account === undefined) return accountMissing(state.instruments[instrument], margin.mode);
  if (margin.closePosition === true) return undefined;
  if (passed === 'restored' && margin.reduceOnly !== true) return undefined;
  const requested: RequestedTerms = {
    instrument,
    side: sideCode(order.side),
    ticks: order.ticks ?? 0,
    stopTicks: order.stopTicks ?? 0,
    lots: order.lots,
    isReducing: margin.reduceOnly === true,
  };
  return rejectionOf(state, account, requested);
}

/** Why an order cannot have another price or quantity; `ticks` is the price of its margin. */
export function marginReplacementRejection(
  state: State,
  order: number,
  ticks: number,
  lots: number,
): Rejection | undefined {
  const requested = { ...termsOf(state, order), ticks, lots };
  return rejectionOf(state, state.marginAccounts.ofOrder(order), requested, order);
}

/** True if an order that was activated or triggered is covered. */
export function isMarginCovered(state: State, order: number): boolean {
  const { orders } = state;
  if ((orders.marginFlags(order) & CLOSE_POSITION) !== 0) {
    return orders.status(order) === 'suspended' || orders.remaining(order) > 0;
  }
  const account = state.marginAccounts.ofOrder(order);
  return rejectionOf(state, account, termsOf(state, order), order) === undefined;
}

function termsOf(state: State, order: number): RequestedTerms {
  const { orders } = state;
  return {
    instrument: orders.instrument(order),
    side: orders.side(order),
    ticks: orders.ticks(order),
    stopTicks: orders.status(order) === 'suspended' ? state.stops.ticks(order) : 0,
    lots: orders.remaining(order),
    isReducing: (orders.marginFlags(order) & REDUCE_ONLY) !== 0,
  };
}

function rejectionOf(
  state: State,
  account: MarginAccount,
  requested: RequestedTerms,
  without = NONE,
): Rejection | undefined {
  const { instrument, side, lots } = requested;
  const { symbol } = state.instruments[instrument];
  const position = account.positions.get(instrument);
  const reducible = reducibleBy(position, side);
  if (requested.isReducing) {
    return reducible > 0 ? undefined : positionUnknown(symbol, 'reduceOnly');
  }
  const candidate = candidateOf(state, account.key.trader, requested);
  const before = ordersRequirement(state, account, undefined, without);
  const after = ordersRequirement(state, account, candidate, without);
  if (after.lessThanOrEqualTo(before) && lots <= reducible) return undefined;
  return (
    growthRejection(state, account, instrument, position, candidate) ??
    coverRejection(state, account, after)
  );
}

function coverRejection(
  state: State,
  account: MarginAccount,
  orders: Decimal,
): Rejection | undefined {
  const need = orders.plus(positionsRequirement(state, account));
  return account.balance.greaterThanOrEqualTo(need)
    ? undefined
    : marginInsufficient(state.ledger.balances[account.currency].currency, account.balance, need);
}

/** Why a position cannot be increased. */
function growthRejection(
  state: State,
  account: MarginAccount,
  instrument: number,
  position: Position | undefined,
  candidate: Candidate,
): Rejection | undefined {
  const { symbol } = state.instruments[instrument];
  const deal = state.marginAccounts.deal(account, instrument);
  const { rules } = deal;
  if (!rules.enabled || state.marginAccounts.closing.has(instrument)) {
    return position === undefined
      ? marginForbidden(symbol, rules.mode)
      : closeOnly(symbol, 'no margin positions are opened in it now');
  }
  const unpriced = unpricedSymbol(state, account);
  if (unpriced !== undefined) return closeOnly(symbol, `no price of ${unpriced} is known yet`);
  if (position !== undefined && isAtLeverage(state, account, rules.maxInitialLeverage)) {
    const maxLeverage = rules.maxInitialLeverage.toFixed();
    return closeOnly(symbol, `the effective leverage of the account has reached ${maxLeverage}`);
  }
  return riskRejection(state, account, instrument, deal, candidate);
}

/** Symbol of a position without a price: one of a previous run, just restored. */
export function unpricedSymbol(state: State, account: MarginAccount): string | undefined {
  if (!account.awaitsPrices) return undefined;
  for (const { instrument, terms } of account.positions.values()) {
    if (state.prices.price(instrument) === undefined) return terms.symbol;
  }
  account.awaitsPrices = false;
  return undefined;
}

/** True if the effective leverage of an account has reached a limit, with the given funds. */
export function isAtLeverage(
  state: State,
  account: MarginAccount,
  limit: Decimal,
  balance = account.balance,
): boolean {
  const marked = [...account.positions.values()].map((position) => ({
    ...position.value,
    price: state.prices.price(position.instrument) ?? position.entryPrice,
    rate: ZERO,
    leverage: limit,
  }));
  const value = marked.reduce((sum, one) => sum.plus(valueAt(one, one.price)), ZERO);
  return reachesLeverage(value, equity(balance, marked), limit);
}

function riskRejection(
  state: State,
  account: MarginAccount,
  instrument: number,
  { rules, leverage }: MarginDeal,
  candidate: Candidate,
): Rejection | undefined {
  const { riskLimit } = rules;
  const limit = riskLimit === undefined ? undefined : positionValueMax(riskLimit, leverage);
  if (limit === undefined) return undefined;
  const held = account.positions.get(instrument)?.value.value;
  const growth = growthValue(state, account, instrument, candidate);
  const value = held === undefined ? growth : held.plus(growth);
  return value.greaterThan(limit) ? riskLimitExceeded(value, limit) : undefined;
}

/** An order that would take now counts at its fill price, if that costs more. */
function candidateOf(state: State, trader: number, requested: RequestedTerms): Candidate {
  const { instrument, side, ticks, stopTicks, lots } = requested;
  const waits = stopTicks !== 0;
  const price = ticks === 0 && waits ? stopReserveTicks(stopTicks) : ticks;
  const valueOf = (count: number): bigint => {
    const atLimit = BigInt(price) * BigInt(count);
    if (count === 0 || waits || (ticks !== 0 && side === BUY)) return atLimit;
    estimateFill(state, trader, instrument, side, ticks, count);
    return BigInt(state.estimate.value) + BigInt(price) * BigInt(count - state.estimate.lots);
  };
  return { instrument, side, lots, valueOf };
}

/** Lots of a position that an order of a side would close. */
const reducibleBy = (position: Position | undefined, side: number): number => {
  const lots = position?.lots ?? 0;
  return side === SELL ? Math.max(0, lots) : Math.max(0, -lots);
};

const closeOnly = (symbol: string, why: string): Rejection => ({
  code: 'position-close-only',
  field: 'quantity',
  message: `The position in ${symbol} can only become smaller: ${why}.`,
});

const riskLimitExceeded = (value: Decimal, limit: Decimal): Rejection => ({
  code: 'risk-limit-exceeded',
  field: 'quantity',
  message: `The position could grow to a value of ${brief(value)}, and ${brief(limit)} is the most at the account's leverage.`,
  limit: brief(limit),
});
