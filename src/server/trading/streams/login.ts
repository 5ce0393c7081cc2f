import { fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { Version } from '../../../wire/trading/refusals.ts';
import { readV2Login, readV3Login, verifyLogin } from '../../../wire/trading/signing/login.ts';
import { authFault } from '../../../wire/trading/signing/reasons.ts';
import { msOf } from '../../../wire/trading/time.ts';
import { admitted } from '../accounts/authenticate.ts';
import type { ApiKey } from '../accounts/members.ts';
import type { TradingService } from '../service.ts';

/** Believes the params of a login, or says why not; whatever is wrong with them, it is 1002. */
export function believe(
  service: TradingService,
  version: Version,
  params: unknown,
): Decoded<ApiKey> {
  const login = version === 3 ? readV3Login(params) : readV2Login(params);
  if (login.kind === 'fault') return undecoded(fault(1002, login.fault.description));
  const key = service.members.key(login.value.key);
  const reason = verifyLogin(login.value, key?.secret, msOf(service.now()));
  if (reason !== undefined) return undecoded(authFault(reason));
  return admitted(service, key);
}
