import { MillraceError, type Warn } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  idOf,
  rejectReport,
  symbolOf,
  type CancelRequest,
  type OrderRequest,
  type PlaceRequest,
  type ReplaceRequest,
} from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Report } from '../../model/report.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { RetryingReader } from '../trading/retrying-reader.ts';
import type {
  AccountListener,
  AccountSnapshot,
  VenueAccount,
  VenueMargin,
} from '../venue-account.ts';
import { agreeOnMargin, liveInstruments, type ContractSettings } from './agreement.ts';
import { isWholeBalance, ReportedBalances, spotBalance } from './balances.ts';
import type { ClientOrderIdForm } from './client-order-ids.ts';
import { contractRules } from './contracts.ts';
import { isUnknownOrder, outcomeOf, readingError, errorText } from './errors.ts';
import { openOrders, type CcxtExchange, type Given } from './exchange.ts';
import { CcxtMargin } from './margin.ts';
import { CcxtRecords } from './records.ts';
import { orderParams, priceText, requestRejection, sizeText } from './requests.ts';
import { CcxtSnapshotReader } from './snapshot.ts';
import { Streams } from './streams.ts';
import { TrackedOrders } from './tracked-orders.ts';
import type { VenueRules } from './venues.ts';

export interface CcxtAccountSetup {
  /** Its numbers are text. */
  readonly exchange: CcxtExchange;
  readonly rules: VenueRules;
  readonly form: ClientOrderIdForm;
  readonly instruments: () => Promise<readonly Instrument[]>;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly warn: Warn;
  /** How often a venue without a stream of orders is asked for them. */
  readonly pollUs: number;
  /** Of perpetuals; absent if none is configured. */
  readonly contracts?: ContractSettings | undefined;
}

/** Orders are polled this often even with a stream, as it may have missed one. */
const SWEEP_US = 10 * US_PER_SECOND;
/** Most reads of fills that an order shows and no history reports. */
const FILL_READS = 6;
const FILL_READ_US = 500 * US_PER_MS;
/** Of the times of a venue and of ours. */
const FILL_MARGIN_US = 60 * US_PER_SECOND;

/**
 * An account at an exchange of ccxt, of spot or of perpetuals. Orders go out by `createOrder`, `cancelOrder` and, where that is one
 * step, `editOrder`. What happens to them comes by the streams that the class has, and by asking: every 10 s of
 * the symbols with open orders, or as often as configured if there is no stream. Fills come from streams
 * where they report all of a trade, else from the history of trades.
 *
 * - A request that was sent and not answered by a plain yes or no is reported as `outcome-unknown`; the snapshot
 *   settles it.
 * - Balances are read after what changed them if no stream reports them in full.
 * - A stream that breaks is `lost`; `live` comes once the balances could be read again.
 */
export class CcxtAccount implements VenueAccount {
  readonly #setup: CcxtAccountSetup;
  readonly #records: CcxtRecords;
  readonly #orders: TrackedOrders;
  readonly #reader: RetryingReader;
  readonly #snapshot: CcxtSnapshotReader;
  readonly #streams: Streams;
  readonly #balances: ReportedBalances;
  /** Requests in flight, by client order id: a cancel waits for its order. */
  readonly #underway = new Map<string, Promise<void>>();
  /** Number of reads for the missing fills of an order. */
  readonly #reads = new Map<string, number>();
  /** As ccxt counts them, contracts in contracts. */
  #bySymbol: ReadonlyMap<string, Instrument> = new Map();
  /** As they are traded, contracts in their base currency; lots are the same. */
  #live: readonly Instrument[] = [];
  #margin: CcxtMargin | undefined;
  /** Ids of orders that were open when the account was. */
  readonly #openedBefore = new Set<string>();
  #listener: AccountListener | undefined;
  #skewUs = 0;
  #isLive = false;
  #isClosed = false;
  #isReadingBalances = false;
  #wantsBalances = false;
  #cancelSweep: Cancel = () => undefined;
  #cancelFills: Cancel | undefined;

