import type { Side } from '../model/order.ts';
import type {
  Cancel,
  CancelAll,
  LimitLife,
  Place,
  PlaceLimit,
  PlaceMarket,
  Replace,
} from './commands.ts';
import { checkWhole, type PriceOf, type QuantityOf } from './numbers.ts';

interface OrderBase {
  readonly side: Side;
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine where absent. */
  readonly clientOrderId?: string;
}

export type LimitOrder = OrderBase & { readonly type: 'limit' } & PriceOf & QuantityOf & LimitLife;

export type MarketOrder = OrderBase & {
  readonly type: 'market';
  readonly timeInForce?: 'FOK' | 'IOC';
} & QuantityOf;

/**
 * Places a plain order. A limit order rests until it is filled or canceled (GTC) and a market
 * order fills whole or not at all (FOK) unless `timeInForce` says otherwise.
 *
 *     place('BTCUSDT', { type: 'limit', side: 'buy', price: price('61837.63'), quantity: quantity('0.5') })
 *
 * Prices and quantities off the instrument's grid are refused, never rounded in silence; round
 * with `instrument.ticks(price, 'down')` and `instrument.lots(quantity, 'down')`.
 */
export function place(symbol: string, order: LimitOrder): PlaceLimit;
export function place(symbol: string, order: MarketOrder): PlaceMarket;
export function place(symbol: string, order: LimitOrder | MarketOrder): Place;
export function place(symbol: string, order: LimitOrder | MarketOrder): Place {
  checkWhole(order);
  return Object.freeze({ kind: 'place', symbol, ...order } as Place);
}

/** What a replacement changes: the price, the total quantity (what is executed included), or both. */
export type ReplaceChange = {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine where absent. */
  readonly newClientOrderId?: string;
} & (
  | (PriceOf & { readonly lots?: never; readonly quantity?: never })
  | (QuantityOf & { readonly ticks?: never; readonly price?: never })
  | (PriceOf & QuantityOf)
);

/** Replaces a plain order in one step: the old one is canceled only together with the new one's arrival. */
export function replace(clientOrderId: string, change: ReplaceChange): Replace {
  checkWhole(change);
  return Object.freeze({ kind: 'replace', clientOrderId, ...change } as Replace);
}

/** Cancels one plain order. */
export const cancel = (clientOrderId: string): Cancel =>
  Object.freeze({ kind: 'cancel', clientOrderId });

/** Cancels every active order of the strategy, of one symbol or of all, and ends its wishes there. */
export const cancelAll = (symbol?: string): CancelAll =>
  Object.freeze(symbol === undefined ? { kind: 'cancelAll' } : { kind: 'cancelAll', symbol });
