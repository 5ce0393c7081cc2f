import { z } from 'zod';
import { Amount } from '../../model/amount.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import { MARGIN_MODES } from '../../model/margin-terms.ts';
import { SIDES } from '../../model/order.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { micros } from '../../platform/time.ts';
import type { SharedParts } from '../../rules/margin/shared-account.ts';
import { amount } from './amounts-text.ts';
import type { JournaledMargin } from './records.ts';

const time = z.int().transform((value) => micros(value));

const positionForm = z.object({
  id: z.int(),
  symbol: z.string(),
  lots: z.int(),
  entryPrice: amount,
  entryValue: amount,
  realizedPnl: amount,
  fees: amount,
  carry: amount,
  marginCallPrice: amount.optional(),
  liquidationPrice: amount.optional(),
  createdAt: time,
  updatedAt: time,
});

const marginAccountForm = z.object({
  mode: z.enum(MARGIN_MODES),
  isContract: z.boolean(),
  symbol: z.string().optional(),
  currency: z.string(),
});

const stateForm = marginAccountForm.extend({
  isOpen: z.boolean(),
  leverage: amount.optional(),
  balance: amount,
  reservedOrders: amount,
  reservedPositions: amount,
  isCalled: z.boolean().optional(),
  positions: z.array(positionForm),
});

const partsForm = z.object({
  shares: z.array(z.object({ strategy: z.string(), state: stateForm })),
  foreign: z.object({ cash: amount, lots: z.record(z.string(), z.int()) }),
});

const fillForm = z.object({
  id: z.int(),
  clientOrderId: z.string(),
  symbol: z.string(),
  side: z.enum(SIDES),
  ticks: z.int().transform((value) => value as Ticks),
  lots: z.int().transform((value) => value as Lots),
  fee: amount.transform((value) => Amount.of(value)),
  feeCurrency: z.string(),
  taker: z.boolean(),
  margin: z.enum(MARGIN_MODES).optional(),
  at: time,
});

const form = z.object({
  place: marginAccountForm,
  state: stateForm.optional(),
  since: time.optional(),
  comparedAt: time.optional(),
  transferred: amount,
  moves: z.array(z.object({ at: time, amount })),
  asked: z
    .object({ balance: amount.optional(), leverage: amount.optional(), by: z.string().optional() })
    .optional(),
  parts: partsForm.optional(),
  base: z
    .object({
      state: stateForm.optional(),
      at: time.optional(),
      transferred: amount,
      ends: z.array(z.int()),
      parts: partsForm.optional(),
      // Reports held before them are no longer held.
      fills: z
        .array(z.object({ strategy: z.string(), fill: fillForm }))
        .transform((all) => all.map((one) => ({ ...one, heldBefore: 0 })))
        .optional(),
    })
    .optional(),
});

type Kept = Omit<JournaledMargin, 'strategy' | 'at'>;

/** What is kept of a margin account beside whose it is, as one exact text. */
export const marginText = (account: Kept): string => {
  const { marginAccount, state, since, comparedAt, transferred, moves, asked, base, parts } =
    account;
  return JSON.stringify({
    place: kept(marginAccount, marginAccountForm),
    state: state && plainState(state),
    since,
    comparedAt,
    transferred,
    moves,
    asked,
    base: base && {
      ...base,
      state: base.state && plainState(base.state),
      parts: base.parts && plainParts(base.parts),
    },
    parts: parts && plainParts(parts),
  });
};

/** Reads what `marginText` wrote; throws for everything else. */
export const readMargin = (text: string): Kept => {
  const { place: marginAccount, ...kept } = form.parse(JSON.parse(text));
  return { marginAccount, ...kept };
};

/** A state as a text that is the same for all states in which nothing differs. */
export const stateText = (state: MarginAccountState): string => JSON.stringify(plainState(state));

/** The members that are kept of a value, in the order of its form. */
const kept = <T extends object>(value: T, { shape }: z.ZodObject): object =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, value[name as keyof T]]));

const plainParts = ({ shares, foreign }: SharedParts): object => ({
  shares: shares.map((one) => ({ ...one, state: plainState(one.state) })),
  foreign,
});

const plainState = (state: MarginAccountState): object => ({
  ...kept(state, stateForm),
  positions: [...state.positions].sort(bySymbol).map((one) => kept(one, positionForm)),
});

const bySymbol = (one: VenuePosition, other: VenuePosition): number =>
  one.symbol < other.symbol ? -1 : 1;
