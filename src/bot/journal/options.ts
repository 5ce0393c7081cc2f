import type { ReportedOrder } from './order-event-log.ts';
import type { Random } from '../../platform/random.ts';
import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { Scheduler } from '../../platform/scheduler.ts';

export interface JournalOptions {
  /** Name of the account; a journal of another is refused. */
  readonly account: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** The orders of the account, which get what the journal has; new ones where absent. */
  readonly orders?: OrderStore | undefined;
  /** Who holds it, for the sentence that a second process is shown. */
  readonly holder?: string | undefined;
  /** Events and ended orders older than this are let go. */
  readonly retentionUs?: number | undefined;
  /** Called with what differs from what was known of the journal, and needs nobody or was confirmed. */
  readonly notice?: ((sentence: string) => void) | undefined;
  /** Called when a write between intents failed; what was received is kept and written with the next one. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/** What may be kept: what came otherwise than by fills; on paper, what is outside. */
export type Keepsake = 'transferred' | 'otherStrategies' | 'paperPortfolio' | 'replenished';

export interface CommitOptions {
  readonly reported?: readonly ReportedOrder[];
  /** Open orders that the commit brings and that are not held yet. */
  readonly adopted?: number;
  /** True to wait for the disk. */
  readonly isDurable?: boolean;
}
