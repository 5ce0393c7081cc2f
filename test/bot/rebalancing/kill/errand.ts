import { decimal } from '../../../../src/model/decimal.ts';
import { parseHoldingKey, type HoldingKey } from '../../../../src/model/portfolio.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import type { TransferRoute } from '../../../../src/swaps/execution/transfer-route.ts';
import type { PlannedTransfer, RebalancePlan } from '../../../../src/swaps/execution/plan.ts';

/** What a process that is to be killed is told, as JSON. */
export interface Errand {
  readonly url: string;
  /** RSA, PEM. */
  readonly privateKey: string;
  /** Journal. */
  readonly path: string;
  /** Hexadecimal, by network. */
  readonly keys: Readonly<Record<string, string>>;
  /** Of the trading account. */
  readonly credentials: { readonly key: string; readonly secret: string };
  readonly plan: string;
  readonly managedOrders: readonly ManagedOrder[];
}

export interface ManagedOrder {
  readonly id: string;
  /** Name of the route. */
  readonly by: string;
  /** Holdings: `USDC@ethereum`. */
  readonly from: string;
  readonly to: string;
  readonly send: string;
  /** The transfer that brings it all, if it is not there. */
  readonly after?: string;
}

/** What the assets of all managed orders are worth. */
export const VALUE: Readonly<Record<string, string>> = {
  USDC: '1',
  ETH: '3000',
  BTC: '60000',
  SOL: '150',
};

/** A plan of the offers of now, each of which may be replaced by one that brings 2 percent less. */
export async function planOf(
  { plan: id, managedOrders }: Errand,
  routes: readonly TransferRoute[],
  now: Micros,
): Promise<RebalancePlan> {
  const transfers: PlannedTransfer[] = [];
  for (const managedOrder of managedOrders) {
    const route = routes.find(({ name }) => name === managedOrder.by);
    if (route === undefined) throw new Error(`there is no route ${managedOrder.by}`);
    const offer = await route.offer(
      holding(managedOrder.from),
      holding(managedOrder.to),
      decimal(managedOrder.send),
    );
    if (isRejection(offer)) throw new Error(offer.message);
    const after =
      managedOrder.after === undefined
        ? []
        : [{ transfer: managedOrder.after, amount: decimal(managedOrder.send) }];
    transfers.push({ id: managedOrder.id, offer, least: offer.least.times('0.98'), after });
  }
  const prices = new Map(Object.entries(VALUE).map(([asset, one]) => [asset, decimal(one)]));
  return { id, createdAt: micros(now), transfers, prices, maximumCost: decimal('1000') };
}

function holding(name: string): HoldingKey {
  const read = parseHoldingKey(name);
  if (read === undefined) throw new Error(`${name} is no holding`);
  return read;
}
