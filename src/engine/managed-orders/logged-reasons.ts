import type { Order } from '../../model/order.ts';
import type { RejectionCode } from '../../model/rejections.ts';
import type { OrderMarket } from '../../strategy/commands.ts';
import { PASSING } from '../orders/paced-rejections.ts';

/**
 * Last rejections of managed orders, by market and side. A managed order is retried until it ends:
 * a temporary reason, such as a halt, is logged when it is new, not each time.
 */
export class LoggedReasons {
  readonly #reported = new Map<string, RejectionCode>();

  /** Notes the reason of a rejection; returns true if it differs from that of the order before. */
  isNew(order: Order, code: RejectionCode): boolean {
    const key = keyOf(order);
    if (this.#reported.get(key) === code && PASSING.has(code)) return false;
    this.#reported.set(key, code);
    return true;
  }

  /** Notes an accepted order: the next rejection is new. */
  passed(order: Order): void {
    this.#reported.delete(keyOf(order));
  }

  /** Forgets a market whose managed order is set again, so that a rejection is logged again. */
  forget({ symbol, margin }: OrderMarket): void {
    for (const side of ['buy', 'sell'])
      this.#reported.delete(`${side} ${margin ?? 'spot'} ${symbol}`);
  }
}

const keyOf = ({ side, symbol, margin }: Order): string =>
  `${side} ${margin?.mode ?? 'spot'} ${symbol}`;
