import { z } from 'zod';
import * as ask from './requests.ts';
import * as say from './results.ts';

/** The path of all methods, called by POST. */
export const EXCHANGE_ORDERS_PATH = '/v2';

/** Headers that every request carries: the name of the key, and the signature of the very body. */
export const EXCHANGE_CREDENTIALS = {
  apiKey: 'x-api-key',
  signature: 'x-api-signature',
} as const;

interface Method {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** A read without further effects: it may be repeated. */
  readonly reads: boolean;
}

/** All methods of the exchange order service, with their schemas. */
export const EXCHANGE_METHODS = {
  getCurrencies: { params: ask.noParams, result: z.array(z.string()), reads: true },
  getCurrenciesFull: { params: ask.noParams, result: z.array(say.currency), reads: true },
  getPairs: { params: ask.pairsParams, result: z.array(say.exchangePair), reads: true },
  getPairsParams: { params: ask.pairListParams, result: z.array(say.pairLimits), reads: true },
  getMinAmount: { params: ask.pairParams, result: z.string(), reads: true },
  getExchangeAmount: {
    params: ask.estimateParams,
    result: say.listOf(say.estimate),
    reads: true,
  },
  getFixRateForAmount: {
    params: ask.fixRateParams,
    result: say.listOf(say.fixRateForAmount),
    reads: true,
  },
  getFixRate: { params: ask.pairListParams, result: say.listOf(say.fixRate), reads: true },
  createTransaction: {
    params: ask.createTransactionParams,
    result: say.createdTransaction,
    reads: false,
  },
  createFixTransaction: {
    params: ask.createFixTransactionParams,
    result: say.createdFixTransaction,
    reads: false,
  },
  getStatus: { params: ask.statusParams, result: z.string(), reads: true },
  getTransactions: {
    params: ask.transactionsParams,
    result: z.array(say.exchangeTransaction),
    reads: true,
  },
  validateAddress: { params: ask.validateAddressParams, result: say.addressVerdict, reads: true },
  estimatePrivateSend: {
    params: ask.estimatePrivateSendParams,
    result: say.privateSendEstimate,
    reads: true,
  },
  createPrivateSendTransaction: {
    params: ask.createPrivateSendParams,
    result: say.createdPrivateSend,
    reads: false,
  },
  getPrivateSendTransactions: {
    params: ask.privateSendsParams,
    result: z.array(say.privateSendTransaction),
    reads: true,
  },
} as const satisfies Record<string, Method>;

export type ExchangeMethod = keyof typeof EXCHANGE_METHODS;

/** Parameters of a method, as written, and as the service reads them. */
export type MethodParams<M extends ExchangeMethod> = z.input<
  (typeof EXCHANGE_METHODS)[M]['params']
>;
export type ReadParams<M extends ExchangeMethod> = z.output<(typeof EXCHANGE_METHODS)[M]['params']>;

/** Result of a method, as the service writes it, and as a client reads it. */
export type MethodResult<M extends ExchangeMethod> = z.input<
  (typeof EXCHANGE_METHODS)[M]['result']
>;
export type ReadResult<M extends ExchangeMethod> = z.output<(typeof EXCHANGE_METHODS)[M]['result']>;

/** True for the name of a method. */
export const isExchangeMethod = (name: string): name is ExchangeMethod =>
  Object.hasOwn(EXCHANGE_METHODS, name);
