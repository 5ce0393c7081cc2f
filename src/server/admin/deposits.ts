import { z } from 'zod';
import { isRejection } from '../../model/rejections.ts';
import { choice, withDefault, text, unsigned } from '../../wire/trading/fields.ts';
import { decoded, fault, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { rejectionFault } from '../../wire/trading/rejections.ts';
import type { TradingService } from '../trading/service.ts';
import { adminCall, type AdminCall } from './call.ts';
import { memberOf } from './members.ts';

const deposit = z.object({
  /** The name of a member, or its email. */
  member: text,
  currency: text,
  amount: unsigned,
  /** The wallet, which records the deposit, or the spot balance. */
  place: withDefault(choice(['wallet', 'spot']), 'wallet'),
});

/** Credits accounts without a chain. */
export const depositCalls = (service: TradingService): readonly AdminCall[] => [
  adminCall({
    method: 'POST',
    path: '/admin/deposits',
    summary: 'Puts money into the wallet of a member, or into its spot balance',
    params: deposit,
    run: (params) => put(service, params),
  }),
];

function put(
  service: TradingService,
  { member, currency, amount, place: accountType }: z.output<typeof deposit>,
): Decoded<unknown> {
  const found = memberOf(service, member);
  if (found.kind === 'fault') return found;
  const { account, name } = found.value;
  const known = service.exchange.wallet.balance(account, currency);
  if (isRejection(known)) return undecoded(rejectionFault(known, 3));
  if (amount.isZero()) return undecoded(fault(10001, 'amount must be above 0', 'amount'));
  const put = { member: name, currency, amount: amount.toFixed(), place: accountType };
  if (accountType === 'spot') {
    service.act((exchange) => {
      exchange.deposit(account, currency, amount);
    });
    return decoded(put);
  }
  const id = service.act(({ wallet }, at) =>
    wallet.credit(account, { currency, amount, subtype: 'UNCLASSIFIED' }, at),
  );
  return isRejection(id) ? undecoded(rejectionFault(id, 3)) : decoded({ ...put, id });
}
