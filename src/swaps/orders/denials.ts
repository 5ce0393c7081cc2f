import type { Decimal } from '../../model/decimal.ts';
import type { Rejection, RejectionCode } from '../../model/rejections.ts';

/** Limits of an amount, of the sent and of the received one. */
export interface AmountLimits {
  readonly min: { readonly from: Decimal; readonly to: Decimal };
  readonly max: { readonly from: Decimal; readonly to: Decimal };
}

/** Reason of a rejection, for the wording of a protocol. */
export type Why =
  | { readonly kind: 'currencyUnknown'; readonly currency: string }
  | {
      readonly kind: 'currencyDisabled';
      readonly currency: string;
      readonly as: 'currency' | 'input' | 'output' | 'fixed';
    }
  | { readonly kind: 'pair'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'amount';
      readonly from: string;
      readonly to: string;
      readonly bound: 'minimum' | 'maximum' | 'liquidity';
      readonly limits: AmountLimits;
    }
  | { readonly kind: 'address'; readonly of: 'payout' | 'refund' }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'rateId' }
  | { readonly kind: 'addressGeneration' };

/** A rejection of a client's request. */
export interface Denial extends Rejection {
  readonly why: Why;
}

export const isDenial = (outcome: unknown): outcome is Denial =>
  typeof outcome === 'object' && outcome !== null && 'why' in outcome && 'code' in outcome;

const denial = (code: RejectionCode, why: Why, message: string, field?: string): Denial => ({
  code,
  why,
  message,
  field,
});

export const currencyUnknown = (currency: string): Denial =>
  denial(
    'currency-unknown',
    { kind: 'currencyUnknown', currency },
    `There is no ${currency} here.`,
  );

export const currencyDisabled = (
  currency: string,
  as: Extract<Why, { kind: 'currencyDisabled' }>['as'],
): Denial => {
  const how = { currency: '', input: ' in', output: ' out', fixed: ' at fixed rates' }[as];
  const message = `${currency} is not exchanged${how} now.`;
  return denial('currency-disabled', { kind: 'currencyDisabled', currency, as }, message);
};

export const pairUnavailable = (from: string, to: string): Denial =>
  denial(
    'pair-unavailable',
    { kind: 'pair', from, to },
    `${from} is not exchanged for ${to}, or not now.`,
  );

const AMOUNTS = {
  minimum: ['amount-below-minimum', 'below the smallest'],
  maximum: ['amount-above-maximum', 'above the largest'],
  liquidity: ['liquidity-insufficient', 'more than there is now, above'],
} as const;

export const amountOutside = (
  [from, to]: readonly [string, string],
  bound: keyof typeof AMOUNTS,
  limits: AmountLimits,
): Denial => {
  const [code, words] = AMOUNTS[bound];
  const limit = (bound === 'minimum' ? limits.min.from : limits.max.from).toFixed();
  const message = `The amount is ${words}, ${limit} ${from}.`;
  const why = { kind: 'amount', from, to, bound, limits } as const;
  return { ...denial(code, why, message, 'amount'), limit };
};

export const addressInvalid = (of: 'payout' | 'refund', currency: string): Denial =>
  denial(
    'address-invalid',
    { kind: 'address', of },
    `The ${of} address is none of ${currency}.`,
    'address',
  );

export const parameterInvalid = (name: string, message: string): Denial =>
  denial('request-invalid', { kind: 'parameter', name }, message, name);

export const rateIdInvalid = (): Denial =>
  denial(
    'rate-id-invalid',
    { kind: 'rateId' },
    'The rate id has expired or served already.',
    'rateId',
  );

export const addressGeneration = (): Denial =>
  denial(
    'venue-refused',
    { kind: 'addressGeneration' },
    'No payin address can be made now; try again later.',
  );
