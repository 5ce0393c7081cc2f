import type { Engine } from '../../engine/engine.ts';
import { CANDLE, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { MarketListener, Wanted } from '../../gateways/market-source.ts';

/** The candles of the venue from which all longer ones are built. */
export const BASE_PERIOD: Period = 'M1';

/** An engine that listens to a market, and the place of the instrument among its own. */
interface Listening {
  readonly engine: Engine;
  readonly index: number;
}

/** The market of one symbol as the hub knows it. */
export interface MarketPulse {
  readonly instrument: Instrument;
  hearing: 'live' | 'lost';
  /** When something was last heard. */
  lastAt: Micros | undefined;
  lastTicks: number;
}

interface Held {
  readonly index: number;
  readonly columns: EventColumns;
}

export interface HubHost {
  /** Told of each row before the engines, such as the exchange that fills the orders of a paper account. */
  readonly row?: (symbol: string, columns: EventColumns, row: number) => void;
  feedDelay(us: number): void;
  hearing(symbol: string, hearing: 'live' | 'lost', why?: string): void;
}

/**
 * Hands the market data of one account to the engines of its strategies, row by row. Until `release`
 * it keeps what comes, since strategies are still warming up on history.
 */
export class MarketHub implements MarketListener {
  readonly pulses: readonly MarketPulse[];
  /** When the message was received that is being handed on; the cause of whatever leaves meanwhile. */
  cause: Micros | undefined;
  readonly #host: HubHost;
  readonly #listening: readonly Listening[][];
  readonly #lastCandleAt: Float64Array;
  /** When something was heard last, of whatever symbol. */
  #heardAt: Micros | undefined;
  #held: Held[] | undefined = [];

  constructor(instruments: readonly Instrument[], host: HubHost) {
    this.#host = host;
    this.pulses = instruments.map((instrument) => ({
      instrument,
      hearing: 'lost',
      lastAt: undefined,
      lastTicks: Number.NaN,
    }));
    this.#listening = instruments.map(() => []);
    this.#lastCandleAt = new Float64Array(instruments.length).fill(Number.NEGATIVE_INFINITY);
  }

  /** What is asked of the market. */
  get wanted(): readonly Wanted[] {
    return this.pulses.map(({ instrument }) => ({
      instrument,
      trades: true,
      book: 'full',
      candles: BASE_PERIOD,
    }));
  }

  pulse(symbol: string): MarketPulse | undefined {
    return this.pulses[this.indexOf(symbol)];
  }

  indexOf(symbol: string): number {
    return this.pulses.findIndex(({ instrument }) => instrument.symbol === symbol);
  }

  /** The last price of a symbol; NaN while there is none. */
  lastTicks(symbol: string): number {
    return this.pulses[this.indexOf(symbol)]?.lastTicks ?? Number.NaN;
  }

  /**
   * Until when what is known of a symbol is known to be so: a connection that brings data of any symbol
   * would bring what happens to this one. `undefined` while nothing was heard that says so.
   */
  knownAt(symbol: string): Micros | undefined {
    const pulse = this.pulse(symbol);
    return pulse?.hearing === 'live' ? (this.#heardAt ?? pulse.lastAt) : pulse?.lastAt;
  }

  /** Lets an engine listen to a symbol that stands at `index` among its own. */
  listen(symbol: string, engine: Engine, index: number): void {
    this.#listening[this.indexOf(symbol)]?.push({ engine, index });
  }

  /** Hands on rows of history, which the engines see before anything else. */
  past(index: number, columns: EventColumns, row: number): void {
    this.#remember(index, columns, row);
    for (const one of this.#listening[index] ?? []) one.engine.market(one.index, columns, row);
  }

  /** Hands on what came meanwhile, and everything from here on as it comes. */
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
    // A snapshot tells what was long ago, and a candle is stamped with its beginning.
    if (pulse.hearing === 'live' && columns.kind[length - 1] !== CANDLE) {
      this.#host.feedDelay(columns.receivedAt[length - 1] - columns.stampedAt[length - 1]);
    }
    this.#hand(index, columns);
  }

  hearing(index: number, hearing: 'live' | 'lost', why?: string): void {
    const pulse = this.pulses[index];
    if (pulse === undefined || pulse.hearing === hearing) return;
    pulse.hearing = hearing;
    this.#host.hearing(pulse.instrument.symbol, hearing, why);
  }

  /** Hands on a message, all of its rows with the same cause. */
  #hand(index: number, columns: EventColumns): void {
    const { length } = columns;
    const receivedAt = micros(columns.receivedAt[length - 1]);
    const pulse = this.pulses[index];
    if (pulse !== undefined) pulse.lastAt = receivedAt;
    this.#heardAt = receivedAt;
    this.cause = receivedAt;
    for (let row = 0; row < length; row += 1) this.#row(index, columns, row);
    this.cause = undefined;
  }

  #row(index: number, columns: EventColumns, row: number): void {
    // Candles of the history may come again by the live channel.
    if (columns.kind[row] === CANDLE && columns.stampedAt[row] <= this.#lastCandleAt[index]) return;
    this.#remember(index, columns, row);
    if (this.#host.row !== undefined) {
      this.#host.row(this.pulses[index].instrument.symbol, columns, row);
    }
    const listening = this.#listening[index] ?? [];
    for (let i = 0; i < listening.length; i += 1) {
      listening[i].engine.market(listening[i].index, columns, row);
    }
  }

  #remember(index: number, columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    const pulse = this.pulses[index];
    if (kind === CANDLE) {
      this.#lastCandleAt[index] = columns.stampedAt[row];
      if (pulse !== undefined && Number.isNaN(pulse.lastTicks)) {
        pulse.lastTicks = columns.price[row];
      }
    } else if (kind === TRADE && pulse !== undefined) pulse.lastTicks = columns.price[row];
  }
}

/** The same rows in columns of their own. */
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
