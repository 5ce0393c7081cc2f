/**
 * What lots that are closed take of the cost of a position, in ticks × lots: their part of it, rounded half
 * up to a whole one, so that all shares add up to the cost.
 */
export function costShare(cost: bigint, size: number, all: number): bigint {
  const lots = BigInt(all);
  return (2n * cost * BigInt(size) + lots) / (2n * lots);
}
