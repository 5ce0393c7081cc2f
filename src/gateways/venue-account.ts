import type { MarginGateway } from '../engine/account/margin-gateway.ts';
import type { Decimal } from '../model/decimal.ts';
import type {
  MarginAccountState,
  MarginCarry,
  MarginReport,
  PositionEnd,
} from '../model/margin-account.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import type { MarginRequest, OrderRequest } from '../model/order-request.ts';
import type { Instrument } from '../model/instrument.ts';
import type { NonSpotBalanceSource } from '../model/non-spot-balance.ts';
import type { VenueOrder } from '../model/order.ts';
import type { Fill, Report } from '../model/report.ts';
import type { Lots } from '../model/units.ts';
import type { Balance } from '../strategy/context.ts';
import type { Micros } from '../platform/time.ts';

/** Whether reports of an account arrive. */
export type ConnectionState = 'live' | 'lost';

/** Listener of an account. */
export interface AccountListener {
  report(report: Report): void;
  /** What happened to a margin account, in order with the reports of orders: after the fills that led to it. */
  margin(report: MarginReport): void;
  /**
   * `live`: everything from here on is reported. `lost`: nothing is reported until `live` comes again, and
   * `snapshot` must then be read for what was missed.
   */
  connectionState(connectionState: ConnectionState, why?: string): void;
}

/** An account as the venue has it. */
export interface AccountSnapshot {
  /** Everything that happened at the venue before this time is in it. */
  readonly at: Micros;
  /** Every active order, those of others included. */
  readonly orders: readonly VenueOrder[];
  /** Orders that ended since the time asked for. */
  readonly ended: readonly VenueOrder[];
  /** Executions since the time asked for, oldest first. */
  readonly fills: readonly Fill[];
  readonly balances: readonly Balance[];
  /** Absent if the venue has no margin trading. */
  readonly margin?: MarginSnapshot | undefined;
}

/** The margin accounts of an account as the venue has them, spot and futures alike. */
export interface MarginSnapshot {
  /** All that are open, with their positions. */
  readonly accounts: readonly MarginAccountState[];
  /** Positions that ended since the time asked for, oldest first. */
  readonly ended: readonly EndedPosition[];
  /** Funding, interest and settlements since the time asked for, oldest first. */
  readonly carries: readonly PositionCarry[];
}

/** A position of the history. */
export interface EndedPosition {
  readonly id: number;
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Result of its closed lots, before fees; absent if the venue does not give it. */
  readonly realizedPnl?: Decimal | undefined;
  readonly fees?: Decimal | undefined;
  /** How many of its lots liquidations took; absent if none did. */
  readonly liquidatedLots?: Lots | undefined;
  /** `closed` where the venue says no more. */
  readonly end: PositionEnd;
  readonly at: Micros;
}

/** What a position paid or received while it was held. */
export interface PositionCarry {
  /** Absent if the venue does not give it. */
  readonly positionId?: number | undefined;
  readonly symbol: string;
  /** Absent if the venue does not give it. */
  readonly mode?: MarginMode | undefined;
  readonly carry: MarginCarry;
  readonly at: Micros;
}

/** The margin accounts of an account at a venue. */
export interface VenueMargin {
  /**
   * Brings a margin account to what is asked for. It is answered by a report of the account, or by
   * its rejection; one whose outcome is not known is rejected as `outcome-unknown`, and may be said again.
   */
  set(request: MarginRequest): void;
  /**
   * What a venue in this process makes of prices; absent if all that is known comes with the market data.
   */
  readonly prices?: Pick<MarginGateway, 'markPrice' | 'contract'> | undefined;
}

/**
 * An account at a venue as a bot uses it: it sends orders and reads a snapshot on demand. A request without
 * an answer is reported as kind `outcome-unknown`.
 */
export interface VenueAccount {
  readonly instruments: readonly Instrument[];
  /** Connects and listens; keeps at it until `close`. Throws where it can never be, such as for a refused key. */
  open(listener: AccountListener): Promise<void>;
  /** Sends at once; if nothing can leave now, a rejection `venue-unreachable` is reported. */
  send(request: OrderRequest): void;
  /** Absent if nothing can be traded on margin. */
  readonly margin?: VenueMargin | undefined;
  /**
   * Balances of wallet and derivatives; absent if the venue reports none. Nothing is read before `open`.
   */
  readonly nonSpotBalances?: NonSpotBalanceSource | undefined;
  /**
   * Asks the venue, again and again until it answers; throws what can never be. `open` names the orders
   * that are open as far as is known here, as a history by time may not show how an old one ended.
   */
  snapshot(since: Micros, open?: readonly string[]): Promise<AccountSnapshot>;
  /** By how much the venue's clock is ahead of ours, in microseconds; negative when behind. */
  clockSkewUs(): Promise<number>;
  close(): Promise<void>;
}
