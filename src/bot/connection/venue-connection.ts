import type { MarketSource } from '../../gateways/market-source.ts';
import type { VenueAccount } from '../../gateways/venue-account.ts';
import type { EventColumns } from '../../model/events.ts';
import type { InstrumentState } from '../../model/instrument-state.ts';
import type { PaperAccount } from '../paper/account.ts';

/** What stands behind an account: its venue, and where its market data comes from. */
export interface VenueConnection {
  readonly venue: VenueAccount;
  readonly market: MarketSource;
  /** Closes what venue and market share; after them. */
  readonly close?: () => Promise<void>;
  /** Where the account is one on paper. */
  readonly paper?: PaperAccount;
  /** The market states, where the venue reads them too: it gets a row after they took it. */
  readonly states?: readonly InstrumentState[];
  /** Called with each row before the strategies: the exchange that fills the orders of a paper account. */
  readonly row?: (symbol: string, columns: EventColumns, row: number) => void;
}
