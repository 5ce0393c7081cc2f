import { z } from 'zod';
import { amount, oneOrMany, optional, optionalText, text, timeBound } from './fields.ts';

/** Parameters of the methods of the exchange order service. */

/** The most elements of a filter by id, currency or address. */
const FILTER_MAX = 10;
/** The most records of a page. */
const PAGE_MAX = 100;
/** Default number of records in a page. */
export const PAGE_DEFAULT = 10;
/** The most elements of the array form of a method. */
const BULK_MAX = 100;

/** Tickers are written in small letters; others are unknown. */
const ticker = text;

/** The array form of a method, and the object that means an array of one. */
const oneOrArray = <S extends z.ZodType>(schema: S) =>
  z.union([z.array(schema).max(BULK_MAX), schema]);

export const noParams = z.object({}).nullish();

const pair = z.object({ from: ticker, to: ticker });

export const pairsParams = z
  .object({
    from: optionalText,
    to: optionalText,
    txType: optional(z.enum(['float', 'fixed'])),
  })
  .nullish();

export const pairParams = pair;
export const pairListParams = oneOrArray(pair);

export const estimateParams = oneOrArray(
  z.object({ from: ticker, to: ticker, amountFrom: amount, userMetadata: optionalText }),
);

export const fixRateParams = oneOrArray(
  z.object({
    from: ticker,
    to: ticker,
    amountFrom: optional(amount),
    amountTo: optional(amount),
    userMetadata: optionalText,
  }),
);

const parties = {
  address: text,
  extraId: optionalText,
  fromAddress: optionalText,
  fromExtraId: optionalText,
  refundExtraId: optionalText,
  userMetadata: optionalText,
};

export const createTransactionParams = z.object({
  from: ticker,
  to: ticker,
  amountFrom: amount,
  ...parties,
  refundAddress: optionalText,
});

export const createFixTransactionParams = z.object({
  from: ticker,
  to: ticker,
  rateId: text,
  ...parties,
  refundAddress: text,
  amountFrom: optional(amount),
  amountTo: optional(amount),
});

export const statusParams = z.object({ id: text });

const paging = {
  since: optional(timeBound),
  before: optional(timeBound),
  limit: optional(z.int().min(1).max(PAGE_MAX)),
  offset: optional(z.int().min(0)),
};

export const transactionsParams = z
  .object({
    id: oneOrMany(text, FILTER_MAX),
    status: oneOrMany(text, BULK_MAX),
    currency: oneOrMany(ticker, FILTER_MAX),
    address: oneOrMany(text, FILTER_MAX),
    payoutAddress: oneOrMany(text, FILTER_MAX),
    extraId: optionalText,
    ...paging,
  })
  .nullish();

export const validateAddressParams = z.object({
  currency: ticker,
  address: text,
  extraId: optionalText,
});

export const estimatePrivateSendParams = z.object({
  currency: ticker,
  amount,
  userMetadata: optionalText,
});

export const createPrivateSendParams = z.object({
  currency: ticker,
  amount,
  address: text,
  addressExtraId: optionalText,
  userMetadata: optionalText,
});

export const privateSendsParams = z
  .object({
    id: optionalText,
    status: optionalText,
    currency: optionalText,
    payinAddress: optionalText,
    payoutAddress: optionalText,
    payoutExtraId: optionalText,
    ...paging,
  })
  .nullish();
