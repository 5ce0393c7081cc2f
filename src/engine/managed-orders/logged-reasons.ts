import type { Order } from '../../model/order.ts';
import type { RejectionCode } from '../../model/rejections.ts';
import type { OrderMarket } from '../../strategy/commands.ts';
import { PASSING } from '../orders/paced-rejections.ts';

/**
 * The last rejections of managed orders, by place and side. A managed order is retried for as long as it is
 * wanted: a reason that ends by itself, such as a halt, is logged when it is new, not each time.
 */
export class LoggedReasons {
  readonly #reported = new Map<string, RejectionCode>();

  /** Takes the reason of a rejection in; true where it is another than that of the order before. */
  isNew(order: Order, code: RejectionCode): boolean {
    const key = keyOf(order);
    if (this.#reported.get(key) === code && PASSING.has(code)) return false;
    this.#reported.set(key, code);
    return true;
  }

  /** An order came through: what rejects the next one is news. */
  passed(order: Order): void {
    this.#reported.delete(keyOf(order));
  }

  /** A managed order is set again, so a rejection of its orders is logged again. */
  forget({ symbol, margin }: OrderMarket): void {
    for (const side of ['buy', 'sell'])
      this.#reported.delete(`${side} ${margin ?? 'spot'} ${symbol}`);
  }
}

const keyOf = ({ side, symbol, margin }: Order): string =>
  `${side} ${margin?.mode ?? 'spot'} ${symbol}`;
