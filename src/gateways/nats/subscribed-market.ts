import type { Msg, Subscription } from '@nats-io/transport-node';
import { MillraceError, type Warn } from '../../model/errors.ts';
import { CANDLE, GAP, LAST, type EventColumns } from '../../model/events.ts';
import { failureOf } from '../../model/failure.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';
import type { MarketListener, MarketSource } from '../market-source.ts';
import { EventRows } from '../rows.ts';
import { decodeFrame, type Answer, type MessageFrame, type Question } from './frame.ts';
import type { PublisherConnection } from './publisher.ts';
import { marketSubject, SILENT_US, snapshotSubject } from './subjects.ts';

export interface NatsMarketSetup {
  readonly connection: PublisherConnection;
  /** The publisher's name of the venue. */
  readonly venue: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Candles of the past, which the service has and the publisher has not. */
  readonly history: MarketSource['history'];
  readonly warn: Warn;
}

export interface SubscribedMarketSetup extends NatsMarketSetup {
  readonly instrument: Instrument;
  /** Its index in the request. */
  readonly index: number;
  readonly listener: MarketListener;
}

/** A snapshot that has not arrived after this time is requested again. */
const ANSWER_WITHIN_US = 2 * US_PER_SECOND;
/** Most messages while a snapshot is awaited; beyond it another one is requested. */
const WAITING_MESSAGES_MAX = 10_000;

/** The parts of an answer received so far. */
interface Snapshot {
  readonly past: EventColumns[];
  readonly state: EventColumns[];
}

/** The market of one symbol, from its messages. */
export class SubscribedMarket {
  readonly #setup: SubscribedMarketSetup;
  readonly #opened = Promise.withResolvers<void>();
  readonly #gap = new EventRows();
  #subscription: Subscription | undefined;
  #inbox: Subscription | undefined;
  /** The last message that counted, and of which life of the publisher; before the first none. */
  #last: { run: number; sequence: number } | undefined;
  /** Messages received while a snapshot is awaited. */
  #waiting: MessageFrame[] | undefined = [];
  #snapshot: Snapshot = { past: [], state: [] };
  #isReceived = false;
  #hasReported = false;
  #isConnected = true;
  #isClosed = false;
  /** When the publisher last sent something. */
  #reportedAt = micros(0);
  #candleAt = Number.NaN;
  /** Counts requested snapshots, to recognize the answer to an earlier one. */
  #asked = 0;
  #hasWarned = false;
  #cancelSilence: Cancel = () => undefined;
  #cancelAnswer: Cancel = () => undefined;

  constructor(setup: SubscribedMarketSetup) {
    this.#setup = setup;
  }

