import { ServiceError } from '../../http/service-error.ts';
import { RIGHTS } from '../../../wire/trading/rights.ts';
import { assertTradePermission } from '../client/trade-permission.ts';
import type { OrderRequest } from '../../../model/order-request.ts';
import { MillraceError, type Warn } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Report } from '../../../model/report.ts';
import type { Balance } from '../../../strategy/context.ts';
import { Amount, NOTHING } from '../../../model/amount.ts';
import type { Random } from '../../../platform/random.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type {
  AccountListener,
  AccountSnapshot,
  VenueAccount,
  VenueMargin,
} from '../../venue-account.ts';
import type { TradingClient } from '../client/client.ts';
import { RetryingReader } from '../retrying-reader.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { LateReply } from '../socket/state.ts';
import type { TradingListener, TradingSocket } from '../socket/trading.ts';
import { readInstruments } from './instruments.ts';
import { MarginAccountSide } from './margin/side.ts';
import { unopened } from './margin/setter.ts';
import { marketsOf, type AccountMarketApi } from './market.ts';
import { handle, type NotificationHandlers } from './notifications.ts';
import { TradingNonSpotBalances } from './non-spot-balances.ts';
import { RecordReader, type WireReport } from './records.ts';
import { outcomeOf, lateRejection, rejectionTo } from './rejections.ts';
import { rejectedRequestFields, RequestWriter } from './requests.ts';
import { ReportedTrades } from './reported-trades.ts';
import { SnapshotReader } from './snapshot.ts';

export interface TradingAccountSetup {
  /** With credentials that may read and trade. */
  readonly client: TradingClient;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Called with a warning. */
  readonly warn?: Warn | undefined;
  readonly socket?: Partial<SocketOptions> | undefined;
}

/** How long a reading of the service's clock is good for. */
const CLOCK_GOOD_US = US_PER_MINUTE;
/** Balances that a service does not send unasked are requested after this time. */
const BALANCES_WITHIN_US = 2 * US_PER_SECOND;

/** The service knows the key, which lacks the permission. */
const FORBIDDEN = 1003;

/**
 * The account of a key at the trading service, version 3: spot, and margin and futures where the service
 * has terms for the key. Orders go out over the trading socket, in the order in which they are sent. What
 * happens to them comes back over it as notifications, each of which becomes a report at once, in the
 * service's order. Of the replies only rejections bring news.
 *
 * - A request that was refused, or surely never left, is reported as `rejected`. One that may have been
 *   done and was not answered is reported as `outcome-unknown`, at once; a later answer settles it.
 * - A trade is reported once within a connection. Other repetitions, and what comes out of order, are
 *   reported as they come.
 * - Balances are reported when the service sends them, which is after all reports of what changed them: the
 *   service sends the orders first, and one connection keeps the order. They carry the time of receipt, as
 *   the service gives them none. Each connection begins with all balances, then `live`; currencies that are
 *   gone by then are 0.
 * - Margin accounts are reported after the orders that changed them. Each connection begins with all of
 *   them as they are, as `updated`; one that is gone by then is reported as closed.
 * - After a loss, what happened meanwhile is never reported: `snapshot` is for that.
 */
