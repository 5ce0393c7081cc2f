import type { Instrument } from '../../model/instrument.ts';
import type { AlgoKind } from '../../model/algo-order.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Side } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';

/** What every algo order has; the rest is its algorithm's. Plain data that the journal keeps. */
export interface AlgoTerms {
  readonly id: string;
  readonly kind: AlgoKind;
  readonly symbol: string;
  readonly margin?: MarginMode | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly side?: Side | undefined;
  readonly lots?: Lots | undefined;
}

/** What was filled: lots, and the sum of ticks times lots. */
export interface Filled {
  readonly lots: number;
  readonly value: bigint;
}

export const NOTHING_FILLED: Filled = { lots: 0, value: 0n };

/** What has come of an algo order so far. */
export interface Progress {
  readonly startedAt: number;
  /** The last step of its schedule that was taken; -1 before the first. */
  readonly step: number;
  /** Fills of the child orders of a slot. */
  filled(slot: string): Filled;
  /** Lots traded in the market since the last step. */
  readonly volume: number;
  /** How many steps had a volume before them, and the sum of these. */
  readonly volumes: { readonly count: number; readonly total: number };
}

/** The market as it is now, in ticks; NaN for what is not known. */
export interface Present {
  readonly at: number;
  readonly bidTicks: number;
  readonly askTicks: number;
}

/** A child order that is to stand, or to be sent. A slot has one at a time. */
export interface Wanted {
  readonly slot: string;
  readonly side: Side;
  readonly lots: number;
  /** The limit price; a market order without one. */
  readonly ticks?: number | undefined;
  /** True where it takes what is there now and does not rest; so does every market order. */
  readonly isImmediate?: boolean;
  readonly postOnly?: boolean;
}

/** What an algo order needs now. */
export interface Plan {
  /** Child orders; what stands in another slot, or otherwise, is canceled. */
  readonly wanted: readonly Wanted[];
  /** The step of the schedule that is taken with it. */
  readonly step?: number;
  /** When it is to be asked again, whatever happens. */
  readonly wakeAt?: number | undefined;
  /** On which changes of the market it is to be asked again. */
  readonly watch?: 'volume' | 'prices' | undefined;
  /** Set once there is nothing more to do. */
  readonly ended?: 'filled' | 'expired' | undefined;
  readonly why?: string | undefined;
}

/**
 * An execution algorithm: what a command comes to on the grid of its instrument, and what it needs, as a pure
 * function of its terms, of what its child orders have filled, and of market and time. It keeps nothing itself,
 * so that a process that is killed goes on from what the journal has.
 */
export interface Algorithm<Command, Terms extends AlgoTerms> {
  terms(command: Command, instrument: Instrument): Omit<Terms, keyof AlgoTerms> | Rejection;
  plan(terms: Terms, progress: Progress, now: Present, instrument: Instrument): Plan;
}

export const asLots = (count: number): Lots => count as Lots;
export const asTicks = (count: number): Ticks => count as Ticks;
