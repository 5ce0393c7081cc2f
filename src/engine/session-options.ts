import type { Scheduler } from '../platform/scheduler.ts';
import type { Micros } from '../platform/time.ts';
import type { Log } from '../strategy/context.ts';
import type { Fill } from '../model/report.ts';
import type { NonSpotBalanceSource } from '../model/non-spot-balance.ts';
import type { Strategy } from '../strategy/define.ts';
import type { Entry } from './account/position-keeper.ts';
import type { SeenEvent, Emit } from './audit.ts';
import type { MarginGateway } from './account/margin-gateway.ts';
import type { ConfiguredReplenish } from './account/replenishing.ts';
import type { ManagedState } from '../model/managed-state.ts';
import type { OrderRequest } from '../model/order-request.ts';
import type { Markets } from './market/markets.ts';
import type { StrategyOrders } from './orders/strategy-orders.ts';
import type { RebalanceRequest } from './portfolio-gateway.ts';

/** What happens to the orders of a failed strategy. */
export type OnFailure = 'cancel' | 'keep';

export type SessionState = 'ready' | 'running' | 'completed' | 'failed' | 'stopped';

/** State of a strategy in the previous process. */
export interface RestoredState {
  /** Last number of its client order ids. */
  readonly lastOrderNumber: number;
  /** Purchased holdings by symbol: lots and their average price in ticks. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Its active managed orders, and ended ones whose ids stay taken. */
  readonly managed?: readonly ManagedState[] | undefined;
  /** All known fills of one of these orders. */
  readonly fillsOf?: (clientOrderId: string) => readonly Fill[];
}

export interface SessionOptions {
  readonly scheduler: Scheduler;
  readonly markets: Markets;
  readonly strategy: Strategy;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Its orders on the account. */
  readonly orders: StrategyOrders;
  readonly warmUpUntil?: Micros | undefined;
  readonly clientOrderIdPrefix: string;
  readonly onFailure: OnFailure;
  readonly previousLife?: RestoredState | undefined;
  readonly log: Log;
  readonly emit: Emit;
  /** True if reports are emitted to the audit listener. */
  readonly auditsReports: boolean;
  send(request: OrderRequest, managed: boolean): void;
  /** Stores the restart state of a managed order. */
  save(id: string, state: ManagedState | undefined): void;
  /** Absent if nothing is traded on margin. */
  readonly margin: MarginGateway | undefined;
  /** Accounts that the configuration replenishes. */
  readonly replenish: readonly ConfiguredReplenish[];
  /** Absent if the venue reports no wallet and derivatives balances. */
  readonly nonSpotBalances: NonSpotBalanceSource | undefined;
  /** Absent without a portfolio. */
  readonly rebalance?: ((request: RebalanceRequest) => void) | undefined;
  /** The event in progress. */
  seen(): SeenEvent;
  /** True between the events of a replay, when event time stops and no command belongs. */
  isPaused(): boolean;
  /** Requests that commands are handled now, unless they are about to be. */
  wake(): void;
  /** Emits now, or after the event in progress. */
  soon(show: () => void, seen?: SeenEvent): void;
}
