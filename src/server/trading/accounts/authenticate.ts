import {
  readAuthorization,
  verifyCredentials,
  type SignedRequest,
} from '../../../wire/trading/signing/authorization.ts';
import { authFault } from '../../../wire/trading/signing/reasons.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { Access } from '../../../wire/trading/rights.ts';
import { msOf } from '../../../wire/time.ts';
import type { TradingService } from '../service.ts';
import type { ApiKey } from './members.ts';
import { accountStopped } from './stopping.ts';

/** Believes the credentials of a request, which must have the right that the call asks for. */
export function authenticate(
  service: TradingService,
  version: 2 | 3,
  header: string | undefined,
  request: SignedRequest,
  access: Access,
): Decoded<ApiKey> {
  const credentials = readAuthorization(header, version);
  if (credentials.kind === 'refused') return undecoded(authFault(credentials.reason));
  const key = service.members.key(credentials.key);
  const now = msOf(service.now());
  const reason = verifyCredentials(credentials, key?.secret, request, now, version);
  if (reason !== undefined) return undecoded(authFault(reason));
  const believed = admitted(service, key);
  if (believed.kind === 'fault' || allows(believed.value, access)) return believed;
  return undecoded(fault(1003));
}

/** Lets in who holds a key, unless the account that it opens is frozen or disabled. */
export function admitted(service: TradingService, key: ApiKey | undefined): Decoded<ApiKey> {
  if (key === undefined) return undecoded(authFault('key-unknown'));
  if (service.exchange.subAccounts.status(key.account) !== 'disable') return decoded(key);
  return undecoded(accountStopped());
}

/** True when a key may do what asks for a right. */
export const allows = (key: ApiKey, access: Access): boolean =>
  access === 'public' || access === 'key' || key.rights.has(access);
