import { z } from 'zod';
import { Amount } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { Instrument } from '../../model/instrument.ts';
import type { MarginReport } from '../../model/margin-account.ts';
import { CONTINGENCY_TYPES, ORDER_TYPES, TIMES_IN_FORCE } from '../../model/order.ts';
import { sanitize } from '../../model/plain-words.ts';
import { REJECTIONS, type RejectionCode } from '../../model/rejections.ts';
import type { Report } from '../../model/report.ts';
import type { AccountSnapshot } from '../venue-account.ts';

/** Schemas of an account's data from a user's gateway, which are validated. */

const text = z.string().min(1);
const whole = z.int();
const count = z.int().min(0);
const flag = z.boolean();
const decimal = z.custom<Decimal>(
  (given) => Decimal.isDecimal(given) && given.isFinite(),
  'must be a finite Decimal',
);
const amount = z.custom<Amount>((given) => given instanceof Amount, 'must be an Amount');
const side = z.enum(['buy', 'sell']);
const mode = z.enum(['isolated', 'cross']);

const order = z.object({
  id: whole,
  clientOrderId: text,
  symbol: text,
  side,
  type: z.enum(ORDER_TYPES),
  timeInForce: z.enum(TIMES_IN_FORCE),
  postOnly: flag,
  lots: count,
  ticks: whole.optional(),
  stopTicks: whole.optional(),
  expireAt: count.optional(),
  margin: z.object({ mode }).optional(),
  status: z.enum(['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired']),
  filledLots: count,
  originalClientOrderId: text.optional(),
  orderListId: text.optional(),
  contingencyType: z.enum(CONTINGENCY_TYPES).optional(),
  inactive: z.literal(true).optional(),
  createdAt: count,
  updatedAt: count,
});

const fill = z.object({
  id: whole,
  clientOrderId: text,
  symbol: text,
  side,
  ticks: whole,
  lots: z.int().min(1),
  fee: amount,
  feeCurrency: text,
  taker: flag,
  margin: mode.optional(),
  at: count,
});

const rejection = z.object({
  code: z.custom<RejectionCode>(
    (code) => typeof code === 'string' && Object.hasOwn(REJECTIONS, code),
    'must be a code of a refusal',
  ),
  message: text,
});

const request = z.enum(['place', 'placeList', 'replace', 'cancel']);
const named = { at: count, request, clientOrderId: text, symbol: text };

const report = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['new', 'suspended', 'canceled', 'expired', 'replaced', 'status']),
    at: count,
    order,
  }),
  z.object({ kind: z.literal('trade'), at: count, order, fill }),
  z.object({ kind: z.literal('rejected'), ...named, rejection }),
  z.object({ kind: z.literal('outcome-unknown'), ...named }),
  z.object({
    kind: z.literal('balance'),
    at: count,
    currency: text,
    available: amount,
    reserved: amount,
  }),
]);

const position = z.object({
  id: whole,
  symbol: text,
  lots: whole,
  entryPrice: decimal,
  entryValue: decimal,
  realizedPnl: decimal,
  fees: decimal,
  carry: decimal,
  marginCallPrice: decimal.optional(),
  liquidationPrice: decimal.optional(),
  createdAt: count,
  updatedAt: count,
});

const marginAccount = z.object({
  mode,
  isOpen: flag,
  isContract: flag,
  symbol: text.optional(),
  currency: text,
  leverage: decimal.optional(),
  balance: decimal,
  reservedOrders: decimal,
  reservedPositions: decimal,
  isCalled: flag.optional(),
  positions: z.array(position),
});

const carry = z.object({
  kind: z.enum(['interest', 'funding']),
  amount: decimal,
  price: decimal.optional(),
  rate: decimal.optional(),
});

const end = z.enum(['closed', 'flipped', 'liquidated', 'deleveraged', 'settled']);

const marginReport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('marginAccount'),
    at: count,
    reason: text,
    account: marginAccount,
    position: position.optional(),
    end: end.optional(),
    carry: carry.optional(),
    covered: decimal.optional(),
  }),
  z.object({ kind: z.literal('marginRejected'), at: count, symbol: text, mode, rejection }),
]);

const snapshot = z.object({
  at: count,
  orders: z.array(order),
  ended: z.array(order),
  fills: z.array(fill),
  balances: z.array(z.object({ currency: text, available: decimal, reserved: decimal })),
  margin: z
    .object({
      accounts: z.array(marginAccount),
      ended: z.array(
        z.object({
          id: whole,
          symbol: text,
          mode,
          realizedPnl: decimal.optional(),
          fees: decimal.optional(),
          liquidatedLots: count.optional(),
          end,
          at: count,
        }),
      ),
      carries: z.array(
        z.object({
          positionId: whole.optional(),
          symbol: text,
          mode: mode.optional(),
          carry,
          at: count,
        }),
      ),
    })
    .optional(),
});

const instruments = z.array(
  z.custom<Instrument>((given) => given instanceof Instrument, 'must be an Instrument'),
);

/** A schema's first error as text; `undefined` if there is none. */
function faultOf(form: z.ZodType, given: unknown): string | undefined {
  const issue = form.safeParse(given).error?.issues[0];
  if (issue === undefined) return undefined;
  const member = issue.path.join('.');
  return sanitize(member === '' ? issue.message : `${member}: ${issue.message}`);
}

/** The error of a gateway's report; `undefined` if there is none. */
export const reportFault = (given: Report): string | undefined => faultOf(report, given);

/** The same of a report of a margin account. */
export const marginReportFault = (given: MarginReport): string | undefined =>
  faultOf(marginReport, given);

/** Returns the snapshot; throws `answer-invalid` for an invalid one. */
export const checkedSnapshot = (path: string, given: AccountSnapshot): AccountSnapshot =>
  checked(path, given, 'snapshot', snapshot);

/** Returns the instruments, each symbol once; throws `answer-invalid` for invalid ones. */
export function checkedInstruments(path: string, given: unknown): readonly Instrument[] {
  const all = checked(path, given, 'instruments', instruments) as readonly Instrument[];
  const twice = all.find(({ symbol }, index) => all.findIndex((one) => one.symbol === symbol) < index); // prettier-ignore
  if (twice === undefined) return all;
  throw amiss(path, 'instruments', `${twice.symbol} is there twice`);
}

function checked<T>(path: string, given: T, what: string, form: z.ZodType): T {
  const fault = faultOf(form, given);
  if (fault === undefined) return given;
  throw amiss(path, what, fault);
}

const amiss = (path: string, what: string, why: string): MillraceError =>
  new MillraceError('answer-invalid', `What the gateway by ${path} gives as ${what} is not of that form: ${why}.`, { where: path }); // prettier-ignore
