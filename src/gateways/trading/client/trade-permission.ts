import { ServiceError } from '../../http/service-error.ts';
import type { TradingClient } from './client.ts';

/** No order has this id, so canceling it only tests the permission. */
const NO_ORDER = 'millrace-no-such-order';

/** Not found: the key may cancel, and there is nothing to. */
const ORDER_NOT_FOUND = 20002;

/**
 * Tests trade permission by canceling an unknown order. Throws the service's other errors: a `ServiceError`
 * if the key may not trade.
 */
export const assertTradePermission = ({ rest }: TradingClient): Promise<void> =>
  checkRight(() => rest.cancelSpotOrder({ client_order_id: NO_ORDER }));

/** The same on margin, of spot symbols or of futures. */
export const checkMarginTradeRight = (
  { rest }: TradingClient,
  market: 'margin' | 'futures',
): Promise<void> =>
  checkRight(() =>
    market === 'margin'
      ? rest.cancelMarginOrder({ client_order_id: NO_ORDER })
      : rest.cancelFuturesOrder({ client_order_id: NO_ORDER }),
  );

async function checkRight(cancel: () => Promise<unknown>): Promise<void> {
  try {
    await cancel();
  } catch (error) {
    if (error instanceof ServiceError && error.serviceCode === ORDER_NOT_FOUND) return;
    throw error;
  }
}
