import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import { sideName } from '../../../../exchange/orders/side.ts';
import type { Lots, Ticks } from '../../../../model/units.ts';
import type { Cancel } from '../../../../platform/scheduler.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { MarketListener, News } from '../../news.ts';
import type { Topic } from './broadcast.ts';

/** Market changes that move a topic. */
export type Moved = 'trades' | 'book';

interface Stop {
  readonly topic: Topic;
  readonly moved: Moved;
  readonly emit: () => void;
}

/**
 * Follows the market for topics, and only while there are any. Changes during an operation are emitted when
 * it is over, so that an order with ten trades makes one frame of each.
 */
export class MarketFlow implements MarketListener {
  readonly #news: News;
  readonly #stops = new Map<number, Set<Stop>>();
  readonly #stirred = new Set<Stop>();
  #unfollow: Cancel = () => undefined;

  constructor(news: News) {
    this.#news = news;
  }

  /** Calls `emit` after each operation that moved the market of an instrument so, until it is canceled. */
  add(instrument: number, moved: Moved, topic: Topic, emit: () => void): Cancel {
    if (this.#stops.size === 0) this.#unfollow = this.#news.followMarket(this);
    const stop = { topic, moved, emit };
    const stops = this.#stops.get(instrument) ?? new Set();
    this.#stops.set(instrument, stops.add(stop));
    return () => {
      stops.delete(stop);
      this.#stirred.delete(stop);
      if (stops.size === 0 && this.#stops.get(instrument) === stops) {
        this.#stops.delete(instrument);
        if (this.#stops.size === 0) this.#unfollow();
      }
    };
  }

  trade(
    instrument: number,
    id: number,
    ticks: number,
    lots: number,
    side: number,
    at: number,
  ): void {
    const stops = this.#stops.get(instrument);
    if (stops === undefined) return;
    const trade: PublicTrade = {
      id,
      ticks: ticks as Ticks,
      lots: lots as Lots,
      side: sideName(side),
      at: at as Micros,
    };
    for (const stop of stops) {
      if (stop.moved !== 'trades') continue;
      stop.topic.trade?.(trade);
      this.#stirred.add(stop);
    }
  }

  book(instrument: number): void {
    for (const stop of this.#stops.get(instrument) ?? []) {
      if (stop.moved === 'book') this.#stirred.add(stop);
    }
  }

  over(): void {
    if (this.#stirred.size === 0) return;
    const stirred = [...this.#stirred];
    this.#stirred.clear();
    for (const { emit } of stirred) emit();
  }
}
