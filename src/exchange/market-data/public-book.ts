import { DepthSide } from '../../model/depth.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { BUY, SELL, signOf } from '../orders/side.ts';
import { BookLog, type BookUpdate, type Level } from './book-log.ts';
import type { BookSource } from './book-source.ts';
import { ChangedLevels } from '../book/changed-levels.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/** A book at one moment; the sequence numbers of its updates continue from its own. */
export interface BookSnapshot {
  readonly sequence: number;
  /** Time of the latest update, 0 before the first. */
  readonly at: Micros;
  /** Best first, falling. */
  readonly bids: readonly Level[];
  /** Best first, rising. */
  readonly asks: readonly Level[];
}

/** Best levels; undefined if a side is empty. */
export interface TopOfBook {
  readonly bid: Level | undefined;
  readonly ask: Level | undefined;
}

/**
 * The published order book of an instrument: levels of recorded market and own orders together.
 * Sides mark what may have changed, and `publish` compares it after the operation. So an update
 * holds the net change of an operation, and its sequence number rises by one.
 *
 * If the recorded market contradicts itself, its best bid at or above its best ask, the prices
 * between the two are hidden: a published book is never crossed or locked.
 */
export class PublicBook {
  /** Sequence number of the latest update, 0 before the first. */
  sequence = 0;
  /** True if a best price has changed since a reader set it to false. */
  topChanged = false;
  readonly #source: BookSource;
  readonly #sides: readonly [DepthSide, DepthSide] = [new DepthSide('bid'), new DepthSide('ask')];
  /** Where the levels of bids and asks may have changed; set by those that change them. */
  readonly changed: readonly [ChangedLevels, ChangedLevels];
  readonly #log: BookLog;
  #at = 0;
  /** Changed levels of the update in progress. */
  #changes = 0;
  /** Hidden prices, from the low one to the high one. */
  #hiddenLow = Number.POSITIVE_INFINITY;
  #hiddenHigh = Number.NEGATIVE_INFINITY;

  /** `onChange` is called at the first possible change after each publication. */
  constructor(source: BookSource, changesKept: number, onChange: () => void) {
    this.#source = source;
    this.changed = [new ChangedLevels(onChange), new ChangedLevels(onChange)];
    this.#log = new BookLog(changesKept);
  }

