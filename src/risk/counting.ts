import { Decimal, ZERO } from '../model/decimal.ts';
import type { ContingencyType, Order } from '../model/order.ts';

/** What an order adds to a sum, never negative. */
export type Measure = (order: Order) => Decimal;

/**
 * The most that orders can come to together: every order counts fully, but of an order and the one
 * that is to stand in its stead, and of orders that cancel each other, the larger alone.
 */
export function most(orders: readonly Order[], measure: Measure): Decimal {
  // Nearly always all orders are plain, and this is on the way of every order.
  if (orders.every(isPlain)) {
    return orders.reduce((total, order) => total.plus(measure(order)), ZERO);
  }
  const lists = new Map<string | undefined, Place[]>();
  for (const place of placesOf(orders, measure)) {
    const { orderListId } = place.order;
    const places = lists.get(orderListId);
    if (places === undefined) lists.set(orderListId, [place]);
    else places.push(place);
  }
  let sum = ZERO;
  for (const places of lists.values()) sum = sum.plus(mostOfList(places));
  return sum;
}

/** True for an order of no list that is to replace none of the others. */
const isPlain = ({ orderListId, replaces }: Order, _: number, orders: readonly Order[]): boolean =>
  orderListId === undefined &&
  (replaces === undefined || orders.every(({ clientOrderId }) => clientOrderId !== replaces));

/** True where a request makes what orders come to no larger than it is: no limit holds that up. */
export const isNoLarger = (after: Decimal, before: readonly Order[], measure: Measure): boolean =>
  !after.greaterThan(most(before, measure));

/** How many of the orders can be open at once: an order and its replacement are one. */
export const count = (orders: readonly Order[]): number => {
  const ids = new Set(orders.map(({ clientOrderId }) => clientOrderId));
  return orders.filter(({ replaces }) => replaces === undefined || !ids.has(replaces)).length;
};

/** An order with those that are to stand in its stead, and the most that one of them comes to. */
interface Place {
  readonly order: Order;
  amount: Decimal;
}

function placesOf(orders: readonly Order[], measure: Measure): readonly Place[] {
  const byId = new Map(orders.map((order) => [order.clientOrderId, order]));
  const places = new Map<string, Place>();
  for (const order of orders) {
    const amount = measure(order);
    const first = originOf(order, byId);
    const place = places.get(first.clientOrderId);
    if (place === undefined) places.set(first.clientOrderId, { order: first, amount });
    else place.amount = Decimal.max(place.amount, amount);
  }
  return [...places.values()];
}

/** The first of a chain of replacements of which all are open. */
export function originOf(order: Order, byId: ReadonlyMap<string, Order>): Order {
  let first = order;
  for (let steps = 0; steps < byId.size; steps += 1) {
    const before = first.replaces === undefined ? undefined : byId.get(first.replaces);
    if (before === undefined) break;
    first = before;
  }
  return first;
}

/** The most of a list, or of all orders that are in none. */
function mostOfList(places: readonly Place[]): Decimal {
  const type = places[0].order.contingencyType ?? 'allOrNone';
  const [alone, exclusive] = partition(type, places);
  const sum = alone.reduce((total, { amount }) => total.plus(amount), ZERO);
  return exclusive.reduce((largest, { amount }) => Decimal.max(largest, amount), ZERO).plus(sum);
}

/** Those of a list that count each for itself, and those of which one alone can execute. */
function partition(
  type: ContingencyType,
  places: readonly Place[],
): readonly [readonly Place[], readonly Place[]] {
  switch (type) {
    case 'allOrNone':
    case 'oneTriggerOther':
      return [places, []];
    case 'oneCancelOther':
      return [[], places];
    case 'oneTriggerOneCancelOther': {
      const isFirst = ({ order }: Place): boolean => order.listIndex === 0;
      return [places.filter(isFirst), places.filter((place) => !isFirst(place))];
    }
  }
}
