import { type Decimal, ZERO } from '../../model/decimal.ts';
import { hasPrice, hasStopPrice, type OrderType, type Side } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { clientOrderIdRejection } from '../../rules/client-order-id.ts';
import { fundsRejection } from '../../rules/funds.ts';
import { minimumRejection } from '../../rules/minimum.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import { quoted } from '../../rules/quoted.ts';
import { MALFORMED } from '../orders/client-order-ids.ts';
import { NONE } from '../orders/orders.ts';
import { sideCode, sideName } from '../orders/side.ts';
import { CLOSE_POSITION, marginOf } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import {
  buyingPowerRejection,
  coversMarketOrder,
  orderNeed,
  replacementFundsRejection,
  reserveTicksOf,
} from './buying-power.ts';
import { estimateFill, estimateNext } from './fill-estimate.ts';
import {
  changeRejection,
  listRejection,
  type NewList,
  orderRejection,
  type Passed,
  type Placement,
} from './guard.ts';
import { isMarginCovered, marginTermsRejection } from './margin-check.ts';

/** Why an order is rejected. */
export function placeRejection(state: State, placement: Placement): Rejection | undefined {
  const { account, instrument } = placement;
  return (
    termsRejection(state, placement) ??
    limitRejection(state, account, instrument, 1, 1) ??
    reachedRejection(state, placement) ??
    roomRejection(state, placement) ??
    buyingPowerRejection(state, placement)
  );
}

/** Why an order or its client order id is invalid here. */
function termsRejection(state: State, placement: Placement): Rejection | undefined {
  const { account, instrument, order, passed } = placement;
  return (
    state.statuses.rejection(instrument) ??
    orderRejection(order, state.now as Micros, passed) ??
    minimumRejection(state.instruments[instrument], order, state.stopBook.last[instrument]) ??
    marginTermsRejection(state, account, instrument, order.margin) ??
    nameRejection(state, account, order.clientOrderId, 'clientOrderId')
  );
}

function roomRejection(state: State, { instrument, order }: Placement): Rejection | undefined {
  const { side, lots } = order;
  const ticks = order.ticks ?? 0;
  return (
    reserveRejection(side, ticks, order.stopTicks ?? 0) ??
    levelRejection(state, instrument, sideCode(side), ticks, lots)
  );
}

/** Why a list is rejected. */
export function placeListRejection(
  state: State,
  list: NewList,
  placements: readonly Placement[],
): Rejection | undefined {
  const first = placements.at(0);
  const malformed = listRejection(list, first?.passed);
  if (malformed !== undefined || first === undefined) return malformed;
  const { account } = first;
  return (
    listIdRejection(state, account, list) ??
    membersRejection(state, list, placements) ??
    listLimitRejection(state, account, placements) ??
    listFundsRejection(state, list, placements)
  );
}

function listIdRejection(
  state: State,
  account: number,
  { orders }: NewList,
): Rejection | undefined {
  const id: unknown = orders[0].clientOrderId;
  // An id that is not text is rejected with its order.
  if (typeof id !== 'string' || !state.lists.has(account, id)) return undefined;
  return {
    code: 'order-list-id-invalid',
    field: 'orderListId',
    message: `A list with active orders has the id ${quoted(id)}; choose another first client order id.`,
  };
}

/** Why an order of a list is rejected, apart from the other orders and its cost. */
function membersRejection(
  state: State,
  { contingencyType }: NewList,
  placements: readonly Placement[],
): Rejection | undefined {
  return firstRejection(placements, (placement, index) => {
    // The secondaries wait for the primary before they wait for a price.
    const waits = contingencyType.startsWith('oneTrigger') && index > 0;
    return (
      termsRejection(state, placement) ??
      (waits ? undefined : reachedRejection(state, placement)) ??
      roomRejection(state, placement)
    );
  });
}

