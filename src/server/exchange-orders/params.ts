import type { z } from 'zod';
import { EXCHANGE_ERRORS, type RpcError } from '../../wire/exchange-orders/errors.ts';
import {
  EXCHANGE_METHODS,
  type ExchangeMethod,
  type ReadParams,
} from '../../wire/exchange-orders/methods.ts';
import { RpcFailure } from './outcome.ts';

/** Methods with their own words for wrong parameters. */
const CREATES: ReadonlySet<ExchangeMethod> = new Set([
  'createTransaction',
  'createFixTransaction',
  'createPrivateSendTransaction',
]);

/** Reads the parameters of a method, or returns the wrong one. */
export function readParams<M extends ExchangeMethod>(
  method: M,
  given: unknown,
): ReadParams<M> | RpcFailure {
  const read = EXCHANGE_METHODS[method].params.safeParse(given, { reportInput: true });
  if (read.success) return read.data as ReadParams<M>;
  const { name, isMissing } = firstFault(read.error.issues);
  return new RpcFailure(faultError(CREATES.has(method), name, isMissing));
}

function faultError(isCreate: boolean, name: string, isMissing: boolean): RpcError {
  if (!isCreate) return EXCHANGE_ERRORS.parameterInvalid(name);
  return isMissing ? EXCHANGE_ERRORS.paramsMissing() : EXCHANGE_ERRORS.paramInvalid(name);
}

interface Fault {
  readonly name: string;
  readonly isMissing: boolean;
}

/** The wrong parameter; a missing required one before all others. */
function firstFault(issues: readonly z.core.$ZodIssue[]): Fault {
  const faults = issues.map(faultOf);
  const fault = faults.find(({ isMissing }) => isMissing) ?? faults[0];
  return fault ?? { name: 'params', isMissing: true };
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  const name = issue.path.find((key) => typeof key === 'string');
  const isMissing = (issue.input ?? undefined) === undefined || issue.input === '';
  if (name !== undefined) return { name, isMissing };
  if (issue.code !== 'invalid_union') return { name: 'params', isMissing };
  // Of an object and an array of objects, the meant one has a wrong member.
  const inner = issue.errors.map(firstFault);
  return inner.find(({ name: member }) => member !== 'params') ?? { name: 'params', isMissing };
}
