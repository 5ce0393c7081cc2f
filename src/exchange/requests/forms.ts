import type { Instrument } from '../../model/instrument.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import type { NewOrder } from '../../model/order.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import {
  changeOf,
  orderOf,
  type ChangeForm,
  type ListForm,
  type OrderForm,
} from '../../rules/order-form.ts';
import { listFormRefusal, orderFormRefusal, orderListRefusal } from '../../rules/order-list.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { Passed } from '../stages/guard.ts';
import type { NewList } from '../stages/validate-list.ts';
import { unknownOrder, unknownSymbol } from '../state/unknown.ts';

/** What of the exchange forms go to. */
interface Door {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly now: Micros;
  instrument(symbol: string): number;
  activeOrder(account: number, clientOrderId: string): number;
  advance(at: Micros): void;
  place(account: number, order: NewOrder, at: Micros, checked: Passed): Refusal | undefined;
  placeList(account: number, list: NewList, at: Micros, checked: Passed): Refusal | undefined;
  replace(account: number, change: OrderChange, at: Micros, checked: Passed): Refusal | undefined;
}

/** Makes the n-th client order id of an exchange, of 8 to 32 characters; the same for the same n. */
export type ClientOrderIdMaker = (number: number) => string;

/**
 * The door of the exchange for requests as the services take them: prices and quantities are
 * decimals, which are brought onto the grid or refused, defaults are filled in, and client order
 * ids are made where none is given. What they say is checked here, and trusted by the exchange.
 */
export class Forms {
  readonly #door: Door;
  readonly #ids: ClientOrderIdMaker;
  readonly #register: OrderIndex;
  /** Client order ids made so far. */
  #made = 0;

  constructor(door: Door, ids: ClientOrderIdMaker, register: OrderIndex) {
    this.#door = door;
    this.#ids = ids;
    this.#register = register;
  }

  /** Takes a new order in; the listener is told its client order id where it had none. */
  place(account: number, form: OrderForm, at: Micros): Refusal | undefined {
    this.#door.advance(at);
    const ids = this.#fresh(account);
    const order = orderFormRefusal(form) ?? this.#order(form, undefined, ids);
    if (isRefusal(order)) return order;
    return this.#keep(ids, this.#door.place(account, order, at, 'passed'));
  }

  /** Takes an order list in, whole or not at all. */
  placeList(account: number, form: ListForm, at: Micros): Refusal | undefined {
    this.#door.advance(at);
    const malformed = listFormRefusal(form);
    if (malformed !== undefined) return malformed;
    const { contingencyType, orderListId } = form;
    const ids = this.#fresh(account);
    const orders: NewOrder[] = [];
    for (const [index, member] of form.orders.entries()) {
      const order = this.#order(member, index === 0 ? orderListId : undefined, ids);
      if (isRefusal(order)) {
        const field = order.field === undefined ? '' : `.${order.field}`;
        return { ...order, field: `orders[${index}]${field}` };
      }
      orders.push(order);
    }
    const listId = orderListId === undefined ? {} : { orderListId };
    const list = { contingencyType, orders, ...listId };
    const refusal = orderListRefusal(list);
    if (refusal !== undefined) return refusal;
    return this.#keep(ids, this.#door.placeList(account, list, at, 'passed'));
  }

  /** Cancels an order and enters another in its stead, as one. */
  replace(account: number, form: ChangeForm, at: Micros): Refusal | undefined {
    const door = this.#door;
    door.advance(at);
    const malformed = orderFormRefusal(form);
    if (malformed !== undefined) return malformed;
    const { clientOrderId } = form;
    const old = door.activeOrder(account, clientOrderId);
    if (old === NONE) return unknownOrder(clientOrderId);
    const instrument = door.instruments[door.orders.instrument(old)];
    const change = changeOf(instrument, door.orders.type(old), form);
    if (isRefusal(change)) return change;
    const ids = this.#fresh(account);
    const newClientOrderId = form.newClientOrderId ?? ids.next();
    const request = { clientOrderId, newClientOrderId, ...change };
    return this.#keep(ids, door.replace(account, request, at, 'passed'));
  }

  #order(form: OrderForm, listId: string | undefined, ids: FreshIds): NewOrder | Refusal {
    const door = this.#door;
    const instrument = door.instrument(form.symbol);
    if (instrument === NONE) return unknownSymbol(form.symbol, door.instruments);
    const clientOrderId = form.clientOrderId ?? listId ?? ids.next();
    return orderOf(door.instruments[instrument], form, clientOrderId, door.now);
  }

  #fresh(account: number): FreshIds {
    const register = this.#register;
    return new FreshIds(this.#made, this.#ids, (id) => register.find(account, id) !== NONE);
  }

  /** Numbers of client order ids count as used when their request was taken. */
  #keep(ids: FreshIds, refusal: Refusal | undefined): Refusal | undefined {
    if (refusal === undefined) this.#made = ids.made;
    return refusal;
  }
}

/** Client order ids for one request, which an account does not use. */
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
