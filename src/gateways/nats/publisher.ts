import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { MillraceError, type Warn } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { MarketListener, MarketSource, Wanted } from '../market-source.ts';
import { encodeFrame, type MessageFrame, type Question } from './frame.ts';
import { PublishedMarket } from './published-market.ts';
import { HEARTBEAT_US, marketSubject, ROWS_MAX, snapshotSubject, symbolOf } from './subjects.ts';
import { watchConnection } from './watch.ts';

/** The used part of a connection. */
export type PublisherConnection = Pick<
  NatsConnection,
  'publish' | 'subscribe' | 'request' | 'status' | 'flush' | 'getServer'
>;

export interface PublisherSetup {
  readonly connection: PublisherConnection;
  /** The venue's name in subjects. */
  readonly venue: string;
  readonly source: MarketSource;
  readonly instruments: readonly Instrument[];
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly warn: Warn;
  readonly connectionState?: (
    symbol: string,
    connectionState: 'live' | 'lost',
    why?: string,
  ) => void;
}

/** State of a publisher. */
export interface PublisherStatus {
  readonly rows: number;
  readonly messages: number;
  readonly snapshots: number;
}

/** How long another publisher of the same venue has to answer. */
const OTHER_WITHIN_MS = 500;

/**
 * Publishes a market to NATS: all data of a symbol go out on one subject, in one order, with a sequence;
 * late subscribers and those that miss something request a snapshot. While the server is not connected the
 * sequence continues and nothing is kept for it: subscribers notice by the sequence.
 */
export class MarketPublisher implements MarketListener {
  readonly #setup: PublisherSetup;
  readonly #run: number;
  readonly #markets: readonly PublishedMarket[];
  #questions: Subscription | undefined;
  #isAlive = false;
  #isConnected = true;
  #cancel: Cancel = () => undefined;
  #rows = 0;
  #messages = 0;
  #snapshots = 0;

  constructor(setup: PublisherSetup) {
    this.#setup = setup;
    this.#run = setup.random.integer(1, Number.MAX_SAFE_INTEGER);
    this.#markets = setup.instruments.map((instrument) => new PublishedMarket(instrument));
  }

  get status(): PublisherStatus {
    return { rows: this.#rows, messages: this.#messages, snapshots: this.#snapshots };
  }

  /** Throws `usage` if another one publishes for this venue, and the source's errors. */
  async open(): Promise<void> {
    const { connection, venue, source, instruments } = this.#setup;
    for (const { symbol } of instruments) await this.#refuseSecond(symbol);
    this.#questions = connection.subscribe(snapshotSubject(venue, '*'), {
      callback: (error, message) => {
        if (error === null) this.#answer(message);
      },
    });
    watchConnection(connection, {
      connected: (isConnected) => {
        this.#isConnected = isConnected;
      },
      warn: this.#setup.warn,
    });
    this.#beat();
    await source.open(instruments.map(wantedOf), this);
  }

  /** Sends the end of each symbol, and closes the source. */
  async close(): Promise<void> {
    this.#cancel();
    await this.#setup.source.close();
    this.#questions?.unsubscribe();
    for (const market of this.#markets) {
      market.receive('lost', undefined);
      this.#send(market, this.#frame(market, 'ended'));
    }
    if (this.#isConnected) await this.#setup.connection.flush();
  }

  rows(index: number, columns: EventColumns): void {
    const market = this.#markets[index];
    for (let from = 0; from < columns.length; from += ROWS_MAX) {
      const till = Math.min(columns.length, from + ROWS_MAX);
      market.take(columns, from, till);
      const frame: MessageFrame = {
        kind: 'rows',
        run: this.#run,
        sequence: market.sequence,
        rows: columns,
      };
      this.#send(market, encodeFrame(frame, from, till));
    }
    this.#rows += columns.length;
    this.#isAlive = true;
  }

  connectionState(index: number, connectionState: 'live' | 'lost', why?: string): void {
    const market = this.#markets[index];
    market.receive(connectionState, why);
    this.#send(market, this.#frame(market, connectionState, why));
    this.#setup.connectionState?.(market.instrument.symbol, connectionState, why);
  }

  alive(): void {
    this.#isAlive = true;
  }

  #frame({ sequence }: PublishedMarket, kind: MessageFrame['kind'], text = ''): Uint8Array {
    return encodeFrame({ kind, run: this.#run, sequence, text });
  }

  #send({ instrument: { symbol } }: PublishedMarket, bytes: Uint8Array): void {
    const { connection, venue } = this.#setup;
    if (!this.#isConnected) return;
    connection.publish(marketSubject(venue, symbol), bytes);
    this.#messages += 1;
  }

  #beat(): void {
    const { scheduler } = this.#setup;
    const kind = this.#isAlive ? 'alive' : 'heartbeat';
    this.#isAlive = false;
    for (const market of this.#markets) this.#send(market, this.#frame(market, kind));
    this.#cancel = scheduler.at(micros(scheduler.now() + HEARTBEAT_US), () => this.#beat());
  }

  /** Missed trades and candles, then the state, then what ends the answer; all before the next change. */
  #answer(message: Msg): void {
    const symbol = symbolOf(message.subject);
    const market = this.#markets.find(({ instrument }) => instrument.symbol === symbol);
    if (market === undefined) {
      const text = this.#markets
        .slice(0, 100)
        .map((one) => one.instrument.symbol)
        .join(', ');
      message.respond(encodeFrame({ kind: 'unknown', run: this.#run, sequence: 0, text }));
      return;
    }
    const { run, after } = questionOf(message);
    const sequence = market.sequence;
    const isSame = run === this.#run && after !== undefined;
    const past = isSame ? market.since(after) : undefined;
    const part = (kind: 'past' | 'state', rows: EventColumns): void => {
      for (let from = 0; from < rows.length; from += ROWS_MAX) {
        const till = Math.min(rows.length, from + ROWS_MAX);
        message.respond(encodeFrame({ kind, run: this.#run, sequence, rows }, from, till));
      }
    };
    if (past !== undefined) part('past', past);
    part('state', market.state(this.#setup.scheduler.now()));
    message.respond(this.#frame(market, 'answer', market.answer(past !== undefined)));
    this.#snapshots += 1;
  }

  /** Two publishers of one symbol would be two sequences on one subject. */
  async #refuseSecond(symbol: string): Promise<void> {
    const { connection, venue } = this.#setup;
    try {
      await connection.request(snapshotSubject(venue, symbol), '', { timeout: OTHER_WITHIN_MS });
    } catch {
      return;
    }
    throw new MillraceError(
      'usage',
      `Another publisher has the venue ${venue} on the NATS server at ${connection.getServer()}: end it first, or give this one a name of its own with --venue.`,
      { field: 'venue' },
    );
  }
}

function wantedOf(instrument: Instrument): Wanted {
  const market = { instrument, trades: true, book: 'full', candles: 'M1' } as const;
  return instrument.isContract ? { ...market, derivatives: true } : market;
}

function questionOf(message: Msg): Question {
  try {
    const asked: unknown = message.json();
    return typeof asked === 'object' && asked !== null ? asked : {};
  } catch {
    return {};
  }
}
