import type { OrderRequest } from '../../model/order-request.ts';
import type { VenueAccount } from '../../gateways/venue-account.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { RejectReport } from '../../model/report.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { Meter } from '../operated.ts';
import type { ReconciliationSettings } from '../settings.ts';
import type { ProvingSetup } from './proving.ts';
import type { Seat } from './seat.ts';
import type { BestOf } from './unshown.ts';

/** What an account needs of the bot. */
export interface AccountHost {
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly meter: Meter;
  /** The reason why a request may not leave: a limit, or the state of strategy, account or bot. */
  refusal(seat: Seat, request: OrderRequest): Refusal | undefined;
  /** The last price of a symbol; NaN while there is none. */
  marketTicks(symbol: string): number;
  /** When the market message was received that is being handed on, if one is. */
  cause(): Micros | undefined;
  /** The best of a symbol's book where own orders stand in it, which those on paper do not. */
  best: BestOf;
  /** Told of each request that the venue refused. */
  rejected(seat: Seat, report: RejectReport): void;
  /** The journal can not be written any more: nothing may be sent. */
  journalFailed(error: unknown): void;
  /** Somebody else sends with the ids of the journal: nothing may be sent before a person has looked. */
  conflict(why: string): void;
}

export interface AccountSetup extends Pick<ProvingSetup, 'key' | 'symbols' | 'strategies'> {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly rules: ReconciliationSettings;
  readonly host: AccountHost;
}