function listLimitRejection(
  state: State,
  account: number,
  placements: readonly Placement[],
): Rejection | undefined {
  const instruments = placements.map(({ instrument }) => instrument);
  for (const instrument of new Set(instruments)) {
    const on = instruments.filter((other) => other === instrument).length;
    const rejection = limitRejection(state, account, instrument, instruments.length, on);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/**
 * Checks the funds of all orders of an allOrNone, the most expensive leg of an oneCancelOther, and
 * the primary of the others.
 */
function listFundsRejection(
  state: State,
  { contingencyType }: NewList,
  placements: readonly Placement[],
): Rejection | undefined {
  if (contingencyType === 'allOrNone') return sumRejection(state, placements);
  const paying = contingencyType === 'oneCancelOther' ? placements : placements.slice(0, 1);
  return firstRejection(paying, (placement) => buyingPowerRejection(state, placement));
}

/** Checks the sum of an allOrNone; no order pays with the proceeds of another. */
function sumRejection(state: State, placements: readonly Placement[]): Rejection | undefined {
  const sums = new Map<number, { amount: Decimal; buys: boolean }>();
  placements.forEach((placement, index) => {
    const isBuy = placement.order.side === 'buy';
    const { baseIndex, quoteIndex } = state.schedules[placement.instrument];
    const currency = isBuy ? quoteIndex : baseIndex;
    const sum = sums.get(currency) ?? { amount: ZERO, buys: false };
    const amount = sum.amount.plus(memberNeed(state, placement, index));
    sums.set(currency, { amount, buys: sum.buys || isBuy });
  });
  for (const [currency, { amount, buys }] of sums) {
    const available = state.ledger.available(placements[0].account, currency);
    const name = state.ledger.balances[currency].currency;
    const rejection = fundsRejection(buys ? 'buy' : 'sell', name, amount, available);
    if (rejection !== undefined) return { ...rejection, field: 'orders' };
  }
  return undefined;
}

/** Funds for an order of an allOrNone, estimated after those before it. */
function memberNeed(state: State, placement: Placement, index: number): Decimal {
  const { account, instrument, order } = placement;
  const { side, ticks = 0, lots } = order;
  const estimate = index === 0 ? estimateFill : estimateNext;
  estimate(state, account, instrument, sideCode(side), ticks, lots);
  return orderNeed(state, placement, order.ticks === undefined);
}

/** The first rejection of an order of a list, with its index. */
function firstRejection(
  placements: readonly Placement[],
  rejectionOf: (placement: Placement, index: number) => Rejection | undefined,
): Rejection | undefined {
  for (const [index, placement] of placements.entries()) {
    const rejection = rejectionOf(placement, index);
    if (rejection === undefined) continue;
    const { field } = rejection;
    return field === undefined ? rejection : { ...rejection, field: `orders[${index}].${field}` };
  }
  return undefined;
}

/** Why a replacement is rejected. */
export function replaceRejection(
  state: State,
  account: number,
  order: number,
  change: OrderChange,
  passed?: Passed,
): Rejection | undefined {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order);
  const type = orders.type(order);
  const ticks = change.ticks ?? orders.ticks(order);
  const stopTicks = change.stopTicks ?? state.stops.ticks(order);
  const replaced = {
    type,
    lots: orders.lots(order) as Lots,
    filledLots: orders.filled(order) as Lots,
    ...(hasPrice(type) ? { ticks: orders.ticks(order) as Ticks } : {}),
    ...(hasStopPrice(type) ? { stopTicks: state.stops.ticks(order) as Ticks } : {}),
  };
  if ((orders.marginFlags(order) & CLOSE_POSITION) !== 0) return CLOSES_POSITION;
  const rejection =
    state.statuses.rejection(instrument) ?? changeRejection(replaced, change, passed);
  if (rejection !== undefined) return rejection;
  const left = (change.lots ?? orders.lots(order)) - orders.filled(order);
  const waits = orders.suspended(order) && orders.level(order) !== NONE;
  const requested = { type, side: sideName(side), stopTicks: change.stopTicks };
  return (
    triggeredRejection(state, order, stopTicks) ??
    nameRejection(state, account, change.newClientOrderId, 'newClientOrderId') ??
    reserveRejection(sideName(side), ticks, stopTicks) ??
    minimumRejection(
      state.instruments[instrument],
      {
        lots: change.lots ?? replaced.lots,
        ticks: hasPrice(type) ? (ticks as Ticks) : undefined,
        stopTicks: hasStopPrice(type) ? (stopTicks as Ticks) : undefined,
        margin: marginOf(orders.marginFlags(order)),
      },
      state.stopBook.last[instrument],
    ) ??
    levelRejection(state, instrument, side, ticks, left) ??
    (waits ? reachedRejection(state, { instrument, order: requested }) : undefined) ??
    replacementFundsRejection(state, order, reserveTicksOf(ticks, stopTicks), left)
  );
}

/** True if a triggered order is covered and its price level has room for its lots. */
export function canAccept(state: State, order: number): boolean {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order);
  const ticks = orders.ticks(order);
  const left = orders.remaining(order);
  if (orders.marginFlags(order) !== 0 && !isMarginCovered(state, order)) return false;
  if (ticks !== 0) return levelRejection(state, instrument, side, ticks, left) === undefined;
  if (orders.marginFlags(order) !== 0) return true;
  return coversMarketOrder(state, order);
}

