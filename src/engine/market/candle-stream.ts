import { CandleBuilder } from '../../model/candle-builder.ts';
import type { Candle } from '../../model/candle.ts';
import type { Instrument } from '../../model/instrument.ts';
import { periodEnd, type Period } from '../../model/period.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { CandleSource } from './feed-contents.ts';
import { Topic } from './topic.ts';

export interface CandleStreamOptions {
  readonly instrument: Instrument;
  readonly period: Period;
  readonly source: CandleSource;
  readonly scheduler: Scheduler;
  /** Trades and candles before this belong to a period whose start was not seen. */
  readonly from: Micros;
  /** Shows finished candles to the strategy as an event of their own. */
  readonly finished: () => void;
}

/**
 * The candles of one period: those of the feed, or built from its shorter ones or its trades.
 *
 * Candles built from trades hold the trades that arrived within the period, and are finished by
 * the clock at its end. Candles built from shorter ones are finished by the one that reaches the
 * end, or where that is missing by the next.
 */
export class CandleStream {
  readonly topic = new Topic<Candle>();
  readonly source: CandleSource;
  readonly period: Period;
  /** How many candles it has shown. */
  shown = 0;
  readonly #builder: CandleBuilder;
  readonly #options: CandleStreamOptions;
  readonly #waiting: Candle[] = [];
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(options: CandleStreamOptions) {
    this.#options = options;
    this.source = options.source;
    this.period = options.period;
    this.#builder = new CandleBuilder(options.instrument, options.period);
  }

  /** True while there is something to emit. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  trade(at: Micros, ticks: Ticks, lots: Lots): void {
    if (at < this.#options.from) return;
    this.#keep(this.#builder.trade(at, ticks, lots));
    if (at < this.#endsAt) return;
    const { scheduler, period } = this.#options;
    const endsAt = periodEnd(period, at);
    this.#endsAt = endsAt;
    scheduler.at(endsAt, () => this.#end(endsAt));
  }

  /** Takes a candle of the feed: shorter than this period, or of this period. */
  candle(candle: Candle): void {
    if (this.source === 'feed') {
      this.#waiting.push(candle);
      return;
    }
    const { openedAt: at } = candle;
    if (at < this.#options.from) return;
    // As four trades, of which the last brings the volume.
    this.#keep(this.#builder.trade(at, candle.openTicks, 0 as Lots));
    this.#keep(this.#builder.trade(at, candle.highTicks, 0 as Lots));
    this.#keep(this.#builder.trade(at, candle.lowTicks, 0 as Lots));
    this.#keep(this.#builder.trade(at, candle.closeTicks, candle.volumeLots));
    this.#keep(this.#builder.advance(candle.closedAt));
  }

  emitWaiting(): void {
    for (;;) {
      const candle = this.#waiting.shift();
      if (candle === undefined) return;
      this.shown += 1;
      this.topic.emit(candle);
    }
  }

  #end(endsAt: Micros): void {
    this.#keep(this.#builder.advance(endsAt));
    if (this.isWaiting) this.#options.finished();
  }

  #keep(candle: Candle | undefined): void {
    if (candle !== undefined) this.#waiting.push(candle);
  }
}
