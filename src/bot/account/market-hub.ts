import type { Engine } from '../../engine/engine.ts';
import type { MarketUse } from '../../engine/market/use.ts';
import type { Decimal } from '../../model/decimal.ts';
import { CANDLE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { InstrumentState } from '../../model/instrument-state.ts';
import { periodStart } from '../../model/period.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { MarketListener, MarketSource } from '../../gateways/market-source.ts';
import { BASE_PERIOD, Subscriptions } from './subscriptions.ts';

/** An engine that listens to a market, and the index of the instrument in that engine. */
interface Listening {
  readonly engine: Engine;
  readonly index: number;
}

/** Connection of a symbol's market data, and when data was last received. */
export interface MarketPulse {
  readonly instrument: Instrument;
  connectionState: 'live' | 'lost';
  /** When data was last received. */
  lastAt: Micros | undefined;
}

interface Held {
  readonly index: number;
  readonly columns: EventColumns;
}

export interface HubHost {
  readonly scheduler: Scheduler;
  readonly market: Pick<MarketSource, 'open' | 'want'>;
  /** Market states that a paper account reads too; the hub applies their rows. */
  readonly states?: readonly InstrumentState[] | undefined;
  /** Market data that the bot itself needs of a symbol, whatever its strategies use. */
  needs(symbol: string): MarketUse;
  /** Called when a change of the subscriptions failed. */
  readonly unsubscribed: (error: unknown) => void;
  /** Called with each live row before the engines; a paper account fills orders by it. */
  readonly row?: ((symbol: string, columns: EventColumns, row: number) => void) | undefined;
  feedDelay(us: number): void;
  connectionState(symbol: string, connectionState: 'live' | 'lost', why?: string): void;
}

/**
 * Keeps the state of each market of an account, and passes its rows, with the changes they made, to the
 * engines of its strategies: each row is applied once, however many strategies there are. Until `release`
 * it buffers rows while strategies warm up on history. It subscribes to what strategies and the bot need.
 */
export class MarketHub implements MarketListener {
  readonly pulses: readonly MarketPulse[];
  /** State of each market by symbol. */
  readonly states: ReadonlyMap<string, InstrumentState>;
  /** When the message being passed on was received: the cause of every request sent meanwhile. */
  cause: Micros | undefined;
  readonly #host: HubHost;
  readonly #states: readonly InstrumentState[];
  readonly #listening: readonly Listening[][];
  readonly #subscriptions: Subscriptions;
  /** True once the uses of strategies count. */
  #hasBegun = false;
  #isReviewDue = false;
  readonly #lastCandleAt: Float64Array;
  /** When data of any symbol, or a sign of life, was last received. */
  #receivedAt: Micros | undefined;
  #held: Held[] | undefined = [];

  constructor(instruments: readonly Instrument[], host: HubHost) {
    this.#host = host;
    this.pulses = instruments.map((instrument) => ({
      instrument,
      connectionState: 'lost',
      lastAt: undefined,
    }));
    const given = new Map(host.states?.map((state) => [state.instrument.symbol, state]));
    this.#states = instruments.map(
      (instrument) => given.get(instrument.symbol) ?? new InstrumentState(instrument),
    );
    this.states = new Map(this.#states.map((state) => [state.instrument.symbol, state]));
    this.#listening = instruments.map(() => []);
    this.#subscriptions = new Subscriptions({
      instruments,
      used: (index) => (this.#listening[index] ?? []).map((one) => one.engine.use(one.index)),
      needed: (symbol) => host.needs(symbol),
      ended: (index, channel) => {
        if (channel === 'trades') this.#states[index]?.tradesEnded();
        for (const one of this.#listening[index] ?? []) one.engine.ended(one.index, channel);
      },
    });
    this.#lastCandleAt = new Float64Array(instruments.length).fill(Number.NEGATIVE_INFINITY);
  }

  /** Opens the market for the bot's own needs; rows are buffered until `release`. */
  open(): Promise<void> {
    const { market } = this.#host;
    if (market.want === undefined) this.#subscriptions.takeAll();
    else this.#subscriptions.takeNeeds();
    return market.open(this.#subscriptions.wanted, this);
  }

  /**
   * Strategies have begun and know candles that ended before `historyTill`: subscribes to what they use and
   * follows changes from now on. Resolves when the source has confirmed; `undefined` if nothing has to be
   * confirmed.
   */
  subscribe(historyTill: Micros): Promise<void> | undefined {
    const subscriptions = this.#subscriptions;
    const hasChanged = subscriptions.begin(
      this.#host.scheduler.now(),
      periodStart(BASE_PERIOD, historyTill),
    );
    this.#hasBegun = true;
    const asked = hasChanged ? this.#host.market.want?.(subscriptions.wanted) : undefined;
    subscriptions.begun();
    return asked;
  }

  /** Subscribes to new uses and needs and ends those unused for a while; called about every second. */
  review(): void {
    if (!this.#hasBegun || !this.#subscriptions.review(this.#host.scheduler.now())) return;
    const { market, unsubscribed } = this.#host;
    market.want?.(this.#subscriptions.wanted).catch(unsubscribed);
  }

  /** An engine's uses have changed: reviewed after the event, with all its changes. */
  used(): void {
    const { scheduler } = this.#host;
    if (!this.#hasBegun || this.#isReviewDue) return;
    this.#isReviewDue = true;
    scheduler.at(scheduler.now(), () => {
      this.#isReviewDue = false;
      this.review();
    });
  }

  pulse(symbol: string): MarketPulse | undefined {
    return this.pulses[this.indexOf(symbol)];
  }

  indexOf(symbol: string): number {
    return this.pulses.findIndex(({ instrument }) => instrument.symbol === symbol);
  }

  /** Valuation of one unit of a symbol; `undefined` while there is no price. */
  price(symbol: string): Decimal | undefined {
    return this.states.get(symbol)?.price();
  }

  /**
   * Until when the state of a symbol is up to date: a live connection would bring its changes with any
   * symbol's data. `undefined` before any data.
   */
  knownAt(symbol: string): Micros | undefined {
    const pulse = this.pulse(symbol);
    return pulse?.connectionState === 'live' ? (this.#receivedAt ?? pulse.lastAt) : pulse?.lastAt;
  }

  /** Lets an engine that shares these states listen to a symbol, which has `index` in the engine. */
  listen(symbol: string, engine: Engine, index: number): void {
    this.#listening[this.indexOf(symbol)]?.push({ engine, index });
  }

  /** Hands on rows of history, which the engines see before anything else. */
  past(index: number, columns: EventColumns, row: number): void {
    this.#show(index, this.#take(index, columns, row), columns, row);
  }

  /** Passes on the buffered rows, and all later ones as they arrive. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { index, columns } of held) this.#hand(index, columns);
  }

  rows(index: number, columns: EventColumns): void {
    const pulse = this.pulses[index];
    if (pulse === undefined) return;
    const { length } = columns;
    if (length === 0) return;
    if (this.#held !== undefined) {
      this.#held.push({ index, columns: copyOf(columns) });
      return;
    }
    // A snapshot may hold old data, and a candle is stamped with its start.
    if (pulse.connectionState === 'live' && columns.kind[length - 1] !== CANDLE) {
      this.#host.feedDelay(columns.receivedAt[length - 1] - columns.stampedAt[length - 1]);
    }
    this.#hand(index, columns);
  }

  connectionState(index: number, connectionState: 'live' | 'lost', why?: string): void {
    const pulse = this.pulses[index];
    if (pulse === undefined || pulse.connectionState === connectionState) return;
    pulse.connectionState = connectionState;
    this.#host.connectionState(pulse.instrument.symbol, connectionState, why);
  }

  alive(at: Micros): void {
    this.#receivedAt = at;
  }

  /** Hands on a message, all of its rows with the same cause. */
  #hand(index: number, columns: EventColumns): void {
    const { length } = columns;
    const receivedAt = micros(columns.receivedAt[length - 1]);
    const pulse = this.pulses[index];
    if (pulse !== undefined) pulse.lastAt = receivedAt;
    this.#receivedAt = receivedAt;
    this.cause = receivedAt;
    for (let row = 0; row < length; row += 1) this.#row(index, columns, row);
    this.cause = undefined;
  }

  #row(index: number, columns: EventColumns, row: number): void {
    // The live channel may repeat candles of the history.
    if (columns.kind[row] === CANDLE && columns.stampedAt[row] <= this.#lastCandleAt[index]) return;
    const changes = this.#take(index, columns, row);
    if (this.#host.row !== undefined) {
      this.#host.row(this.pulses[index].instrument.symbol, columns, row);
    }
    this.#show(index, changes, columns, row);
  }

  #take(index: number, columns: EventColumns, row: number): number {
    if (columns.kind[row] === CANDLE) this.#lastCandleAt[index] = columns.stampedAt[row];
    return this.#states[index].take(columns, row);
  }

  #show(index: number, changes: number, columns: EventColumns, row: number): void {
    if (changes === 0) return;
    const listening = this.#listening[index];
    for (let i = 0; i < listening.length; i += 1) {
      listening[i].engine.follow(listening[i].index, changes, columns, row);
    }
  }
}

/** A copy of rows in new columns. */
function copyOf(columns: EventColumns): EventColumns {
  const { length } = columns;
  return {
    length,
    receivedAt: columns.receivedAt.slice(0, length),
    stampedAt: columns.stampedAt.slice(0, length),
    kind: columns.kind.slice(0, length),
    flags: columns.flags.slice(0, length),
    sequence: columns.sequence.slice(0, length),
    price: columns.price.slice(0, length),
    size: columns.size.slice(0, length),
    askPrice: columns.askPrice.slice(0, length),
    askSize: columns.askSize.slice(0, length),
    open: columns.open.slice(0, length),
  };
}
