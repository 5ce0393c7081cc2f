import type { ContingencyType } from '../../model/order.ts';
import type { TrackedList } from '../../strategy/context.ts';
import type { OwnOrder } from './own-order.ts';

/** An order list of ours as far as we know it. */
export class OwnList {
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  /** In list order; a replacement stands where the order stood that it replaced. */
  readonly orders: OwnOrder[];
  /** True once all of it is to be canceled. */
  isClosing = false;
  /** True once the strategy was told that the list ended its stop while another exit goes on. */
  hasLostStop = false;
  /** True once it was told that its exits ended too early. */
  isUnprotected = false;
  readonly #asked = new Set<OwnOrder>();

  constructor(orderListId: string, contingencyType: ContingencyType, orders: OwnOrder[]) {
    this.orderListId = orderListId;
    this.contingencyType = contingencyType;
    this.orders = orders;
  }

  get isActive(): boolean {
    return this.orders.some((order) => order.isOpen);
  }

  /** Puts an order where the one stood that it replaced. */
  succeed(order: OwnOrder): void {
    const index = order.membership?.listIndex;
    if (index !== undefined) this.orders[index] = order;
  }

  /** The orders to cancel first, so that the whole list ends with the fewest requests. */
  close(): readonly OwnOrder[] {
    this.isClosing = true;
    this.#asked.clear();
    return this.closeOn();
  }

  /**
   * The next orders to cancel, by what is known: the first while it leads the others, one of those
   * that exclude each other, all of the rest. Each is named once.
   */
  closeOn(): readonly OwnOrder[] {
    const { contingencyType, orders } = this;
    const open = orders.filter((order) => order.isOpen && !this.#asked.has(order));
    const leads = contingencyType === 'oneTriggerOther' && open[0] === orders[0];
    const excludes =
      contingencyType === 'oneCancelOther' || contingencyType === 'oneTriggerOneCancelOther';
    const next = leads || excludes ? open.slice(0, 1) : open;
    for (const order of next) this.#asked.add(order);
    return next;
  }

  snapshot(): TrackedList {
    return Object.freeze({
      orderListId: this.orderListId,
      contingencyType: this.contingencyType,
      orders: Object.freeze(this.orders.map((order) => order.snapshot())),
      active: this.isActive,
    });
  }
}
