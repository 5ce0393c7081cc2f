import { decimal } from '../../../../src/model/decimal.ts';
import { parseSlot, type Slot } from '../../../../src/model/portfolio.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import type { Carrier } from '../../../../src/swaps/execution/carrier.ts';
import type { PlannedMove, RebalancePlan } from '../../../../src/swaps/execution/plan.ts';

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
  /** Name of the carrier. */
  readonly by: string;
  /** Slots: `USDC@ethereum`. */
  readonly from: string;
  readonly to: string;
  readonly send: string;
  /** The move that brings it all, if it is not there. */
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
  carriers: readonly Carrier[],
  now: Micros,
): Promise<RebalancePlan> {
  const moves: PlannedMove[] = [];
  for (const managedOrder of managedOrders) {
    const carrier = carriers.find(({ name }) => name === managedOrder.by);
    if (carrier === undefined) throw new Error(`there is no carrier ${managedOrder.by}`);
    const offer = await carrier.offer(
      slot(managedOrder.from),
      slot(managedOrder.to),
      decimal(managedOrder.send),
    );
    if (isRejection(offer)) throw new Error(offer.message);
    const after =
      managedOrder.after === undefined
        ? []
        : [{ move: managedOrder.after, amount: decimal(managedOrder.send) }];
    moves.push({ id: managedOrder.id, offer, least: offer.least.times('0.98'), after });
  }
  const prices = new Map(Object.entries(VALUE).map(([asset, one]) => [asset, decimal(one)]));
  return { id, createdAt: micros(now), moves, prices, maximumCost: decimal('1000') };
}

function slot(name: string): Slot {
  const read = parseSlot(name);
  if (read === undefined) throw new Error(`${name} is no slot`);
  return read;
}
