import type { Rejection } from '../../src/model/rejections.ts';
import { statusOf } from '../../src/wire/trading/faults.ts';
import { rejectionFault } from '../../src/wire/trading/rejections.ts';

/** What the service answers to a rejection: HTTP status and code, such as `400 20001`; undefined to none. */
export function serviceCode(rejection: Rejection | undefined): string | undefined {
  if (rejection === undefined) return undefined;
  const { code } = rejectionFault(rejection, 3);
  return `${statusOf(code)} ${code}`;
}
