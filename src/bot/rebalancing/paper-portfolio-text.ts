import { z } from 'zod';
import type { TransfersInFlightState } from '../../gateways/rebalancing/modelled/transfers-in-flight.ts';
import type { OutsideState } from '../../gateways/rebalancing/modelled/outside-funds.ts';
import { MillraceError } from '../../model/errors.ts';
import { MOVE_STATES, slotName } from '../../model/portfolio.ts';
import { micros } from '../../platform/time.ts';
import { amount, amountsForm } from '../journal/amounts-text.ts';
import { dataForm, slotText } from './texts.ts';

/** What is outside of a paper account, and what is on its way. */
export interface StoredPortfolio {
  readonly outside: OutsideState;
  readonly inFlight: TransfersInFlightState;
}

/** How it stands in the journal of the account: JSON, amounts as decimal text, slots as `USDC@ethereum`. */
export const portfolioText = ({ outside, inFlight }: StoredPortfolio): string =>
  JSON.stringify({
    wallets: outside.wallets.map((one) => [slotName(one), one.amount]),
    onWay: [...outside.onWay],
    services: [...outside.services],
    standings: [...inFlight.standings],
    legs: inFlight.legs.map(({ postings, ...leg }) => ({
      ...leg,
      postings: postings.map((one) =>
        one.to === 'wallet' ? { ...one, slot: slotName(one.slot) } : one,
      ),
    })),
  });

/** Reads what `portfolioText` wrote; throws `journal-invalid` for everything else. */
export function readPortfolio(text: string, account: string): StoredPortfolio {
  try {
    return keptForm.parse(JSON.parse(text));
  } catch (cause) {
    const sentence = `What the journal of account ${account} keeps of its portfolio cannot be read; put back a copy.`;
    throw new MillraceError('journal-invalid', sentence, { cause });
  }
}

const time = z.int().transform(micros);

const changeForm = z.strictObject({
  state: z.enum(MOVE_STATES),
  data: z.optional(dataForm),
  expiresAt: z.optional(time),
  sent: z.optional(amount),
  arrived: z.optional(amount),
  refunded: z.optional(amount),
  reason: z.optional(z.string()),
});

const postingForm = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('wallet'), slot: slotText, amount }),
  z.strictObject({ to: z.literal('account'), asset: z.string(), amount }),
  z.strictObject({ to: z.literal('service'), asset: z.string(), amount }),
]);

const keptForm = z
  .strictObject({
    wallets: z.array(
      z.tuple([slotText, amount]).transform(([slot, held]) => ({ ...slot, amount: held })),
    ),
    onWay: amountsForm,
    services: amountsForm,
    standings: z.array(z.tuple([z.string(), changeForm])).transform((all) => new Map(all)),
    legs: z.array(
      z.strictObject({
        move: z.string(),
        at: time,
        change: changeForm,
        postings: z.array(postingForm),
      }),
    ),
  })
  .transform(({ wallets, onWay, services, standings, legs }) => ({
    outside: { wallets, onWay, services },
    inFlight: { standings, legs },
  }));
