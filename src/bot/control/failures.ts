import type { FastifyReply } from 'fastify';
import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import type { BotLog } from '../logs/log.ts';

/** The shape of every error of the control API. */
export interface ControlError {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export function report(
  reply: FastifyReply,
  status: number,
  code: ErrorCode,
  message: string,
): FastifyReply {
  const body: ControlError = { error: { code, message } };
  return reply.status(status).send(body);
}

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  'usage': 400,
  'bot-unreachable': 503,
  'control-refused': 403,
  'config-invalid': 409,
  'config-missing': 409,
  'secret-missing': 409,
  'outcome-unknown': 504,
}; // prettier-ignore

/** Node's HTTP errors in our words. */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'The body is too long for anything that is asked here.'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'The body must be JSON, with Content-Type: application/json.'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'The body is empty; leave Content-Type out, or send JSON.'],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'The body must be JSON.'],
]);

/** Answers an error: known ones as they are, invalid requests as such, all others as an internal error. */
export function answerFailure(error: unknown, reply: FastifyReply, log: BotLog): FastifyReply {
  if (error instanceof MillraceError) {
    return report(reply, STATUS[error.code] ?? 500, error.code, error.message);
  }
  const { code, statusCode } = (typeof error === 'object' ? error : undefined) as {
    readonly code?: string;
    readonly statusCode?: number;
  };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const message = BROKEN.get(code ?? '') ?? 'The request cannot be read.';
    return report(reply, statusCode, 'usage', message);
  }
  log.error('A call of the control API failed.', { error });
  return report(reply, 500, 'internal', 'A fault in Millrace itself; the log of the bot has it.');
}
