import { decimal, type Decimal } from './decimal.ts';

/**
 * An asset at a location. Locations are named by the configuration: the chains where there is a
 * wallet, such as `ethereum`, and trading accounts, such as `trading`.
 */
export interface HoldingKey {
  /** Code of the asset, one for all locations that it is at: `USDC`. */
  readonly asset: string;
  readonly location: string;
}

/** `USDC@ethereum`. */
export const holdingName = ({ asset, location }: HoldingKey): string => `${asset}@${location}`;

const HOLDING = /^([\w.-]{1,32})@([\w.-]{1,32})$/;

/** Reads `USDC@ethereum`; `undefined` for everything else. */
export function parseHoldingKey(text: string): HoldingKey | undefined {
  const [, asset, location] = HOLDING.exec(text) ?? [];
  return asset === undefined || location === undefined ? undefined : { asset, location };
}

/** What is held of an asset at a location, and can be transferred. */
export interface Holding extends HoldingKey {
  readonly amount: Decimal;
}

/** The target of a holding: a share of the portfolio, or an amount. */
export type HoldingTarget = WeightTarget | AmountTarget;

/** A share of what all holdings with a weight come to: of what the amounts of others leave. */
export interface WeightTarget extends HoldingKey {
  /** 0 to 1; those of all targets with a weight are 1 together. */
  readonly weight: Decimal;
  /** How far the share may be off, up and down, before anything is moved: 0.05 for 5 percent points. */
  readonly band: Decimal;
  /** An amount that is never moved away, such as for fees; 0 where there is none. */
  readonly reserve: Decimal;
  readonly amount?: undefined;
}

/** So much of the asset, whatever the portfolio is worth. */
export interface AmountTarget extends HoldingKey {
  readonly amount: Decimal;
  /** How much more or less of the asset there may be before anything is moved. */
  readonly band: Decimal;
  readonly reserve: Decimal;
  readonly weight?: undefined;
}

/** What a portfolio shall be like, and what making it so may cost. */
export interface PortfolioTargets {
  readonly holdings: readonly HoldingTarget[];
  /** Transfers of less value are not made; in the unit of prices. */
  readonly minimumValue: Decimal;
  /** The most that all transfers together may cost, as a share of what they transfer. */
  readonly maximumCost: Decimal;
  /**
   * How much less than planned a later offer for a transfer may bring, as a share of it: prices
   * move between the plan and the payment. `SLIPPAGE` where absent.
   */
  readonly slippage?: Decimal;
}

/** How much less than planned a later offer may bring where nothing is said: half a percent. */
export const SLIPPAGE: Decimal = decimal('0.005');

/** What one unit of an asset is worth, in the unit of prices of the portfolio, such as USD. */
export type PriceOf = (asset: string) => Decimal | undefined;

/** States of a transfer, in the order in which one that succeeds passes them. */
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

/** True for a state that no transfer leaves. */
export const hasEnded = (state: TransferState): boolean =>
  state === 'fulfilled' || state === 'refunded' || state === 'expired' || state === 'failed';
