import type { Scheduler } from '../../../platform/scheduler.ts';
import { US_PER_MS, US_PER_SECOND } from '../../../platform/time.ts';
import {
  basicHeader,
  v2Header,
  v3Header,
  type SignedRequest,
} from '../../../wire/trading/signing/authorization.ts';
import type { TradingCredentials } from './credentials.ts';

/** Makes the Authorization header of a request when it leaves. */
export type Signer = (request: SignedRequest) => string;

/** The signer of a version of the service: milliseconds in version 3, seconds in version 2. */
export function signer(
  credentials: TradingCredentials,
  version: 2 | 3,
  scheduler: Scheduler,
): Signer {
  if (credentials.scheme === 'basic') {
    const header = basicHeader(credentials);
    return () => header;
  }
  if (version === 2) {
    return (request) => v2Header(credentials, request, Math.floor(scheduler.now() / US_PER_SECOND));
  }
  return (request) =>
    v3Header(credentials, request, Math.floor(scheduler.now() / US_PER_MS), credentials.windowMs);
}
