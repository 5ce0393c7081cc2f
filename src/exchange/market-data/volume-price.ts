import type { DepthSide } from '../../model/depth.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Level } from './level.ts';

/** As many levels of a side as a volume takes, the last one whole. */
export interface VolumeLevels {
  /** Best first; all there are where that is less than the volume. */
  readonly levels: readonly Level[];
  /**
   * Average price of exactly the volume, or of all there is where that is less, at the nearest tick,
   * a half tick towards zero; undefined when the side is empty.
   */
  readonly averageTicks: Ticks | undefined;
}

/** What it takes to trade so many lots, one at least, against a side. */
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

/** A quotient of positive numbers to the nearest whole number, a half down. */
function nearest(value: bigint, count: bigint): bigint {
  const whole = value / count;
  return 2n * (value - whole * count) > count ? whole + 1n : whole;
}
