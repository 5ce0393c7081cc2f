import type { Decimal } from '../../../model/decimal.ts';
import type { HoldingKey } from '../../../model/portfolio.ts';
import type { Span } from '../../../platform/span.ts';

/** An inventory beside an account of this process: wallets, and the services that transfer between all of them. */
export interface PortfolioModel {
  /** What targets call the account: `USDT@trading`. */
  readonly account: string;
  /** What assets are worth, in one unit for all: a number, or the symbol whose price says it. */
  readonly prices: ReadonlyMap<string, Decimal | { readonly symbol: string }>;
  /** What wallets hold at the start: by location, by asset. */
  readonly wallets: ReadonlyMap<string, ReadonlyMap<string, Decimal>>;
  /** Decimals of the tokens of an asset; 8 where absent. */
  readonly decimals: ReadonlyMap<string, number>;
  /** How the account and the wallets of a location send money to each other, by location. */
  readonly networks: ReadonlyMap<string, NetworkModel>;
  /** Services that swap between wallets, by name. */
  readonly services: ReadonlyMap<string, ServiceModel>;
  /** How much worse than the book the limit of a trade may be, as a fraction. */
  readonly tolerance: Decimal;
}

export interface NetworkModel {
  readonly withdrawal: TransferModel & {
    /** What is taken of each withdrawal, by asset; nothing of those that are not named. */
    readonly fees: ReadonlyMap<string, Decimal>;
  };
  readonly deposit: TransferModel;
}

export interface TransferModel {
  /** From the commit of a withdrawal to its transaction, from the confirmation of a deposit to its credit. */
  readonly takes: Span;
  /** How likely it fails, 0 to 1: a withdrawal comes back, a deposit is given up by the service. */
  readonly fails: number;
}

interface AnyServiceModel {
  /** Holdings of wallets; each is swapped for each other one. */
  readonly holdings: readonly HoldingKey[];
  /** Share of the price that is lost. */
  readonly spread: Decimal;
  /** How much less than expected may arrive, as a share. */
  readonly slippage: Decimal;
  /** The least and the most that is taken, in the unit of prices. */
  readonly minimum: Decimal;
  readonly maximum: Decimal | undefined;
  /** How long an offer stands. */
  readonly validUs: number;
  /** How long the service takes to answer who takes an offer up. */
  readonly accept: Span;
  /** From the deposit to the delivery. */
  readonly deliver: Span;
}

/** The swap intent service. */
export interface SwapModel extends AnyServiceModel {
  readonly kind: 'swap';
  /** What each swap costs beside, in the unit of prices. */
  readonly fee: Decimal;
  /** Share of the price that is lost for each 1,000 of value that is sent. */
  readonly impact: Decimal;
  /** From the approval to the deposit in escrow. */
  readonly confirm: Span;
  readonly chances: OfferChances & {
    /** What was approved is declined, and nothing leaves. */
    readonly failed: number;
  };
}

/** The exchange order service. */
export interface OrderModel extends AnyServiceModel {
  readonly kind: 'exchangeOrder';
  /** What a payout costs, by asset; nothing if absent. */
  readonly networkFees: ReadonlyMap<string, Decimal>;
  readonly chances: OfferChances;
}

export type ServiceModel = SwapModel | OrderModel;

/** How likely a thing goes wrong, 0 to 1. */
export interface OfferChances {
  /** No offer is made. */
  readonly refused: number;
  /** An offer no longer stands when it is taken up. */
  readonly expired: number;
  /** What was paid comes back instead of a delivery. */
  readonly refunded: number;
}
