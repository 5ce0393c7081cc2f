import { isDeepStrictEqual } from 'node:util';
import { holdingName, type PortfolioTargets } from '../../model/portfolio.ts';
import type { TransferReport, RebalanceReport } from '../../swaps/execution/report.ts';
import type { InventoryTransfer, PortfolioReport } from '../../strategy/portfolio.ts';

/** Converts an executor's report for a strategy: of the last plan alone. */
export function portfolioReport({ at, happening, state, plans }: RebalanceReport): PortfolioReport {
  const plan = plans.at(-1);
  const reported = { at, state, message: happening.message };
  if (plan === undefined) return { ...reported, transfers: [] };
  const { id, plannedCost, cost, maximumCost, transfers } = plan;
  return {
    ...reported,
    plan: id,
    transfers: transfers.map(inventoryTransfer),
    plannedCost,
    cost,
    maximumCost,
  };
}

function inventoryTransfer({ planned, record, late }: TransferReport): InventoryTransfer {
  const { route, from, to, state, send, expected, arrived, refunded, reason } = record;
  return {
    id: planned.id,
    route,
    state,
    send,
    expected,
    late,
    from: holdingName(from),
    to: holdingName(to),
    ...(arrived !== undefined && { arrived }),
    ...(refunded !== undefined && { refunded }),
    ...(reason !== undefined && { reason }),
  };
}

/** True if two targets are equal, to the digit. */
export const isSameTargets = (one: PortfolioTargets, other: PortfolioTargets): boolean =>
  isDeepStrictEqual(plain(one), plain(other));

const plain = (targets: PortfolioTargets): unknown => JSON.parse(JSON.stringify(targets));
