import { z } from 'zod';
import { decoded, fault, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { optional, text } from '../../wire/trading/fields.ts';
import type { Member } from '../trading/accounts/members.ts';
import type { TradingService } from '../trading/service.ts';
import { adminCall, type AdminCall } from './call.ts';

/** The balances that an account has. */
const PLACES = ['wallet', 'spot', 'derivatives'] as const;

const isCalled =
  (name: string) =>
  (member: Member): boolean =>
    member.name === name || member.email === name;

/** The member of that name or email. */
export function memberOf(service: TradingService, name: string): Decoded<Member> {
  const found = service.members.all.find(isCalled(name));
  return found === undefined
    ? undecoded(fault(22004, `There is no member ${name}`, 'member'))
    : decoded(found);
}

/** Shows accounts and their balances. */
export const memberCalls = (service: TradingService): readonly AdminCall[] => [
  adminCall({
    method: 'GET',
    path: '/admin/members',
    summary: 'Who has accounts, by name and email, and how much of what',
    params: z.object({ member: optional(text) }),
    run: ({ member }) =>
      decoded(
        service.members.all
          .filter((one) => member === undefined || isCalled(member)(one))
          .map(({ name, email, account }) => ({
            name,
            email,
            account,
            ...Object.fromEntries(
              PLACES.map((accountType) => [
                accountType,
                service.exchange.wallet
                  .balances(account, accountType)
                  .map(({ currency, available, reserved }) => ({
                    currency,
                    available: available.toFixed(),
                    reserved: reserved.toFixed(),
                  })),
              ]),
            ),
          })),
      ),
  }),
];
