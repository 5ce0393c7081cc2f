import type { AccountSnapshot } from '../../gateways/venue-account.ts';
import type { MarginAccountReport } from '../../model/margin-account.ts';
import type { CancelRequest } from '../../model/order-request.ts';
import type { Order, VenueOrder } from '../../model/order.ts';
import type { BalanceReport, Fill, OrderReport, RejectReport } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { JournaledAccount } from '../journal/records.ts';
import type { ReconciliationSettings } from '../settings/settings.ts';

/** Every difference that there can be between journal and venue; `docs/journal.md` has the same rows. */
export const DISCREPANCIES = {
  'order-answered': 'An unanswered request was done.',
  'order-replaced': 'An unanswered request was done.',
  'order-changed': 'The venue has another state of the order, such as ended.',
  'order-revived': 'An order that was taken for ended or lost is active.',
  'order-standing': 'An order is active whose end the venue reported minutes ago.',
  'order-lost': 'The venue does not know it: it never arrived, or ended unreported long ago.',
  'list-lost': 'The venue knows no order of the list: it never arrived.',
  'fills-missed': 'Fills were not reported.',
  'fills-behind': 'The venue executed more than its history of trades shows.',
  'order-unjournaled': 'An order has an id of this journal and is not in it.',
  'order-conflict': 'Somebody else sends orders with ids of this journal.',
  'order-foreign': 'An order of somebody else is left alone.',
  'order-adopted': 'An order of somebody else is taken in.',
  'order-unwanted': 'An order of somebody else is canceled.',
  'fill-foreign': 'An order of somebody else was filled.',
  'balance-moved': 'A balance changed by no fill, such as by a transfer or a fee of the account.',
  'position-liquidated': 'The venue liquidated a position.',
  'position-deleveraged': 'The venue took a position, or a part of it, to cover losses of others.',
  'position-settled': 'The venue settled a position, as its contract expired.',
  'position-foreign': 'Somebody else changed a position.',
  'position-unexplained': 'A position is older than all that is known of its account.',
  'funding-missed': 'Funding or interest was not reported.',
  'interest-missed': 'Funding or interest was not reported.',
  'margin-answered': 'An unanswered request was done.',
  'margin-moved': 'Somebody else changed a margin account.',
  'leverage-changed': 'Somebody else changed a margin account.',
  'margin-account-closed': 'Somebody else changed a margin account.',
  'margin-account-foreign': 'A margin account is open that no strategy has used.',
} as const satisfies Record<string, string>;
export type DiscrepancyKind = keyof typeof DISCREPANCIES;

/** A difference between journal and venue, and the steps that repair it, in this order. */
export interface Discrepancy {
  readonly kind: DiscrepancyKind;
  readonly clientOrderId?: string | undefined;
  readonly symbol?: string | undefined;
  /** A sentence for people. */
  readonly message: string;
  /** An order to adopt, and for which strategy. */
  readonly adopt?: { readonly order: VenueOrder; readonly strategy: string } | undefined;
  /** A foreign order to remember, so that it is reported once. */
  readonly foreignOrder?: VenueOrder | undefined;
  /** Foreign fills to remember. */
  readonly foreignFills: readonly Fill[];
  /** For journal and strategies, as if the venue had just sent them. */
  readonly reports: readonly (OrderReport | RejectReport)[];
  /** For journal and strategy, after the reports. */
  readonly margin: readonly MarginAccountReport[];
  /** To be sent. */
  readonly requests: readonly CancelRequest[];
}

export interface ReconcileInput extends JournaledAccount {
  readonly snapshot: AccountSnapshot;
  readonly rules: ReconciliationSettings;
  /** How often in a row each open order was found nowhere, as the last comparison left it. */
  readonly missing: ReadonlyMap<string, number>;
  /** The strategy that a client order id of this journal names; `undefined` for all other ids. */
  readonly strategyOf?: ((clientOrderId: string) => string | undefined) | undefined;
  /** When this process began to send; no order under an id of this journal is later and unknown to it. */
  readonly startedAt?: Micros | undefined;
  /** The strategy that adopts foreign orders if the rules say so. */
  readonly adoptFor?: string | undefined;
}

export interface Reconciliation {
  readonly discrepancies: readonly Discrepancy[];
  /** The venue's balances to emit after the discrepancies, unless the journal has newer ones. */
  readonly balances: readonly BalanceReport[];
  /** To emit with them: margin accounts without a discrepancy. */
  readonly margin: readonly MarginAccountReport[];
  /** For the next comparison. */
  readonly missing: ReadonlyMap<string, number>;
  /** The snapshot lacks older fills: request the next one from this time. */
  readonly needsSince?: Micros | undefined;
}

/** A journaled order with the snapshot's view of it. */
export interface ComparedOrder {
  readonly order: Order;
  /** Absent if the snapshot does not name it. */
  readonly reported: VenueOrder | undefined;
  /** Its missed fills, oldest first. */
  readonly missed: readonly Fill[];
}

/** Makes a discrepancy; members that are not given are empty. */
export const discrepancy = (
  kind: DiscrepancyKind,
  message: string,
  parts: Partial<Omit<Discrepancy, 'kind' | 'message'>> = {},
): Discrepancy => ({
  kind,
  message,
  reports: [],
  requests: [],
  foreignFills: [],
  margin: [],
  ...parts,
});
