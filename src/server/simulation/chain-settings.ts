import type { Decimal } from '../../model/decimal.ts';
import type { SwapTerms } from '../../swaps/intents/terms.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import type { CurrencyTerms, ExchangeOrderTerms } from '../../swaps/orders/terms.ts';
import type { ExchangeClient } from '../exchange-orders/clients.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { RealChain } from '../../swaps/chains/real-networks.ts';
import type { Log } from '../http/failures.ts';
import type { Partner } from '../swaps/partners.ts';

/** The chains outside of a venue, and who has money there. */
export interface OutsideSettings {
  readonly networks: readonly NetworkTerms[];
  readonly tokens: readonly TokenTerms[];
  /** What assets are worth: a number, or the symbol whose last price says it. */
  readonly prices: ReadonlyMap<string, Decimal | { readonly symbol: string }>;
  readonly wallets: readonly WalletSettings[];
  /** What the trading service calls the chains that its withdrawals and deposits go over. */
  readonly trading: ReadonlyMap<string, string>;
  /** Of keys and hashes; at random where absent, as whoever knows it can sign for the services. */
  readonly seed?: number;
  /** Networks of real nodes, by their codes; the others are simulated. */
  readonly real?: ReadonlyMap<string, RealNetworkSettings>;
  readonly swaps?: SwapSettings;
  readonly exchangeOrders?: ExchangeOrderSettings;
}

/** A network of real nodes, and who is the swap service there. */
export interface RealNetworkSettings {
  readonly keys: RealOwners;
  /** Made of the keys when a venue opens. */
  readonly addresses?: RealOwners;
  /** Reaches the chain; what was begun is kept in a folder. */
  readonly open: (surroundings: {
    readonly folder: string;
    readonly scheduler: Scheduler;
    readonly log: Log;
  }) => Promise<RealChain>;
}

/** Of the swap service: who has the money of users, and who pays them. */
export interface RealOwners {
  readonly escrow: string;
  readonly resolver: string;
}

/** Somebody's address on a chain, and what it begins with. */
export interface WalletSettings {
  readonly name: string;
  readonly network: string;
  readonly address: string;
  /** By assets. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** Assets that the permit2 contract may take from there. */
  readonly approved: readonly string[];
}

/** The swap service of a venue, and who may ask it. */
export interface SwapSettings {
  readonly partners: readonly Partner[];
  readonly terms: SwapTerms;
  /** What the resolver pays out of: so much of an asset on each network of it. */
  readonly inventory: ReadonlyMap<string, Decimal>;
}

/** The exchange order service of a venue, and who may ask it. */
export interface ExchangeOrderSettings {
  readonly clients: readonly ExchangeClient[];
  readonly terms: Omit<ExchangeOrderTerms, 'currencies'>;
  /** What is special of currencies, by tickers; every listed token is one. */
  readonly currencies: ReadonlyMap<string, Partial<CurrencyTerms>>;
  /** What it pays out of: so much of an asset on each network of it. */
  readonly inventory: ReadonlyMap<string, Decimal>;
}
