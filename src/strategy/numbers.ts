import { decimal, type Decimal } from '../model/decimal.ts';

/** Computed whole ticks: a plain number, or ticks, but never lots. */
export type TicksInput = number & { readonly __lots?: never };
/** Computed whole lots: a plain number, or lots, but never ticks. */
export type LotsInput = number & { readonly __ticks?: never };

/**
 * An exact number as text, `'42000.5'`, or as a decimal. Never a JavaScript number: 0.1 is not one
 * tenth.
 */
export type DecimalInput = Decimal | string;

/** A price as the author gives it: `{ price: '42000.5' }`, or `{ ticks }` as a whole number. */
export type PriceOf =
  | { readonly ticks: TicksInput; readonly price?: never }
  | { readonly price: DecimalInput; readonly ticks?: never };

/** A stop price as the author gives it: `{ stopPrice: '41000' }`, or `{ stopTicks }` as a whole number. */
export type StopOf =
  | { readonly stopTicks: TicksInput; readonly stopPrice?: never }
  | { readonly stopPrice: DecimalInput; readonly stopTicks?: never };

/** A quantity as the author gives it: `{ quantity: '0.01' }`, or `{ lots }` as a whole number. */
export type QuantityOf =
  | { readonly lots: LotsInput; readonly quantity?: never }
  | { readonly quantity: DecimalInput; readonly lots?: never };

/** A price from its text, exact: `price('61837.63')`. Throws `decimal-invalid`. */
export const price = (text: string): Decimal => decimal(text, 'price');

/** A fee rate from its text, a fraction, exact: `rate('0.002')` is 0.2 %. Throws `decimal-invalid`. */
export const rate = (text: string): Decimal => decimal(text, 'rate');

/** An amount of a currency from its text, exact: `amount('500')`. Throws `decimal-invalid`. */
export const amount = (text: string): Decimal => decimal(text, 'amount');

/** A quantity from its text, exact: `quantity('0.5')`. Throws `decimal-invalid`. */
export const quantity = (text: string): Decimal => decimal(text, 'quantity');
