import type { Instrument } from '../../model/instrument.ts';
import { PERIODS, type Period } from '../../model/period.ts';
import { Bar } from './bar.ts';
import type { MarketCandle } from './market-candle.ts';
import { turn, type Page } from './page.ts';
import { RecentItems } from './recent.ts';

/** Candles of one period: the finished ones, and the one that the minutes so far add up to. */
interface Series {
  readonly bar: Bar;
  readonly over: RecentItems<MarketCandle>;
}

/**
 * Candles of an instrument, of all periods. Only periods with trades have one. A trade changes the
 * candle of its minute only; a finished minute is added to the longer periods, which are made of
 * whole minutes.
 */
export class Candles {
  readonly #instrument: Instrument;
  readonly #minute = new Bar('M1');
  readonly #minutes: RecentItems<MarketCandle>;
  readonly #longer: ReadonlyMap<Period, Series>;

  /** Keeps `kept` finished candles of each period. */
  constructor(instrument: Instrument, kept: number) {
    this.#instrument = instrument;
    this.#minutes = new RecentItems(kept);
    this.#longer = new Map(
      PERIODS.filter((period) => period !== 'M1').map((period) => [
        period,
        { bar: new Bar(period), over: new RecentItems(kept) },
      ]),
    );
  }

  /** Adds a trade; times do not fall. */
  trade(at: number, ticks: number, lots: number): void {
    const minute = this.#minute;
    if (at < minute.endsAt) {
      minute.add(ticks, lots);
      return;
    }
    if (!minute.isEmpty) this.#close(minute);
    minute.begin(at, ticks, lots);
  }

  /** A part of the candles that are kept, by the start of their periods. */
  query(period: Period, page: Page): MarketCandle[] {
    const over = this.#longer.get(period)?.over ?? this.#minutes;
    const unfinished = this.#unfinished(period);
    const at = (rank: number): MarketCandle =>
      rank < over.length ? over.at(rank) : unfinished[rank - over.length];
    const found: MarketCandle[] = [];
    turn(
      page,
      over.length + unfinished.length,
      (rank) => at(rank).openedAt,
      (rank) => found.push(at(rank)),
    );
    return found;
  }

  #close(minute: Bar): void {
    this.#minutes.push(minute.candle(this.#instrument));
    for (const { bar, over } of this.#longer.values()) {
      if (minute.openedAt < bar.endsAt) {
        bar.merge(minute);
        continue;
      }
      if (!bar.isEmpty) over.push(bar.candle(this.#instrument));
      bar.beginWith(minute);
    }
  }

  /**
   * Candles that the latest minute can still change, and one before it that no minute has ended
   * yet.
   */
  #unfinished(period: Period): MarketCandle[] {
    const minute = this.#minute;
    if (minute.isEmpty) return [];
    const bar = this.#longer.get(period)?.bar;
    if (bar === undefined) return [minute.candle(this.#instrument)];
    if (minute.openedAt < bar.endsAt) {
      const sum = bar.copy();
      sum.merge(minute);
      return [sum.candle(this.#instrument)];
    }
    const fresh = new Bar(period);
    fresh.beginWith(minute);
    const latest = fresh.candle(this.#instrument);
    return bar.isEmpty ? [latest] : [bar.candle(this.#instrument), latest];
  }
}
