import { type Decimal, ZERO } from '../../model/decimal.ts';
import { hasPrice, hasStopPrice, type OrderType, type Side } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { clientOrderIdRefusal } from '../../rules/client-order-id.ts';
import { fundsRefusal } from '../../rules/funds.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import { quoted } from '../../rules/quoted.ts';
import { MALFORMED } from '../orders/client-order-ids.ts';
import { NONE } from '../orders/orders.ts';
import { sideCode, sideName } from '../orders/side.ts';
import { CLOSE_POSITION } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import {
  buyingPowerRefusal,
  coversMarketOrder,
  orderNeed,
  replacementFundsRefusal,
  reserveTicksOf,
} from './buying-power.ts';
import { estimateFill, estimateNext } from './fill-estimate.ts';
import {
  changeRefusal,
  listRefusal,
  type NewList,
  orderRefusal,
  type Passed,
  type Placement,
} from './guard.ts';
import { isMarginCovered, marginTermsRefusal } from './margin-check.ts';

/** Why an order is not taken. */
export function placeRefusal(state: State, placement: Placement): Refusal | undefined {
  const { account, instrument } = placement;
  return (
    termsRefusal(state, placement) ??
    limitRefusal(state, account, instrument, 1, 1) ??
    reachedRefusal(state, placement) ??
    roomRefusal(state, placement) ??
    buyingPowerRefusal(state, placement)
  );
}

/** Why an order is none here, or not under its name. */
function termsRefusal(state: State, placement: Placement): Refusal | undefined {
  const { account, instrument, order, passed } = placement;
  return (
    state.statuses.refusal(instrument) ??
    orderRefusal(order, state.now as Micros, passed) ??
    marginTermsRefusal(state, account, instrument, order.margin) ??
    nameRefusal(state, account, order.clientOrderId, 'clientOrderId')
  );
}

function roomRefusal(state: State, { instrument, order }: Placement): Refusal | undefined {
  const { side, lots } = order;
  const ticks = order.ticks ?? 0;
  return (
    reserveRefusal(side, ticks, order.stopTicks ?? 0) ??
    levelRefusal(state, instrument, sideCode(side), ticks, lots)
  );
}

/** Why a list is not taken. */
export function placeListRefusal(
  state: State,
  list: NewList,
  placements: readonly Placement[],
): Refusal | undefined {
  const [{ account, passed }] = placements;
  return (
    listRefusal(list, passed) ??
    listIdRefusal(state, account, list) ??
    membersRefusal(state, list, placements) ??
    listLimitRefusal(state, account, placements) ??
    listFundsRefusal(state, list, placements)
  );
}

function listIdRefusal(state: State, account: number, { orders }: NewList): Refusal | undefined {
  const id: unknown = orders[0].clientOrderId;
  // What is no text is refused as the id of its order.
  if (typeof id !== 'string' || !state.lists.has(account, id)) return undefined;
  return {
    code: 'order-list-id-invalid',
    field: 'orderListId',
    message: `A list with active orders has the id ${quoted(id)}; choose another first client order id.`,
  };
}

/** Why an order of a list is not taken, whatever the others are and whatever it costs. */
function membersRefusal(
  state: State,
  { contingencyType }: NewList,
  placements: readonly Placement[],
): Refusal | undefined {
  return firstRefusal(placements, (placement, index) => {
    // The secondaries wait for the first before they wait for a price.
    const waits = contingencyType.startsWith('oneTrigger') && index > 0;
    return (
      termsRefusal(state, placement) ??
      (waits ? undefined : reachedRefusal(state, placement)) ??
      roomRefusal(state, placement)
    );
  });
}

function listLimitRefusal(
  state: State,
  account: number,
  placements: readonly Placement[],
): Refusal | undefined {
  const instruments = placements.map(({ instrument }) => instrument);
  for (const instrument of new Set(instruments)) {
    const on = instruments.filter((other) => other === instrument).length;
    const refusal = limitRefusal(state, account, instrument, instruments.length, on);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** All of an allOrNone, the dearest leg of an oneCancelOther, the primary of the others. */
function listFundsRefusal(
  state: State,
  { contingencyType }: NewList,
  placements: readonly Placement[],
): Refusal | undefined {
  if (contingencyType === 'allOrNone') return sumRefusal(state, placements);
  const paying = contingencyType === 'oneCancelOther' ? placements : placements.slice(0, 1);
  return firstRefusal(paying, (placement) => buyingPowerRefusal(state, placement));
}

/** No order of an allOrNone pays with what another brings. */
function sumRefusal(state: State, placements: readonly Placement[]): Refusal | undefined {
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
    const refusal = fundsRefusal(buys ? 'buy' : 'sell', name, amount, available);
    if (refusal !== undefined) return { ...refusal, field: 'orders' };
  }
  return undefined;
}

/** What an order of an allOrNone needs, estimated after those before it. */
function memberNeed(state: State, placement: Placement, index: number): Decimal {
  const { account, instrument, order } = placement;
  const { side, ticks = 0, lots } = order;
  const estimate = index === 0 ? estimateFill : estimateNext;
  estimate(state, account, instrument, sideCode(side), ticks, lots);
  return orderNeed(state, placement, order.ticks === undefined);
}

/** The first refusal of an order of a list, as one of the list. */
function firstRefusal(
  placements: readonly Placement[],
  refusalOf: (placement: Placement, index: number) => Refusal | undefined,
): Refusal | undefined {
  for (const [index, placement] of placements.entries()) {
    const refusal = refusalOf(placement, index);
    if (refusal === undefined) continue;
    const { field } = refusal;
    return field === undefined ? refusal : { ...refusal, field: `orders[${index}].${field}` };
  }
  return undefined;
}

/** Why an active order is not replaced. */
export function replaceRefusal(
  state: State,
  account: number,
  order: number,
  change: OrderChange,
  passed?: Passed,
): Refusal | undefined {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order);
  const type = orders.type(order);
  const ticks = change.ticks ?? orders.ticks(order);
  const stopTicks = change.stopTicks ?? state.stops.ticks(order);
  const replaced = {
    type,
    lots: orders.lots(order) as Lots,
    executedLots: orders.filled(order) as Lots,
    ...(hasPrice(type) ? { ticks: orders.ticks(order) as Ticks } : {}),
    ...(hasStopPrice(type) ? { stopTicks: state.stops.ticks(order) as Ticks } : {}),
  };
  if ((orders.margin(order) & CLOSE_POSITION) !== 0) return CLOSES_POSITION;
  const refusal = state.statuses.refusal(instrument) ?? changeRefusal(replaced, change, passed);
  if (refusal !== undefined) return refusal;
  const left = (change.lots ?? orders.lots(order)) - orders.filled(order);
  const waits = orders.suspended(order) && orders.level(order) !== NONE;
  const asked = { type, side: sideName(side), stopTicks: change.stopTicks };
  return (
    triggeredRefusal(state, order, stopTicks) ??
    nameRefusal(state, account, change.newClientOrderId, 'newClientOrderId') ??
    reserveRefusal(sideName(side), ticks, stopTicks) ??
    levelRefusal(state, instrument, side, ticks, left) ??
    (waits ? reachedRefusal(state, { instrument, order: asked }) : undefined) ??
    replacementFundsRefusal(state, order, reserveTicksOf(ticks, stopTicks), left)
  );
}

