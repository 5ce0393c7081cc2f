import { LAST, QUOTE } from '../../../model/events.ts';
import { stampOf, type MarketSubscriptions, type Feed } from './subscriptions.ts';

interface Reported {
  readonly t?: unknown;
  readonly a?: unknown;
  readonly A?: unknown;
  readonly b?: unknown;
  readonly B?: unknown;
}

/** One side of the best of a book: both 0 if it is empty. */
interface Side {
  ticks: number;
  lots: number;
}

/**
 * The best bid and ask: a QUOTE row for each frame. Each frame is whole, so nothing can be missing and
 * there is no snapshot to wait for.
 */
export class QuoteFeed implements Feed {
  readonly ch = 'orderbook/top/100ms';
  readonly isReady = true;
  readonly mayBeEmpty = false;
  readonly isWaiting = false;
  readonly #subscriptions: MarketSubscriptions;
  readonly #bid: Side = { ticks: 0, lots: 0 };
  readonly #ask: Side = { ticks: 0, lots: 0 };

  constructor(subscriptions: MarketSubscriptions) {
    this.#subscriptions = subscriptions;
  }

  take(_part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean {
    const reported = payload as Reported | null;
    if (typeof reported !== 'object' || reported === null) return false;
    const stampedAt = stampOf(reported.t);
    if (!(stampedAt >= 0)) return false;
    if (
      !this.#side(this.#bid, reported.b, reported.B) ||
      !this.#side(this.#ask, reported.a, reported.A)
    ) {
      return false;
    }
    const { rows } = this.#subscriptions;
    const { ticks: bid, lots: bidLots } = this.#bid;
    const { ticks: ask, lots: askLots } = this.#ask;
    rows.clear();
    rows.add(receivedAt, stampedAt, QUOTE, LAST, 0, bid, bidLots, ask, askLots, 0);
    this.#subscriptions.emit();
    return true;
  }

  lose(): void {
    // The next frame has everything.
  }

  close(): void {
    this.lose();
  }

  #side(side: Side, price: unknown, size: unknown): boolean {
    side.ticks = 0;
    side.lots = 0;
    if (price === null || price === undefined) return true;
    const ticks = this.#subscriptions.price.read(price);
    const lots = this.#subscriptions.size.read(size);
    if (!(ticks > 0 && lots >= 0)) return false;
    if (lots === 0) return true;
    side.ticks = ticks;
    side.lots = lots;
    return true;
  }
}
