import { jsonIn } from '../../../wire/json.ts';
import { decodeAnswer, type Call } from '../../../wire/trading/call.ts';
import { errorBody } from '../../../wire/trading/error-body.ts';
import { errorClass } from '../../../wire/trading/error-codes.ts';
import { wordless, type ServiceErrorBody } from '../../http/service-error.ts';
import type { HttpOutcome } from '../../http/transport.ts';
import {
  answerInvalid,
  failure,
  classifyOutcome,
  rejected,
  type JudgedCall,
  type RequestOutcome,
} from '../../http/request-outcome.ts';

/** A call in the eyes of its judge. */
export interface Judged {
  /** As the program calls it: `createSpotOrder`. */
  readonly name: string;
  readonly call: Call;
  /** Removes secrets from a service's text. */
  readonly redact: (text: string) => string;
}

/** True for a read: repeating it has no further effect. */
export const isRead = (call: Call): boolean => call.method === 'GET';

/** Judges what became of a request. */
export function judge({ name, call, redact }: Judged, outcome: HttpOutcome): RequestOutcome {
  const judged = { name, reads: isRead(call), redact };
  return classifyOutcome(judged, outcome, ({ status, headers, body }) =>
    status >= 200 && status < 300
      ? readAnswer(judged, call, body)
      : rejected(judged, errorBodyOf(status, body), headers),
  );
}

function readAnswer(judged: JudgedCall, call: Call, body: string): RequestOutcome {
  const json = jsonIn(body);
  if (json === undefined) return failure(answerInvalid(judged, 'it is no JSON'));
  const read = decodeAnswer(call, json);
  if (read.kind === 'ok') return { kind: 'answer', value: read.value };
  const { description = 'it does not fit', member } = read.fault;
  return failure(answerInvalid(judged, description, member));
}

/** What an error says; where its body is not that of the service, what its status says. */
function errorBodyOf(status: number, body: string): ServiceErrorBody {
  const read = errorBody.safeParse(jsonIn(body));
  // Proxies and gateways answer with pages; the status says all that can be relied on.
  if (!read.success) return { ...wordless(status), class: errorClass(0, status) };
  const { code, message, description } = read.data.error;
  return {
    serviceCode: code,
    serviceMessage: message,
    description,
    httpStatus: status,
    class: errorClass(code, status),
  };
}
