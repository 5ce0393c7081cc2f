import { Decimal } from '../model/decimal.ts';
import { membersOf, ownMembers } from '../model/members.ts';
import type { Side } from '../model/order.ts';
import { commandFactory } from './arguments.ts';
import type { OrderOptions, PlaceList, Roundings, Trail } from './commands.ts';
import { member, type OrderOfList } from './lists.ts';
import { argumentMembers, commandFrom } from './command.ts';
import type { DecimalInput, PriceOf, QuantityOf, StopOf } from './numbers.ts';
import { orderMarketOf, type MarginSymbol, type Where } from './where.ts';

/** Exits on margin always reduce, and an entry never does. */
interface Named extends OrderOptions {
  readonly reduceOnly?: never;
}

/** Entry order of a bracket, with the bracket's quantity. */
export type BracketEntry = Named & { readonly side: Side } & (
    | ({ readonly type: 'limit'; readonly postOnly?: boolean } & PriceOf)
    | { readonly type: 'market' }
    | ({
        readonly type: 'stopLimit' | 'takeProfitLimit';
        readonly postOnly?: boolean;
      } & StopOf &
        PriceOf)
    | ({ readonly type: 'stopMarket' | 'takeProfitMarket' } & StopOf)
  );

/**
 * Take profit of a bracket: a price alone is a limit order, which rests in the book from the entry
 * on; the two other types are triggered by their stop price.
 */
export type TakeProfit =
  | DecimalInput
  | (Named & { readonly type?: 'limit' } & PriceOf)
  | (Named & { readonly type: 'takeProfitLimit' } & StopOf & PriceOf)
  | (Named & { readonly type: 'takeProfitMarket' } & StopOf);

/** Stop loss of a bracket: a stop price alone is a `stopMarket` order. */
export type StopLoss =
  | DecimalInput
  | (Named & { readonly type?: 'stopMarket'; readonly trail?: Trail } & StopOf)
  | (Named & { readonly type: 'stopLimit'; readonly trail?: Trail } & StopOf & PriceOf);

export type BracketOf = QuantityOf &
  Roundings & {
    readonly takeProfit: TakeProfit;
    readonly stopLoss: StopLoss;
  } & (
    | { readonly entry: BracketEntry; readonly within?: never }
    | {
        readonly entry: Exclude<BracketEntry, { readonly type: 'market' }>;
        /** Milliseconds after which the rest of the entry expires, with the exits: `hours(4)`. */
        readonly within: number;
      }
  );

/** Members of `bracket`'s argument, to name the intended one for an unknown member of its list. */
export const BRACKET_MEMBERS = membersOf<BracketOf>({
  entry: true,
  takeProfit: true,
  stopLoss: true,
  lots: true,
  quantity: true,
  priceRounding: true,
  quantityRounding: true,
  within: true,
});

function bracketOf(where: Where, of: BracketOf): PlaceList {
  const { entry, takeProfit, stopLoss, within, lots, quantity, ...rest } = argumentMembers(
    of,
  ) as unknown as typeof of;
  const { priceRounding, quantityRounding, ...stray } = rest as Roundings;
  const exit = (Object(entry) as Partial<BracketEntry>).side === 'buy' ? 'sell' : 'buy';
  // Passes both if both are given: the engine rejects that, and a missing one.
  const amount = {
    lots,
    quantity,
  };
  const roundings = {
    priceRounding,
    quantityRounding,
  };
  const market = orderMarketOf(where);
  const exits = {
    ...market,
    side: exit,
    ...amount,
    ...(isMargin(where) ? { reduceOnly: true } : {}),
  };
  const life = within === undefined ? {} : { timeInForce: 'GTD', within };
  const orders = [
    commandFrom(
      { ...market, ...amount, ...life },
      { ...roundings, ...ownMembers(Object(entry) as object) },
    ),
    commandFrom(exits, { ...roundings, ...profitLeg(takeProfit) }),
    commandFrom(exits, { ...roundings, ...lossLeg(stopLoss) }),
  ];
  const reported = {
    kind: 'placeList',
    contingencyType: 'oneTriggerOneCancelOther',
    bracket: true,
  };
  return Object.freeze({
    ...commandFrom(reported, stray),
    orders: Object.freeze(orders.map((order) => member(order as OrderOfList))),
  } as PlaceList);
}

/**
 * An entry with its two exits, as one list (oneTriggerOneCancelOther): when the entry is completely
 * filled the exits become active, and the first of them to trade cancels the other.
 *
 *     bracket('BTCUSDT', {
 *       entry: { side: 'buy', type: 'stopLimit', stopPrice: '62000', price: '62010.5' },
 *       takeProfit: '63000',
 *       stopLoss: '61500',
 *       quantity: '0.01',
 *       within: hours(4),
 *     })
 *
 * Exits of a market type are IOC: they sell what they can. An entry of a market type is FOK: it
 * fills whole or not at all. An entry with a price, or one with `within`, may fill in part and then
 * expire or be canceled; its exits end with it, and the purchase has no protection, so watch
 * `account.position`.
 *
 * With fees in the base currency, a buy delivers less than its quantity, and a sell reserves its
 * own fee too. The exits are then for the rest, rounded down to a lot: of 1,000 lots bought at a
 * rate of 0.1 % they sell 998. A bracket that leaves no lot is rejected (`quantity-below-minimum`).
 * An order's own `takeRate` and `makeRate` count here.
 *
 * On margin the entry may sell as well, and the exits can only reduce the position.
 *
 * The engine rejects prices on the wrong side of each other, such as a stop loss above a buy
 * (`bracket-prices-invalid`), and fractions of ticks and lots.
 */
export const bracket = commandFactory('bracket(where, of)', bracketOf);

const isMargin = (where: Where): where is MarginSymbol => typeof where === 'object';

/** A value that is not an object counts as a price, which the engine checks. */
const isPrice = (given: unknown): given is DecimalInput =>
  typeof given !== 'object' || given === null || Decimal.isDecimal(given);

const profitLeg = (given: TakeProfit): object => {
  if (isPrice(given)) return { type: 'limit', price: given };
  return given.type === 'takeProfitMarket'
    ? { timeInForce: 'IOC', ...ownMembers(given) }
    : { type: 'limit', ...ownMembers(given) };
};

/** FOK would leave a holding unprotected in a thinner market. */
const lossLeg = (given: StopLoss): object => {
  if (isPrice(given)) return { type: 'stopMarket', stopPrice: given, timeInForce: 'IOC' };
  return given.type === 'stopLimit'
    ? given
    : { type: 'stopMarket', timeInForce: 'IOC', ...ownMembers(given) };
};