  constructor(setup: CcxtAccountSetup) {
    this.#setup = setup;
    const { exchange, rules, form, scheduler, random, warn } = setup;
    const now = (): Micros => scheduler.now();
    const instrument = (symbol: string): Instrument | undefined => this.#bySymbol.get(symbol);
    const nameOf = (venueId: string): string | undefined => this.#orders.nameOf(venueId);
    this.#records = new CcxtRecords({ rules, form, instrument, nameOf, now, warn });
    this.#orders = new TrackedOrders((report) => this.#emit(report), () => this.#venueNow()); // prettier-ignore
    this.#reader = new RetryingReader({ scheduler, random, warn });
    this.#balances = new ReportedBalances({
      scheduler,
      emit: (report) => this.#emit(report),
      isSettled: () => this.#underway.size === 0 && this.#orders.lacking().length === 0,
    });
    this.#streams = new Streams({ scheduler, random, warn, lost: (why) => this.#lost(why) });
    this.#snapshot = new CcxtSnapshotReader({
      exchange,
      rules,
      form,
      records: this.#records,
      orders: this.#orders,
      now,
      symbols: () => [...this.#bySymbol.keys()],
      skewUs: () => this.#skewUs,
      ask: (question) => this.#ask(question),
      marginCurrency: () => this.#margin?.currency,
    });
  }

  get instruments(): readonly Instrument[] {
    return this.#live;
  }

  /** Absent for spot, and before `open`. */
  get margin(): VenueMargin | undefined {
    return this.#margin;
  }

  async open(listener: AccountListener): Promise<void> {
    this.#listener = listener;
    const instruments = await this.#ask(() => this.#setup.instruments());
    this.#bySymbol = new Map(instruments.map((one) => [one.symbol, one]));
    const { contracts, exchange } = this.#setup;
    this.#live = liveInstruments(exchange.id, instruments, contracts, contractRules(exchange.id));
    this.#skewUs = await this.#ask(() => this.clockSkewUs());
    await this.#openMargin();
    const balances = await this.#ask(() => this.#fetchBalance());
    this.#startStreams();
    this.#balances.take(balances);
    this.#margin?.start();
    this.#isLive = true;
    listener.connectionState('live');
    this.#armSweep();
  }

  /**
   * Reads the margin account of perpetuals, if there are some, and holds its terms against the
   * configuration.
   */
  async #openMargin(): Promise<void> {
    const { exchange, contracts: settings, scheduler, warn } = this.#setup;
    const rules = contractRules(exchange.id);
    const symbols = this.#live.filter(({ isContract }) => isContract).map(({ symbol }) => symbol);
    if (symbols.length === 0 || rules === undefined || settings === undefined) return;
    for (const symbol of symbols) {
      const open = await this.#ask(() => openOrders(exchange, symbol));
      for (const { id } of open) this.#openedBefore.add(String(id));
    }
    const margin = new CcxtMargin({
      exchange,
      rules,
      settings,
      scheduler,
      warn,
      emit: (report) => this.#listener?.margin(report),
      ask: (question) => this.#ask(question),
      venueNow: () => this.#venueNow(),
      trades: (symbol, since) => this.#snapshot.trades(symbol, since),
      isOwn: ({ venueId }) =>
        this.#orders.nameOf(venueId) !== undefined || this.#openedBefore.has(venueId),
    });
    const shown = await margin.open(this.#live);
    await this.#ask(() => agreeOnMargin(exchange, shown, symbols, settings));
    this.#margin = margin;
  }

  send(request: OrderRequest): void {
    const { scheduler } = this.#setup;
    const rejection = this.#isClosed
      ? ({ code: 'venue-unreachable', message: 'The account is closed.' } as const)
      : requestRejection({ ...this.#setup, instrument: (symbol) => this.#bySymbol.get(symbol) }, request); // prettier-ignore
    if (rejection !== undefined) {
      scheduler.at(scheduler.now(), () => this.#reject(request, rejection));
      return;
    }
    const work = this.#dispatch(request).catch((error: unknown) => this.#failed(request, error));
    const id = idOf(request);
    this.#underway.set(id, work);
    void work.finally(() => {
      if (this.#underway.get(id) === work) this.#underway.delete(id);
    });
  }

  async snapshot(since: Micros, open: readonly string[] = []): Promise<AccountSnapshot> {
    const snapshot = await this.#snapshot.read(since, open);
    if (this.#margin === undefined) return snapshot;
    // Behind the fills, which are reported by now.
    return { ...snapshot, margin: await this.#margin.snapshot(since) };
  }

  /** 0 if the venue reports no time. */
  async clockSkewUs(): Promise<number> {
    const { exchange, scheduler } = this.#setup;
    if (exchange.has.fetchTime !== true) return 0;
    const before = scheduler.now();
    const time = Number(await exchange.fetchTime().catch((error: unknown) => {
      throw readingError(error);
    })); // prettier-ignore
    const middle = Math.round((before + scheduler.now()) / 2);
    return Number.isSafeInteger(time) ? time * US_PER_MS - middle : 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reader.close();
    this.#streams.close();
    this.#cancelSweep();
    this.#margin?.close();
    this.#balances.close();
    this.#cancelFills?.();
    await Promise.all(this.#underway.values());
    await this.#setup.exchange.close();
  }

  #venueNow(): Micros {
    return micros(this.#setup.scheduler.now() + this.#skewUs);
  }

  async #dispatch(request: OrderRequest): Promise<void> {
    switch (request.kind) {
      case 'place':
        return this.#place(request);
      case 'replace':
        return this.#replace(request);
      case 'cancel':
        return this.#cancel(request);
      case 'placeList':
        throw new MillraceError('internal', 'Lists are refused before.');
    }
  }

  async #place({ kind: _, ...order }: PlaceRequest): Promise<void> {
    const { exchange } = this.#setup;
    const { symbol, side, type, clientOrderId } = order;
    const instrument = this.#instrument(symbol);
    this.#orders.begin(order);
    const amount = sizeText(instrument, order.lots);
    const price = priceText(instrument, order.ticks);
    const params = orderParams(
      { ...this.#setup, instrument: () => instrument },
      clientOrderId,
      order,
    );
    this.#answered(
      clientOrderId,
      await exchange.createOrder(symbol, type, side, amount, price, params),
    );
  }

  async #replace(request: ReplaceRequest): Promise<void> {
    const { exchange, form, rules } = this.#setup;
    const { clientOrderId, newClientOrderId, symbol } = request;
    await this.#underway.get(clientOrderId);
    const terms = this.#orders.termsOf(clientOrderId);
    const venueId = await this.#venueIdOf(clientOrderId, symbol);
    if (terms === undefined || venueId === undefined) {
      this.#reject(request, unknown(clientOrderId));
      return;
    }
    const instrument = this.#instrument(symbol);
    const { lots, ticks = terms.ticks } = request;
    const { side, type } = terms;
    this.#orders.begin({ ...terms, lots, ticks, clientOrderId: newClientOrderId }, clientOrderId);
    const params = { [`new_${rules.clientOrderIdParam}`]: form.write(newClientOrderId) };
    const size = sizeText(instrument, lots);
    const price = priceText(instrument, ticks);
    this.#answered(
      newClientOrderId,
      await exchange.editOrder(venueId, symbol, type, side, size, price, params),
    );
  }

  async #cancel(request: CancelRequest): Promise<void> {
    const { clientOrderId, symbol } = request;
    await this.#underway.get(clientOrderId);
    const venueId = await this.#venueIdOf(clientOrderId, symbol);
    if (venueId === undefined) {
      this.#reject(request, unknown(clientOrderId));
      return;
    }
    await this.#setup.exchange.cancelOrder(venueId, symbol, {});
    this.#readLater(venueId, symbol);
  }

  /** The venue's id of an order: one of a previous run is searched among the open ones. */
  async #venueIdOf(clientOrderId: string, symbol: string): Promise<string | undefined> {
    const { rules, form, exchange } = this.#setup;
    const known = this.#orders.venueIdOf(clientOrderId);
    if (known !== undefined) return known;
    if (rules.isNamedByClient === true) return form.write(clientOrderId) ?? clientOrderId;
    const open = await openOrders(exchange, symbol);
    const views = open.flatMap((one) => this.#records.order(one) ?? []);
    return views.find(({ order }) => order.clientOrderId === clientOrderId)?.venueId;
  }

  /** An answer of some venues is the id alone. */
  #answered(clientOrderId: string, answer: Given): void {
    const view = this.#records.order({ ...answer, clientOrderId: this.#setup.form.write(clientOrderId) }); // prettier-ignore
    if (view !== undefined && answer.status !== undefined) this.#orders.show(view);
    else this.#orders.answered(clientOrderId, String(answer.id));
    this.#fillsWanted();
  }

  #failed(request: OrderRequest, error: unknown): void {
    const outcome = outcomeOf(error);
    const clientOrderId = idOf(request);
    if (outcome.kind === 'rejected') {
      if (request.kind !== 'cancel') this.#orders.drop(clientOrderId);
      this.#reject(request, outcome.rejection);
      const venueId = request.kind === 'place' ? undefined : this.#orders.venueIdOf(clientOrderId);
      // It has ended, and how is not reported yet.
      if (isUnknownOrder(error) && venueId !== undefined)
        this.#readLater(venueId, symbolOf(request));
      return;
    }
    this.#setup.warn(
      new MillraceError('outcome-unknown', `Whether ${request.kind} ${clientOrderId} was done is not known: ${errorText(error)}`), // prettier-ignore
    );
    const symbol = symbolOf(request);
    const at = this.#setup.scheduler.now();
    this.#emit({ kind: 'outcome-unknown', at, request: request.kind, clientOrderId, symbol });
  }

  #readLater(venueId: string, symbol: string): void {
    this.#readOrder(venueId, symbol).catch((error: unknown) => this.#sweepFailed(error));
  }

  /** Reads an order's state; the streams may report it first, and nothing is reported twice. */
  async #readOrder(venueId: string, symbol: string): Promise<void> {
    if (this.#setup.exchange.has.fetchOrder !== true || this.#isClosed) return;
    const view = await this.#snapshot.order(venueId, symbol);
    if (view?.isOwn === true) this.#show(view);
  }

  #show(view: Parameters<TrackedOrders['show']>[0]): void {
    this.#orders.show(view);
    this.#fillsWanted();
  }

  #reject(request: OrderRequest, rejection: Rejection): void {
    this.#emit(rejectReport(request, rejection, this.#setup.scheduler.now()));
  }

  #emit(report: Report): void {
    if (this.#isClosed) return;
    this.#listener?.report(report);
    if (report.kind === 'trade' && report.fill.margin !== undefined)
      this.#margin?.fill(report.fill);
    if (report.kind === 'balance' || report.kind === 'outcome-unknown' || report.kind === 'status')
      return;
    if (report.kind !== 'rejected' && !this.#streamsBalance) this.#readBalances();
  }

  /** The wallet of perpetuals is read with their margin account. */
  get #streamsBalance(): boolean {
    return this.#setup.exchange.has.watchBalance === true && this.#margin === undefined;
  }

  #startStreams(): void {
    const { exchange, rules } = this.#setup;
    const symbols = [...this.#bySymbol.keys()];
    if (this.#streamsBalance) {
      this.#streams.run('watchBalance', () => exchange.watchBalance(rules.balanceParams), (given) => {
        if (isWholeBalance(given)) this.#balances.takeLater(given);
        else this.#readBalances();
      }); // prettier-ignore
    }
    for (const symbol of symbols) {
      if (exchange.has.watchOrders === true) {
        this.#streams.run('watchOrders', () => exchange.watchOrders(symbol), (given) => {
          for (const one of given) this.#streamed(one);
        }); // prettier-ignore
      }
      if (exchange.has.watchMyTrades === true) {
        this.#streams.run('watchMyTrades', () => exchange.watchMyTrades(symbol), (given) => {
          for (const one of given) this.#traded(one);
        }); // prettier-ignore
      }
    }
  }

  #streamed(given: Given): void {
    const view = this.#records.order(given);
    if (view?.isOwn === true) this.#show(view);
  }

  #traded(given: Given): void {
    const trade = this.#records.trade(given, (id) => this.#orders.nameOf(id), 'stream');
    if (trade !== undefined) this.#orders.trade(trade);
  }

  /** Reads the fills of orders that have more executed than was reported, now and again until they are there. */
  #fillsWanted(): void {
    if (this.#orders.lacking().length === 0 || this.#cancelFills !== undefined) return;
    const { scheduler, exchange } = this.#setup;
    // A stream reports them a moment later; nothing else does.
    const waitUs = exchange.has.watchMyTrades === true ? FILL_READ_US : 0;
    this.#cancelFills = scheduler.at(micros(scheduler.now() + waitUs), () => {
      this.#readFills().catch((error: unknown) => this.#sweepFailed(error));
    });
  }

  async #readFills(): Promise<void> {
    const { scheduler } = this.#setup;
    const symbols = new Map<string, number>();
    for (const { symbol, createdAt } of this.#orders.lacking()) {
      const since = createdAt - FILL_MARGIN_US;
      symbols.set(symbol, Math.min(symbols.get(symbol) ?? since, since));
    }
    try {
      for (const [symbol, since] of symbols) {
        for (const trade of await this.#snapshot.trades(symbol, since)) this.#orders.trade(trade);
      }
    } finally {
      this.#cancelFills = undefined;
    }
    const lacking = new Set(this.#orders.lacking().map(({ clientOrderId }) => clientOrderId));
    for (const id of this.#reads.keys()) if (!lacking.has(id)) this.#reads.delete(id);
    for (const id of lacking) {
      const reads = (this.#reads.get(id) ?? 0) + 1;
      this.#reads.set(id, reads);
      if (reads >= FILL_READS) this.#orders.stopWaiting(id);
    }
    if (this.#orders.lacking().length === 0 || this.#isClosed) return;
    this.#cancelFills = scheduler.at(micros(scheduler.now() + FILL_READ_US), () => {
      this.#readFills().catch((error: unknown) => this.#sweepFailed(error));
    });
  }

  #armSweep(): void {
    const { scheduler, exchange, pollUs } = this.#setup;
    if (this.#isClosed) return;
    const afterUs = exchange.has.watchOrders === true ? SWEEP_US : pollUs;
    this.#cancelSweep = scheduler.at(micros(scheduler.now() + afterUs), () => {
      this.#sweep()
        .catch((error: unknown) => this.#sweepFailed(error))
        .finally(() => this.#armSweep());
    });
  }

  /** Reads the symbols with open orders; an order that is no longer open is read by its id. */
  async #sweep(): Promise<void> {
    const { exchange } = this.#setup;
    for (const symbol of this.#bySymbol.keys()) {
      const before = this.#orders
        .open(symbol)
        .filter((one) => !this.#underway.has(one.clientOrderId));
      if (before.length === 0) continue;
      const given = await openOrders(exchange, symbol);
      const views = given.flatMap((one) => this.#records.order(one) ?? []);
      const open = new Set(views.map(({ venueId }) => venueId));
      for (const view of views) if (view.isOwn) this.#show(view);
      for (const { venueId } of before) {
        if (venueId !== undefined && !open.has(venueId)) await this.#readOrder(venueId, symbol);
      }
    }
  }

  #sweepFailed(error: unknown): void {
    if (this.#isClosed) return;
    const { code, message } = readingError(error);
    this.#setup.warn(new MillraceError(code, `Orders could not be read: ${message}`));
  }

  #fetchBalance(): Promise<Given> {
    const { exchange, rules } = this.#setup;
    return spotBalance(exchange, rules, this.#margin?.currency);
  }

  #readBalances(): void {
    this.#wantsBalances = true;
    if (this.#isReadingBalances || this.#isClosed) return;
    this.#isReadingBalances = true;
    const read = async (): Promise<void> => {
      while (this.#wantsBalances && !this.#isClosed) {
        this.#wantsBalances = false;
        this.#balances.take(await this.#ask(() => this.#fetchBalance()));
      }
    };
    read()
      .catch((error: unknown) => this.#sweepFailed(error))
      .finally(() => {
        this.#isReadingBalances = false;
      });
  }

  #lost(why: string): void {
    if (!this.#isLive || this.#isClosed) return;
    this.#isLive = false;
    this.#listener?.connectionState('lost', why);
    const recover = async (): Promise<void> => {
      await this.#reader.pause(US_PER_SECOND, () => !this.#isClosed);
      const balances = await this.#ask(() => this.#fetchBalance());
      this.#balances.take(balances);
      await this.#margin?.read();
      this.#isLive = true;
      this.#listener?.connectionState('live');
    };
    recover().catch((error: unknown) => this.#sweepFailed(error));
  }

  #instrument(symbol: string): Instrument {
    const found = this.#bySymbol.get(symbol);
    if (found !== undefined) return found;
    throw new MillraceError('internal', `${symbol} is no instrument here.`);
  }

  /** Repeats a read until it succeeds; throws errors that do not pass, and once the account is closed. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    const ask = async (): Promise<{ readonly answer: T }> => {
      try {
        return { answer: await question() };
      } catch (error) {
        throw readingError(error);
      }
    };
    const found = await this.#reader.read(ask, () => !this.#isClosed);
    if (found !== undefined) return found.answer;
    throw new MillraceError('unreachable', 'The account was closed before the venue answered.');
  }
}

const unknown = (clientOrderId: string): Rejection => ({
  code: 'order-unknown',
  message: `The venue has no open order ${clientOrderId}.`,
});
