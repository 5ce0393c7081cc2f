import { MillraceError } from '../model/errors.ts';
import { Instrument as ModelInstrument, type InstrumentTerms } from '../model/instrument.ts';
import { rejectReport as rejected, type OrderRequest } from '../model/order-request.ts';
import type { Rejection } from '../model/rejections.ts';
import type { RejectReport } from '../model/report.ts';
import { Random as SeededRandom } from '../platform/random.ts';
import { isoTime as written, micros as named, type Micros } from '../platform/time.ts';
import { VirtualScheduler as VirtualClock } from '../platform/virtual-scheduler.ts';

/** Arguments of programs without a compiler, checked; inside of Millrace they are not checked again. */

/** A source of chance with a seed. Throws `out-of-range` for a seed that is no whole number. */
export class Random extends SeededRandom {
  constructor(seed: number) {
    super(whole('seed', seed, 'a whole number such as 1'));
  }
}

/** A clock that stands still until it is moved. Throws `out-of-range` for an invalid start. */
export class VirtualScheduler extends VirtualClock {
  constructor(start: Micros, circle?: () => void) {
    super(timeOf('start', start), circle);
  }
}

/** Names a whole number of microseconds as a point in time. Throws `out-of-range` for another value. */
export const micros = (value: number): Micros => named(timeOf('value', value));

/** Writes a point in time as ISO 8601 in UTC. Throws `out-of-range` for an invalid one. */
export const isoTime = (at: Micros): string => written(timeOf('at', at));

/** An instrument by its terms. Throws `instrument-invalid` for invalid or contradictory terms. */
export class Instrument extends ModelInstrument {
  constructor(terms: InstrumentTerms) {
    super(termsOf(terms));
  }
}

const NAMES = ['symbol', 'baseCurrency', 'quoteCurrency', 'feeCurrency'] as const;

function termsOf(terms: InstrumentTerms): InstrumentTerms {
  const given = (typeof terms === 'object' ? terms : null) as Partial<InstrumentTerms> | null;
  const missing = NAMES.find((name) => typeof given?.[name] !== 'string');
  if (missing === undefined) return terms;
  const sentence = `An instrument is made of its terms, and these have no text as ${missing}.`;
  throw new MillraceError('instrument-invalid', sentence, { field: missing });
}

const REQUESTS: readonly unknown[] = ['place', 'placeList', 'replace', 'cancel'];

/** The report that a request is rejected. Throws `usage` for an invalid request. */
export function rejectReport(
  request: OrderRequest,
  rejection: Rejection,
  at: Micros,
): RejectReport {
  const given = request as Partial<OrderRequest> | null | undefined;
  if (REQUESTS.includes(given?.kind)) return rejected(request, rejection, at);
  throw new MillraceError('usage', `rejectReport takes a request: ${REQUESTS.join(', ')}.`, {
    field: 'request',
  });
}

const timeOf = <T extends number>(field: string, value: T): T =>
  whole(field, value, "whole microseconds since 1970, such as parseIsoTime('2026-01-05') gives");

function whole<T extends number>(field: string, value: T, what: string): T {
  if (Number.isSafeInteger(value)) return value;
  const given = typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
  const sentence = `The ${field} must be ${what}, and is ${given}.`;
  throw new MillraceError('out-of-range', sentence, { field });
}
