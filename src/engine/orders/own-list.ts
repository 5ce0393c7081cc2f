import { isOpen, type ContingencyType, type Order, type OrderList } from '../../model/order.ts';

/** An own order list as far as known. */
export class OwnList {
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  /** In list order; a replacement has the index of the replaced order. */
  readonly orders: Order[];
  /** Who canceled all of it: the strategy, or an operator. */
  closedBy: 'strategy' | 'operator' | undefined;
  /** True once it was reported that the list ended its stop while another exit continues. */
  hasLostStop = false;
  /** True once it was reported that its exits ended too early. */
  isUnprotected = false;
  readonly #requested = new Set<string>();

  constructor(orderListId: string, contingencyType: ContingencyType, orders: readonly Order[]) {
    this.orderListId = orderListId;
    this.contingencyType = contingencyType;
    this.orders = [...orders];
  }

  /** True once all of it is to be canceled. */
  get isClosing(): boolean {
    return this.closedBy !== undefined;
  }

  get isActive(): boolean {
    return this.orders.some(isOpen);
  }

  /** Sets the next state of an order; of a replacement only once it has replaced. */
  update(order: Order): void {
    this.#put(order.clientOrderId, order);
  }

  /** Puts an order at the index of the one that it replaced. */
  succeed(order: Order): void {
    if (order.replaces !== undefined) this.#put(order.replaces, order);
  }

  /** The orders to cancel first, so that the whole list ends with the fewest requests. */
  close(by: 'strategy' | 'operator' = 'strategy'): readonly Order[] {
    if (this.closedBy !== 'strategy') this.closedBy = by;
    this.#requested.clear();
    return this.closeOn();
  }

  /**
   * The next orders to cancel: the first while the others wait for it, one of those that exclude
   * each other, all of the rest. Each is returned once.
   */
  closeOn(): readonly Order[] {
    const { contingencyType, orders } = this;
    const open = orders.filter(
      (order) => isOpen(order) && !this.#requested.has(order.clientOrderId),
    );
    const leads = contingencyType === 'oneTriggerOther' && open[0] === orders[0];
    const excludes =
      contingencyType === 'oneCancelOther' || contingencyType === 'oneTriggerOneCancelOther';
    const next = leads || excludes ? open.slice(0, 1) : open;
    for (const order of next) this.#requested.add(order.clientOrderId);
    return next;
  }

  snapshot(): OrderList {
    return Object.freeze({
      orderListId: this.orderListId,
      contingencyType: this.contingencyType,
      orders: Object.freeze([...this.orders]),
      active: this.isActive,
    });
  }

  #put(clientOrderId: string, order: Order): void {
    const index = this.orders.findIndex((one) => one.clientOrderId === clientOrderId);
    if (index >= 0) this.orders[index] = order;
  }
}
