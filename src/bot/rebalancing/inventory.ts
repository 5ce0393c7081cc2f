import type { TradeLimits } from '../../gateways/rebalancing/account/limits.ts';
import {
  Inventory,
  type InventoryDependencies as OpenSurroundings,
} from '../../gateways/rebalancing/inventory.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { TradingState } from '../../risk/state.ts';
import { Rebalancer } from './rebalancer.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';

export interface InventorySurroundings {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  /** Trading state of the strategy that owns the inventory. */
  readonly state: () => TradingState;
  /** Order limits of that strategy; each applies to transfers too. */
  readonly limits: () => readonly TradeLimits[];
}

export interface InventorySettings {
  readonly rebalancing: RebalancingSettings;
  /** Interval at which holdings are read. */
  readonly everyUs: number;
}

/**
 * Opens the inventory of a bot by the services of its configuration. Throws what they throw and
 * `journal-locked`, with nothing left open.
 */
export const openInventory = (
  { rebalancing, everyUs }: InventorySettings,
  surroundings: InventorySurroundings,
): Promise<Inventory> =>
  Inventory.open(
    (listener) =>
      Rebalancer.open(limited(rebalancing, surroundings), { ...surroundings, listener }),
    gated(everyUs, surroundings),
  );

/** Options of an inventory that rebalances only while its strategy may trade. */
export const gated = (
  everyUs: number,
  { scheduler, log, state }: InventorySurroundings,
): OpenSurroundings => ({ scheduler, log, everyUs, rejection: () => rejectionIn(state()) });

/** The strictest of several limits, by their present values. */
export const limitsOf = (limits: InventorySurroundings['limits']): TradeLimits => ({
  get maxNotional() {
    return strictest(limits().map((one) => one.maxNotional));
  },
  get maxQuantity() {
    return strictest(limits().map((one) => one.maxQuantity));
  },
});

/** Limits the orders of a portfolio at its account like those of its strategy. */
function limited(
  rebalancing: RebalancingSettings,
  { limits }: InventorySurroundings,
): RebalancingSettings {
  const { account } = rebalancing;
  if (account === undefined) return rebalancing;
  return { ...rebalancing, account: { ...account, limits: limitsOf(limits) } };
}

/** The lowest limit of each name. */
function strictest(
  given: readonly (ReadonlyMap<string, Decimal> | undefined)[],
): ReadonlyMap<string, Decimal> {
  const lowest = new Map<string, Decimal>();
  for (const [name, limit] of given.flatMap((limits) => [...(limits ?? [])])) {
    const known = lowest.get(name);
    if (known === undefined || limit.lessThan(known)) lowest.set(name, limit);
  }
  return lowest;
}

function rejectionIn(state: TradingState): Rejection | undefined {
  if (state === 'running') return undefined;
  return {
    code: 'trading-halted',
    message: `Trading is ${state}: what is paid is led to its end, nothing new is moved.`,
  };
}
