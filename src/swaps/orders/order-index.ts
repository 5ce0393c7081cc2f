import { MillraceError } from '../../model/errors.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Cancel } from '../../platform/scheduler.ts';
import { forgetOld, type Keeping } from '../keeping.ts';
import { ORDER_MOVES, type ExchangeOrder, type OrderState } from './order.ts';

export type OrderListener = (order: ExchangeOrder, before: OrderState | undefined) => void;

/** Members that change with a state. */
export type OrderFacts = Partial<
  Pick<ExchangeOrder, 'payin' | 'receivedAt' | 'payout' | 'refundHash' | 'reason'>
>;

/** Failed orders have not ended: their money can still be refunded. Other final states have ended. */
const KEEPING: Keeping<ExchangeOrder> = {
  most: 10_000,
  hasEnded: ({ state }) => ORDER_MOVES[state].length === 0,
  begunAt: ({ createdAt }) => createdAt,
};

/**
 * The orders by their ids, oldest first; the only place where one changes. The oldest ended ones are
 * dropped if there are many.
 */
export class ExchangeOrderIndex {
  readonly #orders = new Map<string, ExchangeOrder>();
  readonly #listeners = new Set<OrderListener>();
  readonly #keeping: Keeping<ExchangeOrder>;

  /** `isNeeded` returns true for ended orders that must not be dropped. */
  constructor(isNeeded: (id: string) => boolean) {
    const { hasEnded } = KEEPING;
    this.#keeping = { ...KEEPING, hasEnded: (order) => hasEnded(order) && !isNeeded(order.id) };
  }

  /** Adds a new order, and returns those that are dropped for it. */
  add(order: ExchangeOrder): readonly ExchangeOrder[] {
    this.#put(order, undefined);
    return forgetOld(this.#orders, order.createdAt, this.#keeping);
  }

  find(id: string): ExchangeOrder | Rejection {
    const message = `There is no exchange order ${id}.`;
    return this.#orders.get(id) ?? { code: 'exchange-order-unknown', field: 'id', message };
  }

  /** An order that must exist. */
  of(id: string): ExchangeOrder {
    const order = this.#orders.get(id);
    if (order === undefined) throw new MillraceError('internal', `There is no order ${id}.`);
    return order;
  }

  all(): readonly ExchangeOrder[] {
    return [...this.#orders.values()];
  }

  /** Moves an order on; throws `internal` for a move that there is not. */
  move(id: string, state: OrderState, facts: OrderFacts = {}): ExchangeOrder {
    const order = this.of(id);
    if (!ORDER_MOVES[order.state].includes(state)) {
      throw new MillraceError('internal', `An order goes not from ${order.state} to ${state}.`);
    }
    return this.#put({ ...order, ...facts, state }, order.state);
  }

  /** Changes members of an order without its state. */
  note(id: string, facts: OrderFacts): ExchangeOrder {
    const order = this.of(id);
    return this.#put({ ...order, ...facts }, order.state);
  }

  /** Called for each new order, and at each change with the state before. */
  follow(listener: OrderListener): Cancel {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #put(order: ExchangeOrder, before: OrderState | undefined): ExchangeOrder {
    this.#orders.set(order.id, order);
    for (const listener of this.#listeners) listener(order, before);
    return order;
  }
}

/** The rejection of what the state of an order does not allow. */
export const wrongState = ({ id, state }: ExchangeOrder, what: string): Rejection => ({
  code: 'order-state-invalid',
  field: 'id',
  message: `The order ${id} is ${state} and cannot be ${what}.`,
});
