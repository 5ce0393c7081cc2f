import { Amount } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';
import { buyReserve, sellReserve } from '../../rules/funds.ts';
import type { Holdings } from '../account/holdings.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';

const ONE_LOT = 1 as Lots;

/** Reserves: quote currency per tick and lot of a buy, base currency per lot of a sell. */
interface Reserves {
  readonly tickValue: Amount;
  readonly lot: Amount;
}

const reserves = new WeakMap<Instrument, Reserves>();

function reservesOf(instrument: Instrument): Reserves {
  const known = reserves.get(instrument);
  if (known !== undefined) return known;
  const made: Reserves = {
    tickValue: Amount.of(buyReserve(instrument, instrument.tickValue, instrument)),
    lot: Amount.of(sellReserve(instrument, ONE_LOT, instrument)),
  };
  reserves.set(instrument, made);
  return made;
}

/**
 * Most lots of a market buy, up to `requested`, whose cost and fee stay below the available balance
 * (the venue's rule). The cost is that of the visible asks, the last level unlimited; of the last
 * price if none is visible.
 */
export function affordableLots(
  market: InstrumentMarket,
  holdings: Holdings,
  requested: number,
): Lots {
  const { instrument } = market;
  const available = holdings.available(instrument.quoteCurrency);
  if (available.sign <= 0) return 0 as Lots;
  // Cost in ticks × lots: the most that still leaves something over.
  const { tickValue } = reservesOf(instrument);
  const maxCount = BigInt(available.floorDivide(tickValue));
  const spendsAll = tickValue.times(Amount.units(maxCount, 0)).equals(available);
  const budget = spendsAll ? maxCount - 1n : maxCount;
  // A mid price between two ticks is rounded up, which costs no less.
  const last = Math.ceil(market.lastTicks);
  return lotsWithin(visibleLevels(market, 'sell'), { last, budget, requested });
}

/** Allowance for price moves against a margin order in flight, as a fraction. */
const PRICE_MOVE_ALLOWANCE = new Decimal('0.001');

/**
 * Most lots, up to `requested`, of a market order that opens a position of at most `value`. Its cost
 * is that of the visible levels of the other side, the last one unlimited, and an allowance for
 * moves in flight; of the mark price if none is visible.
 */
export function openableLots(
  market: InstrumentMarket,
  side: Side,
  { value, mark, requested }: { value: Decimal; mark: Decimal | undefined; requested: number },
): Lots {
  const { instrument } = market;
  if (mark === undefined || !value.greaterThan(0)) return 0 as Lots;
  const counted = value.div(PRICE_MOVE_ALLOWANCE.plus(1)).div(instrument.tickValue).floor();
  const budget = BigInt(counted.toFixed());
  const last = mark.div(instrument.tickSize).ceil().toNumber();
  const levels = visibleLevels(market, side === 'buy' ? 'sell' : 'buy');
  return lotsWithin(levels, { last, budget, requested });
}

/** Most lots, up to `requested`, that are available for sale. */
export function sellableLots(
  market: InstrumentMarket,
  holdings: Holdings,
  requested: number,
): Lots {
  const { instrument } = market;
  const available = holdings.available(instrument.baseCurrency);
  if (available.sign <= 0) return 0 as Lots;
  const maxCount = available.floorDivide(reservesOf(instrument).lot);
  return (maxCount < requested ? Number(maxCount) : requested) as Lots;
}

/** How many lots at these levels a budget in ticks × lots buys, the last level unlimited. */
function lotsWithin(
  levels: Iterable<readonly [number, number]>,
  given: { readonly last: number; readonly budget: bigint; readonly requested: number },
): Lots {
  const { requested, last } = given;
  let { budget } = given;
  let left = BigInt(requested);
  let ticks = last;
  for (const [levelTicks, levelLots] of levels) {
    ticks = levelTicks;
    const take = least(left, BigInt(levelLots), budget / BigInt(levelTicks));
    budget -= take * BigInt(levelTicks);
    left -= take;
    if (left === 0n || take < BigInt(levelLots)) break;
  }
  if (!Number.isNaN(ticks)) left -= least(left, budget / BigInt(ticks));
  return Number(BigInt(requested) - left) as Lots;
}

/** The best quote of a side if it is fresh, and the levels of a fresh book beyond it. */
function* visibleLevels(
  market: InstrumentMarket,
  side: Side,
): Generator<readonly [number, number]> {
  const { best, depth } = market;
  const isAsk = side === 'sell';
  const levels = isAsk ? depth.asks : depth.bids;
  const sign = isAsk ? 1 : -1;
  const [bestTicks, bestLots] = isAsk
    ? [best.askTicks, best.askLots]
    : [best.bidTicks, best.bidLots];
  let beyond = Number.NEGATIVE_INFINITY;
  if (!best.stale && bestLots > 0) {
    beyond = sign * bestTicks;
    yield [bestTicks, bestLots];
  }
  if (depth.stale) return;
  for (let level = 0; level < levels.length; level += 1) {
    const ticks = levels.ticksAt(level);
    if (sign * ticks > beyond) yield [ticks, levels.lotsAt(level)];
  }
}

const least = (first: bigint, ...others: readonly bigint[]): bigint =>
  others.reduce((low, one) => (one < low ? one : low), first);
