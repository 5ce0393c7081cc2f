import type { ConfiguredReplenish } from '../../engine/account/replenishing.ts';
import type { OnFailure } from '../../engine/session.ts';
import type { Environment } from '../../messaging/connection.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { MarginTerms } from '../../model/margin-terms.ts';
import type { PortfolioModel } from '../../gateways/rebalancing/simulated/settings.ts';
import type { NonSpotBalances } from '../../gateways/simulated-non-spot-balances.ts';
import type { GatewayModule } from '../../gateways/own/gateway.ts';
import type { TradingAddress } from '../../gateways/trading/client/address.ts';
import type { RebalancingSettings } from './rebalancing.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import type { Strategy } from '../../strategy/define.ts';

export type { RiskSettings } from '../../risk/settings.ts';

/** Live: orders go to the service. Paper: the same, with fills by the exchange of this process. */
export type Mode = 'live' | 'paper';

/** A configured bot, names resolved and secrets read. */
export interface BotSettings {
  readonly name: string;
  readonly mode: Mode;
  /** Folder of the journals. */
  readonly data: string;
  readonly accounts: readonly AccountSettings[];
  readonly strategies: readonly StrategySettings[];
  readonly portfolio?: PortfolioSettings | undefined;
  readonly reconciliation: ReconciliationSettings;
  readonly shutdown: ShutdownSettings;
  readonly journal?: JournalSettings | undefined;
}

/** Inventory over chains and accounts, and the name of the strategy that may rebalance it. */
export interface PortfolioSettings {
  readonly strategy: string;
  /** How often holdings are read. */
  readonly everyUs: number;
  /** How it is executed: by services for a live bot, by a model of them on paper. */
  readonly means:
    | { readonly kind: 'services'; readonly rebalancing: RebalancingSettings }
    | { readonly kind: 'model'; readonly model: PortfolioModel };
}

export interface AccountSettings {
  readonly name: string;
  /** The trading service that it is at; absent if a gateway leads to its venue. */
  readonly service?: ServiceSettings | undefined;
  /** The module that makes the gateway to a user's venue. */
  readonly gateway?: GatewayModule | undefined;
  /** Source of market data: the service, a NATS server, or replayed recordings (paper only). */
  readonly market: MarketSettings;
  /** Initial state of a paper account. */
  readonly paper: PaperSettings;
  /** Limits of all strategies together. */
  readonly risk: RiskSettings;
  /** Margin accounts that several strategies share; any other belongs to one strategy. */
  readonly sharedMargin?: readonly SharedMarginSettings[] | undefined;
}

/** A shared margin account, and the strategies that may use it. */
export type SharedMarginSettings = {
  readonly strategies: readonly string[];
  /** Of the account; each symbol's maximum if absent. */
  readonly leverage?: Decimal | undefined;
} & (
  | { readonly mode: 'isolated'; readonly symbol: string }
  | { readonly mode: 'cross'; readonly currency: string; readonly market: 'spot' | 'futures' }
);

export type ServiceSettings = TradingAddress & {
  readonly version: 3;
  readonly credentials?: { readonly key: string; readonly secret: string } | undefined;
};

export type MarketSettings =
  | { readonly kind: 'service' }
  /** As a publisher hands it on by a NATS server; `env` has the credentials for that. */
  | {
      readonly kind: 'nats';
      readonly url: string;
      /** The publisher's name of the venue; derived from the service's address if absent. */
      readonly venue?: string | undefined;
      readonly env: Environment;
    }
  /** Played from its beginning, `speed` times as fast as it was recorded. */
  | { readonly kind: 'recordings'; readonly paths: readonly string[]; readonly speed: number };

export interface PaperSettings {
  readonly balances: ReadonlyMap<string, Decimal>;
  /** Wallet and derivatives balances at each start. */
  readonly nonSpotBalances?: NonSpotBalances | undefined;
  readonly orderUs: number;
  readonly reportUs: number;
  /**
   * Margin terms of symbols, instead of those of the recording or the service. Without any, spot symbols
   * have none and contracts the ones that a backtest assumes.
   */
  readonly margin?: Readonly<Record<string, readonly MarginTerms[]>> | undefined;
  /** Daily interest rate by borrowed currency, as decimal text; one without a rate costs nothing. */
  readonly dailyRates?: Readonly<Record<string, string>> | undefined;
}

export interface StrategySettings {
  /** Unique in the bot; prefix of the client order ids: 1 to 10 Latin letters, digits, _ or -. */
  readonly name: string;
  readonly strategy: Strategy;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Name of its account. */
  readonly account: string;
  readonly symbols: readonly string[];
  /** What it may use of each currency; all of the account if absent. */
  readonly budget?: ReadonlyMap<string, Decimal> | undefined;
  /** Margin accounts that are filled up from spot by themselves. */
  readonly replenish?: readonly ConfiguredReplenish[] | undefined;
  readonly warmUpUs: number;
  readonly onFailure: OnFailure;
  readonly risk: RiskSettings;
}

export interface ReconciliationSettings {
  readonly everyUs: number;
  /** Orders on the account that no journal knows. */
  readonly foreignOrders: 'report' | 'adopt' | 'cancel';
  /** An order unknown to the venue this long after it was sent counts as never arrived. */
  readonly lostAfterUs: number;
}

export interface JournalSettings {
  /** Retention of events and ended orders; 90 days if absent. */
  readonly retentionUs?: number | undefined;
}

export interface ShutdownSettings {
  readonly orders: 'cancel' | 'keep';
  readonly withinUs: number;
}
