import { z } from 'zod';
import { ORDER_TYPES, TIMES_IN_FORCE } from '../../../../model/order.ts';
import type { MemberCodes } from '../../decoding.ts';
import { choice, code, flag, numeric, optional, preset, text, time } from '../../fields.ts';
import { SIDES } from '../records/trading.ts';

/** What a malformed member of an order is answered with. */
export const ORDER_CODES: MemberCodes = {
  quantity: 2010,
  price: 2020,
  stopPrice: 2020,
  type: 20049,
  timeInForce: 20048,
};

export const clientOrderId = text
  .refine((given) => /^[A-Za-z0-9_-]{8,32}$/.test(given), {
    error: 'must have 8 to 32 Latin letters, digits, _ or -',
  })
  .meta({ type: 'string', pattern: '^[A-Za-z0-9_-]{8,32}$' });

const orderMembers = {
  symbol: code,
  side: choice(SIDES),
  type: preset(choice(ORDER_TYPES), 'limit'),
  timeInForce: preset(choice(TIMES_IN_FORCE), 'GTC'),
  quantity: optional(numeric),
  price: optional(numeric),
  stopPrice: optional(numeric),
  expireTime: optional(time),
  /** False rounds price and quantity half down onto their grids. */
  strictValidate: preset(flag, false),
  postOnly: preset(flag, false),
} as const;

/** A new order over REST; of a PUT the path has the id. */
export const newOrder = z.object({ clientOrderId: optional(clientOrderId), ...orderMembers });
export const newOrderAtId = z.object(orderMembers);

/** A new order over a socket, which has to name itself. */
export const newOrderOfSocket = z.object({ clientOrderId, ...orderMembers });

/** What a replacement changes; the quantity is the new total. */
export const replacement = z.object({
  quantity: optional(numeric),
  price: optional(numeric),
  stopPrice: optional(numeric),
  requestClientId: optional(clientOrderId),
  strictValidate: preset(flag, false),
});

export const ofOneSymbol = z.object({ symbol: optional(code) });
