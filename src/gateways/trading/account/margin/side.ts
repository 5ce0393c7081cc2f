import type { Instrument } from '../../../../model/instrument.ts';
import type { MarginReport } from '../../../../model/margin-account.ts';
import { MillraceError, type Warn } from '../../../../model/errors.ts';
import { isActive } from '../../../../model/order.ts';
import { idsOf, type OrderRequest } from '../../../../model/order-request.ts';
import type { OrderReport } from '../../../../model/report.ts';
import type { Scheduler } from '../../../../platform/scheduler.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { VenueMargin } from '../../../venue-account.ts';
import type { TradingClient } from '../../client/client.ts';
import type { TradingSocket } from '../../socket/trading.ts';
import type { MarginMarket } from '../market.ts';
import type { RecordReader, WireReport } from '../records.ts';
import { MarginBook, type Notice } from './book.ts';
import type { WireAccount } from './reading.ts';
import { MarginSetter, unopened } from './setter.ts';

export interface MarginAccountSideSetup {
  readonly client: TradingClient;
  readonly scheduler: Scheduler;
  readonly records: RecordReader;
  readonly warn: Warn;
  readonly socket: () => TradingSocket | undefined;
  readonly emit: (report: MarginReport) => void;
  /** Repeats a read until it succeeds. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
}

/**
 * The margin side of an account: follows its margin accounts on each connection and reports what happens to
 * them, after the reports of the orders that led to it.
 */
export class MarginAccountSide {
  readonly book: MarginBook;
  readonly #setup: MarginAccountSideSetup;
  readonly #setter: MarginSetter;
  #markets: readonly MarginMarket[] = [];
  #instruments: ReadonlyMap<string, Instrument> = new Map();
  /** Markets whose accounts were received on this connection. */
  readonly #reported = new Set<MarginMarket>();
  /** Active orders that this process sent, or that were active when it connected. */
  readonly #own = new Set<string>();
  /** Markets whose first orders were received. */
  readonly #seen = new Set<MarginMarket>();

  constructor(setup: MarginAccountSideSetup) {
    const { client, scheduler, records, warn, socket, emit } = setup;
    this.#setup = setup;
    this.book = new MarginBook({ records, warn });
    this.#setter = new MarginSetter({
      rest: client.rest,
      book: this.book,
      warn,
      socket,
      emit,
      now: () => scheduler.now(),
      instrument: (symbol) => this.#instruments.get(symbol),
      refresh: (market, isWanted) => this.refresh(market, isWanted),
    });
  }

  /** Trades on these markets, with these instruments, from here on. */
  know(markets: readonly MarginMarket[], instruments: readonly Instrument[]): void {
    this.#markets = markets;
    this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
  }

  /** Absent if nothing is traded on margin. */
  get venue(): VenueMargin | undefined {
    return this.#markets.length === 0 ? undefined : this.#setter;
  }

  /** True when all accounts were received on this connection. */
  get isReported(): boolean {
    return this.#markets.every((market) => this.#reported.has(market));
  }

  /** Subscribes; called again on each connection by the socket. */
  subscribe(socket: TradingSocket): readonly Promise<unknown>[] {
    return this.#markets.map((market) => socket.request(`${market}_subscribe`));
  }

  /** New margin orders wait for the settings requested before them; cancels do not. */
  settled(request: OrderRequest): Promise<void> | undefined {
    const isNew = request.kind === 'place' || request.kind === 'placeList';
    return isNew && isOnMargin(request) ? this.#setter.settled : undefined;
  }

  /** Orders are sent: their effects are not those of other clients. */
  sent(request: OrderRequest): void {
    if (!isOnMargin(request) || request.kind === 'cancel') return;
    for (const id of idsOf(request)) this.#own.add(id);
  }

  /** Orders were rejected. */
  rejected(request: OrderRequest): void {
    if (!isOnMargin(request) || request.kind === 'cancel') return;
    for (const id of idsOf(request)) this.#own.delete(id);
  }

  /** The orders that are active when a connection begins. */
  orders(market: MarginMarket, orders: readonly WireReport[]): void {
    if (this.#seen.has(market)) return;
    this.#seen.add(market);
    for (const { client_order_id: id } of orders) this.#own.add(id);
  }

  /** Processes a report of an order before it is emitted: the report of its account follows. */
  order(given: WireReport, report: OrderReport): void {
    const { clientOrderId, symbol, side, margin, status } = report.order;
    const instrument = this.#instruments.get(symbol);
    const { trade_position_id: positionId, trade_fee: fee } = given;
    if (report.kind === 'trade' && instrument !== undefined && margin !== undefined && fee) {
      const { ticks, lots } = report.fill;
      const isOwn = this.#own.has(clientOrderId);
      const { mode } = margin;
      this.book.trade({ instrument, mode, side, ticks, lots, fee, positionId, isOwn });
    }
    if (!isActive(status)) this.#own.delete(clientOrderId);
  }

  /** All accounts of a market as they are. */
  accounts(market: MarginMarket, accounts: readonly WireAccount[], at: Micros): void {
    const reports = this.book.status(accounts, market, at);
    this.#reported.add(market);
    for (const report of reports) this.#setup.emit(report);
  }

  /** Something happened to an account. */
  account(market: MarginMarket, notice: Notice): void {
    if (!('report_reason' in notice)) {
      // The report names the account whose funds changed, without its positions.
      this.refresh(market).catch((error: unknown) => {
        if (error instanceof MillraceError) this.#setup.warn(error);
      });
      return;
    }
    for (const report of this.book.report(notice, market)) this.#setup.emit(report);
  }

  /** Reads all accounts of a market that were not received on this connection. */
  async askMissing(isWanted: () => boolean): Promise<void> {
    for (const market of this.#markets) {
      if (isWanted() && !this.#reported.has(market)) await this.refresh(market);
    }
  }

  /** Reads the accounts of a market again; emits them if still wanted then. */
  async refresh(market: MarginMarket, isWanted = (): boolean => true): Promise<void> {
    const { ask, socket, scheduler } = this.#setup;
    const method = `${market}_get_accounts` as const;
    const accounts = await ask(async () => {
      const open = socket();
      if (open === undefined) throw unopened();
      return open.request(method);
    });
    if (isWanted()) this.accounts(market, accounts, scheduler.now());
  }

  lost(): void {
    this.#reported.clear();
    this.book.lose();
  }
}

const isOnMargin = (request: OrderRequest): boolean =>
  request.kind === 'placeList'
    ? request.orders.some(({ margin }) => margin !== undefined)
    : request.margin !== undefined;
