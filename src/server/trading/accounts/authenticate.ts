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

/** Checks the credentials of a request, which must have the permission that the call requires. */
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

/** Admits the owner of a key, unless its account is frozen or disabled. */
export function admitted(service: TradingService, key: ApiKey | undefined): Decoded<ApiKey> {
  if (key === undefined) return undecoded(authFault('key-unknown'));
  if (service.exchange.subAccounts.status(key.account) !== 'disable') return decoded(key);
  return undecoded(accountStopped());
}

/** True if a key has a permission. */
export const allows = (key: ApiKey, access: Access): boolean =>
  access === 'public' || access === 'key' || key.rights.has(access);
