import { ServiceError } from '../../http/service-error.ts';
import type { TradingClient } from './client.ts';

/** An order that nobody has: to cancel it does nothing, and shows the right to. */
const NO_ORDER = 'millrace-no-such-order';

/** Not found: the key may cancel, and there is nothing to. */
const ORDER_NOT_FOUND = 20002;

/**
 * Asks whether the key of a client may trade, by canceling an order that there is not. Throws what the
 * service answers otherwise: a `ServiceError` where it may not.
 */
export const checkTradeRight = ({ rest }: TradingClient): Promise<void> =>
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
