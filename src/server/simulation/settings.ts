import type { ExchangeOptions } from '../../exchange/exchange.ts';
import type { SymbolStatus } from '../../exchange/state/symbol-status.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import type { Right } from '../../wire/trading/rights.ts';
import type { FaultPlan } from '../faults/plan.ts';
import type { MarketPlan } from '../market/open.ts';
import type { Retention } from '../trading/orders/account-history.ts';
import type { OutsideSettings } from './chain-settings.ts';
import type { ChainsOptions } from '../trading/wallet/chains.ts';

/** Amounts by currency, as decimal text. */
export type Amounts = Readonly<Record<string, string>>;

/** An API key of a member. */
export interface KeySettings {
  readonly key: string;
  readonly secret: string;
  readonly rights: readonly Right[];
}

/** An account with its initial balances. */
export interface MemberSettings {
  /** Transfers to it use this name, or the email. */
  readonly name: string;
  readonly email: string;
  readonly keys: readonly KeySettings[];
  readonly balances: {
    readonly spot: Amounts;
    readonly wallet: Amounts;
    readonly derivatives: Amounts;
  };
  /** Its own fee rates, by symbol. */
  readonly fees: Readonly<Record<string, { readonly takeRate: string; readonly makeRate: string }>>;
  /** Its sub-accounts; they have none of their own. */
  readonly subAccounts: readonly MemberSettings[];
}

/** A symbol, and whether it takes orders from the start. */
export interface SymbolSettings {
  readonly terms: InstrumentTerms;
  readonly status: SymbolStatus;
}

/** All settings of a simulated venue. */
export interface SimulationSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Further names under which it may be called, besides its addresses; none if absent. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may call it from a browser, besides its own; none if absent. */
  readonly origins?: readonly string[];
  readonly symbols: readonly SymbolSettings[];
  readonly members: readonly MemberSettings[];
  readonly market: MarketPlan;
  readonly exchange: ExchangeOptions;
  /** Timing of the external chains. */
  readonly chains: ChainsOptions;
  /** Retention of the accounts' histories. */
  readonly kept: Partial<Retention>;
  /** True if the rate limits of the specification apply. */
  readonly rateLimits: boolean;
  /** Opens the calls below `/admin`, which are not there without it. */
  readonly adminToken?: string;
  readonly faults?: FaultPlan;
  /** Chains and the services on them; none if absent. */
  readonly outside?: OutsideSettings;
}
