import { decimal, type Decimal } from './decimal.ts';

/**
 * An asset at a place. Places are named by the configuration: the chains where there is a wallet,
 * such as `ethereum`, and trading accounts, such as `trading`.
 */
export interface Slot {
  /** Code of the asset, one for all places that it is at: `USDC`. */
  readonly asset: string;
  readonly place: string;
}

/** `USDC@ethereum`. */
export const slotName = ({ asset, place }: Slot): string => `${asset}@${place}`;

const SLOT = /^([\w.-]{1,32})@([\w.-]{1,32})$/;

/** Reads `USDC@ethereum`; `undefined` for everything else. */
export function parseSlot(text: string): Slot | undefined {
  const [, asset, place] = SLOT.exec(text) ?? [];
  return asset === undefined || place === undefined ? undefined : { asset, place };
}

/** What is held in a slot and can be moved. */
export interface Holding extends Slot {
  readonly amount: Decimal;
}

/** What a slot shall hold: a share of the portfolio, or an amount. */
export type SlotTarget = WeightTarget | AmountTarget;

/** A share of what all slots with a weight hold together: of what the amounts of others leave. */
export interface WeightTarget extends Slot {
  /** 0 to 1; those of all targets with a weight are 1 together. */
  readonly weight: Decimal;
  /** How far the share may be off, up and down, before anything is moved: 0.05 for 5 percent points. */
  readonly band: Decimal;
  /** An amount that is never moved away, such as for fees; 0 where there is none. */
  readonly reserve: Decimal;
  readonly amount?: undefined;
}

/** So much of the asset, whatever the portfolio is worth. */
export interface AmountTarget extends Slot {
  readonly amount: Decimal;
  /** How much more or less of the asset there may be before anything is moved. */
  readonly band: Decimal;
  readonly reserve: Decimal;
  readonly weight?: undefined;
}

/** What a portfolio shall be like, and what making it so may cost. */
export interface PortfolioTargets {
  readonly slots: readonly SlotTarget[];
  /** Moves that are worth less are not made; in the unit of prices. */
  readonly minimumValue: Decimal;
  /** The most that all moves together may cost, as a share of what they move. */
  readonly maximumCost: Decimal;
  /**
   * How much less than planned a later offer for a move may bring, as a share of it: prices move
   * between the plan and the payment. `SLIPPAGE` where absent.
   */
  readonly slippage?: Decimal;
}

/** How much less than planned a later offer may bring where nothing is said: half a percent. */
export const SLIPPAGE: Decimal = decimal('0.005');

/** What one unit of an asset is worth, in the unit of prices of the portfolio, such as USD. */
export type PriceOf = (asset: string) => Decimal | undefined;

/** States of a move, in the order in which one that succeeds passes them. */
export const MOVE_STATES = [
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

export type MoveState = (typeof MOVE_STATES)[number];

/** True for a state that no move leaves. */
export const hasEnded = (state: MoveState): boolean =>
  state === 'fulfilled' || state === 'refunded' || state === 'expired' || state === 'failed';
