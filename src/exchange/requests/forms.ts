import type { NewOrder } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import {
  type ChangeForm,
  changeOf,
  type ListForm,
  type OrderForm,
  orderOf,
} from '../../rules/order-form.ts';
import {
  listFormRejection,
  orderFormRejection,
  orderListRejection,
} from '../../rules/order-list.ts';
import { NONE } from '../orders/orders.ts';
import type { ClientOrderIdMaker } from '../state/options.ts';
import type { State } from '../state/state.ts';
import { place, placeList, replace, unknownOrder } from './orders.ts';
import { advance } from './pipeline.ts';

/**
 * Entry point for requests with decimal prices and quantities, as the services take them: rounds or
 * rejects them by the grid, fills in defaults and makes missing client order ids. Requests are
 * checked here and trusted by the exchange.
 */
export class Forms {
  readonly #state: State;
  readonly #ids: ClientOrderIdMaker;
  /** Number of client order ids made so far. */
  #made = 0;

  constructor(state: State, ids: ClientOrderIdMaker) {
    this.#state = state;
    this.#ids = ids;
  }

  /** Accepts a new order; the listener gets a generated client order id if it had none. */
  place(account: number, form: OrderForm, at: Micros): Rejection | undefined {
    advance(this.#state, at);
    const ids = this.#fresh(account);
    const order = orderFormRejection(form) ?? this.#order(form, undefined, ids);
    if (isRejection(order)) return order;
    return this.#keep(ids, place(this.#state, account, order, at, 'passed'));
  }

  /** Accepts an order list, whole or not at all. */
  placeList(account: number, form: ListForm, at: Micros): Rejection | undefined {
    advance(this.#state, at);
    const malformed = listFormRejection(form);
    if (malformed !== undefined) return malformed;
    const { contingencyType, orderListId } = form;
    const ids = this.#fresh(account);
    const orders: NewOrder[] = [];
    for (const [index, member] of form.orders.entries()) {
      const order = this.#order(member, index === 0 ? orderListId : undefined, ids);
      if (isRejection(order)) {
        const field = order.field === undefined ? '' : `.${order.field}`;
        return { ...order, field: `orders[${index}]${field}` };
      }
      orders.push(order);
    }
    const list = { contingencyType, orders, orderListId };
    const rejection = orderListRejection(list);
    if (rejection !== undefined) return rejection;
    return this.#keep(ids, placeList(this.#state, account, list, at, 'passed'));
  }

  /** Cancels an order and places its replacement, as one step. */
  replace(account: number, form: ChangeForm, at: Micros): Rejection | undefined {
    const state = this.#state;
    advance(state, at);
    const malformed = orderFormRejection(form);
    if (malformed !== undefined) return malformed;
    const { clientOrderId } = form;
    const old = state.index.active(account, clientOrderId);
    if (old === NONE) return unknownOrder(clientOrderId);
    const instrument = state.instruments[state.orders.instrument(old)];
    const change = changeOf(instrument, state.orders.type(old), form);
    if (isRejection(change)) return change;
    const ids = this.#fresh(account);
    const newClientOrderId = form.newClientOrderId ?? ids.next();
    const request = { clientOrderId, newClientOrderId, ...change };
    return this.#keep(ids, replace(state, account, request, at, 'passed'));
  }

  #order(form: OrderForm, listId: string | undefined, ids: FreshIds): NewOrder | Rejection {
    const { symbols, instruments, now } = this.#state;
    const instrument = symbols.find(form.symbol);
    if (isRejection(instrument)) return instrument;
    const clientOrderId = form.clientOrderId ?? listId ?? ids.next();
    return orderOf(instruments[instrument], form, clientOrderId, now as Micros);
  }

  #fresh(account: number): FreshIds {
    const { index } = this.#state;
    return new FreshIds(this.#made, this.#ids, (id) => index.find(account, id) !== NONE);
  }

  /** Counts generated ids as used if their request was accepted. */
  #keep(ids: FreshIds, rejection: Rejection | undefined): Rejection | undefined {
    if (rejection === undefined) this.#made = ids.made;
    return rejection;
  }
}

/** Client order ids for one request, unused by its account. */
class FreshIds {
  made: number;
  readonly #ids: ClientOrderIdMaker;
  readonly #isTaken: (clientOrderId: string) => boolean;

  constructor(made: number, ids: ClientOrderIdMaker, isTaken: (clientOrderId: string) => boolean) {
    this.made = made;
    this.#ids = ids;
    this.#isTaken = isTaken;
  }

  next(): string {
    for (;;) {
      this.made += 1;
      const id = this.#ids(this.made);
      if (!this.#isTaken(id)) return id;
    }
  }
}
