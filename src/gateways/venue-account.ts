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
  /** A margin account event, in order with the reports of orders: after the fills that led to it. */
  margin(report: MarginReport): void;
  /**
   * `live`: everything from now on is reported. `lost`: nothing is reported until `live` comes again, and
   * `snapshot` must then be read for missed events.
   */
  connectionState(connectionState: ConnectionState, why?: string): void;
}

/** An account as the venue has it. */
export interface AccountSnapshot {
  /** Everything that happened at the venue before this time is in it. */
  readonly at: Micros;
  /** Every active order, also foreign ones. */
  readonly orders: readonly VenueOrder[];
  /** Orders that ended since the requested time. */
  readonly ended: readonly VenueOrder[];
  /** Executions since the requested time, oldest first. */
  readonly fills: readonly Fill[];
  readonly balances: readonly Balance[];
  /** Absent if the venue has no margin trading. */
  readonly margin?: MarginSnapshot | undefined;
}

/** The margin accounts of an account as the venue has them, spot and futures alike. */
export interface MarginSnapshot {
  /** All that are open, with their positions. */
  readonly accounts: readonly MarginAccountState[];
  /** Positions that ended since the requested time, oldest first. */
  readonly ended: readonly EndedPosition[];
  /** Funding, interest and settlements since the requested time, oldest first. */
  readonly carries: readonly PositionCarry[];
}

/** A position of the history. */
export interface EndedPosition {
  readonly id: number;
  readonly symbol: string;
  readonly mode: MarginMode;
  /** PnL of its closed lots, before fees; absent if the venue does not report it. */
  readonly realizedPnl?: Decimal | undefined;
  readonly fees?: Decimal | undefined;
  /** How many of its lots liquidations took; absent if none did. */
  readonly liquidatedLots?: Lots | undefined;
  /** `closed` if the venue reports no more. */
  readonly end: PositionEnd;
  readonly at: Micros;
}

/** A payment of a position while it was held. */
export interface PositionCarry {
  /** Absent if the venue does not report it. */
  readonly positionId?: number | undefined;
  readonly symbol: string;
  /** Absent if the venue does not report it. */
  readonly mode?: MarginMode | undefined;
  readonly carry: MarginCarry;
  readonly at: Micros;
}

/** The margin accounts of an account at a venue. */
export interface VenueMargin {
  /**
   * Sets a margin account. The answer is a report of the account, or its rejection; a request with an
   * unknown outcome is rejected as `outcome-unknown`, and may be repeated.
   */
  set(request: MarginRequest): void;
  /** Prices computed by a venue in this process; absent if all come with the market data. */
  readonly prices?: Pick<MarginGateway, 'markPrice' | 'contract'> | undefined;
}

/**
 * An account at a venue as a bot uses it: it sends orders and reads a snapshot on demand. A request without
 * an answer is reported as kind `outcome-unknown`.
 */
export interface VenueAccount {
  readonly instruments: readonly Instrument[];
  /** Connects and listens until `close`. Throws if it can never connect, such as for a rejected key. */
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
   * Reads the account, repeatedly until the venue answers; throws errors that do not pass. `open` names the
   * orders that are open as far as is known here, as a history by time may not show how an old one ended.
   */
  snapshot(since: Micros, open?: readonly string[]): Promise<AccountSnapshot>;
  /** By how much the venue's clock is ahead of ours, in microseconds; negative when behind. */
  clockSkewUs(): Promise<number>;
  close(): Promise<void>;
}
