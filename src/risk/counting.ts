import { Decimal, ZERO } from '../model/decimal.ts';
import type { ContingencyType, Order } from '../model/order.ts';

/** Contribution of an order to a sum, never negative. */
export type Measure = (order: Order) => Decimal;

/**
 * Largest sum of these orders: every order counts fully, except that of an order and its
 * replacement, and of orders that cancel each other, only the larger counts.
 */
export function most(orders: readonly Order[], measure: Measure): Decimal {
  // Nearly always all orders are plain, and every order takes this path.
  if (orders.every(isPlain)) {
    return orders.reduce((total, order) => total.plus(measure(order)), ZERO);
  }
  const lists = new Map<string | undefined, ReplacementChain[]>();
  for (const chain of chainsOf(orders, measure)) {
    const { orderListId } = chain.order;
    const chains = lists.get(orderListId);
    if (chains === undefined) lists.set(orderListId, [chain]);
    else chains.push(chain);
  }
  let sum = ZERO;
  for (const chains of lists.values()) sum = sum.plus(mostOfList(chains));
  return sum;
}

/** True for an order without a list that replaces none of the others. */
const isPlain = ({ orderListId, replaces }: Order, _: number, orders: readonly Order[]): boolean =>
  orderListId === undefined &&
  (replaces === undefined || orders.every(({ clientOrderId }) => clientOrderId !== replaces));

/** True if a request does not increase the sum of the orders: then no limit rejects it. */
export const isNoLarger = (after: Decimal, before: readonly Order[], measure: Measure): boolean =>
  !after.greaterThan(most(before, measure));

/** Number of orders that can be open at once: an order and its replacement count as one. */
export const count = (orders: readonly Order[]): number => {
  const ids = new Set(orders.map(({ clientOrderId }) => clientOrderId));
  return orders.filter(({ replaces }) => replaces === undefined || !ids.has(replaces)).length;
};

/** An order with its pending replacements, and the largest contribution of one of them. */
interface ReplacementChain {
  readonly order: Order;
  amount: Decimal;
}

function chainsOf(orders: readonly Order[], measure: Measure): readonly ReplacementChain[] {
  const byId = new Map(orders.map((order) => [order.clientOrderId, order]));
  const chains = new Map<string, ReplacementChain>();
  for (const order of orders) {
    const amount = measure(order);
    const first = originOf(order, byId);
    const chain = chains.get(first.clientOrderId);
    if (chain === undefined) chains.set(first.clientOrderId, { order: first, amount });
    else chain.amount = Decimal.max(chain.amount, amount);
  }
  return [...chains.values()];
}

/** The first order of a chain of open replacements. */
export function originOf(order: Order, byId: ReadonlyMap<string, Order>): Order {
  let first = order;
  for (let steps = 0; steps < byId.size; steps += 1) {
    const before = first.replaces === undefined ? undefined : byId.get(first.replaces);
    if (before === undefined) break;
    first = before;
  }
  return first;
}

/** Maximum of a list, or of all orders without a list. */
function mostOfList(chains: readonly ReplacementChain[]): Decimal {
  const type = chains[0].order.contingencyType ?? 'allOrNone';
  const [alone, exclusive] = partition(type, chains);
  const sum = alone.reduce((total, { amount }) => total.plus(amount), ZERO);
  return exclusive.reduce((largest, { amount }) => Decimal.max(largest, amount), ZERO).plus(sum);
}

/**
 * Splits the orders of a list into those that count individually, and those of which only one can
 * execute.
 */
function partition(
  type: ContingencyType,
  chains: readonly ReplacementChain[],
): readonly [readonly ReplacementChain[], readonly ReplacementChain[]] {
  switch (type) {
    case 'allOrNone':
    case 'oneTriggerOther':
      return [chains, []];
    case 'oneCancelOther':
      return [[], chains];
    case 'oneTriggerOneCancelOther': {
      const isFirst = ({ order }: ReplacementChain): boolean => order.listIndex === 0;
      return [chains.filter(isFirst), chains.filter((chain) => !isFirst(chain))];
    }
  }
}
