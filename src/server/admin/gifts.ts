import { z } from 'zod';
import { isRejection } from '../../model/rejections.ts';
import { optional, text, time, unsigned, whole } from '../../wire/trading/fields.ts';
import { decoded, fault, undecoded } from '../../wire/trading/faults.ts';
import { rejectionFault } from '../../wire/trading/rejections.ts';
import { isoText } from '../../wire/time.ts';
import type { TradingService } from '../trading/service.ts';
import { adminCall, type AdminCall } from './call.ts';
import { memberOf } from './members.ts';

const amountOf = { member: text, currency: text, amount: unsigned } as const;

/** Offers gifts to members, and holds amounts of their wallets back. */
export const giftCalls = (service: TradingService): readonly AdminCall[] => [
  adminCall({
    method: 'POST',
    path: '/admin/airdrops',
    summary: 'Offers an amount to a member, who may claim it',
    params: z.object(amountOf),
    run: ({ member, currency, amount }) => {
      const found = memberOf(service, member);
      if (found.kind === 'fault') return found;
      const { account } = found.value;
      const known = service.exchange.wallet.balance(account, currency);
      if (isRejection(known)) return undecoded(rejectionFault(known, 3));
      if (amount.isZero()) return undecoded(fault(10001, 'amount must be above 0', 'amount'));
      const { id } = service.airdrops.offer({ account, currency, amount }, service.now());
      return decoded({ id, currency, amount: amount.toFixed() });
    },
  }),
  adminCall({
    method: 'POST',
    path: '/admin/locks',
    summary: 'Holds an amount of a wallet back until a time',
    params: z.object({ ...amountOf, until: time, description: optional(text) }),
    run: ({ member, currency, amount, until, description = 'held by the venue' }) => {
      const found = memberOf(service, member);
      if (found.kind === 'fault') return found;
      const { account } = found.value;
      if (until <= service.now()) {
        return undecoded(fault(10001, 'until must be a time to come', 'until'));
      }
      const id = service.act(({ wallet }, at) =>
        wallet.lock(account, { currency, amount, endsAt: until, description }, at),
      );
      return isRejection(id)
        ? undecoded(rejectionFault(id, 3))
        : decoded({ id, currency, amount: amount.toFixed(), until: isoText(until) });
    },
  }),
  adminCall({
    method: 'DELETE',
    path: '/admin/locks',
    summary: 'Ends a lock before its time',
    params: z.object({ id: whole({ min: 1 }), description: optional(text) }),
    run: ({ id, description = 'ended by the venue' }) => {
      const rejection = service.act(({ wallet }, at) => wallet.unlock(id, description, at));
      return rejection === undefined ? decoded({ id }) : undecoded(rejectionFault(rejection, 3));
    },
  }),
];
