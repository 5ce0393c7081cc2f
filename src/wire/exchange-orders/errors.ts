import type { Decimal } from '../../model/decimal.ts';

/** An error of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Limits of an amount, of the sent and of the received one. */
export interface ExchangeLimits {
  readonly min: { readonly from: Decimal; readonly to: Decimal };
  readonly max: { readonly from: Decimal; readonly to: Decimal };
}

const parseError = (message: string): RpcError => ({ code: -32700, message });
const request = (message: string): RpcError => ({ code: -32600, message });
const params = (message: string): RpcError => ({ code: -32602, message });
const internal = (message: string): RpcError => ({ code: -32603, message });

/** `error.data` of amounts outside their limits; all decimals as text. */
const limitsData = ({ min, max }: ExchangeLimits): object => ({
  limits: {
    min: { from: min.from.toFixed(), to: min.to.toFixed() },
    max: { from: max.from.toFixed(), to: max.to.toFixed() },
  },
});

/** All errors of the exchange order service, with its messages. */
export const EXCHANGE_ERRORS = {
  unreadable: () => parseError('Parse error'),
  noRequest: () => request('Invalid Request'),
  unauthorized: () => request('Unauthorized'),
  methodUnknown: () => ({ code: -32601, message: 'Method not found' }),
  requestsLimit: (limit: number) => internal(`Error: You reached requests limit ${limit} rps`),
  internal: () => internal('Internal Error'),
  methodForbidden: () => internal('The method is not allowed for api key'),

  /** An amount outside unknown limits. */
  amountInvalid: (from: string, to: string) => params(`Invalid amount for pair ${from}->${to}`),
  /** An amount outside limits; the limit is of `from`. */
  amountOutside: (
    [from, to]: readonly [string, string],
    bound: 'Minimal' | 'Maximum',
    limits: ExchangeLimits,
  ): RpcError => {
    const limit = (bound === 'Minimal' ? limits.min.from : limits.max.from).toFixed();
    const { message } = EXCHANGE_ERRORS.amountInvalid(from, to);
    const reported = `${message}. ${bound} amount is ${limit} ${from}`;
    return { ...params(reported), data: limitsData(limits) };
  },
  /** The same for an estimate; the limit is of the requested amount. */
  estimateOutside: (
    bound: 'minimal' | 'maximal',
    side: 'from' | 'to',
    limits: ExchangeLimits,
  ): RpcError => {
    const limit = (bound === 'minimal' ? limits.min : limits.max)[side].toFixed();
    const reported = `Invalid amount: ${bound} amount is ${limit}`;
    return { ...request(reported), data: limitsData(limits) };
  },
  liquidityInsufficient: (from: string, to: string, limits: ExchangeLimits): RpcError => {
    const most = limits.max.from.toFixed();
    const reported = `Not enough liquidity in pair ${from}->${to}. Max amount is ${most} ${from}.`;
    return { ...params(reported), data: limitsData(limits) };
  },

  currencyUnknown: (currency: string) => params(`Invalid currency: ${currency} not found`),
  currencyDisabled: (currency: string) =>
    params(`Invalid currency: ${currency} temporary disabled`),
  fixRateDisabled: (currency: string) =>
    params(`Invalid currency: ${currency} temporary disabled for fix rate transactions`),
  outputDisabled: (currency: string) =>
    params(`Invalid currency: ${currency} is temporary disabled on API as output currency`),
  inputDisabled: (currency: string) =>
    params(`Invalid currency: ${currency} is temporary disabled on API as input currency`),
  pairUnavailable: (from: string, to: string) =>
    params(`Invalid pair: ${from}->${to} not available or temporary disabled`),

  /** Required parameters of a create method are missing. */
  paramsMissing: () => params('Invalid params'),
  /** A parameter of a create method. */
  paramInvalid: (param: string) => params(`Invalid ${param}`),
  /** A parameter of any other method. */
  parameterInvalid: (param: string) => params(`Parameter ${param} is invalid`),
  payoutAddress: () => params('Invalid payout address'),
  refundAddress: () => params('Invalid refund address'),
  rateIdExpired: () =>
    params(
      'Error: rateId was expired or already used. Use method getFixRateForAmount to generate new rateId',
    ),
  transactionUnknown: () => params('Invalid id: transaction not found'),
  addressGeneration: () =>
    internal('An error encountered during address generation. Please try again later'),
} as const;
