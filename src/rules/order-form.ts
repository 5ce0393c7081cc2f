import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import {
  hasPrice,
  hasStopPrice,
  type ContingencyType,
  type OrderType,
  type OwnRates,
} from '../model/order.ts';
import { isRejection, type Rejection } from '../model/rejections.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import { priceOnGrid, quantityOnGrid, stopPriceOnGrid, type Grid } from './grid.ts';
import type { NewOrder } from '../model/order.ts';
import { orderTerms, type OrderDraft } from './order-draft.ts';
import { orderNamesRejection, pricesRejection } from './order-shape.ts';
import { ownRates, ownRatesRejection } from './own-rates.ts';
import { quoted } from './quoted.ts';

/** An order as the services take it: numbers are decimals, most fields are optional. */
export interface OrderForm
  extends
    Omit<OrderDraft, 'lots' | 'ticks' | 'stopTicks' | 'priceRounding' | 'quantityRounding'>,
    OwnRates {
  readonly symbol: string;
  /** Made by the exchange if absent. */
  readonly clientOrderId?: string | undefined;
  /**
   * True rejects prices and quantities off their grid. False, or absent, rounds them to the nearest
   * step, an exact half down, and rejects a result of zero.
   */
  readonly strictValidate?: boolean | undefined;
}

/** An order list as the services take it. */
export interface ListForm {
  readonly contingencyType: ContingencyType;
  /** Client order id of the first order, if given; that order may then omit its own. */
  readonly orderListId?: string | undefined;
  readonly orders: readonly OrderForm[];
}

/**
 * A replacement as the services take it: the quantity, and for limit types the price, are required.
 */
export interface ChangeForm {
  readonly clientOrderId: string;
  /** Made by the exchange if absent. */
  readonly newClientOrderId?: string | undefined;
  /** The new total, filled quantity included. */
  readonly quantity?: Decimal | undefined;
  readonly price?: Decimal | undefined;
  /** Unchanged if absent. */
  readonly stopPrice?: Decimal | undefined;
  readonly strictValidate?: boolean | undefined;
}

/** Converts a form to the grid, fills in its defaults and checks its shape. */
export function orderOf(
  instrument: Instrument,
  form: OrderForm,
  clientOrderId: string,
  now: Micros,
): NewOrder | Rejection {
  const { symbol } = form;
  const flags = flagRejection('strictValidate', form.strictValidate) ?? postOnlyRejection(form);
  if (flags !== undefined) return flags;
  const rates = ownRatesRejection(form);
  if (rates !== undefined) return rates;
  const { side, type, timeInForce, quantity, price, stopPrice, expireAt, postOnly, margin } = form;
  const names = orderNamesRejection({
    side,
    type: type ?? 'limit',
    timeInForce: timeInForce ?? 'GTC',
  });
  if (names !== undefined) return names;
  const draft = { side, type, timeInForce, quantity, price, stopPrice, expireAt, postOnly, margin };
  const terms = orderTerms(instrument, draft, gridOf(form), now);
  if (isRejection(terms)) return terms;
  return { ...terms, clientOrderId, symbol, ...ownRates(form) };
}

/** Changes of a replacement, in whole ticks and lots. */
export interface GridChange {
  readonly lots: Lots;
  readonly ticks?: Ticks;
  readonly stopTicks?: Ticks;
}

/** Converts a replacement of an order of that type to the grid. */
export function changeOf(
  instrument: Instrument,
  type: OrderType,
  form: ChangeForm,
): GridChange | Rejection {
  const { quantity, price, stopPrice } = form;
  const flags = flagRejection('strictValidate', form.strictValidate);
  if (flags !== undefined) return flags;
  const grid = gridOf(form);
  if (quantity === undefined) {
    return {
      code: 'quantity-missing',
      field: 'quantity',
      message: 'A replacement needs the new quantity.',
    };
  }
  if (price === undefined && hasPrice(type)) {
    return {
      code: 'price-missing',
      field: 'price',
      message: `A replacement of a ${type} order needs the price.`,
    };
  }
  const lots = quantityOnGrid(instrument, quantity, grid);
  if (isRejection(lots)) return lots;
  const ticks = price === undefined ? undefined : priceOnGrid(instrument, price, grid);
  if (isRejection(ticks)) return ticks;
  const stopTicks =
    stopPrice === undefined ? undefined : stopPriceOnGrid(instrument, stopPrice, grid);
  if (isRejection(stopTicks)) return stopTicks;
  // An absent stop price stays.
  const prices = pricesRejection(type, ticks, hasStopPrice(type) ? (1 as Ticks) : stopTicks);
  if (prices !== undefined) return prices;
  return {
    lots,
    ticks,
    stopTicks,
  };
}

const gridOf = ({ strictValidate }: { readonly strictValidate?: boolean | undefined }): Grid =>
  strictValidate === true ? 'strict' : 'near';

/** The flags of an order may come from untyped code. */
export const postOnlyRejection = ({
  postOnly,
}: {
  readonly postOnly?: boolean | undefined;
}): Rejection | undefined => flagRejection('postOnly', postOnly);

function flagRejection(field: string, flag: unknown): Rejection | undefined {
  if (flag === undefined || typeof flag === 'boolean') return undefined;
  return {
    code: 'request-invalid',
    field,
    message: `${field} is ${quoted(flag)} and must be true or false.`,
    limit: 'true, false',
  };
}
