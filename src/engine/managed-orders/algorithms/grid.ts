import type { Instrument } from '../../../model/instrument.ts';
import { isRejection } from '../../../model/rejections.ts';
import type { Lots } from '../../../model/units.ts';
import { bracketExitLots } from '../../../rules/bracket.ts';
import type { Grid } from '../../../strategy/commands.ts';
import type { Algorithm, AlgoTerms, PlannedOrder } from '../algorithm.ts';
import { invalid, requestedTicks, requestedLots } from '../asked.ts';

export interface GridTerms extends AlgoTerms {
  /** Prices, lowest first. */
  readonly levels: readonly number[];
  /** Lots bought at a level, and lots sold at the next: fewer if fees reduce them. */
  readonly buyLots: Lots;
  readonly sellLots: Lots;
}

/**
 * A grid of prices: it buys at each but the highest, and sells that at the next one above,
 * repeatedly. It buys only below the market, post-only, and starts without a holding.
 */
export const grid: Algorithm<Grid, GridTerms> = {
  terms(command, instrument) {
    const low = requestedTicks(instrument, { ticks: command.lowTicks, price: command.low }, 'low');
    if (isRejection(low)) return low;
    const high = requestedTicks(
      instrument,
      { ticks: command.highTicks, price: command.high },
      'high',
    );
    if (isRejection(high)) return high;
    const lots = requestedLots(instrument, command);
    if (isRejection(lots)) return lots;
    const { levels: count, spacing = 'arithmetic' } = command;
    if (low === undefined || high === undefined || low >= high) {
      return invalid('low', 'The lowest price of a grid must be below the highest');
    }
    const levels = levelsOf(low, high, count, spacing);
    if (levels.some((ticks, index) => index > 0 && ticks <= levels[index - 1])) {
      return invalid('levels', `${count} levels from ${low} to ${high} ticks would share prices; ask for fewer`); // prettier-ignore
    }
    const sellLots = sellable(instrument, lots, command.margin !== undefined);
    if (sellLots > 0) return { levels, buyLots: lots, sellLots };
    return invalid('lots', 'The fees leave less than a lot of what a level buys; buy more');
  },

  plan({ levels, buyLots, sellLots }, progress, now) {
    const planned: PlannedOrder[] = [];
    for (let cell = 0; cell + 1 < levels.length; cell += 1) {
      const [buySlot, sellSlot] = [`buy ${cell}`, `sell ${cell}`];
      const bought = progress.filled(buySlot).lots;
      const sold = progress.filled(sellSlot).lots;
      const isHolding = Math.floor(bought / buyLots) > Math.floor(sold / sellLots);
      const level = { ticks: levels[isHolding ? cell + 1 : cell], postOnly: true };
      if (isHolding) {
        const lots = sellLots - (sold % sellLots);
        if (!(level.ticks <= now.bidTicks)) {
          planned.push({ slot: sellSlot, side: 'sell', lots, ...level });
        }
      } else if (level.ticks < now.askTicks) {
        const lots = buyLots - (bought % buyLots);
        planned.push({ slot: buySlot, side: 'buy', lots, ...level });
      }
    }
    return { orders: planned, watch: 'prices' };
  },
};

/**
 * Prices at the same distance, or at the same ratio; each at the nearest tick, a half toward zero.
 */
function levelsOf(
  low: number,
  high: number,
  count: number,
  spacing: 'arithmetic' | 'geometric',
): readonly number[] {
  const level = spacing === 'arithmetic' ? arithmetic : geometric;
  return Array.from({ length: count }, (_, index) => level(low, high, index, count - 1));
}

function arithmetic(low: number, high: number, index: number, steps: number): number {
  const climbed = BigInt(high - low) * BigInt(index);
  const whole = climbed / BigInt(steps);
  const isAbove = 2n * (climbed % BigInt(steps)) > BigInt(steps);
  return low + Number(whole) + (isAbove ? 1 : 0);
}

/**
 * The price p with p^steps = low^(steps - index) × high^index, in whole numbers; the floating-point
 * guess does not affect the result.
 */
function geometric(low: number, high: number, index: number, steps: number): number {
  const [n, i] = [BigInt(steps), BigInt(index)];
  const power = 2n ** n * BigInt(low) ** (n - i) * BigInt(high) ** i;
  const isEnough = (ticks: number): boolean => (2n * BigInt(ticks) + 1n) ** n >= power;
  let ticks = Math.max(low, Math.round(low * (high / low) ** (index / steps)));
  while (ticks > low && isEnough(ticks - 1)) ticks -= 1;
  while (!isEnough(ticks)) ticks += 1;
  return ticks;
}

/** Lots of a purchase that can be sold: on spot, fees may reduce them. */
function sellable(instrument: Instrument, lots: Lots, isOnMargin: boolean): Lots {
  return isOnMargin ? lots : bracketExitLots(instrument, { side: 'buy', lots }, {});
}