  /** Resolves when the first snapshot has arrived. */
  open(): Promise<void> {
    const { connection, venue, instrument } = this.#setup;
    this.#subscription = connection.subscribe(marketSubject(venue, instrument.symbol), {
      callback: (error, message) => {
        if (error === null) this.#read(message, (frame) => this.#take(frame));
      },
    });
    this.#ask();
    return this.#opened.promise;
  }

  connected(isConnected: boolean): void {
    if (this.#isClosed || isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    if (isConnected) this.#ask();
    else this.#lose('the connection to the NATS server broke');
  }

  close(): void {
    this.#isClosed = true;
    this.#quiet();
    this.#subscription?.unsubscribe();
    this.#opened.reject(
      new MillraceError('unreachable', 'The market was closed before its publisher answered.'),
    );
    this.#opened.promise.catch(() => undefined);
  }

  /** An unreadable message may have been anything: it is a gap too. */
  #read(message: Msg, then: (frame: MessageFrame) => void): void {
    if (this.#isClosed) return;
    let frame: MessageFrame;
    try {
      frame = decodeFrame(message.data);
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      this.#warnOnce(error);
      this.#lose(error.message);
      this.#askLater();
      return;
    }
    then(frame);
  }

  #take(frame: MessageFrame): void {
    if (this.#waiting !== undefined) {
      if (this.#waiting.length < WAITING_MESSAGES_MAX) this.#waiting.push(frame);
      else this.#ask();
      return;
    }
    this.#follow(frame);
  }

  /** Processes the next message, or detects a missing one. */
  #follow(frame: MessageFrame): void {
    const last = this.#last;
    if (last === undefined || this.#waiting !== undefined) return;
    const { kind, run, sequence } = frame;
    const isNews = kind !== 'heartbeat' && kind !== 'alive';
    if (run !== last.run) {
      this.#restart('another publisher has begun');
      return;
    }
    if (isNews && sequence <= last.sequence) return;
    const missing = sequence - last.sequence - (isNews ? 1 : 0);
    if (missing > 0) {
      this.#restart(`${missing} of its messages are missing, after number ${last.sequence}`);
      return;
    }
    last.sequence = Math.max(last.sequence, sequence);
    this.#reportedAt = this.#setup.scheduler.now();
    if (kind !== 'heartbeat') this.#setup.listener.alive?.(this.#setup.scheduler.now());
    if (frame.rows !== undefined) this.#emit(frame.rows);
    if (kind === 'live') this.#receive();
    if (kind === 'lost') this.#notReceive(frame.text);
    if (kind !== 'ended') return;
    this.#lose('its publisher has ended');
    this.#askLater();
  }

  #restart(why: string): void {
    this.#lose(why);
    this.#ask();
  }

  /** Ignores messages until the next snapshot. */
  #lose(why: string): void {
    this.#quiet();
    this.#waiting = [];
    if (this.#hasReported) {
      const now = this.#setup.scheduler.now();
      this.#gap.clear();
      this.#gap.add(now, now, GAP, LAST, 0, 0, 0, 0, 0, 0);
      this.#emit(this.#gap.columns);
      this.#hasReported = false;
    }
    this.#notReceive(why);
  }

  #receive(): void {
    if (this.#isReceived) return;
    this.#isReceived = true;
    this.#setup.listener.connectionState(this.#setup.index, 'live');
  }

  #notReceive(why: string | undefined): void {
    if (!this.#isReceived) return;
    this.#isReceived = false;
    this.#setup.listener.connectionState(this.#setup.index, 'lost', why);
  }

  /** Hands rows on as received now: clocks of two machines differ, and times must not fall. */
  #emit(rows: EventColumns): void {
    if (rows.length === 0) return;
    rows.receivedAt.fill(this.#setup.scheduler.now(), 0, rows.length);
    for (let row = 0; row < rows.length; row += 1) {
      if (rows.kind[row] === CANDLE) this.#candleAt = rows.stampedAt[row];
    }
    this.#hasReported = true;
    this.#setup.listener.rows(this.#setup.index, rows);
  }

  /** Requests a snapshot; later messages wait for it. */
  #ask(): void {
    if (this.#isClosed || !this.#isConnected) return;
    const { connection, venue, instrument, random } = this.#setup;
    this.#quiet();
    this.#waiting = [];
    this.#snapshot = { past: [], state: [] };
    this.#asked += 1;
    const question: Question =
      this.#last === undefined ? {} : { run: this.#last.run, after: this.#last.sequence };
    const inbox = `_INBOX.millrace.${random.integer(0, Number.MAX_SAFE_INTEGER).toString(36)}`;
    this.#inbox = connection.subscribe(inbox, {
      callback: (error, message) => {
        // Nobody answers: the timer requests it again.
        if (error !== null || message.headers?.code === 503) return;
        this.#read(message, (frame) => this.#answered(frame));
      },
    });
    connection.publish(snapshotSubject(venue, instrument.symbol), JSON.stringify(question), {
      reply: inbox,
    });
    this.#askLater();
  }

  #askLater(): void {
    const { scheduler, venue, instrument } = this.#setup;
    this.#cancelAnswer();
    this.#cancelAnswer = scheduler.at(micros(scheduler.now() + ANSWER_WITHIN_US), () => {
      if (this.#isConnected) {
        this.#warnOnce(
          new MillraceError(
            'service-unavailable',
            `Nobody publishes ${instrument.symbol} of ${venue} on the NATS server: start "millrace feed publish", or look at the names of both; it is asked again every ${ANSWER_WITHIN_US / US_PER_SECOND} s.`,
            { field: 'nats' },
          ),
        );
      }
      this.#ask();
    });
  }

  #answered(frame: MessageFrame): void {
    const { instrument, venue } = this.#setup;
    const { kind, rows, text = '' } = frame;
    if (kind === 'unknown') {
      this.#refuse(
        new MillraceError(
          'symbol-unknown',
          `The publisher of ${venue} has no ${instrument.symbol}; it has ${text}.`,
          { field: 'symbols' },
        ),
      );
      return;
    }
    if (kind === 'past' && rows !== undefined) this.#snapshot.past.push(rows);
    if (kind === 'state' && rows !== undefined) this.#snapshot.state.push(rows);
    if (kind !== 'answer') return;
    const answer = JSON.parse(text) as Answer;
    const { tickSize, quantityIncrement } = instrument.terms;
    if (answer.tickSize !== tickSize || answer.quantityIncrement !== quantityIncrement) {
      this.#refuse(
        new MillraceError(
          'instrument-invalid',
          `The publisher of ${venue} counts ${instrument.symbol} in steps of ${answer.tickSize} and ${answer.quantityIncrement}, not of ${tickSize} and ${quantityIncrement} as the service has it: restart the publisher.`,
          { field: 'symbols' },
        ),
      );
      return;
    }
    this.#inbox?.unsubscribe();
    void this.#begin(frame, answer, this.#asked);
  }

  /** At first it ends the opening; later it is logged, and requested again. */
  #refuse(error: MillraceError): void {
    this.#opened.reject(error);
    this.#opened.promise.catch(() => undefined);
    if (this.#last !== undefined) this.#warnOnce(error);
  }

  /** Emits the gap, then the snapshot, then the messages received meanwhile. */
  async #begin({ run, sequence }: MessageFrame, answer: Answer, asked: number): Promise<void> {
    this.#cancelAnswer();
    const { past, state } = this.#snapshot;
    const wasReceived = this.#last !== undefined;
    if (wasReceived && !answer.isWhole) {
      const candles = await this.#missedCandles();
      if (this.#isClosed || asked !== this.#asked) return;
      past.unshift(candles);
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#last = { run, sequence };
    this.#hasWarned = false;
    this.#reportedAt = this.#setup.scheduler.now();
    this.#watchSilence();
    for (const rows of [...past, ...state]) this.#emit(rows);
    if (answer.connectionState === 'live') this.#receive();
    this.#opened.resolve();
    for (const frame of waiting) {
      // Earlier messages are in the snapshot; of another run they are older, or covered by the next
      // message.
      if (frame.run === run && frame.sequence > sequence) this.#follow(frame);
    }
  }

  /** The service's candles since the last one: the publisher does not have all missed ones. */
  async #missedCandles(): Promise<EventColumns> {
    const { history, instrument, scheduler, warn, venue } = this.#setup;
    const { symbol } = instrument;
    const none = new EventRows().columns;
    warn(
      new MillraceError(
        'service-unavailable',
        `The publisher of ${venue} does not have all trades of ${symbol} that were missed; they are left out.`,
        { field: 'nats' },
      ),
    );
    if (Number.isNaN(this.#candleAt)) return none;
    const from = micros(this.#candleAt + US_PER_MINUTE);
    try {
      return await history(instrument, 'M1', from, scheduler.now());
    } catch (error) {
      const why = failureOf(error).message;
      warn(new MillraceError('service-unavailable', `Missed candles of ${symbol} cannot be read (${why}).`, { cause: error })); // prettier-ignore
      return none;
    }
  }

  #watchSilence(): void {
    const { scheduler } = this.#setup;
    const till = micros(this.#reportedAt + SILENT_US);
    this.#cancelSilence();
    this.#cancelSilence = scheduler.at(till, () => {
      if (this.#reportedAt + SILENT_US > scheduler.now()) this.#watchSilence();
      else this.#restart(`its publisher said nothing for ${SILENT_US / US_PER_SECOND} s`);
    });
  }

  #warnOnce(warning: MillraceError): void {
    if (!this.#hasWarned) this.#setup.warn(warning);
    this.#hasWarned = true;
  }

  #quiet(): void {
    this.#cancelSilence();
    this.#cancelAnswer();
    this.#inbox?.unsubscribe();
  }
}
