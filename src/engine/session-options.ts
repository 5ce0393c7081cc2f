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

/** What becomes of the orders of a strategy that failed. */
export type OnFailure = 'cancel' | 'keep';

export type SessionState = 'ready' | 'running' | 'completed' | 'failed' | 'stopped';

/** What a strategy left behind when the process ended that ran it before. */
export interface RestoredState {
  /** The last number that its client order ids came to. */
  readonly lastOrderNumber: number;
  /** What is held and was bought, by symbol: so many lots at so many ticks in the mean. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Managed orders that it kept at work, and those of before whose ids stay taken. */
  readonly managed?: readonly ManagedState[] | undefined;
  /** All known fills of an order of these. */
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
  /** True where reports are emitted. */
  readonly tellsReports: boolean;
  send(request: OrderRequest, managed: boolean): void;
  /** Keeps what a restart needs of a managed order. */
  save(id: string, state: ManagedState | undefined): void;
  /** Absent where nothing is traded on margin. */
  readonly margin: MarginGateway | undefined;
  /** How the configuration wants margin accounts to be replenished. */
  readonly replenish: readonly ConfiguredReplenish[];
  /** Absent where the venue reports no balances of wallet and derivatives. */
  readonly nonSpotBalances: NonSpotBalanceSource | undefined;
  /** Absent where there is no portfolio. */
  readonly rebalance?: ((request: RebalanceRequest) => void) | undefined;
  /** What the strategy is being shown. */
  seen(): SeenEvent;
  /** True between the events of a replay, where event time stands still and no command belongs. */
  isPaused(): boolean;
  /** Asks the engine to handle commands now, unless it is about to. */
  wake(): void;
  /** Lets something be seen now, or when the event has passed that is passing. */
  soon(show: () => void, seen?: SeenEvent): void;
}
