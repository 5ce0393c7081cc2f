import { readJson } from '../../../wire/json.ts';
import { decodeAnswer, type Call } from '../../../wire/trading/call.ts';
import { errorBody } from '../../../wire/trading/error-body.ts';
import { errorClass } from '../../../wire/trading/error-codes.ts';
import type { ServiceErrorBody } from '../../http/service-error.ts';
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
  let json: unknown;
  try {
    json = readJson(body);
  } catch {
    return failure(answerInvalid(judged, 'it is no JSON'));
  }
  const read = decodeAnswer(call, json);
  if (read.kind === 'ok') return { kind: 'answer', value: read.value };
  const { description = 'it does not fit', member } = read.fault;
  return failure(answerInvalid(judged, description, member));
}

/** Reads an error; by its status if the body is not the service's. */
function errorBodyOf(status: number, body: string): ServiceErrorBody {
  let read;
  try {
    read = errorBody.safeParse(readJson(body));
  } catch {
    // Proxies and gateways answer with pages; only the status is reliable.
    read = undefined;
  }
  if (read?.success === true) {
    const { code, message, description } = read.data.error;
    return {
      serviceCode: code,
      serviceMessage: message,
      description,
      httpStatus: status,
      class: errorClass(code, status),
    };
  }
  return {
    serviceCode: undefined,
    serviceMessage: 'An answer without the words of the service',
    description: undefined,
    httpStatus: status,
    class: errorClass(0, status),
  };
}
