import type { z } from 'zod';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { ChangeForm, ListForm, OrderForm } from '../../../rules/order-form.ts';
import type * as params from '../../../wire/trading/v3/calls/order-params.ts';

type SpotParams = z.output<typeof params.newOrder>;
type MarginParams = z.output<typeof params.newMarginOrder>;

/** An order of version 3 in the exchange's form. */
export function orderForm(given: SpotParams | MarginParams, market: OrderMarket): OrderForm {
  return {
    clientOrderId: given.client_order_id,
    symbol: given.symbol,
    side: given.side,
    type: given.type,
    timeInForce: given.time_in_force,
    quantity: given.quantity,
    price: given.price,
    stopPrice: given.stop_price,
    expireAt: given.expire_time,
    strictValidate: given.strict_validate,
    postOnly: given.post_only,
    ...('take_rate' in given ? { takeRate: given.take_rate } : {}),
    ...('make_rate' in given ? { makeRate: given.make_rate } : {}),
    ...(market === 'spot' || !('margin_mode' in given)
      ? {}
      : {
          margin: {
            mode: given.margin_mode,
            reduceOnly: given.reduce_only,
            closePosition: given.close_position,
          },
        }),
  };
}

/** An order list of version 3 in the exchange's form. */
export const listForm = (
  given: z.output<typeof params.newOrderList> | z.output<typeof params.newMarginOrderList>,
  market: OrderMarket,
): ListForm => ({
  contingencyType: given.contingency_type,
  orderListId: given.order_list_id,
  orders: given.orders.map((order) => orderForm(order, market)),
});

/** A replacement of version 3. */
export const changeForm = (
  clientOrderId: string,
  given: z.output<typeof params.replacement>,
): ChangeForm => ({
  clientOrderId,
  newClientOrderId: given.new_client_order_id,
  quantity: given.quantity,
  price: given.price,
  stopPrice: given.stop_price,
  strictValidate: given.strict_validate,
});
