import { MillraceError } from '../../model/errors.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Journal } from '../journal/journal.ts';
import type { Intent } from '../journal/records.ts';
import type { QueuedRequest } from './request-queue.ts';

/** What became of requests that were to be journaled. */
export interface JournaledRequests {
  /** These may be sent. */
  readonly written: readonly QueuedRequest[];
  readonly rejected: readonly { readonly queued: QueuedRequest; readonly refusal: Refusal }[];
  /** Why the journal could not be written, where that is so. */
  readonly failure?: unknown;
}

/**
 * Writes down what is about to be sent, in one durable step. A request that cannot be written down
 * takes no other with it. Where the journal cannot be written, cancels may be sent all the same: they
 * only lower risk, and place nothing that a next start would have to know of.
 */
export function journalRequests(
  journal: Journal,
  requests: readonly QueuedRequest[],
): JournaledRequests {
  try {
    journal.intend(requests.map(intentOf));
    return { written: requests, rejected: [] };
  } catch (error) {
    if (error instanceof MillraceError && error.code === 'request-invalid') {
      return oneByOne(journal, requests, error);
    }
    const cancels = requests.filter(({ request }) => request.kind === 'cancel');
    if (cancels.length > 0) journal.intendedLate(cancels.map(intentOf));
    const refusal = unwritten(error);
    const rejected = requests
      .filter(({ request }) => request.kind !== 'cancel')
      .map((queued) => ({ queued, refusal }));
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
    return { written: [], rejected: [{ queued: only, refusal: unfit(error) }] };
  }
  const all = requests.map((one) => journalRequests(journal, [one]));
  return {
    written: all.flatMap(({ written }) => written),
    rejected: all.flatMap(({ rejected }) => rejected),
    failure: all.find(({ failure }) => failure !== undefined)?.failure,
  };
}

const intentOf = ({ at, strategy, request, managed }: QueuedRequest): Intent => ({
  ...{ at, strategy, request, wished: managed },
});

/** An id that another strategy or a former run chose is found by the journal alone. */
const unfit = ({ message, field }: MillraceError): Refusal =>
  field === 'clientOrderId'
    ? { code: 'client-order-id-taken', field, message }
    : { code: 'request-invalid', message };

const unwritten = (error: unknown): Refusal => ({
  code: 'journal-failed',
  message: `The journal could not be written, so the request was not sent: ${error instanceof Error ? error.message : String(error)}`,
});
