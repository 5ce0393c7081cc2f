import { Amount } from '../../model/amount.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Lots } from '../../model/units.ts';
import { buyReserve, sellReserve } from '../../rules/funds.ts';
import type { Holdings } from '../account/holdings.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';

const ONE_LOT = 1 as Lots;

/** What a tick times a lot reserves of the quote currency, and a lot for sale of the base currency. */
interface Reserves {
  readonly quantum: Amount;
  readonly lot: Amount;
}

const reserves = new WeakMap<Instrument, Reserves>();

function reservesOf(instrument: Instrument): Reserves {
  const known = reserves.get(instrument);
  if (known !== undefined) return known;
  const made: Reserves = {
    quantum: Amount.of(buyReserve(instrument, instrument.quantum, instrument)),
    lot: Amount.of(sellReserve(instrument, ONE_LOT, instrument)),
  };
  reserves.set(instrument, made);
  return made;
}

/**
 * The most lots, `wanted` at most, that a market buy may ask for so that the available balance
 * exceeds cost and fee, the funds rule of the venue. The cost is what the visible asks would take,
 * the last of them without end; the last price where nothing is visible.
 */
export function affordableLots(market: InstrumentMarket, holdings: Holdings, wanted: number): Lots {
  const { instrument } = market;
  const available = holdings.available(instrument.quoteCurrency);
  if (available.sign <= 0) return 0 as Lots;
  // Cost is counted in ticks times lots; the most of them that still leaves something over.
  const { quantum } = reservesOf(instrument);
  const most = BigInt(available.wholes(quantum));
  const isAll = quantum.times(Amount.units(most, 0)).equals(available);
  let budget = isAll ? most - 1n : most;
  let left = BigInt(wanted);
  // A middle between two ticks is no price of an order; the higher one costs no less.
  let ticks = Math.ceil(market.lastTicks);
  for (const [askTicks, askLots] of visibleAsks(market)) {
    ticks = askTicks;
    const take = least(left, BigInt(askLots), budget / BigInt(askTicks));
    budget -= take * BigInt(askTicks);
    left -= take;
    if (left === 0n || take < BigInt(askLots)) break;
  }
  if (!Number.isNaN(ticks)) left -= least(left, budget / BigInt(ticks));
  return Number(BigInt(wanted) - left) as Lots;
}

/** The most lots, `wanted` at most, that are there to sell. */
export function sellableLots(market: InstrumentMarket, holdings: Holdings, wanted: number): Lots {
  const { instrument } = market;
  const available = holdings.available(instrument.baseCurrency);
  if (available.sign <= 0) return 0 as Lots;
  const most = available.wholes(reservesOf(instrument).lot);
  return (most < wanted ? Number(most) : wanted) as Lots;
}

/** The best quote where there is a fresh one, and the levels of a fresh book beyond it. */
function* visibleAsks(market: InstrumentMarket): Generator<readonly [number, number]> {
  const { best, depth } = market;
  let beyond = Number.NEGATIVE_INFINITY;
  if (!best.stale && best.askLots > 0) {
    beyond = best.askTicks;
    yield [best.askTicks, best.askLots];
  }
  if (depth.stale) return;
  for (let rank = 0; rank < depth.asks.length; rank += 1) {
    const ticks = depth.asks.ticksAt(rank);
    if (ticks > beyond) yield [ticks, depth.asks.lotsAt(rank)];
  }
}

const least = (first: bigint, ...others: readonly bigint[]): bigint =>
  others.reduce((low, one) => (one < low ? one : low), first);
