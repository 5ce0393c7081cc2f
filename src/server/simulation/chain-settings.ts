import type { Decimal } from '../../model/decimal.ts';
import type { SwapTerms } from '../../swaps/intents/terms.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import type { CurrencyTerms, ExchangeOrderTerms } from '../../swaps/orders/terms.ts';
import type { ExchangeClient } from '../exchange-orders/clients.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { RealChain } from '../../swaps/chains/real-networks.ts';
import type { Log } from '../http/failures.ts';
import type { Partner } from '../swaps/partners.ts';

/** The external chains of a venue, and the balances there. */
export interface OutsideSettings {
  readonly networks: readonly NetworkTerms[];
  readonly tokens: readonly TokenTerms[];
  /** Prices of assets: a number, or the symbol whose last price is used. */
  readonly prices: ReadonlyMap<string, Decimal | { readonly symbol: string }>;
  readonly wallets: readonly WalletSettings[];
  /** The trading service's names of the chains of its withdrawals and deposits. */
  readonly trading: ReadonlyMap<string, string>;
  /** Seed of keys and hashes; random if absent, as whoever knows it can sign for the services. */
  readonly seed?: number;
  /** Networks with live nodes, by their codes; the others are simulated. */
  readonly real?: ReadonlyMap<string, RealNetworkSettings>;
  readonly swaps?: SwapSettings;
  readonly exchangeOrders?: ExchangeOrderSettings;
}

/** A network with live nodes, and the swap service's addresses there. */
export interface RealNetworkSettings {
  readonly keys: RealOwners;
  /** Derived from the keys when a venue opens. */
  readonly addresses?: RealOwners;
  /** Connects to the chain; started transfers are stored in a folder. */
  readonly open: (dependencies: {
    readonly folder: string;
    readonly scheduler: Scheduler;
    readonly log: Log;
  }) => Promise<RealChain>;
}

/** Addresses of the swap service: the escrow of users' money, and the payer. */
export interface RealOwners {
  readonly escrow: string;
  readonly resolver: string;
}

/** An address on a chain, and its initial balances. */
export interface WalletSettings {
  readonly name: string;
  readonly network: string;
  readonly address: string;
  /** By assets. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** Assets that the permit2 contract may take from there. */
  readonly approved: readonly string[];
}

/** The swap service of a venue, and its partners. */
export interface SwapSettings {
  readonly partners: readonly Partner[];
  readonly terms: SwapTerms;
  /** Initial payout stock of the resolver, by asset on each network. */
  readonly inventory: ReadonlyMap<string, Decimal>;
}

/** The exchange order service of a venue, and its clients. */
export interface ExchangeOrderSettings {
  readonly clients: readonly ExchangeClient[];
  readonly terms: Omit<ExchangeOrderTerms, 'currencies'>;
  /** Particulars of currencies, by tickers; every listed token is one. */
  readonly currencies: ReadonlyMap<string, Partial<CurrencyTerms>>;
  /** Initial payout stock, by asset on each network. */
  readonly inventory: ReadonlyMap<string, Decimal>;
}
