import { z } from 'zod';
import { CONTINGENCY_TYPES, ORDER_TYPES, TIMES_IN_FORCE } from '../../../../model/order.ts';
import type { MemberCodes } from '../../decoding.ts';
import {
  choice,
  code,
  codes,
  flag,
  numeric,
  optional,
  withDefault,
  text,
  time,
  whole,
} from '../../fields.ts';
import { limit, offset, paged, sort } from '../../paging.ts';
import { MARGIN_MODES, SIDES } from '../records/order.ts';

/** Error codes of malformed members of an order. */
export const ORDER_CODES = {
  quantity: 2010,
  price: 2020,
  stop_price: 2020,
  type: 20049,
  time_in_force: 20048,
  margin_mode: 2024,
} as const satisfies MemberCodes;

export const clientOrderId = text
  .refine((given) => /^[A-Za-z0-9_-]{8,32}$/.test(given), {
    error: 'must have 8 to 32 Latin letters, digits, _ or -',
  })
  .meta({ type: 'string', pattern: '^[A-Za-z0-9_-]{8,32}$' });

/** What an order has in every version and market. */
export const orderMembers = {
  client_order_id: optional(clientOrderId),
  symbol: code,
  side: choice(SIDES),
  type: withDefault(choice(ORDER_TYPES), 'limit'),
  /** Left out, GTC where the type has a price, else FOK. */
  time_in_force: optional(choice(TIMES_IN_FORCE)),
  /** Absent only with `close_position`. */
  quantity: optional(numeric),
  price: optional(numeric),
  stop_price: optional(numeric),
  expire_time: optional(time),
  /** False rounds price and quantity half down onto their grids. */
  strict_validate: withDefault(flag, false),
  post_only: withDefault(flag, false),
} as const;

/** A new spot order. Rates are fractions and can only raise the fee. */
export const newOrder = z.object({
  ...orderMembers,
  take_rate: optional(numeric),
  make_rate: optional(numeric),
});

/** A new order on margin or of a futures. */
export const newMarginOrder = z.object({
  ...orderMembers,
  reduce_only: withDefault(flag, false),
  close_position: withDefault(flag, false),
  margin_mode: withDefault(choice(MARGIN_MODES), 'isolated'),
});

const listMembers = {
  contingency_type: choice(CONTINGENCY_TYPES),
  /** Equals the first client order id. */
  order_list_id: optional(clientOrderId),
} as const;

export const newOrderList = z.object({ ...listMembers, orders: z.array(newOrder) });
export const newMarginOrderList = z.object({ ...listMembers, orders: z.array(newMarginOrder) });

/** Changes of a replacement; the quantity is the new total. */
export const replacement = z.object({
  new_client_order_id: optional(clientOrderId),
  quantity: optional(numeric),
  price: optional(numeric),
  stop_price: optional(numeric),
  strict_validate: withDefault(flag, false),
});

/** The filter of calls that read or cancel active orders. */
export const ofOneSymbol = z.object({ symbol: optional(code) });

const symbolMembers = {
  /** Comma list; clients write either name. */
  symbol: optional(codes),
  symbols: optional(codes),
} as const;

type HistoryKey = 'id' | 'timestamp';

const HISTORY_KEYS = ['id', 'timestamp'] as const;

const pageMembers = { ...symbolMembers, sort: sort('DESC'), limit: limit(100), offset } as const;

/** Filters of past orders; a client order id overrides all others. */
export const orderHistory = (defaultKey: HistoryKey) =>
  paged(HISTORY_KEYS, defaultKey, { client_order_id: optional(text), ...pageMembers });

/** Filters of past trades. */
export const tradeHistory = (defaultKey: HistoryKey) =>
  paged(HISTORY_KEYS, defaultKey, {
    order_id: optional(whole()),
    position_id: optional(whole()),
    ...pageMembers,
  });

/** Filters of closed positions and of clearings. */
export const positionHistory = paged(HISTORY_KEYS, 'timestamp', pageMembers);

/** The requested symbols of a history, under either name. */
export const symbolsOf = (params: {
  readonly symbol?: readonly string[] | undefined;
  readonly symbols?: readonly string[] | undefined;
}): readonly string[] => [...(params.symbol ?? []), ...(params.symbols ?? [])];
