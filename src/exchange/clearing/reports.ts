import { type Decimal, ZERO } from '../../model/decimal.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import { entryPrice } from '../../rules/margin/position-value.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import {
  type MarginReportHeader,
  type PositionState,
  type PositionTrade,
  reportType,
} from '../positions/report.ts';
import type { State } from '../state/state.ts';

/** Reports a change of a margin account with its current state. */
export function reportMargin(
  state: State,
  account: MarginAccount,
  reason: MarginReason,
  about: {
    readonly position?: Position;
    /** Entry price of a position that is closed. */
    readonly price?: Decimal | undefined;
    readonly trade?: PositionTrade;
    readonly carry?: FullCarry;
  } = {},
): void {
  const { leverage, createdAt, balance, isCalled } = account;
  account.updatedAt = state.now;
  const { position, price, trade, carry } = about;
  state.marginReports.pending.push({
    ...headerOf(state, account),
    type: reportType(reason),
    reason,
    leverage,
    createdAt,
    marginBalance: balance,
    isCalled,
    position: position === undefined ? undefined : stateOf(position, price),
    trade,
    carry,
  });
}

/** Reports a deficit that the insurance fund and the exchange paid; the account is at zero. */
export function reportCover(state: State, account: MarginAccount, amount: Decimal): void {
  const { leverage } = account;
  state.marginReports.covers.push({ ...headerOf(state, account), leverage, amount });
}

/** Records an ended position; `price` was its entry price. */
export function keepEnded(
  state: State,
  position: Position,
  price: Decimal,
  end: PositionEnd,
): void {
  const { terms, largest, closed, account } = position;
  const { trader, mode, isContract } = account.key;
  state.marginReports.keep(trader, {
    ...stateOf(position, price),
    mode,
    isContract,
    leverage: account.leverage,
    end,
    quantityMax: terms.quantityIncrement.times(largest),
    priceClose: entryPrice(closed, terms.tickSize),
  });
}

function headerOf(state: State, { key, currency }: MarginAccount): MarginReportHeader {
  const { trader, mode, isContract, subject } = key;
  return {
    at: state.now,
    trader,
    mode,
    isContract,
    symbol: mode === 'isolated' ? state.instruments[subject].symbol : undefined,
    currency: state.ledger.balances[currency].currency,
  };
}

/** State of a position; `price` is its entry price if it is closed. */
export function stateOf(position: Position, price: Decimal | undefined): PositionState {
  const { id, terms, value, realized, fees, carry, openedAt, updatedAt } = position;
  return {
    id,
    symbol: terms.symbol,
    quantity: position.lots === 0 ? ZERO : value.quantity,
    priceEntry: price ?? entryPrice(value, terms.tickSize),
    entryValue: value.value,
    realizedPnl: realized,
    feeCumulative: fees,
    carry,
    createdAt: openedAt,
    updatedAt,
  };
}
