import { z } from 'zod';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { choice, optional, withDefault, text, unsigned, whole } from '../../wire/trading/fields.ts';
import { decoded, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { rejectionFault } from '../../wire/trading/rejections.ts';
import type { TradingService } from '../trading/service.ts';
import { adminCall, type AdminCall } from './call.ts';
import { memberOf } from './members.ts';

const incoming = z.object({
  /** The name of a member, or its email. */
  member: text,
  currency: text,
  network: optional(text),
  amount: unsigned,
});

/** Decisions about a transaction on an external chain. */
const DECISIONS = ['confirm', 'dismiss', 'attempt', 'carry', 'fail'] as const;

const decision = z.object({
  member: text,
  /** The id of the transaction. */
  id: text,
  decision: choice(DECISIONS),
  /** How often a deposit is confirmed now. */
  confirmations: withDefault(whole({ max: 1_000_000 }), 1),
  /** Why a withdrawal has failed. */
  error: optional(choice(['INVALID_ADDRESS', 'INVALID_PAYMENT_ID', 'BAD_PRECISION'])),
});

/** Calls that decide what happens on the external chains. */
export const chainCalls = (service: TradingService): readonly AdminCall[] => [
  adminCall({
    method: 'POST',
    path: '/admin/chains/deposits',
    summary: 'Sends money to the deposit address of a member, by a network',
    params: incoming,
    run: ({ member, currency, network, amount }) => {
      const found = memberOf(service, member);
      if (found.kind === 'fault') return found;
      const id = service.chains.send(found.value.account, {
        currency,
        amount,
        network,
      });
      return isRejection(id) ? undecoded(rejectionFault(id, 3)) : decoded({ id });
    },
  }),
  adminCall({
    method: 'POST',
    path: '/admin/chains/decisions',
    summary:
      'Decides on a transaction outside: confirm or dismiss a deposit; attempt, carry or fail a withdrawal',
    params: decision,
    run: (params) => decide(service, params),
  }),
];

function decide(service: TradingService, params: z.output<typeof decision>): Decoded<unknown> {
  const found = memberOf(service, params.member);
  if (found.kind === 'fault') return found;
  const { account } = found.value;
  const { id } = params;
  // A transaction of another chain cannot be decided by mistake.
  const known = service.exchange.wallet.transaction(account, id);
  const rejection = isRejection(known)
    ? known
    : (service.chains.whyNot(known.currency, known.network) ?? carryOut(service, account, params));
  if (rejection !== undefined) return undecoded(rejectionFault(rejection, 3));
  const now = service.exchange.wallet.transaction(account, id);
  return decoded({ id, status: isRejection(now) ? undefined : now.status });
}

function carryOut(
  { chains }: TradingService,
  account: number,
  { id, decision: what, confirmations, error }: z.output<typeof decision>,
): Rejection | undefined {
  switch (what) {
    case 'confirm':
      return chains.confirm(id, confirmations);
    case 'dismiss':
      return chains.dismiss(id);
    case 'attempt':
      return chains.attempt(id);
    case 'carry':
      return chains.carry(account, id);
    case 'fail':
      return chains.fail(id, error);
  }
}
