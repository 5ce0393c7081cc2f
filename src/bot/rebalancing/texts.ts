import { z } from 'zod';
import { parseHoldingKey } from '../../model/portfolio.ts';
import { micros } from '../../platform/time.ts';
import type {
  TransferData,
  NetworkFee,
  PaidFee,
  Step,
} from '../../swaps/execution/transfer-route.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import { amount } from '../journal/amounts-text.ts';
import { renamed } from '../journal/stored-json.ts';

/** Plans, steps and data of routes in the journal: JSON, amounts as decimal text. */

export const planText = ({ prices, ...plan }: RebalancePlan): string =>
  JSON.stringify({ ...plan, prices: Object.fromEntries(prices) });

/** Names that earlier releases gave to members of a plan, with the present ones. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['moves', 'transfers'],
  ['move', 'transfer'],
  ['carrier', 'route'],
  ['place', 'location'],
]);

/** Members of a plan whose own members are named by users and services. */
const FOREIGN: ReadonlySet<string> = new Set(['prices', 'terms']);

/** Reads JSON of this or an earlier release, with the present names. */
const named = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => (FOREIGN.has(name) ? value : renamed(value, RENAMED)));

/** Reads what `planText` wrote, in an earlier release too. Throws for everything else. */
export const readPlan = (text: string): RebalancePlan => planForm.parse(named(text));

export const readStep = (text: string): Step => stepForm.parse(JSON.parse(text));

export const readData = (text: string): TransferData => dataForm.parse(JSON.parse(text));

const time = z.int().transform(micros);

const holdingForm = z.strictObject({ asset: z.string(), location: z.string() });

/** `USDC@ethereum`. */
export const holdingText = z.string().transform((text, context) => {
  const holding = parseHoldingKey(text);
  if (holding !== undefined) return holding;
  context.addIssue({ code: 'custom', message: `${text} is no holding` });
  return z.NEVER;
});

/** JSON that only a route reads. */
export const dataForm = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

const stepForm = z.strictObject({ name: z.string(), data: dataForm, pays: z.boolean() });

const networkFeeForm = z.strictObject({
  of: z.enum(['payment', 'approval']),
  coin: holdingForm,
  expected: amount,
  most: amount,
  held: z.optional(amount),
  isIncluded: z.boolean(),
});

const paidFeeForm = z.strictObject({ coin: holdingForm, amount, isIncluded: z.boolean() });

/** Reads the JSON of what the network takes. */
export const readNetworkFee = (text: string): NetworkFee => networkFeeForm.parse(named(text));

export const readPaidFee = (text: string): PaidFee => paidFeeForm.parse(named(text));

const offerForm = z.strictObject({
  route: z.string(),
  kind: z.enum(['swap', 'exchangeOrder', 'account', 'wallet']),
  from: holdingForm,
  to: holdingForm,
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
  transfers: z.array(
    z.object({
      id: z.string(),
      offer: offerForm,
      least: amount,
      after: z.array(z.strictObject({ transfer: z.string(), amount })),
    }),
  ),
});
