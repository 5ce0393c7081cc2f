import type { OrderRequest } from '../model/order-request.ts';
import type { Instrument } from '../model/instrument.ts';
import type { VenueOrder } from '../model/order.ts';
import type { Fill, Report } from '../model/report.ts';
import type { Balance } from '../strategy/context.ts';
import type { Micros } from '../platform/time.ts';

/** Whether what happens to an account is heard of. */
export type Hearing = 'live' | 'lost';

/** Who is told of an account. */
export interface AccountListener {
  report(report: Report): void;
  /**
   * `live`: whatever happens from here on is told. `lost`: what happens is not told until `live`
   * comes again, and `truth` must then be asked for what was missed.
   */
  hearing(hearing: Hearing, why?: string): void;
}

/** An account as the venue has it. */
export interface Truth {
  /** Everything that happened at the venue before this time is in it. */
  readonly at: Micros;
  /** Every active order, those of others included. */
  readonly orders: readonly VenueOrder[];
  /** Orders that ended since the time asked for. */
  readonly ended: readonly VenueOrder[];
  /** Executions since the time asked for, oldest first. */
  readonly fills: readonly Fill[];
  readonly balances: readonly Balance[];
}

/**
 * An account at a venue as a bot holds it: the road for orders, and the truth on demand. A
 * request whose answer does not come is told of as a report of kind `doubt`.
 */
export interface VenueAccount {
  readonly instruments: readonly Instrument[];
  /** Connects and listens; keeps at it until `close`. Throws where it can never be, such as for a refused key. */
  open(listener: AccountListener): Promise<void>;
  /** Sends at once; where nothing can leave now, a refusal `venue-unreachable` is reported. */
  send(request: OrderRequest): void;
  /**
   * Asks the venue, again and again until it answers; throws what can never be. `open` names the orders
   * that are open as far as is known here, as a history by time may not show how an old one ended.
   */
  truth(since: Micros, open?: readonly string[]): Promise<Truth>;
  /** By how much the venue's clock is ahead of ours, in microseconds; negative when behind. */
  clockSkewUs(): Promise<number>;
  close(): Promise<void>;
}
