import type { Observable } from 'rxjs';
import type { Decimal } from '../model/decimal.ts';
import { ownMembers } from '../model/members.ts';
import type { Holding, TransferState } from '../model/portfolio.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Micros } from '../platform/time.ts';
import { taking } from './arguments.ts';
import { saying } from './command.ts';

/** The target of a holding: a share or an amount. All numbers are decimal text. */
export type RebalanceTarget = RebalanceWeight | RebalanceAmount;

/** A share of what the holdings with a weight come to. */
export interface RebalanceWeight {
  /** 0 to 1; all weights are 1 together. */
  readonly weight: string;
  /** How far the share may be off, up and down, before anything is moved: 0.05 for 5 percent points. */
  readonly band: string;
  /** An amount of the asset that is never moved away; 0 if absent. */
  readonly reserve?: string;
  readonly amount?: undefined;
}

/** So much of the asset, whatever the portfolio is worth. */
export interface RebalanceAmount {
  /** In units of the asset: 1.5 for 1.5 BTC. */
  readonly amount: string;
  /** How much more or less of the asset there may be before anything is moved. */
  readonly band: string;
  readonly reserve?: string;
  readonly weight?: undefined;
}

/** What making the portfolio so may cost; amounts are decimal text. */
export interface RebalanceLimits {
  /** Transfers of less value are not made, in the unit of prices; 0 if absent. */
  readonly minimumValue?: string;
  /**
   * The most that all transfers together may cost, as a share of what they transfer; 0.01 where
   * absent.
   */
  readonly maximumCost?: string;
  /**
   * How much less than planned a later offer for a transfer may bring, as a share; 0.005 where
   * absent.
   */
  readonly slippage?: string;
}

/**
 * A managed order to have every holding of the portfolio within its band, checked when it is given: what is
 * outside is brought back by the cheapest transfers. The strategy has one such managed order; the newest
 * counts.
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
    ...saying({ kind: 'rebalance', targets: Object.freeze(Object.fromEntries(holdings)) }, stray),
    minimumValue,
    maximumCost,
    ...(slippage === undefined ? {} : { slippage }),
  } as Rebalance);
}

/**
 * Asks to hold what is said of each asset at each location. The engine refuses
 * weights that are not 1 together, and the bot what would cost more than it may.
 *
 *     rebalance({
 *       'USDC@trading': { weight: '0.6', band: '0.05' },
 *       'USDC@ethereum': { weight: '0.4', band: '0.05', reserve: '50' },
 *     }, { minimumValue: '25', maximumCost: '0.01' })
 *
 * Amounts may stand beside weights, which then are shares of what the amounts leave:
 *
 *     rebalance({
 *       'USDC@ethereum': { amount: '5000', band: '250' },
 *       'USDC@trading': { weight: '1', band: '0' },
 *     })
 */
export const rebalance = taking('rebalance(targets, limits)', rebalanceOf);

/** A transfer of inventory from holding to holding, as it stands. */
export interface InventoryTransfer {
  /** Unique in its plan. */
  readonly id: string;
  /** Name of its route, such as `swaps`. */
  readonly route: string;
  /** Holdings: `USDC@ethereum`. */
  readonly from: string;
  readonly to: string;
  readonly state: TransferState;
  /** What leaves, and what is expected to arrive. */
  readonly send: Decimal;
  readonly expected: Decimal;
  /** What has arrived, and what has come back; absent before that is known. */
  readonly arrived?: Decimal;
  readonly refunded?: Decimal;
  /** True if money may be out and it takes longer than it should. */
  readonly late: boolean;
  /** Why it ended without success, or what holds it up; a sentence. */
  readonly reason?: string;
}

/** The outcome of a request to rebalance. */
export interface PortfolioReport {
  readonly at: Micros;
  /**
   * `refused`: nothing is moved for it, `rejection` says why. `balanced`: every holding is in its
   * band. `running`: transfers are under way. `done`: all of them are fulfilled. `incomplete`: they
   * have ended, some otherwise.
   */
  readonly state: 'refused' | 'balanced' | 'running' | 'done' | 'incomplete';
  /** A sentence for people. */
  readonly message: string;
  readonly rejection?: Rejection;
  /**
   * Id of the plan that is carried out, and what it comes to; a later one follows where transfers
   * fail.
   */
  readonly plan?: string;
  /** Its transfers; empty before there are any. */
  readonly transfers: readonly InventoryTransfer[];
  /** In the unit of worth: by the offers that it was planned with, as it is seen now, and at most. */
  readonly plannedCost?: Decimal;
  readonly cost?: Decimal;
  readonly maximumCost?: Decimal;
}

/** Streams of the inventory over chains and accounts; silent where no portfolio is configured. */
export interface Portfolio {
  /** What is held at all locations, now and after every change. */
  holdings(): Observable<readonly Holding[]>;
  /** How the last rebalance stands, now and after every change; one of a previous run too. */
  rebalances(): Observable<PortfolioReport>;
}
