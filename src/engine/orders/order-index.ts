import { isOpen, type Order } from '../../model/order.ts';

/** Slot of an order; it is in one list at a time. */
interface Slot {
  /** Slots made before. */
  readonly number: number;
  order: Order;
  list: SlotList;
  before: Slot | undefined;
  after: Slot | undefined;
}

/** A linked list of slots in order of insertion, with removal anywhere. */
class SlotList {
  first: Slot | undefined;
  count = 0;
  #last: Slot | undefined;

  append(slot: Slot): void {
    slot.list = this;
    slot.before = this.#last;
    slot.after = undefined;
    if (this.#last === undefined) this.first = slot;
    else this.#last.after = slot;
    this.#last = slot;
    this.count += 1;
  }

  remove({ before, after }: Slot): void {
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    this.count -= 1;
  }
}

/**
 * Orders by client order id: the open ones, oldest first, and the last ended ones. An order changes
 * within its slot, as a map with frequent insertions and removals is rebuilt all the time.
 */
export class StrategyOrderIndex {
  readonly #slots = new Map<string, Slot>();
  readonly #open = new SlotList();
  readonly #ended = new SlotList();
  readonly #endedMax: number;
  #slotCount = 0;
  /** The open ones of the last call, while unchanged. */
  #opened: readonly Order[] | undefined;

  /** Drops the order that ended first if there are more than `endedMax`. */
  constructor(endedMax: number) {
    this.#endedMax = endedMax;
  }

  get(clientOrderId: string): Order | undefined {
    return this.#slots.get(clientOrderId)?.order;
  }

  /** Adds an order, or its next state. */
  put(order: Order): void {
    this.#opened = undefined;
    const list = isOpen(order) ? this.#open : this.#ended;
    const known = this.#slots.get(order.clientOrderId);
    if (known === undefined) this.#add(order, list);
    else {
      known.order = order;
      if (known.list === list) return;
      known.list.remove(known);
      list.append(known);
    }
    if (this.#ended.count > this.#endedMax) this.#forgetFirst();
  }

  /** Open orders, oldest first. */
  open(): readonly Order[] {
    if (this.#opened !== undefined) return this.#opened;
    const orders: Order[] = [];
    for (let slot = this.#open.first; slot !== undefined; slot = slot.after) {
      orders.push(slot.order);
    }
    this.#opened = orders;
    return orders;
  }

  /** True if the first order was added before the other; false if one is absent. */
  isBefore(clientOrderId: string, other: string): boolean {
    const slot = this.#slots.get(clientOrderId);
    const beside = this.#slots.get(other);
    return slot !== undefined && beside !== undefined && slot.number < beside.number;
  }

  /** Drops an ended order. */
  forget(clientOrderId: string): void {
    const slot = this.#slots.get(clientOrderId);
    if (slot?.list === this.#ended) this.#remove(slot);
  }

  #add(order: Order, list: SlotList): void {
    const number = this.#slotCount;
    this.#slotCount += 1;
    const slot: Slot = { number, order, list, before: undefined, after: undefined };
    this.#slots.set(order.clientOrderId, slot);
    list.append(slot);
  }

  #forgetFirst(): void {
    const { first } = this.#ended;
    if (first !== undefined) this.#remove(first);
  }

  #remove(slot: Slot): void {
    slot.list.remove(slot);
    this.#slots.delete(slot.order.clientOrderId);
  }
}
