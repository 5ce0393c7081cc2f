import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { fault } from '../../../wire/trading/faults.ts';
import { authFault } from '../../../wire/trading/signing/reasons.ts';
import type { TradingService } from '../service.ts';

/** The error that who holds a key of a stopped account is told. */
export const accountStopped = () =>
  fault(10021, 'The account of this API key is frozen or disabled');

/** Freezes sub-accounts; who is logged in to one of them is told. */
export function freeze(
  service: TradingService,
  superAccount: number,
  accounts: readonly number[],
): true | Rejection {
  const frozen = service.act(({ subAccounts }, at) =>
    subAccounts.freeze(superAccount, accounts, at),
  );
  if (!isRejection(frozen)) {
    for (const account of accounts) service.news.ended(account, accountStopped());
  }
  return frozen;
}

/** Takes a key back; who is logged in with it is told. */
export function revoke(service: TradingService, name: string): void {
  const key = service.members.key(name);
  if (key === undefined) return;
  service.members.revoke(name);
  service.news.ended(key.account, authFault('key-unknown'), name);
}
