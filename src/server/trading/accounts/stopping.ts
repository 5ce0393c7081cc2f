import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { fault } from '../../../wire/trading/faults.ts';
import { authFault } from '../../../wire/trading/signing/reasons.ts';
import type { TradingService } from '../service.ts';

/** The error for a key of a stopped account. */
export const accountStopped = () =>
  fault(10021, 'The account of this API key is frozen or disabled');

/** Freezes sub-accounts; notifies the sessions logged in to them. */
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

/** Revokes a key; notifies the sessions logged in with it. */
export function revoke(service: TradingService, name: string): void {
  const key = service.members.key(name);
  if (key === undefined) return;
  service.members.revoke(name);
  service.news.ended(key.account, authFault('key-unknown'), name);
}
