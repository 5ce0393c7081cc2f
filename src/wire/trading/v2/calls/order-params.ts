import { z } from 'zod';
import { TIMES_IN_FORCE } from '../../../../model/order.ts';
import { choice, withDefault } from '../../fields.ts';
import * as v3 from '../../v3/calls/order-params.ts';
import { inVersion2 } from '../names.ts';

export const { clientOrderId, ofOneSymbol } = v3;

const { margin_mode: _, ...codes } = v3.ORDER_CODES;

/** Error codes of malformed members of an order. */
export const ORDER_CODES = inVersion2(codes);

const { clientOrderId: ownId, ...members } = inVersion2(v3.orderMembers);
const orderMembers = {
  ...members,
  timeInForce: withDefault(choice(TIMES_IN_FORCE), 'GTC'),
} as const;

/** A new order over REST; of a PUT the path has the id. */
export const newOrder = z.object({ clientOrderId: ownId, ...orderMembers });
export const newOrderAtId = z.object(orderMembers);

/** A new order over a socket, which has to name itself. */
export const newOrderOfSocket = z.object({ clientOrderId, ...orderMembers });

/** Changes of a replacement; the quantity is the new total. */
export const replacement = z.object(
  inVersion2(v3.replacement.shape, { new_client_order_id: 'requestClientId' }),
);
