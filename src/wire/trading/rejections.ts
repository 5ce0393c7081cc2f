import type { Rejection, RejectionCode } from '../../model/rejections.ts';
import type { ServiceErrorCode } from './error-codes.ts';
import { fault, type Fault } from './faults.ts';

/** Rejections by a bot before anything is sent, or by another service: none of them crosses this wire. */
export const ELSEWHERE = [
  'venue-refused',
  'venue-unavailable',
  'venue-unreachable',
  'outcome-unknown',
  'order-lost',
  'protection-ended',
  'journal-failed',
  'trading-reducing',
  'replenish-configured',
  'margin-account-taken',
  'margin-account-shared',
  'trading-halted',
  'risk-quantity',
  'risk-notional',
  'risk-collar',
  'risk-market-unknown',
  'risk-position',
  'risk-exposure',
  'risk-open-orders',
  'risk-order-rate',
  'risk-own-cross',
  'risk-short',
  'risk-net-exposure',
  'risk-leverage',
  'risk-margin-use',
  'risk-liquidation-distance',
  'risk-stop-price',
  'budget-exceeded',
  'token-unknown',
  'pair-unavailable',
  'amount-below-minimum',
  'amount-above-maximum',
  'liquidity-insufficient',
  'slippage-invalid',
  'public-key-missing',
  'quote-unknown',
  'quote-expired',
  'quote-used',
  'quote-mismatch',
  'intent-unknown',
  'intent-state-invalid',
  'approval-form-invalid',
  'approval-invalid',
  'approval-taken',
  'token-unapproved',
  'rate-id-invalid',
  'exchange-order-unknown',
  'order-state-invalid',
  'currency-disabled',
  'transfer-invalid',
  'targets-invalid',
  'portfolio-missing',
  'plan-impossible',
  'cost-above-maximum',
] as const satisfies readonly RejectionCode[];

type Elsewhere = (typeof ELSEWHERE)[number];

/**
 * The service's code for each rejection of the exchange. The type requires all of them, so a new one does
 * not compile without a code here.
 */
export const REJECTION_ERRORS = {
  'symbol-unknown': 2001,
  'symbol-suspended': 20010,
  'request-invalid': 10001,
  'side-invalid': 10001,
  'type-invalid': 20049,
  'time-in-force-invalid': 20048,
  'expire-time-invalid': 10001,
  'price-missing': 10001,
  'price-invalid': 2020,
  'price-below-minimum': 2021,
  'price-off-tick': 2022,
  'stop-price-missing': 10001,
  'stop-price-invalid': 2020,
  'stop-price-below-minimum': 2021,
  'stop-price-off-tick': 2022,
  'stop-price-reached': 2022,
  'quantity-missing': 10001,
  'quantity-invalid': 2010,
  'quantity-off-increment': 2012,
  'quantity-below-minimum': 2011,
  'value-below-minimum': 2011,
  'quantity-below-executed': 2012,
  'number-out-of-range': 10001,
  'rate-invalid': 10001,
  'client-order-id-invalid': 10001,
  'client-order-id-taken': 20008,
  'contingency-type-invalid': 10001,
  'order-count-invalid': 10001,
  'order-list-id-invalid': 10001,
  'list-symbols-invalid': 10001,
  'bracket-prices-invalid': 2022,
  'funds-insufficient': 20001,
  'order-unknown': 20002,
  'order-unchanged': 20009,
  'replace-unavailable': 600,
  'order-limit-reached': 20045,
  'currency-unknown': 2002,
  'network-unknown': 10001,
  'fee-level-unknown': 10001,
  'amount-invalid': 10001,
  'amount-off-precision': 10001,
  'amount-below-fee': 10001,
  'route-invalid': 10001,
  'transfer-unavailable': 600,
  'deposit-unavailable': 600,
  'withdrawal-unavailable': 20018,
  'withdrawal-limit-reached': 20003,
  'withdrawal-unknown': 20005,
  'withdrawal-not-committed': 600,
  'withdrawal-committed': 20006,
  'withdrawal-rolled-back': 20007,
  'offchain-unavailable': 20014,
  'address-missing': 10001,
  'address-invalid': 10001,
  'address-unknown': 10001,
  'comment-too-long': 10001,
  'rate-missing': 600,
  'transaction-unknown': 20004,
  'transaction-ended': 600,
  'lock-unknown': 10001,
  'page-invalid': 10001,
  'user-unknown': 22004,
  'account-frozen': 10021,
  'action-forbidden': 403,
  'sub-account-missing': 10001,
  'sub-account-unknown': 22004,
  'sub-account-frozen': 21004,
  'super-account-missing': 600,
  'margin-mode-invalid': 2024,
  'margin-forbidden': 20040,
  'margin-account-unknown': 20032,
  'margin-balance-invalid': 10001,
  'leverage-invalid': 10001,
  'position-unknown': 20032,
  'position-unchanged': 20033,
  'position-close-only': 20034,
  'risk-limit-exceeded': 20034,
} as const satisfies Record<Exclude<RejectionCode, Elsewhere>, ServiceErrorCode>;

/** The version of the service that answers: 3 writes `client_order_id`, 2 `clientOrderId`. */
export type Version = 2 | 3;

const CHECK_FUNDS = 'Check that the funds are sufficient, given commissions';

/** Fields of the model with another name on the wire. */
const RENAMED: ReadonlyMap<string, string> = new Map([['expireAt', 'expireTime']]);

/** A field's name on the wire: `orders[1].stopPrice` in the form of v3. */
export function wireName(field: string, version: Version): string {
  const words = field.replace(/[A-Za-z]+/g, (word) => RENAMED.get(word) ?? word);
  return version === 2 ? words : words.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** The error of a rejection: its sentence, with the field as the caller wrote it. */
export function rejectionFault(rejection: Rejection, version: Version): Fault {
  const { field } = rejection;
  const member = field === undefined ? undefined : wireName(field, version);
  const sentence =
    field === undefined || member === undefined
      ? rejection.message
      : placed(renamed(rejection.message, field, member), member);
  const code = codeOf(rejection.code, version);
  const reported = fault(code, code === 20001 ? `${CHECK_FUNDS}. ${sentence}` : sentence, member);
  const duplicate = version === 2 && code === 20008;
  return duplicate ? { ...reported, message: 'Duplicate clientOrderId' } : reported;
}

/** Any other rejection that crosses the wire is an internal error of the service. */
const known = (code: RejectionCode): ServiceErrorCode =>
  isElsewhere(code) ? 500 : REJECTION_ERRORS[code];

const isElsewhere = (code: RejectionCode): code is Elsewhere =>
  (ELSEWHERE as readonly string[]).includes(code);

/** Version 2 is known to answer an unknown sub-account with an internal error. */
const codeOf = (code: RejectionCode, version: Version): ServiceErrorCode =>
  version === 2 && code === 'sub-account-unknown' ? 500 : known(code);

/** The sentence after its order in a list, unless it names that itself. */
function placed(sentence: string, member: string): string {
  const [place] = member.split('.');
  return place === member || place === undefined || sentence.includes(place)
    ? sentence
    : `${place}: ${sentence}`;
}

/** The sentence with the field, and the last word of its path, under the wire's name. */
function renamed(sentence: string, field: string, member: string): string {
  const tail = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const swapped = sentence.split(field).join(member);
  const [from, to] = [tail(field), tail(member)];
  return from === to || !/^\w+$/.test(from)
    ? swapped
    : swapped.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
}