  /** Publishes the changes since the last call; returns whether there are any. */
  publish(at: number): boolean {
    this.#hide();
    const [bidTicks, askTicks] = [this.#sides[BUY].ticksAt(0), this.#sides[SELL].ticksAt(0)];
    this.#changes = 0;
    this.#publishSide(BUY, at);
    this.#publishSide(SELL, at);
    if (this.#changes === 0) return false;
    this.sequence += 1;
    const [bids, asks] = this.#sides;
    const isSame = Object.is(bids.ticksAt(0), bidTicks) && Object.is(asks.ticksAt(0), askTicks);
    if (!isSame) this.topChanged = true;
    this.#at = at;
    return true;
  }

  /** Best bid in ticks, NaN if there is none. */
  get bidTicks(): number {
    return this.#sides[BUY].ticksAt(0);
  }

  /** Best ask in ticks, NaN if there is none. */
  get askTicks(): number {
    return this.#sides[SELL].ticksAt(0);
  }

  top(): TopOfBook {
    const [bid] = this.#levels(BUY, 1);
    const [ask] = this.#levels(SELL, 1);
    return { bid, ask };
  }

  /** The best `depth` levels of each side, 0 for all. */
  snapshot(depth = 0): BookSnapshot {
    return {
      sequence: this.sequence,
      at: this.#at as Micros,
      bids: this.#levels(BUY, depth),
      asks: this.#levels(SELL, depth),
    };
  }

  /** For each side the levels that a trade of `lots` takes, and its average price. */
  forVolume(lots: Lots): { readonly bids: VolumeLevels; readonly asks: VolumeLevels } {
    return { bids: forVolume(this.#sides[BUY], lots), asks: forVolume(this.#sides[SELL], lots) };
  }

  /**
   * Updates after that sequence number, in order; undefined if they are no longer kept and a
   * snapshot is needed.
   */
  updatesSince(sequence: number): BookUpdate[] | undefined {
    return this.#log.since(sequence);
  }

  #levels(side: number, depth: number): Level[] {
    const levels = this.#sides[side];
    const count = depth === 0 ? levels.length : Math.min(depth, levels.length);
    return Array.from({ length: count }, (_, rank) => ({
      ticks: levels.ticksAt(rank),
      lots: levels.lotsAt(rank),
    }));
  }

  /** Finds the prices at which the sides contradict each other. */
  #hide(): void {
    const source = this.#source;
    source.start(BUY);
    const bid = source.key;
    source.start(SELL);
    const ask = 0 - source.key;
    const previousLow = this.#hiddenLow;
    const previousHigh = this.#hiddenHigh;
    if (bid < ask && previousLow > previousHigh) return;
    this.#hiddenLow = bid < ask ? Number.POSITIVE_INFINITY : ask;
    this.#hiddenHigh = bid < ask ? Number.NEGATIVE_INFINITY : bid;
    this.changed[BUY].noteFrom(Math.min(previousLow, this.#hiddenLow));
    this.changed[SELL].noteFrom(0 - Math.max(previousHigh, this.#hiddenHigh));
  }

  #publishSide(side: number, at: number): void {
    const changed = this.changed[side];
    for (let i = 0; i < changed.count; i += 1) {
      this.#publishLevel(side, changed.key(i), at);
    }
    if (changed.fromKey !== Number.POSITIVE_INFINITY) this.#publishFrom(side, changed, at);
    changed.clear();
  }

  /** Publishes the removals from a key on, then the levels that are there now. */
  #publishFrom(side: number, changed: ChangedLevels, at: number): void {
    const source = this.#source;
    const levels = this.#sides[side];
    const sign = signOf(side);
    const { fromKey } = changed;
    const first = changed.count;
    for (let rank = 0; rank < levels.length; rank += 1) {
      const key = sign * levels.ticksAt(rank);
      if (key < fromKey) break;
      changed.note(key);
    }
    for (let i = first; i < changed.count; i += 1) {
      this.#publishLevel(side, changed.key(i), at);
    }
    source.start(side);
    while (source.key >= fromKey && source.key > NO_KEY) {
      this.#publishLevel(side, source.key, at);
      source.pass();
    }
  }

  #publishLevel(side: number, key: number, at: number): void {
    const ticks = signOf(side) * key;
    const isHidden = ticks >= this.#hiddenLow && ticks <= this.#hiddenHigh;
    const lots = isHidden ? 0 : this.#source.lots(side, ticks);
    if (this.#sides[side].set(ticks, lots) === lots) return;
    this.#log.add(this.sequence + 1, at, side, ticks, lots);
    this.#changes += 1;
  }
}

/** The levels of a side that a volume takes, the last one whole. */
export interface VolumeLevels {
  /** Best first; the whole side if it is less than the volume. */
  readonly levels: readonly Level[];
  /**
   * Average price of exactly the volume, or of the whole side if that is less, at the nearest tick,
   * a half tick towards zero; undefined if the side is empty.
   */
  readonly averageTicks: Ticks | undefined;
}

/** Levels that a trade of `lots`, at least one, takes of a side. */
export function forVolume(side: DepthSide, lots: Lots): VolumeLevels {
  const levels: Level[] = [];
  let left: number = lots;
  let value = 0n;
  for (let rank = 0; rank < side.length && left > 0; rank += 1) {
    const level = { ticks: side.ticksAt(rank), lots: side.lotsAt(rank) };
    levels.push(level);
    const part = Math.min(left, level.lots);
    value += BigInt(level.ticks) * BigInt(part);
    left -= part;
  }
  if (levels.length === 0) return { levels, averageTicks: undefined };
  return { levels, averageTicks: Number(nearest(value, BigInt(lots - left))) as Ticks };
}

/** A quotient of positive numbers, to the nearest whole number, a half down. */
function nearest(value: bigint, count: bigint): bigint {
  const whole = value / count;
  return 2n * (value - whole * count) > count ? whole + 1n : whole;
}
