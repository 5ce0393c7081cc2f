import type { z } from 'zod';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { ChangeForm, OrderForm } from '../../../rules/order-form.ts';
import type * as params from '../../../wire/trading/v2/calls/order-params.ts';

type Members = z.output<typeof params.newOrderAtId>;

/**
 * An order of version 2 in the exchange's form. A market order cannot rest, so one with GTC, the default,
 * fills what it can and expires with the rest, like IOC.
 */
export function orderForm(
  { timeInForce, expireTime, ...given }: Members,
  market: OrderMarket,
  clientOrderId: string | undefined,
): OrderForm {
  return {
    ...given,
    clientOrderId,
    timeInForce: given.type === 'market' && timeInForce === 'GTC' ? 'IOC' : timeInForce,
    expireAt: expireTime,
    ...(market === 'spot' ? {} : { margin: { mode: 'isolated' } }),
  };
}

/** A replacement of version 2. */
export const changeForm = (
  clientOrderId: string,
  { requestClientId, ...given }: z.output<typeof params.replacement>,
): ChangeForm => ({ ...given, clientOrderId, newClientOrderId: requestClientId });
