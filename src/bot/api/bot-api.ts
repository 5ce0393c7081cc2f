import type { SessionState } from '../../engine/session.ts';
import type { AlgoTexts } from '../../model/algo-order.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Order, OrderType, Side } from '../../model/order.ts';
import type { NonSpotAccountType } from '../../model/non-spot-balance.ts';
import type { Micros } from '../../platform/time.ts';
import type { TradingState } from '../../risk/state.ts';
import type { NotificationLine } from './bot-event.ts';
import type { Mode } from '../settings/settings.ts';

/** Operations of a bot, for one strategy or for all. */
export const OPERATIONS = [
  'pause',
  'resume',
  'reset-loss',
  'reduce',
  'halt',
  'kill',
  'flatten',
] as const;
/**
 * - `pause`: halted, orders stand.
 * - `resume`: running again, from every state. Losses count on.
 * - `reset-loss`: resets the loss of the day and the drawdown.
 * - `reduce`: reducing, toward zero from either side; orders that could lead away from it are canceled.
 * - `halt`: halted, and orders are canceled. Positions stay, without the exits that protected them.
 * - `kill`: killed; orders are canceled and the strategy is let go for good in this process. Positions stay.
 * - `flatten`: halted; orders are canceled, what is held is sold at market, positions on margin are closed.
 */
export type Operation = (typeof OPERATIONS)[number];

export interface StrategyStatus {
  readonly name: string;
  readonly strategy: string;
  readonly account: string;
  readonly symbols: readonly string[];
  /** The strictest of its own, its account's and the bot's state. */
  readonly state: TradingState;
  /** Why it is in this state; while running, why a margin account differs from the strategy's setting. */
  readonly why?: string | undefined;
  /** Its own state alone. */
  readonly ownState: TradingState;
  readonly session: SessionState | 'warming-up';
  /** Algo orders of this process, those that are over too, if there were any. */
  readonly algoOrders?: readonly AlgoOrderLine[] | undefined;
  readonly openOrders: number;
  readonly unknownOrders: number;
  /**
   * Of the day since midnight UTC+0, decimal text by quote currency; nothing after a flattening until the
   * venue has reported its proceeds.
   */
  readonly dayResult: Readonly<Record<string, string>>;
}

/** An algo order, decimals as text. */
export interface AlgoOrderLine extends AlgoTexts {
  readonly startedAt: Micros;
  readonly endedAt?: Micros | undefined;
}

export interface AccountStatus {
  readonly name: string;
  /** The stricter of its own state, which a breach of its limits changes, and the bot's. */
  readonly state: TradingState;
  readonly stateWhy?: string | undefined;
  readonly connectionState: 'connecting' | 'live' | 'lost';
  readonly why?: string | undefined;
  readonly reconciledAt?: Micros | undefined;
  /** Differences that the last comparison of journal and venue found. */
  readonly discrepancies: number;
  /** Open orders of strategies that are not configured any more, or not for their symbols. */
  readonly orphanOrders: number;
  /** Margin accounts that are open, those too that no strategy owns. */
  readonly margin: readonly MarginAccountLine[];
  /** Markets by symbol: connection state, and time of the last data. */
  readonly markets: Readonly<
    Record<
      string,
      { readonly connectionState: 'live' | 'lost'; readonly lastAt?: Micros | undefined }
    >
  >;
}

/** The inventory of a strategy over chains and accounts; amounts as decimal text. */
export interface PortfolioStatus {
  readonly strategy: string;
  /** Transferable amounts by location; amounts in flight are at none. */
  readonly holdings: readonly { readonly holding: string; readonly amount: string }[];
  /** Status of the last rebalance, if there was one in this process. */
  readonly last?:
    | {
        readonly at: Micros;
        readonly state: string;
        readonly message: string;
        readonly transfers: readonly TransferLine[];
      }
    | undefined;
}

/** A transfer of the last rebalance. */
export interface TransferLine {
  readonly from: string;
  readonly to: string;
  readonly state: string;
  readonly send: string;
  readonly arrived?: string | undefined;
  readonly reason?: string | undefined;
}

export interface BotStatus {
  readonly name: string;
  readonly mode: Mode;
  readonly pid: number;
  readonly startedAt: Micros;
  readonly at: Micros;
  readonly state: TradingState;
  readonly why?: string | undefined;
  readonly accounts: readonly AccountStatus[];
  readonly strategies: readonly StrategyStatus[];
  readonly portfolio?: PortfolioStatus | undefined;
  /** Delivery of notifications by target; absent if there is no target. */
  readonly notifications?: readonly NotificationLine[] | undefined;
}

/** An open order, decimals as text. */
export interface OrderLine {
  readonly strategy: string;
  readonly account: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly status: Order['status'];
  readonly quantity: string;
  readonly executed: string;
  readonly price?: string | undefined;
  readonly stopPrice?: string | undefined;
  /** Fee rates that the order itself requested. */
  readonly takeRate?: string | undefined;
  readonly makeRate?: string | undefined;
  /** How it is traded on margin; absent on spot. */
  readonly margin?: MarginMode | undefined;
  /** It only reduces a position. */
  readonly reduceOnly?: true | undefined;
  /** It closes the whole position at its stop price; it has no quantity until then. */
  readonly closePosition?: true | undefined;
  readonly sentAt: Micros;
  /** True if its strategy is not configured any more, or not for the symbol. */
  readonly isOrphan?: boolean | undefined;
}

