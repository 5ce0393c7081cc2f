import { errorText, MillraceError } from '../../model/errors.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Journal } from '../journal/journal.ts';
import type { Intent } from '../journal/records.ts';
import {
  isOfMargin,
  isOfOrder,
  type AnyQueued,
  type Queued,
  type QueuedRequest,
} from './request-queue.ts';

/** Result of journaling requests. */
export interface JournaledRequests {
  /** May be sent, in the order in which they were requested. */
  readonly written: readonly AnyQueued[];
  readonly rejected: readonly Rejected[];
  /** Why the journal could not be written, if it could not. */
  readonly failure?: unknown;
}

interface Rejected {
  readonly queued: AnyQueued;
  readonly rejection: Rejection;
}

/**
 * Journals requests before they are sent; all are on disk when this returns. A request that cannot be
 * journaled does not affect the others. If the journal cannot be written, cancels may still be sent: they
 * only lower risk, and the next start need not know of them.
 */
export function journalRequests(
  journal: Journal,
  requests: readonly AnyQueued[],
): JournaledRequests {
  const orders = requests.filter(isOfOrder);
  const ofOrders = orders.length === 0 ? NONE : journalOrders(journal, orders);
  if (orders.length === requests.length) return ofOrders;
  const all = [ofOrders, ...requests.filter(isOfMargin).map((one) => journalMargin(journal, one))];
  const written = new Set(all.flatMap((one) => one.written));
  return {
    written: requests.filter((one) => written.has(one)),
    rejected: all.flatMap(({ rejected }) => rejected),
    failure: all.find(({ failure }) => failure !== undefined)?.failure,
  };
}

const NONE: JournaledRequests = { written: [], rejected: [] };

function journalMargin(journal: Journal, queued: Queued<MarginRequest>): JournaledRequests {
  try {
    journal.intendMargin(queued.strategy, queued.request);
    return { written: [queued], rejected: [] };
  } catch (error) {
    return { written: [], rejected: [{ queued, rejection: unwritten(error) }], failure: error };
  }
}

/** The same for order requests, in one durable step. */
function journalOrders(journal: Journal, requests: readonly QueuedRequest[]): JournaledRequests {
  try {
    journal.intend(requests.map(intentOf));
    return { written: requests, rejected: [] };
  } catch (error) {
    if (error instanceof MillraceError && error.code === 'request-invalid') {
      return oneByOne(journal, requests, error);
    }
    const cancels = requests.filter(({ request }) => request.kind === 'cancel');
    if (cancels.length > 0) journal.intendedLate(cancels.map(intentOf));
    const rejection = unwritten(error);
    const rejected = requests
      .filter(({ request }) => request.kind !== 'cancel')
      .map((queued) => ({ queued, rejection }));
    return { written: cancels, rejected, failure: error };
  }
}

function oneByOne(
  journal: Journal,
  requests: readonly QueuedRequest[],
  error: MillraceError,
): JournaledRequests {
  const [only] = requests;
  if (only !== undefined && requests.length === 1) {
    return { written: [], rejected: [{ queued: only, rejection: unfit(error) }] };
  }
  const all = requests.map((one) => journalOrders(journal, [one]));
  return {
    written: all.flatMap(({ written }) => written),
    rejected: all.flatMap(({ rejected }) => rejected),
    failure: all.find(({ failure }) => failure !== undefined)?.failure,
  };
}

const intentOf = ({ at, strategy, request, managed }: QueuedRequest): Intent => ({
  at,
  strategy,
  request,
  managed: managed,
});

/** An id that another strategy or a former run chose is found by the journal alone. */
const unfit = ({ message, field }: MillraceError): Rejection =>
  field === 'clientOrderId'
    ? { code: 'client-order-id-taken', field, message }
    : { code: 'request-invalid', message };

const unwritten = (error: unknown): Rejection => ({
  code: 'journal-failed',
  message: `The journal could not be written, so the request was not sent: ${errorText(error)}`,
});
