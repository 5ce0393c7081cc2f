import type { z } from 'zod';
import { classOfStatus } from '../../wire/error-class.ts';
import { jsonIn } from '../../wire/json.ts';
import { affiliateError, CODE_TOKEN_UNAPPROVED } from '../../wire/swaps/affiliate/errors.ts';
import { executionError } from '../../wire/swaps/errors.ts';
import { wordless, type ServiceErrorBody } from '../http/service-error.ts';

/** Reads an error of the Execution surface; its `type` is the description. */
export function executionErrorBody(status: number, body: string): ServiceErrorBody {
  const reported = read(executionError, body);
  if (reported === undefined) return wordless(status);
  return {
    serviceCode: reported.code,
    serviceMessage: reported.message,
    description: reported.type,
    httpStatus: status,
    class: classOfStatus(status),
  };
}

/** Reads an error of the Affiliate surface; its subject is the description. */
export function affiliateErrorBody(status: number, body: string): ServiceErrorBody {
  const reported = read(affiliateError, body);
  if (reported === undefined) return wordless(status);
  return {
    serviceCode: reported.code,
    serviceMessage: reported.message,
    description: reported.entity ?? undefined,
    httpStatus: status,
    class: reported.code === CODE_TOKEN_UNAPPROVED ? 'token-unapproved' : classOfStatus(status),
  };
}

const read = <S extends z.ZodType>(schema: S, body: string): z.output<S> | undefined =>
  schema.safeParse(jsonIn(body)).data;
