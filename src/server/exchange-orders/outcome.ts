import type { Denial, Why } from '../../swaps/orders/denials.ts';
import { EXCHANGE_ERRORS, type RpcError } from '../../wire/exchange-orders/errors.ts';

/** An error as the outcome of a method. */
export class RpcFailure {
  readonly error: RpcError;

  constructor(error: RpcError) {
    this.error = error;
  }
}

/** Wording of a method's errors. */
export type Wording =
  /** Of the methods that create transactions. */
  | { readonly kind: 'create'; readonly limitsUnreported: boolean }
  /** For methods that estimate results; limits are of the requested amount. */
  | { readonly kind: 'estimate'; readonly side: 'from' | 'to' };

/** A rejection in the service's words. */
export const failureOf = ({ why }: Denial, wording: Wording): RpcFailure =>
  new RpcFailure(why.kind === 'amount' ? amountError(why, wording) : plainError(why, wording));

function amountError(why: Extract<Why, { kind: 'amount' }>, wording: Wording): RpcError {
  const { from, to, bound, limits } = why;
  if (wording.kind === 'estimate') {
    const words = bound === 'minimum' ? 'minimal' : 'maximal';
    return EXCHANGE_ERRORS.estimateOutside(words, wording.side, limits);
  }
  if (bound === 'liquidity') return EXCHANGE_ERRORS.liquidityInsufficient(from, to, limits);
  if (wording.limitsUnreported) return EXCHANGE_ERRORS.amountInvalid(from, to);
  const words = bound === 'minimum' ? 'Minimal' : 'Maximum';
  return EXCHANGE_ERRORS.amountOutside([from, to], words, limits);
}

function plainError(why: Exclude<Why, { kind: 'amount' }>, wording: Wording): RpcError {
  switch (why.kind) {
    case 'currencyUnknown':
      return EXCHANGE_ERRORS.currencyUnknown(why.currency);
    case 'currencyDisabled':
      return DISABLED[why.as](why.currency);
    case 'pair':
      return EXCHANGE_ERRORS.pairUnavailable(why.from, why.to);
    case 'address':
      return why.of === 'payout'
        ? EXCHANGE_ERRORS.payoutAddress()
        : EXCHANGE_ERRORS.refundAddress();
    case 'parameter':
      return wording.kind === 'create'
        ? EXCHANGE_ERRORS.paramInvalid(why.name)
        : EXCHANGE_ERRORS.parameterInvalid(why.name);
    case 'rateId':
      return EXCHANGE_ERRORS.rateIdExpired();
    case 'addressGeneration':
      return EXCHANGE_ERRORS.addressGeneration();
  }
}

const DISABLED = {
  currency: EXCHANGE_ERRORS.currencyDisabled,
  input: EXCHANGE_ERRORS.inputDisabled,
  output: EXCHANGE_ERRORS.outputDisabled,
  fixed: EXCHANGE_ERRORS.fixRateDisabled,
} as const;
