import { parseDecimal, type Decimal } from '../../model/decimal.ts';
import type { ErrorCode } from '../../model/errors.ts';
import type { ErrorClass } from '../../wire/error-class.ts';
import { ServiceError, type ServiceErrorBody } from '../http/service-error.ts';

/** Meaning of the exchange order service's errors. Its codes alone do not say. */
export type ExchangeOrderFault =
  /** Too many requests within a second; nothing was done. */
  | 'requests-limit'
  /** Too many fixed-rate transactions; none was created, and some minutes have to pass. */
  | 'fix-limit'
  | 'amount-below-minimum'
  | 'amount-above-maximum'
  /** Outside limits that the service does not report. */
  | 'amount-invalid'
  | 'liquidity-insufficient'
  /** The rate id has expired or was used. */
  | 'rate-id-expired'
  | 'currency-unknown'
  | 'currency-disabled'
  | 'pair-unavailable'
  | 'address-invalid'
  | 'parameter-invalid'
  | 'transaction-unknown'
  /** The service knows neither key nor signature. */
  | 'unauthorized'
  | 'method-unknown'
  /** The key may not use the method. */
  | 'method-forbidden'
  /** No payin address could be made; nothing was created. */
  | 'address-generation'
  /** A problem on the service's side. */
  | 'internal'
  /** A gateway answered in its place, or the text is unknown. */
  | 'unknown';

/** Limits of an amount: of the sent and of the received one. */
export interface AmountLimits {
  readonly min?: { readonly from?: Decimal; readonly to?: Decimal };
  readonly max?: { readonly from?: Decimal; readonly to?: Decimal };
}

/** Members of an error besides those of any service. */
export interface ExchangeOrderErrorBody {
  readonly fault: ExchangeOrderFault;
  /** The limit in the message. */
  readonly limit: Decimal | undefined;
  readonly limits: AmountLimits | undefined;
  /** `data` of the error as received. */
  readonly data: unknown;
}

/** The exchange order service rejected a request. `code` says whether anything may have been done. */
export class ExchangeOrderError extends ServiceError implements ExchangeOrderErrorBody {
  readonly fault: ExchangeOrderFault;
  readonly limit: Decimal | undefined;
  readonly limits: AmountLimits | undefined;
  readonly data: unknown;

  constructor(
    { code, message }: { readonly code: ErrorCode; readonly message: string },
    reported: ServiceErrorBody,
    words: ExchangeOrderErrorBody,
  ) {
    super(code, message, reported);
    this.fault = words.fault;
    this.limit = words.limit;
    this.limits = words.limits;
    this.data = words.data;
  }
}

/** Messages by what they mean; the first that fits counts. `limit` is the number in it. */
const MESSAGES: readonly (readonly [RegExp, ExchangeOrderFault])[] = [
  [/requests limit/i, 'requests-limit'],
  [/fix transactions limit/i, 'fix-limit'],
  [/minimal amount.*? is (?<limit>\d[\d.]*\d|\d)/i, 'amount-below-minimum'],
  [/maxim(?:al|um) amount.*? is (?<limit>\d[\d.]*\d|\d)/i, 'amount-above-maximum'],
  [/not enough liquidity.*?(?:max amount is (?<limit>\d[\d.]*\d|\d)|$)/i, 'liquidity-insufficient'],
  [/invalid amount(?: for |:|$)/i, 'amount-invalid'],
  [/rate ?id .*(?:expired|used)/i, 'rate-id-expired'],
  [/invalid currency: .* not found/i, 'currency-unknown'],
  [/invalid currency: .* disabled/i, 'currency-disabled'],
  [/invalid pair/i, 'pair-unavailable'],
  [/address generation/i, 'address-generation'],
  [/invalid (?:\w+ )?address/i, 'address-invalid'],
  [/method not found/i, 'method-unknown'],
  [/not allowed for api key/i, 'method-forbidden'],
  [/unauthorized|signature/i, 'unauthorized'],
  [/transaction not found/i, 'transaction-unknown'],
  [/^parameter .* is invalid|^(?:error: )?invalid /i, 'parameter-invalid'],
];

const INTERNAL = -32_603;

/** Meaning of a message, and the limit in it. */
export function faultOf(
  code: number,
  message: string,
): { readonly fault: ExchangeOrderFault; readonly limit: Decimal | undefined } {
  for (const [pattern, fault] of MESSAGES) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const { limit } = found.groups ?? {};
    return { fault, limit: limit === undefined ? undefined : parseDecimal(limit) };
  }
  return { fault: code === INTERNAL ? 'internal' : 'unknown', limit: undefined };
}

/** Category of each fault. */
const CLASSES: Readonly<Record<Exclude<ExchangeOrderFault, 'unknown'>, ErrorClass>> = {
  'requests-limit': 'rate-limit',
  'fix-limit': 'rate-limit',
  'amount-below-minimum': 'refused',
  'amount-above-maximum': 'refused',
  'amount-invalid': 'refused',
  'liquidity-insufficient': 'refused',
  'rate-id-expired': 'refused',
  'currency-unknown': 'bad-request',
  'currency-disabled': 'refused',
  'pair-unavailable': 'refused',
  'address-invalid': 'bad-request',
  'parameter-invalid': 'bad-request',
  'transaction-unknown': 'refused',
  unauthorized: 'authorization',
  'method-unknown': 'bad-request',
  'method-forbidden': 'authorization',
  'address-generation': 'unavailable',
  internal: 'outcome-unknown',
};

export const classOfFault = (fault: ExchangeOrderFault, byStatus: ErrorClass): ErrorClass =>
  fault === 'unknown' ? byStatus : CLASSES[fault];

/** Reads `data.limits` of an error; invalid decimals are left out. */
export function limitsIn(data: unknown): AmountLimits | undefined {
  const limits = memberOf(data, 'limits');
  const min = sidesIn(memberOf(limits, 'min'));
  const max = sidesIn(memberOf(limits, 'max'));
  if (min === undefined && max === undefined) return undefined;
  return { min, max };
}

function sidesIn(given: unknown): AmountLimits['min'] {
  const from = amountIn(memberOf(given, 'from'));
  const to = amountIn(memberOf(given, 'to'));
  if (from === undefined && to === undefined) return undefined;
  return { from, to };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const amountIn = (value: unknown): Decimal | undefined =>
  typeof value === 'string' || typeof value === 'number' ? parseDecimal(String(value)) : undefined;
