import { CandleBuilder } from '../../model/candle-builder.ts';
import type { Candle } from '../../model/candle.ts';
import type { Instrument } from '../../model/instrument.ts';
import { firstWholePeriod, periodEnd, type CandlePeriod } from '../../model/period.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { CandleSource } from './feed-contents.ts';
import { MarketTopic } from './topic.ts';

export interface CandleStreamOptions {
  readonly instrument: Instrument;
  readonly period: CandlePeriod;
  readonly source: CandleSource;
  readonly scheduler: Scheduler;
  /**
   * Trades and candles before this belong to a period with an unseen start; if absent, the first
   * candle of the feed decides.
   */
  readonly from?: Micros | undefined;
  /** Emits finished candles to the strategy as a separate event. */
  readonly finished: () => void;
  /** Called for the first subscriber and after the last. */
  readonly awaited?: () => void;
}

/**
 * How long the end of a longer candle waits for the last shorter one. A service sends a candle half
 * a second after its end if no trade ended it before.
 */
const LAST_WAIT_US = 2 * US_PER_SECOND;

/**
 * The candles of one period: those of the feed, or built from its shorter ones or its trades. A
 * candle with an unseen start is not emitted.
 *
 * Candles built from trades hold the trades received within the period, and are finished by the
 * clock at its end. Candles built from shorter ones are finished by the one that reaches the end,
 * or if that is missing by the clock, a moment later. After a gap of the feed, or if it sends its
 * candles late, they wait for it instead.
 */
export class CandleStream {
  readonly topic = new MarketTopic<Candle>(undefined, () => this.#options.awaited?.());
  readonly source: CandleSource;
  readonly period: CandlePeriod;
  /** How many candles it has emitted. */
  emittedCount = 0;
  #builder: CandleBuilder;
  readonly #options: CandleStreamOptions;
  /**
   * Candles to emit, from `#emitted` to `#kept`; emptying the array would allocate it again each
   * time.
   */
  readonly #waiting: (Candle | undefined)[] = [];
  #emitted = 0;
  #kept = 0;
  /** End of the open candle with a scheduled task, or of one that a task ended. */
  #endsAt = Number.NEGATIVE_INFINITY;
  #from: Micros | undefined;
  /** The end of the last built candle. */
  #shownTo = Number.NEGATIVE_INFINITY;
  /** Delay of the latest shorter candle after its end. */
  #lagUs = 0;
  /** True from a gap of the feed to its next candle. */
  #isMissing = false;

  constructor(options: CandleStreamOptions) {
    this.#options = options;
    this.source = options.source;
    this.period = options.period;
    this.#from = options.from;
    this.#builder = new CandleBuilder(options.instrument, options.period);
  }

  /** True while there is something to emit. */
  get isWaiting(): boolean {
    return this.#kept > this.#emitted;
  }

  trade(at: Micros, ticks: Ticks, lots: Lots): void {
    if (this.#isPartial(at)) return;
    this.#keep(this.#builder.trade(at, ticks, lots));
    if (at < this.#endsAt) return;
    const { scheduler, period } = this.#options;
    const endsAt = periodEnd(period, at);
    this.#endsAt = endsAt;
    scheduler.at(endsAt, () => this.#end(endsAt));
  }

  /**
   * Notes a gap of the feed: a candle that ends meanwhile is complete when the missed ones come.
   */
  miss(): void {
    this.#isMissing = true;
  }

  /**
   * Notes the end of its source: the open candle is dropped, and the next complete one is the
   * first.
   */
  restart(): void {
    const { instrument, period } = this.#options;
    this.#builder = new CandleBuilder(instrument, period);
    this.#from = undefined;
    this.#endsAt = Number.NEGATIVE_INFINITY;
  }

  /** Adds a candle of the feed: shorter than this period, or of this period. */
  candle(candle: Candle): void {
    if (this.source === 'feed') {
      this.#wait(candle);
      return;
    }
    const { openedAt: at, closedAt } = candle;
    this.#isMissing = false;
    this.#lagUs = Math.max(0, this.#options.scheduler.now() - closedAt);
    // A late one whose longer candle was emitted is dropped.
    if (this.#isPartial(at) || at < this.#shownTo) return;
    // As four trades, of which the last has the volume.
    this.#keep(this.#builder.trade(at, candle.openTicks, 0 as Lots));
    this.#keep(this.#builder.trade(at, candle.highTicks, 0 as Lots));
    this.#keep(this.#builder.trade(at, candle.lowTicks, 0 as Lots));
    this.#keep(this.#builder.trade(at, candle.closeTicks, candle.volumeLots));
    this.#keep(this.#builder.advance(closedAt));
    const endsAt = periodEnd(this.period, at);
    if (endsAt === this.#endsAt || closedAt >= endsAt) return;
    this.#endsAt = endsAt;
    this.#await(endsAt);
  }

  emitWaiting(): void {
    for (;;) {
      const candle = this.#waiting[this.#emitted];
      if (candle === undefined) return;
      this.#waiting[this.#emitted] = undefined;
      this.#emitted += 1;
      if (this.#emitted === this.#kept) {
        this.#emitted = 0;
        this.#kept = 0;
      }
      this.emittedCount += 1;
      this.topic.emit(candle);
    }
  }

  #wait(candle: Candle): void {
    this.#waiting[this.#kept] = candle;
    this.#kept += 1;
  }

  /** True for data of a period with an unseen start. */
  #isPartial(at: Micros): boolean {
    this.#from ??= firstWholePeriod(this.period, at);
    return at < this.#from;
  }

  /** Ends a candle of shorter ones by the clock, as late as the feed sends them. */
  #await(endsAt: Micros): void {
    const { scheduler } = this.#options;
    const lagUs = this.#lagUs;
    scheduler.at(micros(endsAt + LAST_WAIT_US + lagUs), () => {
      if (endsAt <= this.#shownTo || this.#isMissing) return;
      if (this.#lagUs > lagUs) this.#await(endsAt);
      else this.#end(endsAt);
    });
  }

  #end(endsAt: Micros): void {
    this.#keep(this.#builder.advance(endsAt));
    if (this.isWaiting) this.#options.finished();
  }

  #keep(candle: Candle | undefined): void {
    if (candle === undefined) return;
    this.#shownTo = candle.closedAt;
    this.#wait(candle);
  }
}
