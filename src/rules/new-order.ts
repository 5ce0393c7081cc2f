import type { OrderTerms } from './order-shape.ts';
import type { OwnRates } from './own-rates.ts';

/** A new order in whole ticks and lots, as it reaches the exchange. */
export interface NewOrder extends OrderTerms, OwnRates {
  readonly clientOrderId: string;
  readonly symbol: string;
}
