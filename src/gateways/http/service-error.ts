import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import { classOfStatus, type ErrorClass } from '../../wire/error-class.ts';

/** Error response of the service. */
export interface ServiceErrorBody {
  /** Its own code: 20001; absent if the answer had none, such as that of a proxy. */
  readonly serviceCode: number | undefined;
  /** Its message: `Insufficient funds`. */
  readonly serviceMessage: string;
  readonly description: string | undefined;
  /** Absent on sockets. */
  readonly httpStatus: number | undefined;
  readonly class: ErrorClass;
}

/**
 * The service answered with an error. `code` is this project's and says what became of the request;
 * `serviceCode`, `serviceMessage` and `description` are the service's text, sanitized; `class` is its
 * category.
 */
export class ServiceError extends MillraceError implements ServiceErrorBody {
  readonly serviceCode: number | undefined;
  readonly serviceMessage: string;
  readonly description: string | undefined;
  readonly httpStatus: number | undefined;
  readonly class: ErrorClass;

  constructor(code: ErrorCode, sentence: string, words: ServiceErrorBody) {
    super(code, sentence);
    this.serviceCode = words.serviceCode;
    this.serviceMessage = sanitize(words.serviceMessage);
    this.description = words.description === undefined ? undefined : sanitize(words.description);
    this.httpStatus = words.httpStatus;
    this.class = words.class;
  }
}

/** What an answer says that has none of the service's words: proxies and gateways answer with pages. */
export const wordless = (httpStatus: number, of = 'service'): ServiceErrorBody => ({
  serviceCode: undefined,
  serviceMessage: `An answer without the words of the ${of}`,
  description: undefined,
  httpStatus,
  class: classOfStatus(httpStatus),
});

/** `Insufficient funds (20001): Check that the funds are sufficient`; plain, whatever was said. */
export function serviceSentence(words: ServiceErrorBody): string {
  const { serviceCode, serviceMessage, description, httpStatus } = words;
  const number = serviceCode ?? (httpStatus === undefined ? undefined : `HTTP ${httpStatus}`);
  const reported = sanitize(serviceMessage);
  const head = number === undefined ? reported : `${reported} (${number})`;
  return description === undefined || description === ''
    ? head
    : `${head}: ${sanitize(description)}`;
}
