import type { MarketSource } from '../../gateways/market-source.ts';
import type { VenueAccount } from '../../gateways/venue-account.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Guards } from '../risk/guards.ts';
import type { PaperAccount } from '../paper/account.ts';
import type { AccountSettings } from '../settings.ts';
import type { Account } from './account.ts';
import type { MarketHub } from './market-hub.ts';

/** What stands behind an account: its venue, and where its market data comes from. */
export interface Behind {
  readonly venue: VenueAccount;
  readonly market: MarketSource;
  /** Closes what venue and market share; after them. */
  readonly close?: () => Promise<void>;
  /** Where the account is one on paper. */
  readonly paper?: PaperAccount;
  /** Told of each row before the strategies: the exchange that fills the orders of a paper account. */
  readonly row?: (symbol: string, columns: EventColumns, row: number) => void;
}

/** One account with all that belongs to it in a bot. */
export interface Floor {
  readonly settings: AccountSettings;
  readonly account: Account;
  readonly hub: MarketHub;
  readonly market: MarketSource;
  /** Where the account is one on paper: what moves of inventory go through. */
  readonly paper: PaperAccount | undefined;
  readonly close: () => Promise<void>;
  /** True where transfers of an inventory go through it, which change its balances without fills. */
  movesInventory: boolean;
  guards: Guards;
}
