import { type Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import { lots as asLots, ticks as asTicks } from '../../model/units.ts';
import { entryPrice } from '../../rules/margin/position-value.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import { FUND, HOUSE, POOL, RECORDED_MARKET } from '../ledger/ledger.ts';
import { BUY } from '../orders/side.ts';
import { amountOf, type MarginAccount, Position } from '../positions/account.ts';
import { LIQUIDATION, REDUCE_ONLY } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import { payFrom } from './funds.ts';
import { keepEnded, reportMargin } from './reports.ts';

/** A change of a position in lots at a price; lots are negative for a sale. */
interface Change {
  readonly account: MarginAccount;
  readonly instrument: number;
  readonly lots: number;
  readonly ticks: number;
  readonly fee: Decimal;
  readonly tradeId: number;
  readonly clientOrderId: string | undefined;
  /** How the position ends if the change closes it. */
  readonly end: PositionEnd;
}

/**
 * Settles executions of margin orders. The pool is the other side of every position: it pays for
 * what is bought and holds it, and lends what is sold. So its balance of a base currency is the sum
 * of the positions, and that of a quote currency their cost. PnL is paid when lots close.
 */

/** Notes that an order waits or rests, if it only reduces. */
export function noteReducing(state: State, order: number): void {
  if ((state.orders.marginFlags(order) & REDUCE_ONLY) !== 0) state.marginAccounts.reduces = true;
}

/** Settles one side of a trade, that of a margin order. */
export function fillMargin(
  state: State,
  order: number,
  ticks: number,
  lots: number,
  taker: boolean,
): void {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const account = state.marginAccounts.ofOrder(order);
  const isBuy = orders.side(order) === BUY;
  lendToPool(state, instrument, isBuy ? lots : -lots, ticks);
  const terms = state.instruments[instrument];
  const value = terms.value(asTicks(ticks), asLots(lots));
  const { takeRate, makeRate } = state.fees.ratesOf(orders.feeSchedule(order));
  const fee = value.times(taker ? takeRate : makeRate);
  payFrom(state, account, HOUSE, fee);
  const isLiquidation = (orders.marginFlags(order) & LIQUIDATION) !== 0;
  const forceCloseFee = isLiquidation
    ? value.times(state.marginAccounts.deal(account, instrument).rules.forceCloseFee)
    : ZERO;
  payFrom(state, account, FUND, forceCloseFee);
  applyChange(state, {
    account,
    instrument,
    lots: isBuy ? lots : -lots,
    ticks,
    fee: fee.plus(forceCloseFee),
    tradeId: state.tradeId,
    clientOrderId: orders.clientOrderId(order),
    end: isLiquidation ? 'liquidated' : 'closed',
  });
}

/** Closes lots of a position at a price without a trade, a fee or an order. */
export function settlePosition(
  state: State,
  position: Position,
  size: number,
  ticks: number,
  end: PositionEnd,
): void {
  const { account, instrument } = position;
  const lots = position.lots > 0 ? -size : size;
  lendToPool(state, instrument, lots, ticks);
  const none = { fee: ZERO, tradeId: 0, clientOrderId: undefined };
  applyChange(state, { account, instrument, lots, ticks, ...none, end });
}

/**
 * Settles all positions of an instrument at a price, the recorded market's too, and returns their
 * number. At 0, when no price was ever known, each ends at its entry price, to the nearest tick.
 */
export function settleAllPositions(state: State, instrument: number, price: number): number {
  const positions = [...state.marginAccounts.positionsOn[instrument]];
  const schedule = state.schedules[instrument];
  for (const position of positions) {
    const { lots, size } = position;
    const ticks = price > 0 ? price : costTicks(position);
    // The recorded market holds the opposite of the accounts' sum.
    if (lots > 0) schedule.quote.subtract(RECORDED_MARKET, AVAILABLE, ticks, size, schedule.value);
    else schedule.quote.add(RECORDED_MARKET, AVAILABLE, ticks, size, schedule.value);
    settlePosition(state, position, size, ticks, 'settled');
  }
  return positions.length;
}

/** Charges a position's account, or credits it. */
export function chargeCarry(state: State, position: Position, row: number, carry: FullCarry): void {
  const { account } = position;
  const { amount, kind } = carry;
  payFrom(state, account, row, amount.negated());
  position.carry = position.carry.plus(amount);
  position.updatedAt = state.now;
  state.marginAccounts.dirty.add(account);
  const reason = kind === 'interest' ? 'interestTaken' : 'updated';
  reportMargin(state, account, reason, { position, carry });
}

/** Adds the position that `make` returns for a new id. */
export function addPosition(
  state: State,
  instrument: number,
  make: (id: number, terms: Instrument) => Position,
): Position {
  state.marginAccounts.issued += 1;
  const position = make(state.marginAccounts.issued, state.instruments[instrument]);
  state.marginAccounts.addPosition(position);
  return position;
}

/** The pool pays for the lots that a position buys, or lends those that it sells. */
function lendToPool(state: State, instrument: number, lots: number, ticks: number): void {
  const schedule = state.schedules[instrument];
  const size = Math.abs(lots);
  if (lots > 0) {
    schedule.base.add(POOL, AVAILABLE, 1, size, schedule.lot);
    schedule.quote.subtract(POOL, AVAILABLE, ticks, size, schedule.value);
  } else {
    schedule.base.subtract(POOL, AVAILABLE, 1, size, schedule.lot);
    schedule.quote.add(POOL, AVAILABLE, ticks, size, schedule.value);
  }
}

function applyChange(state: State, change: Change): void {
  const { account, instrument, lots, ticks, fee } = change;
  state.marginAccounts.dirty.add(account);
  const held = account.positions.get(instrument);
  if (held === undefined || held.lots > 0 === lots > 0) {
    const position = held ?? openPosition(state, account, instrument);
    position.open(lots, ticks);
    noteFee(state, position, fee);
    reportTrade(state, change, position, 'openTrade', ZERO, position.id);
    return;
  }
  const price = entryPrice(held.value, held.terms.tickSize);
  const size = Math.min(held.size, Math.abs(lots));
  const pnl = amountOf(held.terms, held.close(size, ticks));
  payFrom(state, account, POOL, pnl.negated());
  held.realized = held.realized.plus(pnl);
  const rest = Math.abs(lots) - size;
  noteFee(state, held, fee);
  if (held.lots !== 0) {
    reportTrade(state, change, held, 'closeTrade', pnl, held.id);
    return;
  }
  closeOut(state, held, price, rest > 0 ? 'flipped' : change.end);
  if (rest === 0) {
    const reason = change.end === 'liquidated' ? 'liquidated' : 'closed';
    reportTrade(state, change, held, reason, pnl, held.id, price);
    return;
  }
  const turned = openPosition(state, account, instrument);
  turned.open(lots > 0 ? rest : -rest, ticks);
  reportTrade(state, change, turned, 'flipTrade', pnl, held.id);
}

function openPosition(state: State, account: MarginAccount, instrument: number): Position {
  return addPosition(
    state,
    instrument,
    (id, terms) => new Position(id, account, instrument, terms, state.now),
  );
}

function closeOut(state: State, position: Position, price: Decimal, end: PositionEnd): void {
  state.marginAccounts.removePosition(position);
  keepEnded(state, position, price, end);
}

function noteFee(state: State, position: Position, fee: Decimal): void {
  position.fees = position.fees.plus(fee);
  position.updatedAt = state.now;
}

function reportTrade(
  state: State,
  { account, tradeId, clientOrderId, ticks, lots, fee, end }: Change,
  position: Position,
  reason: MarginReason,
  pnl: Decimal,
  positionId: number,
  price?: Decimal,
): void {
  const trade = { id: tradeId, positionId, clientOrderId, ticks, lots, pnl, fee, end };
  reportMargin(state, account, reason, {
    position,
    trade,
    price,
  });
}

/** The entry price in whole ticks, half up. */
const costTicks = ({ value, terms }: Position): number =>
  Math.max(1, entryPrice(value, terms.tickSize).div(terms.tickSize).toNumber());
