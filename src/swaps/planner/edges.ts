import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import type { OfferingRoute } from './request.ts';

/** A pair of holdings that a route transfers between. */
export interface Edge {
  /** Its place among all of them. */
  readonly index: number;
  readonly route: OfferingRoute;
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  /** Tells it from all others, and decides ties: `account USDC@trading BTC@trading`. */
  readonly name: string;
}

/** All edges of the routes, by name. */
export function edgesOf(routes: readonly OfferingRoute[]): readonly Edge[] {
  const named = routes.flatMap((route) =>
    route.pairs().map(([from, to]) => {
      const name = `${route.name} ${holdingName(from)} ${holdingName(to)}`;
      return { route, from, to, name };
    }),
  );
  const sorted = named.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.map((edge, index) => ({ ...edge, index }));
}

/**
 * The holdings that edges touch, each behind those that send to it; nothing where they go round. Of
 * those that may come next, the first by name does.
 */
export function orderOf(edges: readonly Edge[]): readonly string[] | undefined {
  const waits = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (!waits.has(holdingName(from))) waits.set(holdingName(from), new Set());
    waits.set(holdingName(to), (waits.get(holdingName(to)) ?? new Set()).add(holdingName(from)));
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
