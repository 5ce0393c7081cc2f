import type { Order } from '../../model/order.ts';
import type { RefusalCode } from '../../model/refusals.ts';
import type { Placed } from '../../strategy/commands.ts';
import { PASSING } from '../orders/paced-rejections.ts';

/**
 * Why the orders of wishes were rejected last, by place and side. A wish is tried again for as long as it is
 * wanted: a reason that ends by itself, such as a halt, is told when it is new, and not each time.
 */
export class ToldReasons {
  readonly #told = new Map<string, RefusalCode>();

  /** Takes the reason of a rejection in; true where it is another than that of the order before. */
  isNew(order: Order, code: RefusalCode): boolean {
    const key = keyOf(order);
    if (this.#told.get(key) === code && PASSING.has(code)) return false;
    this.#told.set(key, code);
    return true;
  }

  /** An order came through: what rejects the next one is news. */
  passed(order: Order): void {
    this.#told.delete(keyOf(order));
  }

  /** A wish is given anew, so what rejects its orders is news. */
  wished({ symbol, margin }: Placed): void {
    for (const side of ['buy', 'sell']) this.#told.delete(`${side} ${margin ?? 'spot'} ${symbol}`);
  }
}

const keyOf = ({ side, symbol, margin }: Order): string =>
  `${side} ${margin?.mode ?? 'spot'} ${symbol}`;
