import { outstandingLots, type Order } from '../../model/order.ts';
import { isReducing } from '../../risk/margin/risk-position.ts';
import { waitsForList } from '../../risk/view.ts';
import type { Log } from '../../strategy/context.ts';
import type { AccountMargin } from './account-margin.ts';
import type { StrategyAccounts } from './strategy-accounts.ts';

interface Exiting {
  /** Name of the account. */
  readonly name: string;
  readonly strategies: StrategyAccounts;
  readonly margin: Pick<AccountMargin, 'sharedLotsOf'>;
}

/**
 * Cancels reduce-only orders of a strategy on shared margin accounts that could close more than it holds.
 * The venue knows only the net position, so they could flip the strategy's own one.
 */
export function cancelBeyond(
  strategy: string,
  { name, strategies, margin }: Exiting,
  log: Log,
): void {
  for (const one of strategies.all.filter((each) => each.name === strategy)) {
    const beyond = one.openOrders().filter((order) => isBeyond(order, margin.sharedLotsOf(order)));
    if (beyond.length === 0) continue;
    const ids = beyond.map(({ clientOrderId }) => clientOrderId).join(', ');
    log.warn(
      `Strategy ${strategy} (${name}): ${ids} could close more than the strategy holds on its shared margin account and would turn its position around: canceled. Place it again for what is held.`,
    );
    one.cancel(beyond);
  }
}

/** True if an order could close more than `lots`; they are `undefined` if the account is not shared. */
const isBeyond = (order: Order, lots: number | undefined): boolean =>
  lots !== undefined &&
  isReducing(order) &&
  !order.cancelRequested &&
  !waitsForList(order) &&
  outstandingLots(order) > Math.max(0, order.side === 'sell' ? lots : -lots);
