import { MillraceError, type Warn } from '../../../model/errors.ts';
import { eventColumns, type EventColumns } from '../../../model/events.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { periodEnd, type Period } from '../../../model/period.ts';
import type { Random } from '../../../platform/random.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { MarketListener, MarketSource, Wanted } from '../../market-source.ts';
import type { TradingClient } from '../client/client.ts';
import { RetryingReader } from '../retrying-reader.ts';
import type { MarketSocket } from '../socket/market.ts';
import type { SocketOptions } from '../socket/options.ts';
import { addBar, CandleHistory } from './candle-history.ts';
import type { Feed } from './subscriptions.ts';
import { InstrumentFeed, type InstrumentExchange } from './instrument-feed.ts';
import { EventRows } from '../../rows.ts';
import { Silence } from './silence.ts';
import { lotReader, tickReader } from './step-reader.ts';
import { PublicTradeHistory } from './trade-history.ts';

export interface TradingMarketSetup {
  /** Needs no credentials: market data is public. */
  readonly client: TradingClient;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** How long after the end of its period a candle counts as complete; 500 ms if absent. */
  readonly settleUs?: number | undefined;
  /** Called with a warning. */
  readonly warn?: Warn | undefined;
  /** How long no symbol may send data before some are requested; 10 s if absent. */
  readonly silentUs?: number | undefined;
  readonly socket?: Partial<SocketOptions> | undefined;
}

/** A frame of market data as it is parsed; by symbol, as the channel has it. */
interface Frame {
  readonly ch?: unknown;
  readonly update?: Readonly<Record<string, unknown>>;
  readonly snapshot?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A channel of a symbol, and what reads it. */
interface Route {
  readonly owner: InstrumentFeed;
  readonly feed: Feed;
}

const SETTLE_US = 500 * US_PER_MS;
const SILENT_US = 10 * US_PER_SECOND;

/**
 * Market data of the trading service, version 3: its market data socket, and its public REST calls for
 * what a loss left out. How each channel becomes rows says its feed: `TradeFeed`, `BookFeed`,
 * `QuoteFeed`, `CandleFeed`, `FuturesFeed`.
 *
 * A market is connected when all its subscriptions deliver and nothing before is missing: the book has its
 * snapshot, missed trades and candles were emitted. It is lost when the socket is lost or silent, or
 * answers pings but delivers no subscribed data (`Silence`): first a GAP row, then `lost`. Rows carry the
 * time at which their frame was received. Rows fetched later carry the time at which they are emitted, so
 * that times never fall.
 */
export class TradingMarket implements MarketSource {
  readonly #setup: TradingMarketSetup;
  readonly #persistence: RetryingReader;
  readonly #candles: CandleHistory;
  readonly #warn: Warn;
  readonly #silence: Silence;
  #socket: MarketSocket | undefined;
  #feeds: readonly InstrumentFeed[] = [];
  /** By channel, then by symbol. */
  #routes: ReadonlyMap<unknown, ReadonlyMap<string, Route>> = new Map();
  #listener: MarketListener | undefined;
  /** Index of the instrument whose data were requested last. */
  #asked = -1;
  #isClosed = false;

