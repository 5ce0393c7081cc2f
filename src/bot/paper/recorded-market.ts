import type { FeedContents } from '../../engine/market/feed-contents.ts';
import { merge, type Segment } from '../../feeds/merge.ts';
import type { MarketListener, MarketSource, Wanted } from '../../gateways/market-source.ts';
import { MillraceError } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { candleRows, pastCandles, readBefore } from './past.ts';
import {
  openRecordingSequences,
  type MarginBySymbol,
  type RecordingSequence,
} from './recording-sequence.ts';
import { SymbolReplay } from './symbol-replay.ts';
import { ReplayClock } from './timeline.ts';

export interface RecordedMarketSetup {
  /** Recordings; several of one symbol are played one after the other. */
  readonly paths: readonly string[];
  /** Factor of the recorded speed. */
  readonly speed: number;
  readonly scheduler: Scheduler;
  /** Start in recorded time; the first row if absent. */
  readonly from?: Micros | undefined;
  /** Whether it starts again when it is at its end. */
  readonly repeat?: boolean | undefined;
  /** The period of candles built from recorded trades, like a service's; M1. */
  readonly candles?: Period | undefined;
  /** On what terms symbols are traded on margin, instead of those of their recordings. */
  readonly margin?: MarginBySymbol | undefined;
}

/** A turn ends after this time or number of rows, whatever is due; then others run. */
const TURN_US = 2_000;
const TURN_ROWS = 2_000;
/** Between two turns of a market that is behind. */
const PAUSE_US = 500;
/** Recorded time from the last row to the first one of a repetition. */
const BETWEEN_US = US_PER_SECOND;

/**
 * Recordings replayed as a live market. Rows come at their recorded distances, divided by the speed, with
 * the time at which they come; timestamps of a venue keep their distance. A market faster than the machine
 * is late and skips nothing. Batches are read as they are played, so memory does not grow with the
 * recordings.
 */
export class RecordedMarketSource implements MarketSource {
  readonly #setup: RecordedMarketSetup;
  readonly #sequences: readonly RecordingSequence[];
  readonly #period: Period;
  #stages: readonly SymbolReplay[] = [];
  #listener: MarketListener | undefined;
  #segments: Generator<Segment, void, undefined> | undefined;
  #segment: Segment | undefined;
  #row = 0;
  /** Recorded time of the present row; one whose time runs back counts as received with the latest. */
  #recordedAt = Number.NEGATIVE_INFINITY;
  #timeline: ReplayClock | undefined;
  #cancel: Cancel = () => undefined;
  #isClosed = false;

  /** Opens the recordings; throws their errors, and `out-of-range` for an invalid speed. */
  constructor(setup: RecordedMarketSetup) {
    if (!(setup.speed > 0 && Number.isFinite(setup.speed))) {
      throw new MillraceError(
        'out-of-range',
        `speed is ${setup.speed} and must be a number above 0, such as 1 or 10.`,
        { field: 'speed' },
      );
    }
    this.#setup = setup;
    this.#period = setup.candles ?? 'M1';
    this.#sequences = openRecordingSequences(setup.paths, setup.margin);
  }

  /** The recorded instruments, on the terms of the recordings. */
  get instruments(): readonly Instrument[] {
    return this.#sequences.map(({ instrument }) => instrument);
  }

  contents(symbol: string): FeedContents | undefined {
    return this.#find(symbol)?.contents(this.#period);
  }

