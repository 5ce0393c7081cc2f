import { decimal, type Decimal } from './decimal.ts';

/**
 * An asset at a location. The configuration names locations: chains with a wallet, such as
 * `ethereum`, and trading accounts, such as `trading`.
 */
export interface HoldingKey {
  /** Code of the asset at all its locations: `USDC`. */
  readonly asset: string;
  readonly location: string;
}

/** `USDC@ethereum`. */
export const holdingName = ({ asset, location }: HoldingKey): string => `${asset}@${location}`;

const HOLDING = /^([\w.-]{1,32})@([\w.-]{1,32})$/;

/** Reads `USDC@ethereum`; `undefined` for other text. */
export function parseHoldingKey(text: string): HoldingKey | undefined {
  const [, asset, location] = HOLDING.exec(text) ?? [];
  return asset === undefined || location === undefined ? undefined : { asset, location };
}

/** Transferable amount of an asset at a location. */
export interface Holding extends HoldingKey {
  readonly amount: Decimal;
}

/** Target of a holding: a share of the portfolio, or an amount. */
export type HoldingTarget = WeightTarget | AmountTarget;

/** A share of the value that the holdings with fixed amounts leave. */
export interface WeightTarget extends HoldingKey {
  /** 0 to 1; the weights of all targets add up to 1. */
  readonly weight: Decimal;
  /**
   * Allowed deviation of the share before a transfer, up and down: 0.05 for 5 percentage points.
   */
  readonly band: Decimal;
  /** An amount that is never transferred away, such as for fees; 0 if there is none. */
  readonly reserve: Decimal;
  readonly amount?: undefined;
}

/** A fixed amount of the asset, whatever the portfolio's value. */
export interface AmountTarget extends HoldingKey {
  readonly amount: Decimal;
  /** Allowed deviation of the amount before a transfer, up and down. */
  readonly band: Decimal;
  readonly reserve: Decimal;
  readonly weight?: undefined;
}

/** Targets of a portfolio, and limits of its rebalances. */
export interface PortfolioTargets {
  readonly holdings: readonly HoldingTarget[];
  /** Least value of a transfer, in the currency of prices. */
  readonly minimumValue: Decimal;
  /** Most total cost of a rebalance, as a share of the transferred value. */
  readonly maximumCost: Decimal;
  /**
   * How much less than planned a later quote may return, as a share of the transfer: prices move
   * between the plan and the payment. `SLIPPAGE` if absent.
   */
  readonly slippage?: Decimal;
}

/** Default slippage: half a percent. */
export const SLIPPAGE: Decimal = decimal('0.005');

/** Price of one unit of an asset in the portfolio's currency of prices, such as USD. */
export type PriceOf = (asset: string) => Decimal | undefined;

/** States of a transfer, in the order of a successful one. */
export const TRANSFER_STATES = [
  'planned',
  'quoted',
  'created',
  'approved',
  'deposited',
  'fulfilled',
  'refunded',
  'expired',
  'failed',
] as const;

export type TransferState = (typeof TRANSFER_STATES)[number];

/** True for a final state. */
export const hasEnded = (state: TransferState): boolean =>
  state === 'fulfilled' || state === 'refunded' || state === 'expired' || state === 'failed';
