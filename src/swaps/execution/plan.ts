import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { PriceOf } from '../../model/portfolio.ts';
import type { Micros } from '../../platform/time.ts';
import type { NetworkFee, Offer } from './transfer-route.ts';

/** Transfers that bring a portfolio to its targets, as the planner hands them over to be made. */
export interface RebalancePlan {
  readonly id: string;
  readonly createdAt: Micros;
  /** Each stands behind those that it waits for. */
  readonly transfers: readonly PlannedTransfer[];
  /**
   * What one unit of each asset of the transfers was worth when it was planned, and of the coins of
   * their fees where that is known.
   */
  readonly prices: ReadonlyMap<string, Decimal>;
  /** The most that all transfers together may cost, in the unit of prices. */
  readonly maximumCost: Decimal;
}

/** A transfer of a plan, by the offer that it was planned with. */
export interface PlannedTransfer {
  /** Unique in its plan: `1`. */
  readonly id: string;
  readonly offer: Offer;
  /**
   * No later offer is taken that brings less than this for what the offer sends; less than the
   * offer's own least by the slippage of the targets.
   */
  readonly least: Decimal;
  /** Transfers that bring what it sends; empty where it was all there. */
  readonly after: readonly Source[];
}

/** What a transfer counts on. */
export interface Source {
  /** Id of the transfer that brings it. */
  readonly transfer: string;
  /** So much of what is sent comes by it: where less arrives, that much less is sent. */
  readonly amount: Decimal;
}

/**
 * What a transfer costs, in the unit of prices: what leaves less what arrives, both by their worth,
 * and what the network takes beside, by what is expected or at the most. Below zero where more
 * arrives than leaves; exact.
 */
export function costOf(
  { send, from, to, networkFee }: Pick<Offer, 'send' | 'from' | 'to' | 'networkFee'>,
  arrives: Decimal,
  prices: RebalancePlan['prices'],
  fee: 'expected' | 'most' = 'expected',
): Decimal {
  return send
    .times(valueOf(from.asset, prices))
    .minus(arrives.times(valueOf(to.asset, prices)))
    .plus(
      networkFee === undefined
        ? ZERO
        : feeValue(networkFee, networkFee[fee], (asset) => prices.get(asset)),
    );
}

/** What a fee is worth that is no part of what is sent; 0 where the coin has no price. */
export const feeValue = (
  { coin, isIncluded }: Pick<NetworkFee, 'coin' | 'isIncluded'>,
  amount: Decimal,
  priceOf: PriceOf,
): Decimal => (isIncluded ? ZERO : amount.times(priceOf(coin.asset) ?? ZERO));

function valueOf(asset: string, prices: RebalancePlan['prices']): Decimal {
  const one = prices.get(asset);
  if (one === undefined) throw new RangeError(`The plan does not say what ${asset} is worth.`);
  return one;
}
