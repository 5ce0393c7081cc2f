import { fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { Version } from '../../../wire/trading/rejections.ts';
import {
  readV2Login,
  readV3Login,
  verifyLogin,
  type Login,
} from '../../../wire/trading/signing/login.ts';
import { authFault } from '../../../wire/trading/signing/reasons.ts';
import { msOf } from '../../../wire/time.ts';
import { admitted } from '../accounts/authenticate.ts';
import type { ApiKey } from '../accounts/members.ts';
import type { TradingService } from '../service.ts';

const read = (version: Version, params: unknown): Decoded<Login> =>
  version === 3 ? readV3Login(params) : readV2Login(params);

/** The key that a login names, believed or not: attempts count for its account. */
export function keyNamed(
  { members }: TradingService,
  version: Version,
  params: unknown,
): ApiKey | undefined {
  const login = read(version, params);
  return login.kind === 'fault' ? undefined : members.key(login.value.key);
}

/** Checks the params of a login; any error in them is 1002. */
export function believe(
  service: TradingService,
  version: Version,
  params: unknown,
): Decoded<ApiKey> {
  const login = read(version, params);
  if (login.kind === 'fault') return undecoded(fault(1002, login.fault.description));
  const key = service.members.key(login.value.key);
  const reason = verifyLogin(login.value, key?.secret, msOf(service.now()));
  return reason === undefined ? admitted(service, key) : undecoded(authFault(reason));
}
