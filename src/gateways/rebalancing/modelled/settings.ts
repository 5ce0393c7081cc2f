import type { Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import type { Span } from './span.ts';

/** An inventory beside an account of this process: wallets, and what moves between all of them. */
export interface PortfolioModel {
  /** What targets call the account: `USDT@trading`. */
  readonly account: string;
  /** What assets are worth, in one unit for all: a number, or the symbol whose price says it. */
  readonly prices: ReadonlyMap<string, Decimal | { readonly symbol: string }>;
  /** What wallets hold at the start: by place, by asset. */
  readonly wallets: ReadonlyMap<string, ReadonlyMap<string, Decimal>>;
  /** How the account and the wallets of a place send money to each other, by place. */
  readonly networks: ReadonlyMap<string, NetworkModel>;
  /** Services that swap between wallets, by name. */
  readonly services: ReadonlyMap<string, ServiceModel>;
  /** How much worse than the book the limit of a trade may be, as a fraction. */
  readonly bound: Decimal;
}

export interface NetworkModel {
  readonly withdrawal: TransferModel;
  readonly deposit: TransferModel;
}

export interface TransferModel {
  /** What is taken of each transfer, by asset; nothing of those that are not named. */
  readonly fees: ReadonlyMap<string, Decimal>;
  readonly takes: Span;
  /** How likely a transfer comes back after its time, whole; 0 to 1. */
  readonly fails: number;
}

export interface ServiceModel {
  readonly kind: 'swap' | 'exchangeOrder';
  /** Slots of wallets; each is swapped for each other one. */
  readonly slots: readonly Slot[];
  /** Share of the price that is lost. */
  readonly spread: Decimal;
  /** What each move costs beside, in the unit of prices. */
  readonly fee: Decimal;
  /** Share of the price that is lost for each 1,000 of worth that is sent. */
  readonly impact: Decimal;
  /** How much less than expected may arrive, as a share: what does is drawn between. */
  readonly slippage: Decimal;
  /** The least and the most that is taken, in the unit of prices. */
  readonly minimum: Decimal;
  readonly maximum: Decimal | undefined;
  /** Decimals of what arrives; rounded down. */
  readonly decimals: number;
  readonly validUs: number;
  /** How long it takes to take an offer up, to see the money, and to deliver. */
  readonly accept: Span;
  readonly confirm: Span;
  readonly deliver: Span;
  readonly chances: ServiceChances;
}

/** How likely a thing goes wrong, 0 to 1. */
export interface ServiceChances {
  /** No offer is made. */
  readonly refused: number;
  /** An offer no longer stands when it is taken up. */
  readonly expired: number;
  /** What was paid is declined, and nothing leaves. */
  readonly failed: number;
  /** What was paid comes back after the time of delivery. */
  readonly refunded: number;
}
