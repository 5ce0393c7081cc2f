import type { Decimal } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import { product } from '../../model/units.ts';
import {
  buyReserve,
  fundsRejection,
  holdsFee,
  payingCurrency,
  reserveOf,
  stopReserveTicks,
} from '../../rules/funds.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import { BUY, sideCode, sideName } from '../orders/side.ts';
import type { State } from '../state/state.ts';
import { estimateFill } from './fill-estimate.ts';
import type { Placement } from './guard.ts';
import { marginRejection, marginReplacementRejection } from './margin-check.ts';
import { spendable } from './reserve.ts';

/** Why an account's funds do not cover a new order. */
export function buyingPowerRejection(state: State, placement: Placement): Rejection | undefined {
  const { account, instrument, order } = placement;
  if (order.margin !== undefined) return marginRejection(state, placement, order.margin);
  const side = sideCode(order.side);
  const ticks = reserveTicksOf(order.ticks ?? 0, order.stopTicks ?? 0);
  const isMarket = ticks === 0 && side === BUY;
  if (state.fees.isDefault(account, instrument, order) && (state.rules.isFactorOne || !isMarket)) {
    // A market buy needs the cost of the levels that it would take.
    if (isMarket) estimateFill(state, account, instrument, side, 0, order.lots);
    const needed = isMarket ? state.estimate.value : countOf(side, ticks, order.lots);
    return countRejection(state, account, instrument, side, needed, 0);
  }
  const need = orderNeed(state, placement);
  const { baseIndex, quoteIndex, instrument: terms } = state.schedules[instrument];
  const available = state.ledger.available(account, side === BUY ? quoteIndex : baseIndex);
  const currency = payingCurrency(terms, order.side);
  return fundsRejection(order.side, currency, need, available, holdsFee(terms, order.side));
}

/**
 * Funds that a new order needs; for a market buy the cost of its levels, estimated already if
 * `isEstimated`.
 */
export function orderNeed(state: State, placement: Placement, isEstimated = false): Decimal {
  const { account, instrument, order } = placement;
  const ticks = reserveTicksOf(order.ticks ?? 0, order.stopTicks ?? 0);
  const rates = state.fees.rates(account, instrument, order);
  if (ticks !== 0 || order.side !== 'buy') {
    return reserveOf(state.instruments[instrument], order.side, ticks, order.lots, rates);
  }
  if (!isEstimated) estimateFill(state, account, instrument, BUY, 0, order.lots);
  return levelsCost(state, instrument, rates);
}

/**
 * Why the funds do not cover the replacement of an order, with `left` lots remaining at a price.
 */
export function replacementFundsRejection(
  state: State,
  order: number,
  ticks: number,
  left: number,
): Rejection | undefined {
  const { orders } = state;
  // An inactive order needs nothing yet.
  if (state.lists.isInactive(order)) return undefined;
  if (orders.marginFlags(order) !== 0) return marginReplacementRejection(state, order, ticks, left);
  const side = orders.side(order);
  const number = orders.feeSchedule(order);
  // Funds that an order or its set of legs holds already count.
  if (state.lists.ofLeg(order) !== undefined) {
    const { instrument, rates } = state.schedules[number];
    return fundsRejection(
      sideName(side),
      payingCurrency(instrument, sideName(side)),
      reserveOf(instrument, sideName(side), ticks, left, rates),
      spendable(state, order),
      holdsFee(instrument, sideName(side)),
    );
  }
  const needed = countOf(side, ticks, left);
  const held = countOf(side, state.stops.reserveTicks(order), orders.remaining(order));
  return countRejection(state, orders.account(order), number, side, needed, held);
}

/** True if a market order that was triggered or activated is covered. */
export function coversMarketOrder(state: State, order: number): boolean {
  const { orders } = state;
  const side = orders.side(order);
  const left = orders.remaining(order);
  const { instrument, rates } = state.schedules[orders.feeSchedule(order)];
  const available = spendable(state, order);
  if (side !== BUY) {
    return available.greaterThanOrEqualTo(reserveOf(instrument, 'sell', 0, left, rates));
  }
  const number = orders.instrument(order);
  const set = state.lists.ofLeg(order);
  estimateFill(state, orders.account(order), number, side, 0, left, set);
  return available.greaterThan(levelsCost(state, number, rates));
}

/** Cost of the estimated levels, with the fee. */
function levelsCost(
  state: State,
  instrument: number,
  rates: { takeRate: Decimal; makeRate: Decimal },
): Decimal {
  const terms = state.schedules[instrument].instrument;
  const value = terms.tickValue.times(state.estimate.value.toString());
  return buyReserve(terms, value, rates).times(state.rules.marketBuyFactor);
}

/** Reserve of an order as a count: ticks × lots for a buy, lots for a sell. */
const countOf = (side: number, ticks: number, lots: number): number | bigint =>
  side === BUY ? product(ticks, lots) : lots;

/** Rejects if the available funds and those `held` already do not cover the need. */
function countRejection(
  state: State,
  account: number,
  number: number,
  side: number,
  needed: number | bigint,
  held: number | bigint,
): Rejection | undefined {
  const schedule = state.schedules[number];
  const more = difference(needed, held);
  if (more < 0) return undefined;
  const rest =
    side === BUY
      ? schedule.quote.compareCount(account, more, schedule.buyReserve)
      : schedule.base.compareCount(account, more, schedule.sellReserve);
  if (isCovered(side, rest)) return undefined;
  const { instrument } = schedule;
  const currency = side === BUY ? schedule.quoteIndex : schedule.baseIndex;
  const available = state.ledger.available(account, currency);
  return fundsRejection(
    sideName(side),
    payingCurrency(instrument, sideName(side)),
    amountOf(schedule, side, needed),
    available.plus(amountOf(schedule, side, held)),
    holdsFee(instrument, sideName(side)),
  );
}

/** Amount of a count: ticks × lots for a buy, lots for a sell. */
function amountOf(
  { instrument, rates }: FeeSchedule,
  side: number,
  count: number | bigint,
): Decimal {
  return side === BUY
    ? buyReserve(instrument, instrument.tickValue.times(count.toString()), rates)
    : reserveOf(instrument, 'sell', 0, Number(count), rates);
}

/** A buy must leave some funds available; a sell may use them all. */
const isCovered = (side: number, rest: number): boolean => (side === BUY ? rest > 0 : rest >= 0);

function difference(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
}

/** Price at which a buy reserves funds; 0 for a market order, whose levels decide. */
export const reserveTicksOf = (ticks: number, stopTicks: number): number =>
  ticks !== 0 || stopTicks === 0 ? ticks : stopReserveTicks(stopTicks);
