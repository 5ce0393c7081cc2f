import type { Side } from '../model/order.ts';
import { taking } from './arguments.ts';
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
import { saying } from './command.ts';
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
 * Waits, and becomes a limit order when a trade comes to the stop price: a `stopLimit` buy and a
 * `takeProfitLimit` sell at a trade at or above it, the two others at one at or below it.
 */
export type StopLimitOrder = OrderBase & {
  readonly type: 'stopLimit' | 'takeProfitLimit';
} & StopOf &
  PriceOf &
  QuantityOf &
  LimitLife &
  Trailing;

/**
 * Waits, and becomes a market order when a trade comes to the stop price. Without `timeInForce`
 * that is FOK, which is whole or expires; IOC takes what is there.
 */
export type StopMarketOrder = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
} & StopOf &
  QuantityOf &
  StopMarketLife &
  Trailing;

/** An order of any type. */
export type OrderInput = LimitOrder | MarketOrder | StopLimitOrder | StopMarketOrder;

/** Closes the whole position when a trade comes to the stop price, or is canceled; it has no quantity. */
export type CloseOrder = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
  readonly closePosition: true;
  readonly lots?: never;
  readonly quantity?: never;
} & StopOf &
  StopMarketLife;

/** What an order on margin can say beside what every order says. */
export interface OnMargin {
  /** Its fills make a position smaller, and never turn it around. */
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
  return Object.freeze(saying({ kind: 'place', ...orderMarketOf(where) }, order) as Place);
}

/**
 * Places a plain order. The types with a price rest until they are filled or canceled (GTC), the
 * market types fill whole or not at all (FOK), unless `timeInForce` says otherwise.
 *
 *     place('BTCUSDT', { type: 'limit', side: 'buy', price: '61837.63', quantity: '0.5' })
 *     place('BTCUSDT', { type: 'stopMarket', side: 'sell', stopTicks: low, lots: 250, timeInForce: 'IOC' })
 *     place(isolated('BTCUSDT'), { type: 'stopMarket', side: 'buy', stopTicks: high, closePosition: true })
 *
 * Prices and quantities off the instrument's grid are refused by the engine with the nearest that are on it,
 * never rounded in silence: say `priceRounding: 'down'` and `quantityRounding: 'down'` ('up', 'near') to
 * round them. So are fractions of ticks and lots: `ticks(value, 'down')` rounds what was computed.
 *
 * `takeRate` and `makeRate` are fee rates of this order as fractions, such as '0.002'. They can
 * only raise what the account pays as taker and as maker: a lower one changes nothing. What is no
 * fraction below 1 with at most 9 decimals is refused (`rate-invalid`).
 */
export const place = taking('place(where, order)', placeOf);

/**
 * What a replacement changes: the price, the stop price, the total quantity (what is executed
 * included), or several of them.
 */
export type ReplaceChange = {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine if absent. */
  readonly newClientOrderId?: string;
} & Roundings &
  Changed<PriceOf, StopOf, QuantityOf>;

/**
 * Replaces a plain order, an order of a list too, in one step: the old one is canceled only together
 * with the new one's arrival, and the new one takes its place in the list.
 */
export const replace = taking(
  'replace(clientOrderId, change)',
  (clientOrderId: string, change: ReplaceChange): Replace =>
    Object.freeze(saying({ kind: 'replace', clientOrderId }, change) as Replace),
);

/** Cancels one plain order; of an order of a list with those that its end takes along. */
export const cancel = taking('cancel(clientOrderId)', (clientOrderId: string): Cancel =>
  Object.freeze({ kind: 'cancel', clientOrderId }),
);

/** Cancels every active order of the strategy, of one place or of all, and ends its managed orders there. */
export const cancelAll = taking('cancelAll(where)', (where?: Where): CancelAll =>
  Object.freeze(
    where === undefined ? { kind: 'cancelAll' } : { kind: 'cancelAll', ...orderMarketOf(where) },
  ),
);