export class TradingAccount implements VenueAccount {
  readonly #setup: TradingAccountSetup;
  readonly #warn: Warn;
  readonly #records: RecordReader;
  readonly #writer = new RequestWriter();
  readonly #persistence: RetryingReader;
  readonly #snapshot: SnapshotReader;
  readonly #reported = new ReportedTrades();
  readonly #margin: MarginAccountSide;
  readonly nonSpotBalances: TradingNonSpotBalances;
  /** Requests by what was sent, to know a late answer by. */
  readonly #sent = new WeakMap<object, OrderRequest>();
  readonly #currencies = new Set<string>();
  #instruments: readonly Instrument[] = [];
  #markets: readonly AccountMarketApi[] = ['spot'];
  #socket: TradingSocket | undefined;
  #listener: AccountListener | undefined;
  /** Handlers of the service's notifications. */
  readonly #handlers: NotificationHandlers = {
    report: (given, market) => this.#report(given, market),
    balances: (balances, at) => this.#balances(balances, at),
    orders: (orders, market) => this.#margin.orders(market, orders),
    accounts: (accounts, market, at) => {
      this.#margin.accounts(market, accounts, at);
      this.#receive();
    },
    account: (notice, market) => this.#margin.account(market, notice),
    derivatives: (balances, at) => this.nonSpotBalances.reported('derivatives', balances, at),
  };
  /** State of the socket on this connection, and whether balances were received. */
  #isLive = false;
  #hasBalances = false;
  /** Both are true: the account is connected. */
  #isReceived = false;
  /** Called once, with whether the account was connected. */
  #opened: (isReceived: boolean) => void = () => undefined;
  /** Of the wait for balances. */
  #cancel: Cancel = () => undefined;
  /** Counts connections, to ignore answers of an earlier one. */
  #connection = 0;
  #isClosed = false;
  #clock: { readonly skewUs: number; readonly readAt: Micros } | undefined;

  constructor(setup: TradingAccountSetup) {
    const { client, scheduler, random } = setup;
    this.#setup = setup;
    this.#warn = setup.warn ?? (() => undefined);
    this.#records = new RecordReader(this.#warn);
    this.#persistence = new RetryingReader({ scheduler, random, warn: this.#warn });
    this.#margin = new MarginAccountSide({
      client,
      scheduler,
      records: this.#records,
      warn: this.#warn,
      socket: () => (this.#isClosed ? undefined : this.#socket),
      emit: (report) => {
        if (!this.#isClosed) this.#listener?.margin(report);
      },
      ask: (question) => this.#ask(question),
    });
    this.nonSpotBalances = new TradingNonSpotBalances({
      client,
      scheduler,
      socket: setup.socket,
      warn: this.#warn,
      trading: () => (this.#isClosed ? undefined : this.#socket),
      ask: (question) => this.#ask(question),
    });
    this.#snapshot = new SnapshotReader({
      client,
      records: this.#records,
      book: this.#margin.book,
      markets: () => this.#markets,
      now: () => scheduler.now(),
      skewUs: () => this.#skewUs(),
      ask: (question) => this.#ask(question),
    });
  }

  /** Instruments that the key can trade; empty before `open`. */
  get instruments(): readonly Instrument[] {
    return this.#instruments;
  }

  /** Absent if nothing can be traded on margin, and before `open`. */
  get margin(): VenueMargin | undefined {
    return this.#margin.venue;
  }

  /**
   * Resolves once the account is connected: balances received, and `live`. Throws `login-refused` for a
   * rejected key, `service-refused` for one without the permissions, and `unreachable` when it is closed
   * before.
   */
  async open(listener: AccountListener): Promise<void> {
    if (this.#listener !== undefined) {
      throw new MillraceError('internal', 'An account is opened once.');
    }
    this.#listener = listener;
    const { client } = this.#setup;
    const instruments = await readInstruments({
      rest: client.rest,
      warn: this.#warn,
      ask: (question) => this.#ask(question),
    });
    await this.#checkPermission();
    this.#instruments = instruments;
    this.#markets = marketsOf(instruments);
    this.#records.know(instruments);
    this.#writer.setInstruments(instruments);
    this.#margin.know(
      this.#markets.filter((market) => market !== 'spot'),
      instruments,
    );
    await this.#connect();
  }

  /** A read-only key looks like any other until its first order is rejected. */
  async #checkPermission(): Promise<void> {
    try {
      await this.#ask(() => assertTradePermission(this.#setup.client));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.serviceCode !== FORBIDDEN) throw error;
      throw new MillraceError(
        'service-refused',
        `The key may read and may not trade: give it the right "${RIGHTS.trade}", or run on paper.`,
        { field: 'key', cause: error },
      );
    }
  }

  send(request: OrderRequest): void {
    this.#dispatch(request).catch((error: unknown) => {
      this.#failed(request, error);
    });
  }

  /**
   * See `SnapshotReader`. `since` and the times of what is given are those of the service; `at` is not
   * ahead of the service's clock, nor of this process's.
   *
   * `open`: client order ids of orders that are open as far as is known here. Those that are not
   * active are looked up by their names, since a history by time does not show when an order that is older
   * than `since` ended.
   */
  snapshot(since: Micros, open: readonly string[] = []): Promise<AccountSnapshot> {
    return this.#snapshot.read(since, open);
  }

  /** Read from the service's answers; throws if it cannot be reached. */
  async clockSkewUs(): Promise<number> {
    const skewUs = await this.#setup.client.clockSkewUs();
    this.#clock = { skewUs, readAt: this.#setup.scheduler.now() };
    return skewUs;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#persistence.close();
    this.#cancel();
    await Promise.all([this.#socket?.close(), this.nonSpotBalances.close()]);
  }

  /** Hands a request over before it returns its promise; errors are always reported later. */
  async #dispatch(request: OrderRequest): Promise<void> {
    const settled = this.#margin.settled(request);
    if (settled !== undefined) await settled;
    const { params, send } = this.#writer.write(request);
    const socket = this.#socket;
    if (socket === undefined || this.#isClosed) throw unopened();
    this.#sent.set(params, request);
    this.#margin.sent(request);
    await send(socket);
  }

  async #connect(): Promise<void> {
    const received = new Promise<boolean>((resolve) => {
      this.#opened = resolve;
    });
    const socket = this.#setup.client.tradingSocket(this.#ears(), this.#setup.socket);
    this.#socket = socket;
    if (this.#isClosed) throw unopened();
    const asked = [
      socket.request('spot_balance_subscribe', { mode: 'updates' }),
      socket.request('spot_subscribe'),
      ...this.#margin.subscribe(socket),
    ];
    try {
      await Promise.all([socket.open(), ...asked]);
    } catch (error) {
      await this.close();
      throw error;
    }
    if (!(await received) || this.#isClosed) throw unopened();
  }

  #ears(): TradingListener {
    return {
      state: (state, why) => {
        if (state === 'live') this.#live();
        else if (state === 'lost' || state === 'closed') this.#lost(why?.message);
        if (state === 'closed') this.#opened(false);
      },
      notification: (...reported) => {
        handle(reported, this.#handlers);
      },
      late: (reply) => {
        this.#late(reply);
      },
      failed: (error) => {
        this.#warn(error);
      },
    };
  }

  /**
   * Logged in and subscribed: the notifications of all balances and margin accounts are missing, or here
   * already.
   */
  #live(): void {
    this.#isLive = true;
    this.nonSpotBalances.live('derivatives');
    this.#receive();
    if (this.#isReceived) return;
    const connection = this.#connection;
    const { scheduler } = this.#setup;
    this.#cancel();
    this.#cancel = scheduler.at(micros(scheduler.now() + BALANCES_WITHIN_US), () => {
      if (connection !== this.#connection) return;
      void this.#askBalances(connection);
      void this.#askAccounts(connection);
    });
  }

  /** The service did not send the balances unasked. */
  async #askBalances(connection: number): Promise<void> {
    const isWanted = (): boolean =>
      connection === this.#connection && !this.#hasBalances && !this.#isClosed;
    const balances = await this.#persistence.read(
      async () => this.#socket?.request('spot_balances') ?? [],
      isWanted,
      true,
    );
    if (balances !== undefined) this.#balances(balances, this.#setup.scheduler.now());
  }

  /** The service did not send the margin accounts unasked. */
  async #askAccounts(connection: number): Promise<void> {
    try {
      await this.#margin.askMissing(() => connection === this.#connection && !this.#isClosed);
      this.#receive();
    } catch (error) {
      if (error instanceof MillraceError && !this.#isClosed) this.#warn(error);
    }
  }

  #receive(): void {
    if (!this.#isLive || !this.#hasBalances || !this.#margin.isReported) return;
    if (this.#isReceived || this.#isClosed) return;
    this.#isReceived = true;
    this.#cancel();
    this.#listener?.connectionState('live');
    this.#opened(true);
  }

  #lost(why: string | undefined): void {
    this.#connection += 1;
    this.#cancel();
    this.#isLive = false;
    this.#hasBalances = false;
    this.#reported.clear();
    this.nonSpotBalances.lost('derivatives');
    this.#margin.lost();
    if (!this.#isReceived) return;
    this.#isReceived = false;
    if (!this.#isClosed) this.#listener?.connectionState('lost', why);
  }

  #report(given: WireReport, market: AccountMarketApi): void {
    const report = this.#records.report(given, market);
    if (report === undefined) return;
    if (report.kind === 'trade' && !this.#reported.add(market, report.order.id, report.fill.id))
      return;
    if (market !== 'spot') this.#margin.order(given, report);
    this.#emit(report);
  }

  /** The first notification of a connection has all balances that are not zero, later ones the changes. */
  #balances(balances: readonly Balance[], at: Micros): void {
    const isFirst = !this.#hasBalances;
    this.#hasBalances = true;
    const names = new Set(balances.map(({ currency }) => currency));
    const gone = isFirst ? [...this.#currencies].filter((one) => !names.has(one)) : [];
    for (const { currency, available, reserved } of balances) {
      this.#currencies.add(currency);
      const amounts = { available: Amount.of(available), reserved: Amount.of(reserved) };
      this.#emit({ kind: 'balance', at, currency, ...amounts });
    }
    for (const currency of gone) {
      this.#emit({ kind: 'balance', at, currency, available: NOTHING, reserved: NOTHING });
    }
    this.#receive();
  }

  #failed(request: OrderRequest, error: unknown): void {
    const at = this.#setup.scheduler.now();
    const outcome = outcomeOf(error);
    if (outcome.kind === 'rejected') this.#margin.rejected(request);
    if (outcome.kind === 'outcome-unknown')
      this.#emit({ kind: 'outcome-unknown', at, ...rejectedRequestFields(request) });
    else {
      const rejection = rejectionTo(request, outcome.rejection);
      this.#emit({ kind: 'rejected', at, ...rejectedRequestFields(request), rejection });
    }
  }

  /** Notifications have reported what was done; only a rejection is news. */
  #late({ params, outcome }: LateReply): void {
    if (outcome.kind === 'result' || typeof params !== 'object' || params === null) return;
    const request = this.#sent.get(params);
    const rejection = lateRejection(outcome.error);
    if (request === undefined || rejection === undefined) return;
    const at = this.#setup.scheduler.now();
    this.#emit({ kind: 'rejected', at, ...rejectedRequestFields(request), rejection });
  }

  #emit(report: Report): void {
    if (!this.#isClosed) this.#listener?.report(report);
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    const answer = await this.#persistence.read(
      async () => ({ value: await question() }),
      () => !this.#isClosed,
    );
    if (answer === undefined) throw unopened();
    return answer.value;
  }

  /** The last read skew; 0 with a warning if the service reports no time. */
  async #skewUs(): Promise<number> {
    const now = this.#setup.scheduler.now();
    const clock = this.#clock;
    if (clock !== undefined && now - clock.readAt < CLOCK_GOOD_US) return clock.skewUs;
    try {
      return await this.#ask(() => this.clockSkewUs());
    } catch (error) {
      if (!(error instanceof MillraceError) || error.code !== 'answer-invalid') throw error;
      this.#warn(error);
      return 0;
    }
  }
}
