import { LAST, QUOTE } from '../../../model/events.ts';
import { stampOf, type Desk, type Feed } from './desk.ts';

interface Told {
  readonly t?: unknown;
  readonly a?: unknown;
  readonly A?: unknown;
  readonly b?: unknown;
  readonly B?: unknown;
}

/** One side of the best of a book: both 0 where it is empty. */
interface Side {
  ticks: number;
  lots: number;
}

/**
 * The best bid and ask, told whole each time: a QUOTE row. A frame says nothing about those before
 * it, so nothing can be missing, and there is no snapshot to wait for.
 */
export class QuoteFeed implements Feed {
  readonly ch = 'orderbook/top/100ms';
  readonly isReady = true;
  readonly mayBeEmpty = false;
  readonly isWaiting = false;
  readonly #desk: Desk;
  readonly #bid: Side = { ticks: 0, lots: 0 };
  readonly #ask: Side = { ticks: 0, lots: 0 };

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  take(_part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean {
    const told = payload as Told | null;
    if (typeof told !== 'object' || told === null) return false;
    const stampedAt = stampOf(told.t);
    if (!(stampedAt >= 0)) return false;
    if (!this.#side(this.#bid, told.b, told.B) || !this.#side(this.#ask, told.a, told.A)) {
      return false;
    }
    const { rows } = this.#desk;
    const { ticks: bid, lots: bidLots } = this.#bid;
    const { ticks: ask, lots: askLots } = this.#ask;
    rows.clear();
    rows.add(receivedAt, stampedAt, QUOTE, LAST, 0, bid, bidLots, ask, askLots, 0);
    this.#desk.tell();
    return true;
  }

  lose(): void {
    // The next frame says all there is.
  }

  close(): void {
    this.lose();
  }

  #side(side: Side, price: unknown, size: unknown): boolean {
    side.ticks = 0;
    side.lots = 0;
    if (price === null || price === undefined) return true;
    const ticks = this.#desk.price.read(price);
    const lots = this.#desk.size.read(size);
    if (!(ticks > 0 && lots >= 0)) return false;
    if (lots === 0) return true;
    side.ticks = ticks;
    side.lots = lots;
    return true;
  }
}
