import type { ReportedOrder } from './order-event-log.ts';
import type { Random } from '../../platform/random.ts';
import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { Scheduler } from '../../platform/scheduler.ts';

export interface JournalOptions {
  /** Name of the account; a journal of another is refused. */
  readonly account: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** The orders of the account, which receive the journaled ones; new ones if absent. */
  readonly orders?: OrderStore | undefined;
  /** The holder, for the message to a second process. */
  readonly holder?: string | undefined;
  /** Events and ended orders older than this are deleted. */
  readonly retentionUs?: number | undefined;
  /** Called with differences that need no check or were confirmed. */
  readonly notice?: ((sentence: string) => void) | undefined;
  /** Called when a write between requests failed; the reports are kept and written with the next one. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/** Names of stored texts: transfers, other strategies, the portfolio of a paper account. */
export type Keepsake = 'transferred' | 'otherStrategies' | 'paperPortfolio' | 'replenished';

export interface CommitOptions {
  readonly reported?: readonly ReportedOrder[];
  /** Open orders of this commit that are not held yet. */
  readonly adopted?: number;
  /** True to wait for the disk. */
  readonly isDurable?: boolean;
}