/** Terms that decide when an order is triggered. */
interface StopTerms {
  readonly type: OrderType;
  readonly side: Side;
  readonly stopTicks?: number | undefined;
}

/** Rejects a stop price that the last trade has reached, if the rules say so. */
function reachedRejection(
  state: State,
  { instrument, order }: { instrument: number; order: StopTerms },
): Rejection | undefined {
  const { type, side, stopTicks } = order;
  if (!state.rules.refusesReached || stopTicks === undefined) return undefined;
  if (!state.stopBook.isReached(instrument, type, sideCode(side), stopTicks)) return undefined;
  const last = state.stopBook.last[instrument];
  return {
    code: 'stop-price-reached',
    field: 'stopPrice',
    message: `stopPrice is ${stopTicks} ticks, which the last trade at ${last} has reached already.`,
    limit: String(last),
  };
}

/** A triggered order no longer has a stop price to change. */
function triggeredRejection(state: State, order: number, stopTicks: number): Rejection | undefined {
  if (state.orders.status(order) === 'suspended') return undefined;
  if (stopTicks === state.stops.ticks(order)) return undefined;
  return {
    code: 'type-invalid',
    field: 'stopPrice',
    message: 'The stop price of the order was reached already; only price and quantity can change.',
  };
}

function nameRejection(
  state: State,
  account: number,
  name: string,
  field: string,
): Rejection | undefined {
  const found = state.index.claim(account, name);
  return found === NONE ? undefined : takenRejection(found, name, field);
}

/** Why an account cannot have this many more orders, in all or on an instrument. */
export function limitRejection(
  state: State,
  account: number,
  instrument: number,
  count: number,
  countOn: number,
): Rejection | undefined {
  const { perAccount, perSymbol } = state.rules.limits;
  if (state.index.activeCount(account) + count > perAccount) {
    return limitReached(perAccount, 'all symbols together');
  }
  if (state.index.activeCountOn(account, instrument) + countOn > perSymbol) {
    return limitReached(perSymbol, state.instruments[instrument].symbol);
  }
  return undefined;
}

/** Rejects lots that would make the sum of a price level inexact. */
function levelRejection(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  lots: number,
): Rejection | undefined {
  if (ticks === 0) return undefined;
  const book = state.books[instrument].sides[side];
  return book.hasRoom(ticks, lots) ? undefined : crowded(lots, book.room(ticks));
}

/** Why a client order id is taken or invalid. */
function takenRejection(found: number, name: string, field: string): Rejection | undefined {
  if (found === MALFORMED) return clientOrderIdRejection(name, field);
  return {
    code: 'client-order-id-taken',
    field,
    message: `${field} is ${quoted(name)}, which an order has or had until lately; choose another.`,
  };
}

const CLOSES_POSITION: Rejection = {
  code: 'type-invalid',
  field: 'closePosition',
  message: 'An order that closes a position cannot be replaced; cancel it and place another.',
};

const limitReached = (limit: number, where: string): Rejection => ({
  code: 'order-limit-reached',
  message: `The account has ${limit} active orders on ${where}, which is the limit; cancel some first.`,
  limit: String(limit),
});

/** Rejects a stop market order whose reserve would be inexact. */
function reserveRejection(side: Side, ticks: number, stopTicks: number): Rejection | undefined {
  if (side === 'sell') return undefined;
  if (reserveTicksOf(ticks, stopTicks) <= Number.MAX_SAFE_INTEGER) return undefined;
  return {
    code: 'number-out-of-range',
    field: 'stopPrice',
    message: `stopPrice is ${stopTicks} ticks, and a tenth more would be beyond 2^53 - 1.`,
    limit: String((10n * BigInt(Number.MAX_SAFE_INTEGER)) / 11n),
  };
}

const crowded = (lots: number, room: number): Rejection => ({
  code: 'number-out-of-range',
  field: 'quantity',
  message: `With ${lots} lots more, the orders at that price would be beyond 2^53 - 1 lots together.`,
  limit: String(room),
});
