import type { ErrorCode } from '../../../model/errors.ts';
import { fullStop } from '../../../model/full-stop.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';
import type { ErrorClass } from '../../../wire/error-class.ts';
import { errorClass } from '../../../wire/trading/error-codes.ts';
import { ServiceError, serviceSentence } from '../../http/service-error.ts';

/** Error code of a request that was answered with an error. */
function codeOf(kind: ErrorClass, changes: boolean): ErrorCode {
  if (kind === 'rate-limit') return 'rate-limited';
  if (kind === 'unavailable') return 'service-unavailable';
  if (kind === 'outcome-unknown') return changes ? 'outcome-unknown' : 'service-unavailable';
  return 'service-refused';
}

const SAYS = {
  'rate-limited': 'came too fast',
  'service-unavailable': 'is not answered now',
  'outcome-unknown': 'was sent, and it is not known what became of it',
  'service-refused': 'was refused',
} as const;

/**
 * The error that a socket answered a request with. `changes`: the request does more than to read, so
 * that it matters whether it was done.
 */
export function rejection(method: string, error: ErrorMember, changes: boolean): ServiceError {
  const { code: serviceCode, message: serviceMessage, description } = error;
  const kind = errorClass(serviceCode);
  const words = {
    serviceCode,
    serviceMessage,
    description,
    httpStatus: undefined,
    class: kind,
  };
  const code = codeOf(kind, changes);
  const says = SAYS[code as keyof typeof SAYS];
  return new ServiceError(code, fullStop(`${method} ${says}: ${serviceSentence(words)}`), words);
}
