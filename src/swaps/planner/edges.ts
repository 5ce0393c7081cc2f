import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import type { OfferingRoute } from './request.ts';

/** A route from one holding to another. */
export interface Edge {
  /** Position among all edges by route and holdings. */
  readonly index: number;
  readonly route: OfferingRoute;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
}

/** All edges of the routes, by name, which decides ties: `account USDC@trading BTC@trading`. */
export function edgesOf(routes: readonly OfferingRoute[]): readonly Edge[] {
  const named = routes.flatMap((route) =>
    route.pairs().map(([from, to]) => {
      const name = `${route.name} ${holdingName(from)} ${holdingName(to)}`;
      return { name, edge: { route, from, to } };
    }),
  );
  return named
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ edge }, index) => ({ ...edge, index }));
}

/**
 * The holdings of edges, each after those that send to it; `undefined` where the edges have a cycle.
 * Ties go by name.
 */
export function topologicalOrder(edges: readonly Edge[]): readonly string[] | undefined {
  const senders = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (!senders.has(holdingName(from))) senders.set(holdingName(from), new Set());
    senders.set(
      holdingName(to),
      (senders.get(holdingName(to)) ?? new Set()).add(holdingName(from)),
    );
  }
  const remaining = [...senders.keys()].toSorted();
  const order: string[] = [];
  while (remaining.length > 0) {
    const at = remaining.findIndex((name) =>
      [...(senders.get(name) ?? [])].every((one) => order.includes(one)),
    );
    if (at < 0) return undefined;
    order.push(...remaining.splice(at, 1));
  }
  return order;
}