  /** Throws `symbol-unknown` for what was not recorded, `recording-invalid` for another grid. */
  async open(wanted: readonly Wanted[], listener: MarketListener): Promise<void> {
    if (this.#listener !== undefined)
      throw new MillraceError('internal', 'A market is opened once.');
    this.#listener = listener;
    this.#stages = wanted.map(
      (one, index) => new SymbolReplay(this.#sequenceFor(one.instrument), one, index),
    );
    const timeline = this.#anchor();
    const { from, scheduler } = this.#setup;
    if (from !== undefined) {
      for (const { sequence, standing } of this.#stages) {
        await readBefore(sequence, from, (columns, row) => standing.take(columns, row));
      }
    }
    if (this.#isClosed) return;
    timeline.begin(scheduler.now());
    for (const replay of this.#stages) {
      replay.begin(scheduler.now());
      listener.connectionState(replay.index, 'live');
      if (from !== undefined) replay.stand(scheduler.now(), timeline);
      this.#flush(replay);
    }
    this.#begin(from);
  }

  async history(
    instrument: Instrument,
    period: Period,
    from: Micros,
    till: Micros,
  ): Promise<EventColumns> {
    const sequence = this.#sequenceFor(instrument);
    const timeline = this.#anchor();
    const candles = await pastCandles(sequence, period, timeline.recordedFrom);
    const shiftUs = timeline.shiftUs(period);
    const within = candles.filter(
      ({ openedAt, closedAt }) => openedAt + shiftUs >= from && closedAt + shiftUs <= till,
    );
    return candleRows(within, shiftUs);
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#cancel();
    for (const replay of this.#stages) replay.close();
    this.#segments?.return();
    for (const sequence of this.#sequences) sequence.close();
    return Promise.resolve();
  }

  /** Recorded time and the clock fall together at the start of the play. */
  #anchor(): ReplayClock {
    const { scheduler, from, speed } = this.#setup;
    const first = Math.min(
      ...this.#sequences.filter(({ isEmpty }) => !isEmpty).map(({ firstAt }) => firstAt),
    );
    const recordedFrom = from ?? (Number.isFinite(first) ? first : 0);
    this.#timeline ??= new ReplayClock(recordedFrom, scheduler.now(), speed);
    return this.#timeline;
  }

  #begin(from: Micros | undefined): void {
    this.#segments = merge(
      this.#stages.map(({ sequence }) => sequence),
      from === undefined ? {} : { from },
    );
    this.#recordedAt = Number.NEGATIVE_INFINITY;
    this.#read();
    if (this.#segment === undefined) this.#end();
    else this.#arm(0);
  }

  #turn(): void {
    const { scheduler } = this.#setup;
    const timeline = this.#anchor();
    const startedAt = scheduler.now();
    let rows = 0;
    while (this.#segment !== undefined && timeline.due(this.#recordedAt) <= startedAt) {
      rows += this.#playMoment(startedAt, timeline);
      if (this.#isClosed) return;
      if (rows >= TURN_ROWS || scheduler.now() - startedAt >= TURN_US) break;
    }
    for (const replay of this.#stages) this.#flush(replay);
    if (this.#isClosed) return;
    if (this.#segment === undefined) this.#end();
    else this.#arm(PAUSE_US);
  }

  /** Plays all rows of one moment, so that no message is split. */
  #playMoment(at: Micros, timeline: ReplayClock): number {
    const until = this.#recordedAt;
    let rows = 0;
    while (this.#segment !== undefined && this.#recordedAt <= until) {
      const { source, columns } = this.#segment;
      const replay = this.#stages[source];
      for (const other of this.#stages) if (other !== replay) this.#flush(other);
      if (this.#isClosed) return rows;
      replay.play(columns, this.#row, at, timeline);
      rows += 1;
      this.#advance();
    }
    return rows;
  }

  #flush(replay: SymbolReplay): void {
    const { rows, index } = replay;
    if (rows.length === 0 || this.#isClosed) return;
    this.#listener?.rows(index, rows.columns);
    rows.clear();
    replay.arm(this.#setup.scheduler, () => this.#flush(replay));
  }

  #advance(): void {
    this.#row += 1;
    const segment = this.#segment;
    if (segment !== undefined && this.#row < segment.end) {
      this.#recordedAt = Math.max(this.#recordedAt, segment.columns.receivedAt[this.#row]);
    } else this.#read();
  }

  #read(): void {
    const next = this.#segments?.next();
    const segment = next === undefined || next.done === true ? undefined : next.value;
    this.#segment = segment;
    if (segment === undefined) return;
    this.#row = segment.start;
    this.#recordedAt = Math.max(this.#recordedAt, segment.columns.receivedAt[this.#row]);
  }

  /** Schedules the next turn: when something comes due, or after a pause if it is due already. */
  #arm(pauseUs: number): void {
    const { scheduler } = this.#setup;
    const now = scheduler.now();
    const due = this.#anchor().due(this.#recordedAt);
    const at = due > now ? Math.ceil(due) : now + pauseUs;
    this.#cancel = scheduler.at(micros(at), () => {
      this.#turn();
    });
  }

  /** Clears the books; then the recordings start again, or end. */
  #end(): void {
    const { scheduler, repeat, speed } = this.#setup;
    const isOver = repeat !== true || this.#stages.every(({ sequence }) => sequence.isEmpty);
    for (const replay of this.#stages) {
      replay.clear(scheduler.now());
      this.#flush(replay);
      if (this.#isClosed) return;
      if (isOver)
        this.#listener?.connectionState(replay.index, 'lost', 'The recording is at its end.');
    }
    if (isOver) return;
    const at = micros(scheduler.now() + Math.max(1, Math.round(BETWEEN_US / speed)));
    this.#cancel = scheduler.at(at, () => {
      const first = Math.min(...this.#stages.map(({ sequence }) => sequence.firstAt));
      this.#anchor().repeat(first, scheduler.now());
      this.#begin(undefined);
    });
  }

  #find(symbol: string): RecordingSequence | undefined {
    return this.#sequences.find((sequence) => sequence.symbol === symbol);
  }

  #sequenceFor({ symbol, terms }: Instrument): RecordingSequence {
    const sequence = this.#find(symbol);
    if (sequence === undefined) {
      const known = this.#sequences.map((one) => one.symbol).join(', ');
      throw new MillraceError(
        'symbol-unknown',
        `None of the recordings is of ${symbol}; there are ${known}.`,
        { field: 'symbol' },
      );
    }
    for (const field of ['tickSize', 'quantityIncrement'] as const) {
      if (sequence.instrument[field].equals(terms[field])) continue;
      throw new MillraceError(
        'recording-invalid',
        `The recording of ${symbol} has a ${field} of ${sequence.instrument.terms[field]}, and the instrument has ${terms[field]}: take another recording.`,
        { field },
      );
    }
    return sequence;
  }
}
