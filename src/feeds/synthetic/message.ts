import { LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../model/events.ts';
import type { Depth } from '../../model/depth.ts';
import type { Random } from '../../platform/random.ts';
import type { RowSink } from '../row-sink.ts';
import type { MarketParameters } from './parameters.ts';

/**
 * The venue's messages: applies changes to its book and sends them, each received a little later than
 * stamped and never before the one that went ahead.
 */
export class Messages {
  readonly #sink: RowSink;
  readonly #random: Random;
  readonly #parameters: MarketParameters;
  readonly #depth: Depth;
  readonly #changes: { readonly ask: boolean; readonly ticks: number; readonly lots: number }[] =
    [];
  #updateId = 0;
  #tradeId = 0;
  #receivedAt = Number.NEGATIVE_INFINITY;
  #top = '';

  constructor(sink: RowSink, random: Random, parameters: MarketParameters, depth: Depth) {
    this.#sink = sink;
    this.#random = random;
    this.#parameters = parameters;
    this.#depth = depth;
  }

  /** Changes a level at once; the next `levels` or `snapshot` sends it. */
  set(ask: boolean, ticks: number, lots: number): void {
    (ask ? this.#depth.asks : this.#depth.bids).set(ticks, lots);
    this.#changes.push({ ask, ticks, lots });
  }

  /** Empties the reader's book and sends every level set so far. */
  snapshot(at: number): void {
    this.#receive(at);
    this.#updateId += 1;
    this.#sink.row(this.#receivedAt, at, RESET, 0, this.#updateId, 0, 0, 0, 0, 0);
    this.#emit(at);
  }

  /** Emits the changes since the last message; nothing when there are none. */
  levels(at: number): void {
    if (this.#changes.length === 0) return;
    this.#receive(at);
    this.#updateId += 1;
    this.#emit(at);
  }

  trade(at: number, sell: boolean, ticks: number, lots: number): void {
    this.#receive(at);
    this.#tradeId += 1;
    const flags = LAST | (sell ? SELL : 0);
    this.#sink.row(this.#receivedAt, at, TRADE, flags, this.#tradeId, ticks, lots, 0, 0, 0);
  }

  #emit(at: number): void {
    const last = this.#changes.length - 1;
    for (const [index, { ask, ticks, lots }] of this.#changes.entries()) {
      const flags = (ask ? SELL : 0) | (index === last ? LAST : 0);
      this.#sink.row(this.#receivedAt, at, LEVEL, flags, this.#updateId, ticks, lots, 0, 0, 0);
    }
    this.#changes.length = 0;
    if (this.#parameters.quotes) this.#quote(at);
  }

  #quote(at: number): void {
    const { bids, asks } = this.#depth;
    const bid = bids.length === 0 ? 0 : bids.ticksAt(0);
    const ask = asks.length === 0 ? 0 : asks.ticksAt(0);
    const [bidLots, askLots] = [bids.lotsAt(0), asks.lotsAt(0)];
    const top = [bid, bidLots, ask, askLots].join(' ');
    if (top === this.#top) return;
    this.#top = top;
    this.#sink.row(
      this.#receivedAt,
      at,
      QUOTE,
      LAST,
      this.#updateId,
      bid,
      bidLots,
      ask,
      askLots,
      0,
    );
  }

  #receive(at: number): void {
    const { delayUs, jitterUs } = this.#parameters;
    const receivedAt = at + delayUs + Math.floor(this.#random.exponential(jitterUs));
    this.#receivedAt = Math.max(this.#receivedAt, receivedAt);
  }
}
