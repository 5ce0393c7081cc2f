import { isDeepStrictEqual } from 'node:util';
import { slotName, type PortfolioTargets } from '../../model/portfolio.ts';
import type { MoveReport, RebalanceReport } from '../../swaps/execution/report.ts';
import type { InventoryMove, PortfolioReport } from '../../strategy/portfolio.ts';

/** What a strategy is told of what the executor tells: of the last plan alone. */
export function portfolioReport({ at, happening, state, plans }: RebalanceReport): PortfolioReport {
  const plan = plans.at(-1);
  const reported = { at, state, message: happening.message };
  if (plan === undefined) return { ...reported, moves: [] };
  const { id, plannedCost, cost, maximumCost, moves } = plan;
  return {
    ...reported,
    plan: id,
    moves: moves.map(inventoryMove),
    plannedCost,
    cost,
    maximumCost,
  };
}

function inventoryMove({ planned, record, late }: MoveReport): InventoryMove {
  const { carrier, from, to, state, send, expected, arrived, refunded, reason } = record;
  return {
    id: planned.id,
    carrier,
    state,
    send,
    expected,
    late,
    from: slotName(from),
    to: slotName(to),
    ...(arrived !== undefined && { arrived }),
    ...(refunded !== undefined && { refunded }),
    ...(reason !== undefined && { reason }),
  };
}

/** True where two targets say the same, to the digit. */
export const isSameTargets = (one: PortfolioTargets, other: PortfolioTargets): boolean =>
  isDeepStrictEqual(plain(one), plain(other));

const plain = (targets: PortfolioTargets): unknown => JSON.parse(JSON.stringify(targets));
