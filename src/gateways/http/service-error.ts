import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { ErrorClass } from '../../wire/error-class.ts';

/** What the service said when it said no. */
export interface ServiceWords {
  /** Its own code: 20001; absent where the answer had none, such as that of a proxy. */
  readonly serviceCode: number | undefined;
  /** Its message: `Insufficient funds`. */
  readonly serviceMessage: string;
  readonly description: string | undefined;
  /** Absent on sockets. */
  readonly httpStatus: number | undefined;
  readonly class: ErrorClass;
}

/**
 * The service answered, and not with what was asked for. `code` says what became of the request, as
 * with every error of this project; `serviceCode`, `serviceMessage` and `description` are the
 * service's own words, made plain, `class` what they mean.
 */
export class ServiceError extends MillraceError implements ServiceWords {
  readonly serviceCode: number | undefined;
  readonly serviceMessage: string;
  readonly description: string | undefined;
  readonly httpStatus: number | undefined;
  readonly class: ErrorClass;

  constructor(code: ErrorCode, sentence: string, words: ServiceWords) {
    super(code, sentence);
    this.serviceCode = words.serviceCode;
    this.serviceMessage = sanitize(words.serviceMessage);
    this.description = words.description === undefined ? undefined : sanitize(words.description);
    this.httpStatus = words.httpStatus;
    this.class = words.class;
  }
}

/** `Insufficient funds (20001): Check that the funds are sufficient`; plain, whatever was said. */
export function serviceSentence(words: ServiceWords): string {
  const { serviceCode, serviceMessage, description, httpStatus } = words;
  const number = serviceCode ?? (httpStatus === undefined ? undefined : `HTTP ${httpStatus}`);
  const reported = sanitize(serviceMessage);
  const head = number === undefined ? reported : `${reported} (${number})`;
  return description === undefined || description === ''
    ? head
    : `${head}: ${sanitize(description)}`;
}
