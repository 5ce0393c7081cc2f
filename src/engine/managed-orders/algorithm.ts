import type { Instrument } from '../../model/instrument.ts';
import type { AlgoKind } from '../../model/algo-order.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Side } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';

/** Terms of every algo order; an algorithm adds its own. Plain data for the journal. */
export interface AlgoTerms {
  readonly id: string;
  readonly kind: AlgoKind;
  readonly symbol: string;
  readonly margin?: MarginMode | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly side?: Side | undefined;
  readonly lots?: Lots | undefined;
}

/** Fills: lots, and the sum of ticks × lots. */
export interface Filled {
  readonly lots: number;
  readonly value: bigint;
}

export const NOTHING_FILLED: Filled = { lots: 0, value: 0n };

/** Progress of an algo order. */
export interface Progress {
  readonly startedAt: number;
  /** Last step of its schedule; -1 before the first. */
  readonly step: number;
  /** Fills of the child orders of a slot. */
  filled(slot: string): Filled;
  /** Lots traded in the market since the last step. */
  readonly volume: number;
  /** Number of steps with a volume before them, and the sum of these volumes. */
  readonly volumes: { readonly count: number; readonly total: number };
}

/** Current market, in ticks; NaN if unknown. */
export interface Present {
  readonly at: number;
  readonly bidTicks: number;
  readonly askTicks: number;
}

/** A planned child order; a slot has one at a time. */
export interface PlannedOrder {
  readonly slot: string;
  readonly side: Side;
  readonly lots: number;
  /** Limit price; a market order without one. */
  readonly ticks?: number | undefined;
  /** True if it takes at once and does not rest, as every market order. */
  readonly isImmediate?: boolean;
  readonly postOnly?: boolean;
}

/** Current plan of an algo order. */
export interface Plan {
  /** Child orders; open ones in other slots, or that differ, are canceled. */
  readonly orders: readonly PlannedOrder[];
  /** The step of the schedule that this plan takes. */
  readonly step?: number;
  /** Time of the next plan, whatever happens. */
  readonly wakeAt?: number | undefined;
  /** Changes of the market that need a new plan. */
  readonly watch?: 'volume' | 'prices' | undefined;
  /** Set once nothing is left to do. */
  readonly ended?: 'filled' | 'expired' | undefined;
  readonly why?: string | undefined;
}

/**
 * An execution algorithm: the terms of a command on the grid of its instrument, and the plan, as a
 * pure function of terms, fills of its child orders, market and time. It has no state, so that a
 * restarted process continues from the journal.
 */
export interface Algorithm<Command, Terms extends AlgoTerms> {
  terms(command: Command, instrument: Instrument): Omit<Terms, keyof AlgoTerms> | Rejection;
  plan(terms: Terms, progress: Progress, now: Present, instrument: Instrument): Plan;
}

export const asLots = (count: number): Lots => count as Lots;
export const asTicks = (count: number): Ticks => count as Ticks;
