import type { Decimal } from '../../../model/decimal.ts';
import type { HoldingKey } from '../../../model/portfolio.ts';
import type { Span } from '../../../platform/span.ts';

/**
 * An inventory beside an account of this process: wallets, and the services that transfer between all of
 * them.
 */
export interface PortfolioModel {
  /** What targets call the account: `USDT@trading`. */
  readonly account: string;
  /** Prices of assets, in one unit for all: a number, or the symbol whose price is used. */
  readonly prices: ReadonlyMap<string, Decimal | { readonly symbol: string }>;
  /** Initial holdings of wallets: by location, by asset. */
  readonly wallets: ReadonlyMap<string, ReadonlyMap<string, Decimal>>;
  /** Decimals of the tokens of an asset; 8 if absent. */
  readonly decimals: ReadonlyMap<string, number>;
  /** Transfers between the account and the wallets of a location, by location. */
  readonly networks: ReadonlyMap<string, NetworkModel>;
  /** Services that swap between wallets, by name. */
  readonly services: ReadonlyMap<string, ServiceModel>;
  /** How far a trade's limit may be from the best price, as a fraction. */
  readonly tolerance: Decimal;
}

export interface NetworkModel {
  readonly withdrawal: TransferModel & {
    /** Fee of each withdrawal, by asset; zero for those that are not named. */
    readonly fees: ReadonlyMap<string, Decimal>;
  };
  readonly deposit: TransferModel;
}

export interface TransferModel {
  /** From the commit of a withdrawal to its transaction, from the confirmation of a deposit to its credit. */
  readonly takes: Span;
  /** Probability of failure, 0 to 1: a withdrawal comes back, a deposit is given up by the service. */
  readonly fails: number;
}

interface AnyServiceModel {
  /** Holdings of wallets; each is swapped for each other one. */
  readonly holdings: readonly HoldingKey[];
  /** Share of the price that is lost. */
  readonly spread: Decimal;
  /** How much less than expected may arrive, as a share. */
  readonly slippage: Decimal;
  /** Least and largest amount, in the unit of prices. */
  readonly minimum: Decimal;
  readonly maximum: Decimal | undefined;
  /** How long an offer is valid. */
  readonly validUs: number;
  /** The service's delay of an acceptance. */
  readonly accept: Span;
  /** From the deposit to the delivery. */
  readonly deliver: Span;
}

/** The swap intent service. */
export interface SwapModel extends AnyServiceModel {
  readonly kind: 'swap';
  /** Additional cost of each swap, in the unit of prices. */
  readonly fee: Decimal;
  /** Share of the price that is lost for each 1,000 of value that is sent. */
  readonly impact: Decimal;
  /** From the approval to the deposit in escrow. */
  readonly confirm: Span;
  readonly chances: OfferChances & {
    /** An approved swap is declined, and nothing leaves. */
    readonly failed: number;
  };
}

/** The exchange order service. */
export interface OrderModel extends AnyServiceModel {
  readonly kind: 'exchangeOrder';
  /** Fee of a payout, by asset; none if absent. */
  readonly networkFees: ReadonlyMap<string, Decimal>;
  readonly chances: OfferChances;
}

export type ServiceModel = SwapModel | OrderModel;

/** Probabilities of failures, 0 to 1. */
export interface OfferChances {
  /** No offer is made. */
  readonly refused: number;
  /** An offer has expired when it is accepted. */
  readonly expired: number;
  /** The payment comes back instead of a delivery. */
  readonly refunded: number;
}
