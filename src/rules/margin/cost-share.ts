/**
 * Share of closed lots in a position's cost, in ticks × lots, rounded half up to a whole one, so
 * that all shares add up to the cost.
 */
export function costShare(cost: bigint, size: number, all: number): bigint {
  const lots = BigInt(all);
  return (2n * cost * BigInt(size) + lots) / (2n * lots);
}
