import type { Refusal } from '../../src/model/refusals.ts';
import { statusOf } from '../../src/wire/trading/faults.ts';
import { refusalFault } from '../../src/wire/trading/refusals.ts';

/** What the service answers to a refusal: HTTP status and code, such as `400 20001`; undefined to none. */
export function serviceCode(refusal: Refusal | undefined): string | undefined {
  if (refusal === undefined) return undefined;
  const { code } = refusalFault(refusal, 3);
  return `${statusOf(code)} ${code}`;
}
