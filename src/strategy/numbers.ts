import { decimal, type Decimal } from '../model/decimal.ts';

/** Whole ticks by computation: a plain number, or ticks, but never lots. */
export type TicksInput = number & { readonly __lots?: never };
/** Whole lots by computation: a plain number, or lots, but never ticks. */
export type LotsInput = number & { readonly __ticks?: never };

/** A price as the author gives it: `{ ticks }` as a whole number, or `{ price }` as a decimal. */
export type PriceOf =
  | { readonly ticks: TicksInput; readonly price?: never }
  | { readonly price: Decimal; readonly ticks?: never };

/** A stop price as the author gives it: `{ stopTicks }` as a whole number, or `{ stopPrice }` as a decimal. */
export type StopOf =
  | { readonly stopTicks: TicksInput; readonly stopPrice?: never }
  | { readonly stopPrice: Decimal; readonly stopTicks?: never };

/** A quantity as the author gives it: `{ lots }` as a whole number, or `{ quantity }` as a decimal. */
export type QuantityOf =
  | { readonly lots: LotsInput; readonly quantity?: never }
  | { readonly quantity: Decimal; readonly lots?: never };

/** A price from its text, exact: `price('61837.63')`. Throws `decimal-invalid`. */
export const price = (text: string): Decimal => decimal(text, 'price');

/** A fee rate from its text, a fraction, exact: `rate('0.002')` is 0.2 %. Throws `decimal-invalid`. */
export const rate = (text: string): Decimal => decimal(text, 'rate');

/** An amount of a currency from its text, exact: `amount('500')`. Throws `decimal-invalid`. */
export const amount = (text: string): Decimal => decimal(text, 'amount');

/** A quantity from its text, exact: `quantity('0.5')`. Throws `decimal-invalid`. */
export const quantity = (text: string): Decimal => decimal(text, 'quantity');
