import type { MarketSource } from '../../gateways/market-source.ts';
import type { VenueAccount } from '../../gateways/venue-account.ts';
import type { EventColumns } from '../../model/events.ts';
import type { InstrumentState } from '../../model/instrument-state.ts';
import type { PaperAccount } from '../paper/account.ts';

/** The connection of an account: its venue, and its source of market data. */
export interface VenueConnection {
  readonly venue: VenueAccount;
  readonly market: MarketSource;
  /** Closes what venue and market share; after them. */
  readonly close?: () => Promise<void>;
  /** Set for a paper account. */
  readonly paper?: PaperAccount;
  /** The market states if the venue reads them too: it gets a row after they applied it. */
  readonly states?: readonly InstrumentState[];
  /** Called with each row before the strategies: the exchange that fills the orders of a paper account. */
  readonly row?: (symbol: string, columns: EventColumns, row: number) => void;
}