  constructor(setup: TradingMarketSetup) {
    const { client, scheduler, random } = setup;
    this.#setup = setup;
    this.#warn = setup.warn ?? (() => undefined);
    this.#persistence = new RetryingReader({ scheduler, random, warn: this.#warn });
    this.#candles = new CandleHistory(client);
    this.#silence = new Silence({
      scheduler,
      silentUs: setup.silentUs ?? SILENT_US,
      ask: () => {
        this.#ask();
      },
      dead: (us) => this.#socket?.renew(silent(us)),
    });
  }

  /**
   * Connects and subscribes; resolves when the service has confirmed all subscriptions. Throws
   * `symbol-unknown` if it does not know an instrument, and `unreachable` when it is closed before.
   */
  async open(wanted: readonly Wanted[], listener: MarketListener): Promise<void> {
    if (this.#listener !== undefined || this.#isClosed) {
      throw new MillraceError('internal', 'A market is opened once.');
    }
    this.#listener = listener;
    this.#feeds = this.#make(wanted, listener, await this.#skewUs());
    const routes = routesOf(this.#feeds);
    this.#routes = byChannel(routes);
    const socket = this.#connect();
    this.#socket = socket;
    const asked = this.#subscribe(socket, routes);
    await Promise.all([socket.open(), ...asked]).catch(async (error: unknown) => {
      await this.close();
      throw error;
    });
  }

  async want(wanted: readonly Wanted[]): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || this.#isClosed) return;
    const begun: Route[] = [];
    const ended: Route[] = [];
    for (const [index, owner] of this.#feeds.entries()) {
      const one = wanted[index];
      if (one === undefined) continue;
      const change = owner.want(one);
      begun.push(...change.begun.map((feed) => ({ owner, feed })));
      ended.push(...change.ended.map((feed) => ({ owner, feed })));
    }
    this.#routes = byChannel(routesOf(this.#feeds));
    this.#unsubscribe(socket, ended);
    await Promise.all(this.#subscribe(socket, begun));
  }

  async history(
    instrument: Instrument,
    period: Period,
    from: Micros,
    till: Micros,
  ): Promise<EventColumns> {
    const reader = {
      instrument,
      price: tickReader(instrument, this.#warn),
      size: lotReader(instrument, this.#warn),
      warn: this.#warn,
    };
    const bars = await this.#read(() => this.#candles.between(reader, period, from, till));
    if (bars === undefined) throw closed();
    const finished = bars.filter(({ openedAt }) => endOf(period, openedAt) <= till);
    const rows = new EventRows(eventColumns(Math.max(1, finished.length)));
    for (const bar of finished) addBar(rows, bar, endOf(period, bar.openedAt));
    return rows.columns;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#persistence.close();
    this.#silence.end();
    for (const feed of this.#feeds) feed.close();
    await this.#socket?.close();
  }

  #read<T>(ask: () => Promise<T>): Promise<T | undefined> {
    return this.#persistence.read(ask, () => !this.#isClosed);
  }

  /** How far the service's clock is ahead; if it reports no time, its clock is assumed to be right. */
  async #skewUs(): Promise<number> {
    const ask = async (): Promise<number> => {
      try {
        return await this.#setup.client.clockSkewUs();
      } catch (error) {
        if (!(error instanceof MillraceError) || error.code !== 'answer-invalid') throw error;
        this.#warn(error);
        return 0;
      }
    };
    const skewUs = await this.#read(ask);
    if (skewUs === undefined) throw closed();
    return skewUs;
  }

  #make(
    wanted: readonly Wanted[],
    listener: MarketListener,
    skewUs: number,
  ): readonly InstrumentFeed[] {
    const { client, scheduler, settleUs = SETTLE_US } = this.#setup;
    const exchange: InstrumentExchange = {
      scheduler,
      skewUs,
      settleUs,
      rows: new EventRows(),
      trades: new PublicTradeHistory(client),
      candles: this.#candles,
      warn: this.#warn,
      read: (ask, isWanted) => this.#persistence.read(ask, isWanted, true),
      pause: (us, isWanted) => this.#persistence.pause(us, isWanted),
      renew: (ch, symbol, limit) => {
        this.#renew(ch, symbol, limit);
      },
      ended: (owner, feed) => {
        this.#routes = byChannel(routesOf(this.#feeds));
        if (this.#socket !== undefined) this.#unsubscribe(this.#socket, [{ owner, feed }]);
      },
    };
    return wanted.map((one, index) => new InstrumentFeed(index, one, listener, exchange));
  }

  #connect(): MarketSocket {
    return this.#setup.client.marketSocket(
      {
        raw: (frame, receivedAt) => this.#receive(frame, receivedAt),
        state: (state, why) => {
          if (state === 'live') {
            this.#silence.begin();
            for (const feed of this.#feeds) feed.connected();
          }
          if (state === 'lost') {
            this.#silence.end();
            for (const feed of this.#feeds) feed.lost(why?.message);
          }
        },
        failed: (error) => {
          this.#warn(error);
        },
      },
      this.#setup.socket,
    );
  }

  /** One request for each channel, with all its symbols. */
  #subscribe(socket: MarketSocket, routes: readonly Route[]): readonly Promise<void>[] {
    return [...byChannel(routes)].map(async ([ch, bySymbol]) => {
      const symbols = [...bySymbol.keys()];
      const [route] = bySymbol.values();
      const taken = await socket.subscribe(ch, asked(symbols, route?.feed.limit));
      const missing = symbols.filter(
        (symbol) => !taken.includes(symbol) && this.#routes.get(ch)?.get(symbol) !== undefined,
      );
      if (missing.length === 0) return;
      throw new MillraceError(
        'symbol-unknown',
        `The service has no ${ch} of ${missing.join(', ')}.`,
        { field: 'symbols' },
      );
    });
  }

  #unsubscribe(socket: MarketSocket, routes: readonly Route[]): void {
    for (const [ch, bySymbol] of byChannel(routes)) {
      socket.unsubscribe(ch, { symbols: [...bySymbol.keys()] }).catch((error: unknown) => {
        if (!this.#isClosed && error instanceof MillraceError) this.#warn(error);
      });
    }
  }

  /** Requests data of the next subscribed instrument; if there is none, none can be missed. */
  #ask(): void {
    for (let count = 0; count < this.#feeds.length; count += 1) {
      this.#asked = (this.#asked + 1) % this.#feeds.length;
      const feed = this.#feeds[this.#asked];
      if (feed === undefined || feed.feeds.size === 0) continue;
      feed.ask();
      return;
    }
    this.#alive(this.#setup.scheduler.now());
  }

  #alive(at: Micros): void {
    this.#silence.received(at);
    this.#listener?.alive?.(at);
  }

  #renew(ch: string, symbol: string, limit: number | undefined): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    // Both are sent one after the other; a failure is repeated when no snapshot arrives.
    const steps = [
      socket.unsubscribe(ch, { symbols: [symbol] }),
      socket.subscribe(ch, asked([symbol], limit)),
    ];
    // A whole book always has a snapshot; other channels may have no data yet, and the answer has to
    // suffice.
    const isAnswer = ch !== 'orderbook/full';
    for (const step of steps) {
      void step.then(
        () => {
          if (isAnswer && !this.#isClosed) this.#alive(this.#setup.scheduler.now());
        },
        () => undefined,
      );
      step.catch((error: unknown) => {
        if (!this.#isClosed && error instanceof MillraceError) this.#warn(error);
      });
    }
  }

  /** The hot path: one parse, then whole numbers from text. */
  #receive(frame: string, receivedAt: Micros): boolean {
    this.#listener?.frame?.(frame, receivedAt);
    let reported: Frame;
    try {
      reported = JSON.parse(frame) as Frame;
    } catch {
      // The socket reports its own errors.
      return false;
    }
    const route = this.#routes.get(reported.ch);
    if (route === undefined) return false;
    const { update, snapshot } = reported;
    const bySymbol = update ?? snapshot ?? reported.data;
    const part = update === undefined && snapshot !== undefined ? 'snapshot' : 'update';
    if (typeof bySymbol !== 'object') return false;
    this.#alive(receivedAt);
    for (const symbol in bySymbol) {
      const found = route.get(symbol);
      if (found === undefined) continue;
      const { owner, feed } = found;
      if (!owner.take(feed, part, bySymbol[symbol], receivedAt)) owner.broken(feed);
    }
    return true;
  }
}

const asked = (symbols: string[], limit: number | undefined) =>
  limit === undefined ? { symbols } : { symbols, limit };

const routesOf = (owners: readonly InstrumentFeed[]): readonly Route[] =>
  owners.flatMap((owner) => [...owner.feeds.values()].map((feed) => ({ owner, feed })));

function byChannel(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, Route>> {
  const channels = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const { ch } = route.feed;
    const bySymbol = channels.get(ch) ?? new Map<string, Route>();
    channels.set(ch, bySymbol.set(route.owner.instrument.symbol, route));
  }
  return channels;
}

const endOf = (period: Period, openedAt: number): Micros => periodEnd(period, micros(openedAt));

const silent = (us: number): MillraceError =>
  new MillraceError(
    'unreachable',
    `The market data socket brought no data of any symbol for ${Math.round(us / US_PER_SECOND)} s, even after a request for a snapshot; it reconnects.`,
  );

const closed = (): MillraceError =>
  new MillraceError('unreachable', 'The market was closed before the service answered.');
