import type { MarginReport } from '../../model/margin-account.ts';
import type { MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { VenueOrder } from '../../model/order.ts';
import type { Report } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import { withChecksum } from './checked-rows.ts';
import type { JournalFile } from './file.ts';
import type { JournaledDiscrepancy, JournaledState } from './records.ts';

/** A request, and whether a managed order made it. */
type Intended = (OrderRequest & { readonly managed?: boolean }) | MarginRequest;

/** Journaled events; `body` is stored as JSON. */
export type LoggedOrderEvent =
  | { readonly kind: 'intended'; readonly body: Intended }
  | { readonly kind: 'sent'; readonly body: null }
  | { readonly kind: 'received'; readonly body: Report | MarginReport }
  | { readonly kind: 'found'; readonly body: Omit<JournaledDiscrepancy, 'at'> }
  | { readonly kind: 'adopted'; readonly body: VenueOrder | null }
  /** A fill that was foreign when it was received. */
  | { readonly kind: 'inherited'; readonly body: { readonly id: number; readonly lots: number } }
  /** A new process continues the journal. */
  | { readonly kind: 'started'; readonly body: null }
  | { readonly kind: 'state'; readonly body: Omit<JournaledState, 'at'> };

/** An event with its time and strategy. */
export type ReportedOrder = LoggedOrderEvent & {
  readonly at: Micros;
  readonly strategy?: string | undefined;
  readonly clientOrderId?: string | undefined;
};

/**
 * All that was intended, sent, received and found, append-only and in order, so that a person can read what
 * became of an order and why.
 */
export class OrderEventLog {
  readonly #file: JournalFile;
  #unwritten: ReportedOrder[] = [];

  constructor(file: JournalFile) {
    this.#file = file;
  }

  /** Number of the last event in the file; 0 if there is none. */
  lastSequence(): number {
    return this.#file.number`SELECT max(sequence) FROM events`;
  }

  /** Adds an event; the next commit writes it. */
  emit(event: ReportedOrder): void {
    this.#unwritten.push(event);
  }

  /** Writes what was emitted, and `more`; within a transaction. */
  write(more: readonly ReportedOrder[] = []): void {
    for (const event of this.#unwritten) this.#write(event);
    for (const event of more) this.#write(event);
  }

  written(): void {
    this.#unwritten = [];
  }

  #write({ at, kind, strategy, clientOrderId, body }: ReportedOrder): void {
    const columns = [at, kind, strategy ?? null, clientOrderId ?? null, JSON.stringify(body)];
    this.#file.run(
      'INSERT INTO events (at, kind, strategy, client_order_id, body, checksum) VALUES (?, ?, ?, ?, ?, ?)',
      ...withChecksum('events', columns),
    );
  }
}
