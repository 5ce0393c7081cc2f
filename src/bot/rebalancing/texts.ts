import { z } from 'zod';
import { parseSlot } from '../../model/portfolio.ts';
import { micros } from '../../platform/time.ts';
import type { CarrierData, NetworkFee, PaidFee, Step } from '../../swaps/execution/carrier.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import { amount } from '../journal/amounts-text.ts';

/** How plans, steps and data of carriers stand in the journal: JSON, amounts as decimal text. */

export const planText = ({ prices, ...plan }: RebalancePlan): string =>
  JSON.stringify({ ...plan, prices: Object.fromEntries(prices) });

/** Reads what `planText` wrote. Throws for everything else. */
export const readPlan = (text: string): RebalancePlan => planForm.parse(JSON.parse(text));

export const readStep = (text: string): Step => stepForm.parse(JSON.parse(text));

export const readData = (text: string): CarrierData => dataForm.parse(JSON.parse(text));

const time = z.int().transform(micros);

const slotForm = z.strictObject({ asset: z.string(), place: z.string() });

/** `USDC@ethereum`. */
export const slotText = z.string().transform((text, context) => {
  const slot = parseSlot(text);
  if (slot !== undefined) return slot;
  context.addIssue({ code: 'custom', message: `${text} is no slot` });
  return z.NEVER;
});

/** JSON that only a carrier reads. */
export const dataForm = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

const stepForm = z.strictObject({ name: z.string(), data: dataForm, pays: z.boolean() });

const networkFeeForm = z.strictObject({
  of: z.enum(['payment', 'approval']),
  coin: slotForm,
  expected: amount,
  most: amount,
  held: z.optional(amount),
  isIncluded: z.boolean(),
});

const paidFeeForm = z.strictObject({ coin: slotForm, amount, isIncluded: z.boolean() });

/** Reads the JSON of what the network takes. */
export const readNetworkFee = (text: string): NetworkFee => networkFeeForm.parse(JSON.parse(text));

export const readPaidFee = (text: string): PaidFee => paidFeeForm.parse(JSON.parse(text));

const offerForm = z.strictObject({
  carrier: z.string(),
  kind: z.enum(['swap', 'exchangeOrder', 'account', 'wallet']),
  from: slotForm,
  to: slotForm,
  send: amount,
  least: amount,
  expected: amount,
  expiresAt: time,
  durationUs: z.int(),
  networkFee: z.optional(networkFeeForm),
  terms: dataForm,
});

const planForm = z.object({
  id: z.string(),
  createdAt: time,
  maximumCost: amount,
  prices: z.record(z.string(), amount).transform((prices) => new Map(Object.entries(prices))),
  moves: z.array(
    z.object({
      id: z.string(),
      offer: offerForm,
      least: amount,
      after: z.array(z.strictObject({ move: z.string(), amount })),
    }),
  ),
});
