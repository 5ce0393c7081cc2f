import type { PositionCarry } from '../../gateways/venue-account.ts';
import type { VenueOrder } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import { US_PER_HOUR, type Micros } from '../../platform/time.ts';

/** This is long enough: older reports have arrived, as none gets lost in flight. */
const KEPT_US = US_PER_HOUR;

/** Ended orders, fills, fundings and interest of the last hour, for snapshots. */
export class RecentTrades {
  #ended: VenueOrder[] = [];
  #fills: Fill[] = [];
  #carries: PositionCarry[] = [];
  #pruneAt = 0;

  ended(order: VenueOrder): void {
    this.#prune(order.updatedAt);
    this.#ended.push(order);
  }

  filled(fill: Fill): void {
    this.#prune(fill.at);
    this.#fills.push(fill);
  }

  carried(carry: PositionCarry): void {
    this.#prune(carry.at);
    this.#carries.push(carry);
  }

  endedSince(since: Micros): readonly VenueOrder[] {
    return this.#ended.filter(({ updatedAt }) => updatedAt >= since);
  }

  fillsSince(since: Micros): readonly Fill[] {
    return this.#fills.filter(({ at }) => at >= since);
  }

  carriesSince(since: Micros): readonly PositionCarry[] {
    return this.#carries.filter(({ at }) => at >= since);
  }

  /** Now and then, so that the cost is negligible for each order. */
  #prune(now: Micros): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + KEPT_US / 60;
    this.#ended = this.#ended.filter(({ updatedAt }) => updatedAt >= now - KEPT_US);
    this.#fills = this.#fills.filter(({ at }) => at >= now - KEPT_US);
    this.#carries = this.#carries.filter(({ at }) => at >= now - KEPT_US);
  }
}
