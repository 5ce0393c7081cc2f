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
   * Trades and candles before this belong to a period whose start was not seen; where absent, the first
   * candle of the feed decides.
   */
  readonly from?: Micros | undefined;
  /** Shows finished candles to the strategy as an event of their own. */
  readonly finished: () => void;
  /** The first came to listen, or the last went. */
  readonly awaited?: () => void;
}

/**
 * How long the last of the shorter candles is waited for when a longer one is over. A service sends a
 * candle half a second after its end, where no trade ended it before.
 */
const LAST_WAIT_US = 2 * US_PER_SECOND;

/**
 * The candles of one period: those of the feed, or built from its shorter ones or its trades. One
 * whose start was not seen is not shown.
 *
 * Candles built from trades hold the trades that arrived within the period, and are finished by the clock
 * at its end. Candles built from shorter ones are finished by the one that reaches the end, or where that
 * is missing by the clock, a moment later. A feed that missed something, or sends its candles late, is
 * waited for instead.
 */
export class CandleStream {
  readonly topic = new MarketTopic<Candle>(undefined, () => this.#options.awaited?.());
  readonly source: CandleSource;
  readonly period: CandlePeriod;
  /** How many candles it has shown. */
  shown = 0;
  #builder: CandleBuilder;
  readonly #options: CandleStreamOptions;
  /** Candles to emit, from `#emitted` to `#kept`; an array that is emptied would be allocated again for each. */
  readonly #waiting: (Candle | undefined)[] = [];
  #emitted = 0;
  #kept = 0;
  /** Until when a task waits for the end of the open candle, or ended it. */
  #endsAt = Number.NEGATIVE_INFINITY;
  #from: Micros | undefined;
  /** The end of the last candle that was built. */
  #shownTo = Number.NEGATIVE_INFINITY;
  /** How long after its end the latest shorter candle came. */
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

  /** The feed missed something: a candle that ends meanwhile is whole when the missed ones come. */
  miss(): void {
    this.#isMissing = true;
  }

  /** What it is built from ended: the open candle is dropped, and the next whole one is the first. */
  restart(): void {
    const { instrument, period } = this.#options;
    this.#builder = new CandleBuilder(instrument, period);
    this.#from = undefined;
    this.#endsAt = Number.NEGATIVE_INFINITY;
  }

  /** Takes a candle of the feed: shorter than this period, or of this period. */
  candle(candle: Candle): void {
    if (this.source === 'feed') {
      this.#wait(candle);
      return;
    }
    const { openedAt: at, closedAt } = candle;
    this.#isMissing = false;
    this.#lagUs = Math.max(0, this.#options.scheduler.now() - closedAt);
    // One that comes when its longer candle was shown belongs to no other.
    if (this.#isPartial(at) || at < this.#shownTo) return;
    // As four trades, of which the last brings the volume.
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
      this.shown += 1;
      this.topic.emit(candle);
    }
  }

  #wait(candle: Candle): void {
    this.#waiting[this.#kept] = candle;
    this.#kept += 1;
  }

  /** True for what belongs to a period whose start was not seen. */
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
