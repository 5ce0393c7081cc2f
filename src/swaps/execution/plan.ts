import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { PriceOf } from '../../model/portfolio.ts';
import type { Micros } from '../../platform/time.ts';
import type { NetworkFee, Offer } from './transfer-route.ts';

/** Transfers that bring a portfolio to its targets, from the planner to the executor. */
export interface RebalancePlan {
  readonly id: string;
  readonly createdAt: Micros;
  /** Each after those that it waits for. */
  readonly transfers: readonly PlannedTransfer[];
  /** Prices when it was made, of all assets of the transfers, and of the coins of fees where known. */
  readonly prices: ReadonlyMap<string, Decimal>;
  /** The most that all transfers together may cost, in the unit of prices. */
  readonly maximumCost: Decimal;
}

/** A transfer of a plan with its offer. */
export interface PlannedTransfer {
  /** Unique in its plan: `1`. */
  readonly id: string;
  readonly offer: Offer;
  /** A later offer has to bring this for what `offer` sends: the least of `offer` less the slippage. */
  readonly least: Decimal;
  /** Transfers that bring what it sends; empty where all was there. */
  readonly after: readonly Source[];
}

/** A transfer that brings part of what another one sends. */
export interface Source {
  readonly transfer: string;
  /** Where less than this arrives, that much less is sent. */
  readonly amount: Decimal;
}

/**
 * The cost of a transfer in the unit of prices, exact: value sent less value arrived, and the
 * network fee beside it. Negative where more value arrives than was sent.
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

/** Value of an amount of a fee; 0 where it is included in what is sent, or the coin has no price. */
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