/** A strategy's holding of a symbol's base currency. */
export interface SpotPositionLine {
  readonly strategy: string;
  readonly symbol: string;
  readonly accountType: 'spot';
  readonly quantity: string;
  /** Mean entry price; absent if unknown. */
  readonly entry?: string | undefined;
  /** At the last price, in the quote currency; absent while there is no price. */
  readonly value?: string | undefined;
}

/** The owner of a margin account or position. */
export interface MarginOwner {
  readonly account: string;
  /** Empty if no strategy of the bot opened it, and of a shared account as a whole. */
  readonly strategy: string;
  /** True for the part of a strategy in an account that several share, and for that account as a whole. */
  readonly shared?: true | undefined;
  /** True if no strategy of the bot opened it. */
  readonly foreign?: true | undefined;
  /** True if its strategy is not configured any more. */
  readonly isOrphan?: true | undefined;
}

/** An open position on margin; money in the settlement currency. */
export interface MarginPositionLine extends MarginOwner {
  readonly symbol: string;
  readonly accountType: MarginMode;
  readonly side: 'long' | 'short';
  /** Negative for a short. */
  readonly quantity: string;
  readonly currency: string;
  readonly entry: string;
  /** Mark price: for spot symbols the index price. Absent while unknown, like values derived from it. */
  readonly mark?: string | undefined;
  /** At the mark price, positive either way. */
  readonly value?: string | undefined;
  readonly unrealizedPnl?: string | undefined;
  /** Of closed lots, before fees. */
  readonly realizedPnl: string;
  readonly fees: string;
  /** Funding and interest, negative if paid. */
  readonly carry: string;
  /** Maximum leverage to open with: the account's, or the symbol's if that is lower. */
  readonly leverage?: string | undefined;
  /** Absent if no price triggers it. */
  readonly marginCallPrice?: string | undefined;
  readonly liquidationPrice?: string | undefined;
  /** From the mark price to the liquidation, as a fraction of the mark price. */
  readonly distance?: number | undefined;
}

export type PositionLine = SpotPositionLine | MarginPositionLine;

/** A margin account that is open. */
export interface MarginAccountLine extends MarginOwner {
  readonly accountType: MarginMode;
  readonly market: 'spot' | 'futures';
  /** Of an isolated account its symbol. */
  readonly symbol?: string | undefined;
  readonly currency: string;
  readonly state: 'normal' | 'marginCall';
  /** Funds without the PnL of open positions. */
  readonly balance: string;
  /** Held for orders and positions, with their unrealized losses. */
  readonly reserved: string;
  readonly available: string;
  /** With the results of open positions; absent while a mark price is unknown. */
  readonly equity?: string | undefined;
  /** Absent if each symbol's own limit applies. */
  readonly leverage?: string | undefined;
  /** Value of its positions over its equity; absent while a mark price is unknown, or nothing is left. */
  readonly effectiveLeverage?: string | undefined;
  /** How many are open. */
  readonly positions: number;
  /** Its last event without an order, in this process. */
  readonly last?: { readonly kind: string; readonly at: Micros; readonly text: string } | undefined;
}

export interface SpotBalanceLine {
  readonly account: string;
  readonly accountType: 'spot';
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
}

/** A balance of the wallet, or of derivatives. */
export interface OtherBalanceLine {
  readonly account: string;
  readonly accountType: NonSpotAccountType;
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
  /** Funds of the futures accounts; of derivatives alone. */
  readonly reservedMargin?: string | undefined;
}

/** An account type without a known balance, and why. */
export interface UnknownBalanceLine {
  readonly account: string;
  readonly accountType: NonSpotAccountType;
  readonly why: string;
}

/** A balance of an account: spot, wallet, derivatives, or the funds of one of its margin accounts. */
export type BalanceLine = SpotBalanceLine | OtherBalanceLine | MarginAccountLine;

/** A bot as its operators see it: control API, commands and pages read and control it by this. */
export interface BotApi {
  status(): BotStatus;
  orders(): readonly OrderLine[];
  positions(): readonly PositionLine[];
  /** Wallet and derivatives balances only if somebody follows them. */
  balances(): readonly BalanceLine[];
  /** All balances: those not followed yet are requested first, and followed from then on. */
  allBalances(): Promise<readonly (BalanceLine | UnknownBalanceLine)[]>;
  /** True once it trades: recovered, connected, strategies running. */
  isReady(): boolean;
  /** Runs an operation; throws `usage` for a strategy that it does not have. Resolves when it is done. */
  operate(operation: Operation, strategy?: string): Promise<void>;
  /** Reloads the configuration and applies what can change while running; returns what was applied and what needs a restart. */
  reload(): Promise<{
    readonly taken: readonly string[];
    readonly needsRestart: readonly string[];
  }>;
}

/** Receives measurements and counts; `control/metrics` turns them into metrics. */
export interface Meter {
  /** A market row or report arrived: microseconds from the venue's timestamp to its receipt here. */
  feedDelay(account: string, us: number): void;
  /** From the receipt of the market message that a request answers to its hand-over to the socket, and the share of the journal. */
  decision(account: string, us: number, journalUs: number): void;
  /** From sending a request to the first report on it. */
  acknowledged(account: string, us: number): void;
  sent(account: string, kind: string): void;
  rejected(account: string, by: 'risk' | 'venue', code: string): void;
  filled(account: string): void;
  reconnected(account: string, what: string): void;
  found(account: string, kind: string): void;
  /** Something happened to a margin account; `strategy` is empty if no strategy of the bot opened it. */
  marginEvent(account: string, strategy: string, kind: string): void;
}
