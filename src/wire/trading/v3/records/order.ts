import { z } from 'zod';
import { CONTINGENCY_TYPES, ORDER_TYPES, TIMES_IN_FORCE } from '../../../../model/order.ts';
import { choice, flag, id, numeric, optional, record, text, time } from '../../fields.ts';

export const SIDES = ['sell', 'buy'] as const;
export const ORDER_STATUSES = [
  'new',
  'suspended',
  'partiallyFilled',
  'filled',
  'canceled',
  'expired',
] as const;
export const MARGIN_MODES = ['isolated', 'cross'] as const;

/** A fill of a new order, inside the order. */
export const orderTrade = record('OrderTrade', {
  id,
  quantity: numeric,
  price: numeric,
  /** Negative for a rebate. */
  fee: numeric,
  taker: flag,
  timestamp: time,
  position_id: optional(id),
});

/** Common members of orders and reports. */
export const orderMembers = {
  id,
  client_order_id: text,
  order_list_id: optional(text),
  contingency_type: optional(choice(CONTINGENCY_TYPES)),
  symbol: text,
  side: choice(SIDES),
  status: choice(ORDER_STATUSES),
  type: choice(ORDER_TYPES),
  time_in_force: choice(TIMES_IN_FORCE),
  quantity: numeric,
  quantity_cumulative: numeric,
  price: optional(numeric),
  stop_price: optional(numeric),
  expire_time: optional(time),
  post_only: optional(flag),
  original_client_order_id: optional(text),
  created_at: time,
  updated_at: time,
  price_average: optional(numeric),
  /** True on a secondary order of a list that waits for the primary. */
  inactive: optional(flag),
  /** Of older servers. */
  display_quantity: optional(numeric),
} as const;

/** Additional members of margin and futures orders. */
export const marginMembers = {
  reduce_only: optional(flag),
  close_position: optional(flag),
  margin_mode: optional(choice(MARGIN_MODES)),
  position_id: optional(id),
} as const;

/** A spot order. */
export const order = record('Order', { ...orderMembers, trades: optional(z.array(orderTrade)) });

/** An order on margin or of a futures. */
export const marginOrder = record('MarginOrder', {
  ...orderMembers,
  ...marginMembers,
  trades: optional(z.array(orderTrade)),
});

const tradeMembers = {
  id,
  order_id: id,
  client_order_id: text,
  symbol: text,
  side: choice(SIDES),
  quantity: numeric,
  price: numeric,
  /** Negative for a rebate. */
  fee: numeric,
  timestamp: time,
  taker: optional(flag),
} as const;

/** A fill in the history of spot trades. */
export const trade = record('Trade', tradeMembers);

/** A fill in the history of margin or futures trades. */
export const marginTrade = record('MarginTrade', {
  ...tradeMembers,
  margin_mode: optional(choice(MARGIN_MODES)),
  position_id: optional(id),
  /** Realized, before fees, in the quote currency. */
  pnl: optional(numeric),
  liquidation: optional(flag),
});
