import { isActive } from '../../../model/order.ts';
import { micros, US_PER_MS } from '../../../platform/time.ts';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { TradingService } from '../service.ts';
import { newestOrder, type RequestContext } from './actions.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * The order of a client order id as soon as it has ended, or its state after a timeout in milliseconds. One
 * that has ended already is answered at once.
 */
export function endOfOrder(
  service: TradingService,
  trader: RequestContext,
  clientOrderId: string,
  waitMs: number,
): Promise<Decoded<OrderRecord>> | Decoded<OrderRecord> {
  const found = newestOrder(service, trader, clientOrderId);
  if (found.kind === 'fault' || !isActive(found.value.status) || waitMs === 0) return found;
  const { history, news, timers } = service;
  const { id, account } = found.value;
  const now = (): OrderRecord => history.of(account).order(id) ?? found.value;
  return new Promise((resolve) => {
    const end = (): void => {
      unfollow();
      cancel();
      service.closing.delete(end);
      resolve(decoded(now()));
    };
    const unfollow = news.follow(account, {
      report: () => {
        if (!isActive(now().status)) end();
      },
    });
    const cancel = timers.at(micros(service.now() + US_PER_MS * waitMs), end);
    service.closing.add(end);
  });
}
