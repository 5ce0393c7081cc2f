import type { Side } from '../model/order.ts';
import { commandFactory } from './arguments.ts';
import type {
  Cancel,
  CancelAll,
  Changed,
  LimitLife,
  OrderOptions,
  Place,
  PlaceLimit,
  PlaceMarket,
  PlaceStopLimit,
  PlaceStopMarket,
  Replace,
  Roundings,
  StopMarketLife,
  Trail,
} from './commands.ts';
import { commandFrom } from './command.ts';
import type { PriceOf, QuantityOf, StopOf } from './numbers.ts';
import { orderMarketOf, type MarginSymbol, type Where } from './where.ts';

interface OrderBase extends OrderOptions {
  readonly side: Side;
}

interface Trailing {
  readonly trail?: Trail;
}

export type LimitOrder = OrderBase & { readonly type: 'limit' } & PriceOf & QuantityOf & LimitLife;

export type MarketOrder = OrderBase & {
  readonly type: 'market';
  readonly timeInForce?: 'FOK' | 'IOC';
} & QuantityOf;

/**
 * Waits, and becomes a limit order when a trade reaches the stop price: a `stopLimit` buy and a
 * `takeProfitLimit` sell at a trade at or above it, the two others at or below it.
 */
export type StopLimitOrder = OrderBase & {
  readonly type: 'stopLimit' | 'takeProfitLimit';
} & StopOf &
  PriceOf &
  QuantityOf &
  LimitLife &
  Trailing;

/**
 * Waits, and becomes a market order when a trade reaches the stop price. FOK by default: it fills
 * whole or expires; IOC takes the available lots.
 */
export type StopMarketOrder = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
} & StopOf &
  QuantityOf &
  StopMarketLife &
  Trailing;

/** An order of any type. */
export type OrderInput = LimitOrder | MarketOrder | StopLimitOrder | StopMarketOrder;

/**
 * Closes the whole position when a trade reaches the stop price, or is canceled; it has no
 * quantity.
 */
export type CloseOrder = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
  readonly closePosition: true;
  readonly lots?: never;
  readonly quantity?: never;
} & StopOf &
  StopMarketLife;

/** Margin members of an order. */
export interface OnMargin {
  /** Its fills only reduce a position, and never flip it. */
  readonly reduceOnly?: boolean;
  readonly closePosition?: never;
}

/** An order of any type, on margin. */
export type MarginOrder = (OrderInput & OnMargin) | CloseOrder;

function placeOf(symbol: string, order: LimitOrder): PlaceLimit;
function placeOf(symbol: string, order: MarketOrder): PlaceMarket;
function placeOf(symbol: string, order: StopLimitOrder): PlaceStopLimit;
function placeOf(symbol: string, order: StopMarketOrder): PlaceStopMarket;
function placeOf(where: Where, order: OrderInput): Place;
function placeOf(where: MarginSymbol, order: MarginOrder): Place;
function placeOf(where: Where, order: MarginOrder): Place {
  return Object.freeze(commandFrom({ kind: 'place', ...orderMarketOf(where) }, order) as Place);
}

/**
 * Places a plain order. The types with a price rest until they are filled or canceled (GTC), the
 * market types fill whole or not at all (FOK), unless `timeInForce` says otherwise.
 *
 *     place('BTCUSDT', { type: 'limit', side: 'buy', price: '61837.63', quantity: '0.5' })
 *     place('BTCUSDT', { type: 'stopMarket', side: 'sell', stopTicks: low, lots: 250, timeInForce: 'IOC' })
 *     place(isolated('BTCUSDT'), { type: 'stopMarket', side: 'buy', stopTicks: high, closePosition: true })
 *
 * The engine rejects prices and quantities off the instrument's grid, with the nearest valid ones,
 * and never rounds them silently: `priceRounding: 'down'` and `quantityRounding: 'down'` ('up',
 * 'near') round them. It also rejects fractions of ticks and lots: `ticks(value, 'down')` rounds a
 * computed value.
 *
 * `takeRate` and `makeRate` are fee rates of this order as fractions, such as '0.002'. They can
 * only raise the account's rates; a lower one has no effect. A rate that is not a fraction below 1
 * with at most 9 decimals is rejected (`rate-invalid`).
 */
export const place = commandFactory('place(where, order)', placeOf);

/**
 * Changes of a replacement: at least one of price, stop price and total quantity (filled quantity
 * included).
 */
export type ReplaceChange = {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine if absent. */
  readonly newClientOrderId?: string;
} & Roundings &
  Changed<PriceOf, StopOf, QuantityOf>;

/**
 * Replaces a plain order, also one of a list, in one step: the old one is canceled only if the new
 * one is accepted, which takes its index in the list.
 */
export const replace = commandFactory(
  'replace(clientOrderId, change)',
  (clientOrderId: string, change: ReplaceChange): Replace =>
    Object.freeze(commandFrom({ kind: 'replace', clientOrderId }, change) as Replace),
);

/** Cancels one plain order; of a list also those that its end cancels. */
export const cancel = commandFactory('cancel(clientOrderId)', (clientOrderId: string): Cancel =>
  Object.freeze({ kind: 'cancel', clientOrderId }),
);

/**
 * Cancels every active order of the strategy, in one market or all, and ends its managed orders
 * there.
 */
export const cancelAll = commandFactory('cancelAll(where)', (where?: Where): CancelAll =>
  Object.freeze(
    where === undefined ? { kind: 'cancelAll' } : { kind: 'cancelAll', ...orderMarketOf(where) },
  ),
);
