import { slotName, type Slot } from '../../model/portfolio.ts';
import type { OfferingCarrier } from './request.ts';

/** A pair of slots that a carrier carries between. */
export interface Edge {
  /** Its place among all of them. */
  readonly index: number;
  readonly carrier: OfferingCarrier;
  readonly from: Slot;
  readonly to: Slot;
  /** Tells it from all others, and decides ties: `account USDC@trading BTC@trading`. */
  readonly name: string;
}

/** All edges of the carriers, by name. */
export function edgesOf(carriers: readonly OfferingCarrier[]): readonly Edge[] {
  const named = carriers.flatMap((carrier) =>
    carrier.pairs().map(([from, to]) => {
      const name = `${carrier.name} ${slotName(from)} ${slotName(to)}`;
      return { carrier, from, to, name };
    }),
  );
  const sorted = named.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.map((edge, index) => ({ ...edge, index }));
}

/**
 * The slots that edges touch, each behind those that send to it; nothing where they go round. Of
 * those that may come next, the first by name does.
 */
export function orderOf(edges: readonly Edge[]): readonly string[] | undefined {
  const waits = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (!waits.has(slotName(from))) waits.set(slotName(from), new Set());
    waits.set(slotName(to), (waits.get(slotName(to)) ?? new Set()).add(slotName(from)));
  }
  const left = [...waits.keys()].toSorted();
  const order: string[] = [];
  while (left.length > 0) {
    const at = left.findIndex((name) =>
      [...(waits.get(name) ?? [])].every((one) => order.includes(one)),
    );
    if (at < 0) return undefined;
    order.push(...left.splice(at, 1));
  }
  return order;
}
