import { GAP, LAST, LEVEL, RESET, SELL } from '../../../model/events.ts';
import { countOf, stampOf, type MarketSubscriptions, type Feed } from './subscriptions.ts';

/** A whole book or its changes, as a frame has it. */
interface Reported {
  readonly t?: unknown;
  readonly s?: unknown;
  readonly a?: unknown;
  readonly b?: unknown;
}

/**
 * A whole book: its snapshot becomes a RESET row with the levels behind it, each update LEVEL rows,
 * bids first. Updates count up by one from the snapshot on:
 *
 * - one that is not above the last is old, and left out;
 * - one that is more than one above it shows that something is missing: a GAP row is emitted, updates are
 *   left out, and a new subscription brings a snapshot.
 *
 * A snapshot that comes unasked counts too. In it a level of quantity 0 is left out, in an update it
 * deletes the level.
 */
export class BookFeed implements Feed {
  readonly ch = 'orderbook/full';
  readonly mayBeEmpty = false;
  readonly #subscriptions: MarketSubscriptions;
  /** Number of the last update; NaN while a snapshot is waited for. */
  #sequence = Number.NaN;

  constructor(subscriptions: MarketSubscriptions) {
    this.#subscriptions = subscriptions;
  }

  get isReady(): boolean {
    return !this.isWaiting;
  }

  get isWaiting(): boolean {
    return Number.isNaN(this.#sequence);
  }

  take(part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean {
    const reported = payload as Reported | null;
    if (typeof reported !== 'object' || reported === null) return false;
    const sequence = countOf(reported.s);
    const stampedAt = stampOf(reported.t);
    const { a: asks, b: bids } = reported;
    if (!(sequence >= 0 && stampedAt >= 0 && Array.isArray(asks) && Array.isArray(bids))) {
      return false;
    }
    if (part === 'snapshot') return this.#begin(receivedAt, stampedAt, sequence, bids, asks);
    const last = this.#sequence;
    // NaN fails both: while a snapshot is awaited, updates are ignored.
    if (sequence === last + 1) return this.#change(receivedAt, stampedAt, sequence, bids, asks);
    if (sequence > last) this.#gap(receivedAt, stampedAt);
    return true;
  }

  lose(): void {
    this.#sequence = Number.NaN;
  }

  close(): void {
    this.lose();
  }

  #begin(
    receivedAt: number,
    stampedAt: number,
    sequence: number,
    bids: readonly unknown[],
    asks: readonly unknown[],
  ): boolean {
    const { rows } = this.#subscriptions;
    const wasWaiting = this.isWaiting;
    rows.clear();
    rows.add(receivedAt, stampedAt, RESET, 0, sequence, 0, 0, 0, 0, 0);
    const isRead =
      this.#levels(receivedAt, stampedAt, sequence, 0, bids, true) &&
      this.#levels(receivedAt, stampedAt, sequence, SELL, asks, true);
    if (!isRead) return false;
    rows.end();
    this.#sequence = sequence;
    this.#subscriptions.emit();
    if (wasWaiting) this.#subscriptions.ready();
    return true;
  }

  #change(
    receivedAt: number,
    stampedAt: number,
    sequence: number,
    bids: readonly unknown[],
    asks: readonly unknown[],
  ): boolean {
    const { rows } = this.#subscriptions;
    rows.clear();
    const isRead =
      this.#levels(receivedAt, stampedAt, sequence, 0, bids, false) &&
      this.#levels(receivedAt, stampedAt, sequence, SELL, asks, false);
    if (!isRead) return false;
    this.#sequence = sequence;
    if (rows.length === 0) return true;
    rows.end();
    this.#subscriptions.emit();
    return true;
  }

  /** The row has the expected number. */
  #gap(receivedAt: number, stampedAt: number): void {
    const { rows } = this.#subscriptions;
    rows.clear();
    rows.add(receivedAt, stampedAt, GAP, LAST, this.#sequence + 1, 0, 0, 0, 0, 0);
    this.#sequence = Number.NaN;
    this.#subscriptions.emit();
    this.#subscriptions.renew(this.ch);
  }

  /** Adds a row for each level; false if one is no pair of price and quantity. */
  #levels(
    receivedAt: number,
    stampedAt: number,
    sequence: number,
    flags: number,
    levels: readonly unknown[],
    isSnapshot: boolean,
  ): boolean {
    const { rows, price, size } = this.#subscriptions;
    for (let at = 0; at < levels.length; at += 1) {
      const level = levels[at];
      if (!Array.isArray(level)) return false;
      const ticks = price.read(level[0]);
      const lots = size.read(level[1]);
      // NaN is not above anything either.
      if (!(ticks > 0 && lots >= 0)) return false;
      if (isSnapshot && lots === 0) continue;
      rows.add(receivedAt, stampedAt, LEVEL, flags, sequence, ticks, lots, 0, 0, 0);
    }
    return true;
  }
}
