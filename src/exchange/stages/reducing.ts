import type { OrderLists } from '../orders/lists.ts';
import type { Orders } from '../orders/orders.ts';
import type { Clearing } from '../clearing/positions.ts';
import { CLOSE_POSITION, REDUCE_ONLY } from '../positions/flags.ts';
import type { Hands } from '../margin/system-orders.ts';
import type { Reserves } from '../clearing/requirement.ts';

/** Orders that only reduce a position: they end with it, before anything else can meet them. */
export class Reducing {
  readonly #orders: Orders;
  readonly #lists: OrderLists;
  readonly #clearing: Clearing;
  readonly #reserves: Reserves;
  readonly #hands: Hands;

  constructor(setup: {
    readonly orders: Orders;
    readonly lists: OrderLists;
    readonly clearing: Clearing;
    readonly reserves: Reserves;
    readonly hands: Hands;
  }) {
    this.#orders = setup.orders;
    this.#lists = setup.lists;
    this.#clearing = setup.clearing;
    this.#reserves = setup.reserves;
    this.#hands = setup.hands;
  }

  /** Ends the orders that would reduce positions that are gone. */
  end(): void {
    const { ended } = this.#clearing;
    for (let gone = ended.pop(); gone !== undefined; gone = ended.pop()) {
      const { account, instrument } = gone;
      for (const order of this.#reserves.active(account)) {
        if (this.#orders.instrument(order) === instrument && this.#hasNothingLeft(order)) {
          this.#hands.withdraw(order);
        }
      }
    }
  }

  /** Inactive orders and those that close what there is when they are triggered wait for a position. */
  #hasNothingLeft(order: number): boolean {
    const orders = this.#orders;
    const flags = orders.margin(order);
    if ((flags & REDUCE_ONLY) === 0 || !orders.active(order) || orders.left(order) === 0) {
      return false;
    }
    const waits = (flags & CLOSE_POSITION) !== 0 && orders.status(order) === 'suspended';
    return !waits && !this.#lists.isInactive(order);
  }
}
