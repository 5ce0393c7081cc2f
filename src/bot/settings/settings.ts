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

/** A bot as its configuration says, names resolved and secrets read. */
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
  /** How often it is looked at what is held. */
  readonly everyUs: number;
  /** What moves it: services where the bot is live, a model of them where it is on paper. */
  readonly means:
    | { readonly kind: 'services'; readonly rebalancing: RebalancingSettings }
    | { readonly kind: 'model'; readonly model: PortfolioModel };
}

export interface AccountSettings {
  readonly name: string;
  /** The trading service that it is at; absent if a gateway leads to its venue. */
  readonly service?: ServiceSettings | undefined;
  /** The module that makes the gateway to a venue of somebody else's. */
  readonly gateway?: GatewayModule | undefined;
  /** Where market data comes from: the service, a NATS server, or recordings that are replayed (paper only). */
  readonly market: MarketSettings;
  /** What a paper account begins with. */
  readonly paper: PaperSettings;
  /** Limits of all strategies together. */
  readonly risk: RiskSettings;
  /** Margin accounts that several strategies share; each other one is a strategy's own. */
  readonly sharedMargin?: readonly SharedMarginSettings[] | undefined;
}

/** A margin account that strategies share, and who may use it. */
export type SharedMarginSettings = {
  readonly strategies: readonly string[];
  /** Of the account; the most that each symbol allows where absent. */
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
      /** What the publisher calls the venue; after the address of the service where absent. */
      readonly venue?: string | undefined;
      readonly env: Environment;
    }
  /** Played from its beginning, `speed` times as fast as it was recorded. */
  | { readonly kind: 'recordings'; readonly paths: readonly string[]; readonly speed: number };

export interface PaperSettings {
  readonly balances: ReadonlyMap<string, Decimal>;
  /** What wallet and derivatives balance have at each start. */
  readonly nonSpotBalances?: NonSpotBalances | undefined;
  readonly orderUs: number;
  readonly reportUs: number;
  /**
   * On what terms symbols are traded on margin, instead of those of the recording or the service; spot on
   * none and contracts on the ones that a backtest assumes if nobody says any.
   */
  readonly margin?: Readonly<Record<string, readonly MarginTerms[]>> | undefined;
  /** Interest a day by borrowed currency, as decimal text; one without a rate costs nothing. */
  readonly dailyRates?: Readonly<Record<string, string>> | undefined;
}

export interface StrategySettings {
  /** Unique in the bot; stands before the client order ids: 1 to 10 Latin letters, digits, _ or -. */
  readonly name: string;
  readonly strategy: Strategy;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Name of its account. */
  readonly account: string;
  readonly symbols: readonly string[];
  /** What it may use of each currency; all of the account where absent. */
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
  /** An order that the venue does not know so long after it was sent is taken to have never arrived. */
  readonly lostAfterUs: number;
}

export interface JournalSettings {
  /** Events and ended orders are kept so long; 90 days where absent. */
  readonly retentionUs?: number | undefined;
}

export interface ShutdownSettings {
  readonly orders: 'cancel' | 'keep';
  readonly withinUs: number;
}
