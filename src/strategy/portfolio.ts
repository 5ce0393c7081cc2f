import type { Observable } from 'rxjs';
import type { Decimal } from '../model/decimal.ts';
import { ownMembers } from '../model/members.ts';
import type { Holding, TransferState } from '../model/portfolio.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Micros } from '../platform/time.ts';
import { commandFactory } from './arguments.ts';
import { commandFrom } from './command.ts';

/** Target of a holding: a share or an amount. All numbers are decimal text. */
export type RebalanceTarget = RebalanceWeight | RebalanceAmount;

/** A share of the value of the holdings with a weight. */
export interface RebalanceWeight {
  /** 0 to 1; all weights add up to 1. */
  readonly weight: string;
  /**
   * Allowed deviation of the share before a transfer, up and down: 0.05 for 5 percentage points.
   */
  readonly band: string;
  /** An amount of the asset that is never transferred away; 0 if absent. */
  readonly reserve?: string;
  readonly amount?: undefined;
}

/** A fixed amount of the asset, whatever the portfolio's value. */
export interface RebalanceAmount {
  /** In units of the asset: 1.5 for 1.5 BTC. */
  readonly amount: string;
  /** Allowed deviation of the amount before a transfer, up and down. */
  readonly band: string;
  readonly reserve?: string;
  readonly weight?: undefined;
}

/** Limits of a rebalance; amounts are decimal text. */
export interface RebalanceLimits {
  /** Least value of a transfer, in the currency of prices; 0 if absent. */
  readonly minimumValue?: string;
  /** Most total cost, as a share of the transferred value; 0.01 if absent. */
  readonly maximumCost?: string;
  /** How much less than planned a later quote may return, as a share; 0.005 if absent. */
  readonly slippage?: string;
}

/**
 * A managed order to have every holding of the portfolio within its band, checked once: holdings
 * outside are brought back by the cheapest transfers. The strategy has one such managed order; the
 * newest counts.
 */
export interface Rebalance {
  readonly kind: 'rebalance';
  /** By holdings: `USDC@ethereum`. */
  readonly targets: Readonly<Record<string, RebalanceTarget>>;
  readonly minimumValue: string;
  readonly maximumCost: string;
  readonly slippage?: string;
}

function rebalanceOf(
  targets: Readonly<Record<string, RebalanceTarget>>,
  limits: RebalanceLimits = {},
): Rebalance {
  const holdings = Object.entries(ownMembers(Object(targets) as object)).map(
    ([holding, target]) => [holding, Object.freeze(ownMembers(Object(target) as object))] as const,
  );
  const {
    minimumValue = '0',
    maximumCost = '0.01',
    slippage,
    ...stray
  } = typeof limits === 'object' && limits !== null
    ? ownMembers(limits)
    : ({ limits: limits ?? null } as never);
  return Object.freeze({
    ...commandFrom(
      { kind: 'rebalance', targets: Object.freeze(Object.fromEntries(holdings)) },
      stray,
    ),
    minimumValue,
    maximumCost,
    ...(slippage === undefined ? {} : { slippage }),
  } as Rebalance);
}

/**
 * Sets the targets of each asset at each location. The engine rejects weights that do not add up to
 * 1, and the bot a plan above the cost limit.
 *
 *     rebalance({
 *       'USDC@trading': { weight: '0.6', band: '0.05' },
 *       'USDC@ethereum': { weight: '0.4', band: '0.05', reserve: '50' },
 *     }, { minimumValue: '25', maximumCost: '0.01' })
 *
 * With amounts, weights are shares of what the amounts leave:
 *
 *     rebalance({
 *       'USDC@ethereum': { amount: '5000', band: '250' },
 *       'USDC@trading': { weight: '1', band: '0' },
 *     })
 */
export const rebalance = commandFactory('rebalance(targets, limits)', rebalanceOf);

/** The current state of a transfer from holding to holding. */
export interface InventoryTransfer {
  /** Unique in its plan. */
  readonly id: string;
  /** Name of its route, such as `swaps`. */
  readonly route: string;
  /** Holdings: `USDC@ethereum`. */
  readonly from: string;
  readonly to: string;
  readonly state: TransferState;
  /** Amount sent, and expected amount on arrival. */
  readonly send: Decimal;
  readonly expected: Decimal;
  /** Amount that has arrived, and amount returned; absent before that is known. */
  readonly arrived?: Decimal;
  readonly refunded?: Decimal;
  /** True if money may be in transit longer than it should. */
  readonly late: boolean;
  /** Why it ended without success, or what delays it; a sentence. */
  readonly reason?: string;
}

/** Result of a rebalance request. */
export interface PortfolioReport {
  readonly at: Micros;
  /**
   * `refused`: no transfers, `rejection` has the reason. `balanced`: every holding is in its band.
   * `running`: transfers are unfinished. `done`: all have succeeded. `incomplete`: all have ended,
   * some without success.
   */
  readonly state: 'refused' | 'balanced' | 'running' | 'done' | 'incomplete';
  /** A sentence for people. */
  readonly message: string;
  readonly rejection?: Rejection;
  /** Id of the plan in execution, and its costs; another plan follows if transfers fail. */
  readonly plan?: string;
  /** Its transfers; empty before there are any. */
  readonly transfers: readonly InventoryTransfer[];
  /** In the currency of prices: cost by the quotes of the plan, as known now, and at most. */
  readonly plannedCost?: Decimal;
  readonly cost?: Decimal;
  readonly maximumCost?: Decimal;
}

/** Streams of the holdings on chains and accounts; empty without a configured portfolio. */
export interface Portfolio {
  /** Holdings at all locations, now and after every change. */
  holdings(): Observable<readonly Holding[]>;
  /** State of the last rebalance, now and after every change; also one of a previous run. */
  rebalances(): Observable<PortfolioReport>;
}
