import { Depth, type DepthSide } from '../../model/depth.ts';
import type { Random } from '../../platform/random.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type { RowSink } from '../row-sink.ts';
import { Messages } from './message.ts';
import type { MarketParameters } from './parameters.ts';
import { stepOrnsteinUhlenbeck, type FairPrice } from './value.ts';

/** A taker leaves this many levels on a side. */
const LEVELS_LEFT = 3;
/** Makers let a side grow by this many levels before they take the worst away. */
const LEVELS_SPARE = 6;
/** Of quotes better than their line but not yet through the value, makers withdraw this share. */
const WITHDRAWN = 0.6;
/** A maker's mind changes on this many levels a message, on average. */
const CHANGED = 2;
/** How much sizes and takers lean to the side the value is on, at its strongest. */
const SIZE_LEAN = 0.7;
const TAKER_LEAN = 0.35;
/** Spread of sizes: the standard deviation of their logarithm. */
const SIZE_SIGMA = 0.8;

/**
 * A market of takers, who arrive at random and hit the book, and makers, who follow a value that nobody
 * sees. The book shows which way makers will go next: sizes and takers lean to the side where the value is,
 * as they do on real books.
 */
export class SyntheticMarket {
  readonly #random: Random;
  readonly #parameters: MarketParameters;
  readonly #depth = new Depth();
  readonly #messages: Messages;
  readonly #value: FairPrice;

  constructor(sink: RowSink, random: Random, parameters: MarketParameters, value: FairPrice) {
    this.#random = random;
    this.#parameters = parameters;
    this.#value = value;
    this.#messages = new Messages(sink, random, parameters, this.#depth);
  }

  /**
   * Runs from `startAt` for `durationUs`, both ends in the venue's time. Pauses after each event and yields
   * how much of the time has passed, 0 to 1.
   */
  *run(startAt: number, durationUs: number): Generator<number, void, undefined> {
    const { tradesPerSecond, updatesPerSecond, activitySigma, activitySeconds } = this.#parameters;
    const perSecond = tradesPerSecond + updatesPerSecond;
    const random = this.#random;
    let mood = activitySigma * random.normal();
    this.#quoteAroundValue();
    this.#messages.snapshot(startAt);
    for (let sinceUs = 0; ;) {
      // The mean of e^mood is 1, and the value moves the more the more there is going on.
      const activity = Math.exp(mood - activitySigma ** 2 / 2);
      const waitUs = Math.ceil(random.exponential(US_PER_SECOND / perSecond / activity));
      sinceUs += waitUs;
      if (sinceUs >= durationUs) return;
      const seconds = waitUs / US_PER_SECOND;
      mood = stepOrnsteinUhlenbeck(random, mood, activitySigma, seconds / activitySeconds);
      this.#value.advance(seconds * activity);
      if (random.chance(tradesPerSecond / perSecond)) this.#take(startAt + sinceUs);
      else this.#make(startAt + sinceUs);
      yield sinceUs / durationUs;
    }
  }

  /** A taker's order, filled level by level at the best price. */
  #take(at: number): void {
    const random = this.#random;
    const sell = !random.chance(0.5 + TAKER_LEAN * this.#pressure());
    const side = sell ? this.#depth.bids : this.#depth.asks;
    let left = this.#size(this.#parameters.tradeLots, 0);
    while (left > 0 && side.length > LEVELS_LEFT) {
      const ticks = side.ticksAt(0);
      const shown = side.lotsAt(0);
      const lots = Math.min(left, shown);
      this.#messages.trade(at, sell, ticks, lots);
      this.#messages.set(!sell, ticks, shown - lots);
      this.#messages.levels(at);
      left -= lots;
    }
  }

  /** One message of makers. What they take away goes first, so that nothing ever crosses. */
  #make(at: number): void {
    this.#withdraw();
    this.#quoteAroundValue();
    const changes = Math.round(this.#random.exponential(CHANGED));
    for (let i = 0; i < changes; i += 1) this.#changeMind();
    this.#messages.levels(at);
  }

  #withdraw(): void {
    const value = this.#value.ticks;
    for (const ask of [false, true]) {
      const side = this.#side(ask);
      const better = (ticks: number, than: number): boolean =>
        ask ? ticks <= than : ticks >= than;
      const line = value + ((ask ? 1 : -1) * this.#parameters.spreadTicks) / 2;
      let rank = 0;
      while (rank < side.length && better(side.ticksAt(rank), line)) {
        const through = better(side.ticksAt(rank), value);
        if (through || this.#random.chance(WITHDRAWN)) {
          this.#messages.set(ask, side.ticksAt(rank), 0);
        } else rank += 1;
      }
    }
  }

  /** Brings the best quotes to the value, and each side to its number of levels. */
  #quoteAroundValue(): void {
    const { levels, spreadTicks, gapTicks, levelLots } = this.#parameters;
    const half = (1 + this.#random.exponential(spreadTicks)) / 2;
    for (const ask of [false, true]) {
      const side = this.#side(ask);
      const outward = ask ? 1 : -1;
      const line = ask
        ? Math.floor(this.#value.ticks + half) + 1
        : Math.max(1, Math.ceil(this.#value.ticks - half) - 1);
      if (side.length === 0 || (side.ticksAt(0) - line) * outward > 0) {
        this.#messages.set(ask, line, this.#size(levelLots, outward));
      }
      while (side.length < levels) {
        const gap = 1 + Math.floor(this.#random.exponential(gapTicks * (1 + side.length / 4)));
        const ticks = side.ticksAt(side.length - 1) + outward * gap;
        if (ticks < 1) break;
        this.#messages.set(ask, ticks, this.#size(levelLots, outward));
      }
      while (side.length > levels + LEVELS_SPARE) {
        this.#messages.set(ask, side.ticksAt(side.length - 1), 0);
      }
    }
  }

  /** One level becomes larger or smaller, or a new one comes between two. */
  #changeMind(): void {
    const ask = this.#random.chance(0.5);
    const side = this.#side(ask);
    if (side.length < 2) return;
    const rank = Math.floor(this.#random.unit() ** 2 * (side.length - 1));
    const lots = this.#size(this.#parameters.levelLots, ask ? 1 : -1);
    const [here, next] = [side.ticksAt(rank), side.ticksAt(rank + 1)];
    const between = Math.round((here + next) / 2);
    const room = Math.abs(here - next) > this.#parameters.gapTicks;
    this.#messages.set(ask, room && this.#random.chance(0.5) ? between : here, lots);
  }

  /** From -1, the value is far below the book, to 1, far above. */
  #pressure(): number {
    const { bids, asks } = this.#depth;
    const middle = (bids.ticksAt(0) + asks.ticksAt(0)) / 2;
    // A value that stands still has no scale of its own; a tick serves for it.
    return Math.tanh((this.#value.ticks - middle) / (this.#parameters.volatilityTicks || 1));
  }

  /** A size; `outward` is 1 for a level of asks, -1 for one of bids, 0 for a taker's order. */
  #size(medianLots: number, outward: number): number {
    const { bids, asks } = this.#depth;
    const leans = outward !== 0 && bids.length > 0 && asks.length > 0;
    const lean = leans ? -outward * SIZE_LEAN * this.#pressure() : 0;
    const factor = Math.exp(SIZE_SIGMA * this.#random.normal() + lean);
    return Math.max(1, Math.round(medianLots * factor));
  }

  #side(ask: boolean): DepthSide {
    return ask ? this.#depth.asks : this.#depth.bids;
  }
}
