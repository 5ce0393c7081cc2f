import type { Scheduler } from '../../platform/scheduler.ts';
import type { OwnedOrders } from './parts.ts';
import { waiter } from './condition-wait.ts';

/**
 * Cancels all orders of strategies; returns whether all of them ended within a time. Requests made while an
 * account is not connected are repeated once it is.
 */
export async function cancelWithin(
  runners: readonly OwnedOrders[],
  scheduler: Scheduler,
  withinUs: number,
): Promise<boolean> {
  const unacknowledged = new Set<OwnedOrders>();
  const ask = (runner: OwnedOrders): void => {
    const { strategyAccount } = runner;
    strategyAccount.cancel(strategyAccount.openOrders());
  };
  const look = (runner: OwnedOrders): void => {
    if (runner.account.connectionState !== 'live') unacknowledged.add(runner);
    else if (unacknowledged.delete(runner)) ask(runner);
  };
  for (const runner of runners) ask(runner);
  return await waiter(scheduler)(() => {
    for (const runner of runners) look(runner);
    return runners.every(({ strategyAccount }) => strategyAccount.openOrders().length === 0);
  }, withinUs);
}
