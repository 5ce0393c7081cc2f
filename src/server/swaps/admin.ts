import { z } from 'zod';
import type { Rejection } from '../../model/rejections.ts';
import type { Intent } from '../../swaps/intents/intent.ts';
import type { SwapIntents } from '../../swaps/intents/swap-intents.ts';
import { decoded, fault, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { choice, flag, text } from '../../wire/trading/fields.ts';
import { isoText } from '../../wire/time.ts';
import { adminCall, type AdminCall } from '../admin/call.ts';

const DECISIONS = ['advance', 'decline', 'fail', 'refund', 'hold', 'release'] as const;

type Decision = (typeof DECISIONS)[number];

/** Calls that decide what happens to intents of the swap service, and whether it is healthy. */
export const swapCalls = (service: SwapIntents): readonly AdminCall[] => [
  adminCall({
    method: 'GET',
    path: '/admin/swaps/intents',
    summary: 'Lists the intents of the swap service, newest first',
    params: z.object({}),
    run: () => decoded({ intents: service.intents().toReversed().map(intentView) }),
  }),
  adminCall({
    method: 'POST',
    path: '/admin/swaps/decisions',
    summary:
      'Decides on an intent: advance it, decline it, let it fail or refund it once it is deposited, hold it where it is, release it',
    params: z.object({ id: text, decision: choice(DECISIONS) }),
    run: ({ id, decision }) => {
      const rejection = decide(service, id, decision);
      const intent = service.intents().find((known) => known.id === id);
      if (rejection !== undefined || intent === undefined) return wrong(rejection);
      return decoded(intentView(intent));
    },
  }),
  adminCall({
    method: 'PUT',
    path: '/admin/swaps/health',
    summary: 'Sets whether the swap service says that it is healthy',
    params: z.object({ healthy: flag }),
    run: ({ healthy }) => {
      service.isHealthy = healthy;
      return decoded({ healthy });
    },
  }),
];

function decide(
  { manualActions }: SwapIntents,
  id: string,
  decision: Decision,
): Rejection | undefined {
  switch (decision) {
    case 'advance':
      return manualActions.advance(id);
    case 'decline':
      return manualActions.decline(id, 'The resolver did not want it.');
    case 'fail':
      return manualActions.requestRefund(id, 'The resolver could not pay.');
    case 'refund':
      return manualActions.requestRefund(id, 'A refund was asked for.');
    case 'hold':
      return manualActions.hold(id, true);
    case 'release':
      return manualActions.hold(id, false);
  }
}

const wrong = (rejection: Rejection | undefined): Decoded<unknown> =>
  undecoded(fault(10001, rejection?.message ?? 'There is no such intent'));

const intentView = ({
  id,
  partner,
  state,
  quote,
  createdAt,
  deadline,
  reason,
}: Intent): object => ({
  id,
  partner,
  state,
  from: `${quote.from.asset}@${quote.from.network}`,
  to: `${quote.to.asset}@${quote.to.network}`,
  lots: String(quote.fromLots),
  created: isoText(createdAt),
  deadline: isoText(deadline),
  reason,
});
