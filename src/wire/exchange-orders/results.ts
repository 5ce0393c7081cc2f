import { z } from 'zod';
import { decimal, microseconds, optional, text } from './fields.ts';

/**
 * Results of the methods of the exchange order service. A client reads them to the output of these
 * schemas, the service writes their input. Members that may be null or left out come as `undefined`.
 */

/** A status on the wire: clients may receive unknown ones. */
const status = text;
const maybeText = optional(z.string());
const maybeDecimal = optional(decimal);

export const currency = z
  .object({
    name: text,
    ticker: text,
    /** Some services write `fullname`. */
    fullName: maybeText,
    fullname: maybeText,
    enabled: z.boolean(),
    enabledFrom: z.boolean(),
    enabledTo: z.boolean(),
    fixRateEnabled: z.boolean(),
    payinConfirmations: z.int(),
    extraIdName: maybeText,
    addressUrl: maybeText,
    transactionUrl: maybeText,
    image: maybeText,
    /** Milliseconds. */
    fixedTime: z.number(),
    contractAddress: maybeText,
    protocol: maybeText,
    blockchain: maybeText,
    blockchainPrecision: z.int(),
    notifications: optional(z.object({ payin: maybeText, payout: maybeText })),
    coin: maybeText,
    network: maybeText,
  })
  .transform(({ fullname, ...rest }) => ({ ...rest, fullName: rest.fullName ?? fullname }));

const pair = { from: text, to: text };

export const exchangePair = z.object(pair);

export const pairLimits = z.object({
  ...pair,
  minAmountFloat: decimal,
  maxAmountFloat: decimal,
  minAmountFixed: decimal,
  maxAmountFixed: decimal,
});

const limits = {
  max: decimal,
  maxFrom: decimal,
  maxTo: decimal,
  min: decimal,
  minFrom: decimal,
  minTo: decimal,
};

export const estimate = z.object({
  ...pair,
  ...limits,
  networkFee: decimal,
  amountFrom: decimal,
  /** After the fees of service and client, before that of the network. */
  amountTo: decimal,
  /** Before all fees. */
  visibleAmount: decimal,
  rate: decimal,
  /** Of the service, in payout currency. */
  fee: decimal,
});

const fixed = {
  id: text,
  /** Payout is the sent amount times this, less the network fee. */
  result: decimal,
  ...pair,
  ...limits,
  networkFee: decimal,
  /** Unix seconds. */
  expiredAt: z.int(),
};

export const fixRate = z.object(fixed);

export const fixRateForAmount = z.object({
  ...fixed,
  amountFrom: decimal,
  /** Received amount after all fees, including the network fee. */
  amountTo: decimal,
  fee: maybeDecimal,
});

const created = {
  id: text,
  status,
  createdAt: microseconds,
  payinAddress: text,
  payinExtraId: maybeText,
  payoutAddress: text,
  payoutExtraId: maybeText,
};

const exchange = {
  ...created,
  type: text,
  currencyFrom: text,
  currencyTo: text,
  refundAddress: maybeText,
  refundExtraId: maybeText,
  amountExpectedFrom: decimal,
  amountExpectedTo: decimal,
  networkFee: decimal,
};

export const createdTransaction = z.object(exchange);

export const createdFixTransaction = z.object({
  ...exchange,
  /** ISO 8601. */
  payTill: text,
});

const passage = {
  moneyReceived: microseconds,
  moneySent: optional(microseconds),
  payinConfirmations: text,
  payinHash: maybeText,
  payoutHash: maybeText,
};

export const exchangeTransaction = z.object({
  ...exchange,
  ...passage,
  rate: maybeDecimal,
  payinExtraIdName: maybeText,
  payoutExtraIdName: maybeText,
  payoutHashLink: maybeText,
  refundHash: maybeText,
  refundHashLink: maybeText,
  amountFrom: maybeDecimal,
  amountTo: maybeDecimal,
  /** Percent. */
  changellyFee: maybeDecimal,
  apiExtraFee: maybeDecimal,
  totalFee: maybeDecimal,
  canPush: z.boolean(),
  canRefund: z.boolean(),
  payTill: maybeText,
});

export const addressVerdict = z.object({ result: z.boolean(), message: maybeText });

export const privateSendEstimate = z.object({
  currency: text,
  amount: decimal,
  amountFrom: decimal,
  serviceFee: decimal,
  extraFee: decimal,
  min: decimal,
  max: decimal,
});

const privateSend = {
  ...created,
  currency: text,
  amount: decimal,
  amountFrom: maybeDecimal,
  serviceFee: decimal,
  extraFee: maybeDecimal,
};

export const createdPrivateSend = z.object(privateSend);

export const privateSendTransaction = z.object({ ...privateSend, ...passage });

/** One record, or an array of them: some services answer an array of one as its element. */
export const listOf = <S extends z.ZodType>(schema: S) =>
  z.union([z.array(schema), schema.transform((only) => [only])]);