/** True when a triggered order has its means and there is room for its lots at its price. */
export function canEnter(state: State, order: number): boolean {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order);
  const ticks = orders.ticks(order);
  const left = orders.remaining(order);
  if (orders.margin(order) !== 0 && !isMarginCovered(state, order)) return false;
  if (ticks !== 0) return levelRefusal(state, instrument, side, ticks, left) === undefined;
  if (orders.margin(order) !== 0) return true;
  return coversMarketOrder(state, order);
}

/** What of an order says when it is triggered. */
interface StopTerms {
  readonly type: OrderType;
  readonly side: Side;
  readonly stopTicks?: number | undefined;
}

/** A stop price that the last trade has reached already, where that is not to wait for the next. */
function reachedRefusal(
  state: State,
  { instrument, order }: { instrument: number; order: StopTerms },
): Refusal | undefined {
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

/** Once its stop price was reached, an order has none any more that could change. */
function triggeredRefusal(state: State, order: number, stopTicks: number): Refusal | undefined {
  if (state.orders.status(order) === 'suspended') return undefined;
  if (stopTicks === state.stops.ticks(order)) return undefined;
  return {
    code: 'type-invalid',
    field: 'stopPrice',
    message: 'The stop price of the order was reached already; only price and quantity can change.',
  };
}

function nameRefusal(
  state: State,
  account: number,
  name: string,
  field: string,
): Refusal | undefined {
  const found = state.index.claim(account, name);
  return found === NONE ? undefined : takenRefusal(found, name, field);
}

/** Why an account cannot have so many orders more, of which so many on an instrument. */
export function limitRefusal(
  state: State,
  account: number,
  instrument: number,
  count: number,
  countOn: number,
): Refusal | undefined {
  const { perAccount, perSymbol } = state.rules.limits;
  if (state.index.activeCount(account) + count > perAccount) {
    return limitReached(perAccount, 'all symbols together');
  }
  if (state.index.activeCountOn(account, instrument) + countOn > perSymbol) {
    return limitReached(perSymbol, state.instruments[instrument].symbol);
  }
  return undefined;
}

/** The lots of a price level are one exact number, and must remain one. */
function levelRefusal(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  lots: number,
): Refusal | undefined {
  if (ticks === 0) return undefined;
  const book = state.books[instrument].sides[side];
  return book.hasRoom(ticks, lots) ? undefined : crowded(lots, book.room(ticks));
}

/** Why an order cannot have a name that leads to something. */
function takenRefusal(found: number, name: string, field: string): Refusal | undefined {
  if (found === MALFORMED) return clientOrderIdRefusal(name, field);
  return {
    code: 'client-order-id-taken',
    field,
    message: `${field} is ${quoted(name)}, which an order has or had until lately; choose another.`,
  };
}

const CLOSES_POSITION: Refusal = {
  code: 'type-invalid',
  field: 'closePosition',
  message: 'An order that closes a position cannot be replaced; cancel it and place another.',
};

const limitReached = (limit: number, where: string): Refusal => ({
  code: 'order-limit-reached',
  message: `The account has ${limit} active orders on ${where}, which is the limit; cancel some first.`,
  limit: String(limit),
});

/** What is held for a stop market order must be counted exactly. */
function reserveRefusal(side: Side, ticks: number, stopTicks: number): Refusal | undefined {
  if (side === 'sell') return undefined;
  if (reserveTicksOf(ticks, stopTicks) <= Number.MAX_SAFE_INTEGER) return undefined;
  return {
    code: 'number-out-of-range',
    field: 'stopPrice',
    message: `stopPrice is ${stopTicks} ticks, and a tenth more would be beyond 2^53 - 1.`,
    limit: String((10n * BigInt(Number.MAX_SAFE_INTEGER)) / 11n),
  };
}

const crowded = (lots: number, room: number): Refusal => ({
  code: 'number-out-of-range',
  field: 'quantity',
  message: `With ${lots} lots more, the orders at that price would be beyond 2^53 - 1 lots together.`,
  limit: String(room),
});
