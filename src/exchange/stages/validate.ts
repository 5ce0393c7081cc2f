import {
  hasPrice,
  hasStopPrice,
  type NewOrder,
  type OrderType,
  type Side,
} from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { clientOrderIdRefusal } from '../../rules/client-order-id.ts';
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
  replacementFundsRefusal,
  reserveTicksOf,
} from './buying-power.ts';
import { changeRefusal, orderRefusal, type Passed } from './guard.ts';
import { isMarginCovered, marginTermsRefusal } from './margin-check.ts';

/** Why an order is not taken; the instrument is found already. */
export function placeRefusal(
  state: State,
  account: number,
  instrument: number,
  order: NewOrder,
  at: Micros,
  passed?: Passed,
): Refusal | undefined {
  return (
    termsRefusal(state, account, instrument, order, at, passed) ??
    nameRefusal(state, account, order.clientOrderId, 'clientOrderId') ??
    limitRefusal(state, account, instrument, 1, 1) ??
    reachedRefusal(state, instrument, order.type, sideCode(order.side), order.stopTicks) ??
    roomRefusal(state, instrument, order) ??
    buyingPowerRefusal(state, account, instrument, order, passed)
  );
}

function termsRefusal(
  state: State,
  account: number,
  instrument: number,
  order: NewOrder,
  at: Micros,
  passed?: Passed,
): Refusal | undefined {
  return (
    state.statuses.refusal(instrument) ??
    orderRefusal(order, at, passed) ??
    marginTermsRefusal(state, account, instrument, order.margin)
  );
}

/**
 * Why an order of a list is not taken, whatever the others are and whatever it costs; `waits`
 * where it is inactive at first.
 */
export function memberRefusal(
  state: State,
  account: number,
  instrument: number,
  order: NewOrder,
  at: Micros,
  waits: boolean,
  passed?: Passed,
): Refusal | undefined {
  const stopTicks = waits ? undefined : order.stopTicks;
  return (
    termsRefusal(state, account, instrument, order, at, passed) ??
    nameRefusal(state, account, order.clientOrderId, 'clientOrderId') ??
    reachedRefusal(state, instrument, order.type, sideCode(order.side), stopTicks) ??
    roomRefusal(state, instrument, order)
  );
}

function roomRefusal(state: State, instrument: number, order: NewOrder): Refusal | undefined {
  const { ticks = 0, stopTicks = 0, lots, side } = order;
  return (
    reserveRefusal(side, ticks, stopTicks) ??
    levelRefusal(state, instrument, sideCode(side), ticks, lots)
  );
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
    executedLots: orders.executed(order) as Lots,
    ...(hasPrice(type) ? { ticks: orders.ticks(order) as Ticks } : {}),
    ...(hasStopPrice(type) ? { stopTicks: state.stops.ticks(order) as Ticks } : {}),
  };
  if ((orders.margin(order) & CLOSE_POSITION) !== 0) return CLOSES_POSITION;
  const refusal = state.statuses.refusal(instrument) ?? changeRefusal(replaced, change, passed);
  if (refusal !== undefined) return refusal;
  const left = (change.lots ?? orders.lots(order)) - orders.executed(order);
  return (
    triggeredRefusal(state, order, stopTicks) ??
    nameRefusal(state, account, change.newClientOrderId, 'newClientOrderId') ??
    reserveRefusal(sideName(side), ticks, stopTicks) ??
    levelRefusal(state, instrument, side, ticks, left) ??
    reachedAnewRefusal(state, order, change.stopTicks) ??
    replacementFundsRefusal(state, order, reserveTicksOf(ticks, stopTicks), left)
  );
}

/** True when a triggered order has its means and there is room for its lots at its price. */
export function canEnter(state: State, order: number): boolean {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order);
  const ticks = orders.ticks(order);
  const left = orders.left(order);
  if (orders.margin(order) !== 0 && !isMarginCovered(state, order)) return false;
  if (ticks !== 0) return levelRefusal(state, instrument, side, ticks, left) === undefined;
  if (orders.margin(order) !== 0) return true;
  return coversMarketOrder(state, order);
}

/** A stop price that the last trade has reached already, where that is not to wait for the next. */
function reachedRefusal(
  state: State,
  instrument: number,
  type: OrderType,
  side: number,
  stopTicks: number | undefined,
): Refusal | undefined {
  if (!state.rules.refusesReached || stopTicks === undefined) return undefined;
  if (!state.stopBook.isReached(instrument, type, side, stopTicks)) return undefined;
  const last = state.stopBook.last[instrument];
  return {
    code: 'stop-price-reached',
    field: 'stopPrice',
    message: `stopPrice is ${stopTicks} ticks, which the last trade at ${last} has reached already.`,
    limit: String(last),
  };
}

function reachedAnewRefusal(
  state: State,
  order: number,
  stopTicks: number | undefined,
): Refusal | undefined {
  const { orders } = state;
  if (orders.status(order) !== 'suspended' || orders.level(order) === NONE) return undefined;
  const [instrument, type, side] = [
    orders.instrument(order),
    orders.type(order),
    orders.side(order),
  ];
  return reachedRefusal(state, instrument, type, side, stopTicks);
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
