import { Decimal } from '../../../model/decimal.ts';
import type { Lots } from '../../../model/units.ts';
import { US_PER_MS } from '../../../platform/time.ts';
import { bracketExitLots } from '../../../rules/bracket.ts';
import type { Dca } from '../../../strategy/commands.ts';
import { NOTHING_FILLED, type Algorithm, type AlgoTerms, type Filled, type Plan, type Present, type PlannedOrder } from '../algorithm.ts'; // prettier-ignore
import { invalid } from '../asked.ts';

export interface DcaTerms extends AlgoTerms {
  readonly side: 'buy';
  /** Value of a purchase, decimal text in the quote currency. */
  readonly value: string;
  readonly everyUs?: number | undefined;
  /** How far below the average purchase price the next purchase is, as a fraction. */
  readonly drop?: string | undefined;
  readonly max: number;
  /** How far above the average price everything is sold, as a fraction. */
  readonly takeProfit?: string | undefined;
}

const BUY = 'buy';
const EXIT = 'exit';

/**
 * Buys for the same value repeatedly, at market: each interval, or each time that the price has
 * dropped below the average purchase price. With a take profit everything is sold above that
 * average, which ends it.
 */
export const dca: Algorithm<Dca, DcaTerms> = {
  terms({ value, every, drop, max, takeProfit }) {
    if ((every === undefined) === (drop === undefined)) {
      return invalid('every', 'A dca buys every so often or on a drop; give one of every and drop');
    }
    const everyUs = every === undefined ? undefined : Math.round(every * US_PER_MS);
    if (everyUs !== undefined && !(Number.isSafeInteger(everyUs) && everyUs > 0)) {
      return invalid(
        'every',
        `every is ${String(every)} and must be milliseconds, such as days(1)`,
      );
    }
    return {
      side: 'buy',
      value: value.toFixed(),
      max,
      everyUs,
      ...(drop === undefined ? {} : { drop: drop.toFixed() }),
      ...(takeProfit === undefined ? {} : { takeProfit: takeProfit.toFixed() }),
    };
  },

  plan(terms, progress, now, instrument) {
    const bought = progress.filled(BUY);
    const sold = progress.filled(EXIT);
    const isDone = progress.step + 1 >= terms.max;
    const held =
      terms.margin === undefined
        ? bracketExitLots(instrument, { side: 'buy', lots: bought.lots as Lots }, {})
        : bought.lots;
    if (terms.takeProfit !== undefined && sold.lots > 0 && sold.lots >= held) {
      return { orders: [], ended: 'filled' };
    }
    if (isDone && (terms.takeProfit === undefined || bought.lots === 0)) {
      return { orders: [], ended: bought.lots > 0 ? 'filled' : 'expired' };
    }
    const exits = exitOf(terms, bought, held - sold.lots);
    if (isDone) return { orders: exits };
    const step = progress.step + 1;
    // While it takes its profit, nothing more is bought.
    const due = sold === NOTHING_FILLED || sold.lots === 0 ? dueOf(terms, progress.startedAt, step, bought, now) : {}; // prettier-ignore
    if (due.isDue !== true) return { orders: exits, wakeAt: due.wakeAt, watch: due.watch };
    const cost = instrument.tickValue.times(now.askTicks);
    const lots = new Decimal(terms.value).divToInt(cost).toNumber();
    if (lots < 1) {
      const price = instrument.tickSize.times(now.askTicks).toFixed();
      return {
        orders: exits,
        ended: 'expired',
        why: `${terms.value} buys less than a lot at ${price}`,
      };
    }
    // The earlier exit goes first: its price follows from this purchase.
    return { orders: [{ slot: BUY, side: 'buy', lots }], step, watch: due.watch };
  },
};

/** Whether the next purchase is due, and when to check again. */
function dueOf(
  { everyUs, drop }: DcaTerms,
  startedAt: number,
  step: number,
  bought: Filled,
  { at, askTicks }: Present,
): Pick<Plan, 'wakeAt' | 'watch'> & { readonly isDue?: boolean } {
  if (Number.isNaN(askTicks)) return { watch: 'prices' };
  if (everyUs !== undefined) {
    const dueAt = startedAt + step * everyUs;
    return at >= dueAt ? { isDue: true } : { wakeAt: dueAt };
  }
  if (bought.lots === 0) return { isDue: true, watch: 'prices' };
  const factor = new Decimal(1).minus(drop ?? '0');
  const limit = factor.times(bought.value.toString());
  const isDue = new Decimal(askTicks).times(bought.lots).lessThanOrEqualTo(limit);
  return { isDue, watch: 'prices' };
}

/** The order that sells everything above its average price, rounded up to a tick. */
function exitOf({ takeProfit }: DcaTerms, bought: Filled, lots: number): readonly PlannedOrder[] {
  if (takeProfit === undefined || lots <= 0 || bought.lots === 0) return [];
  const mean = new Decimal(bought.value.toString()).div(bought.lots);
  const ticks = mean.times(new Decimal(1).plus(takeProfit)).ceil().toNumber();
  return [{ slot: EXIT, side: 'sell', lots, ticks }];
}
