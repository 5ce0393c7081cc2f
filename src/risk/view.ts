import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { InstrumentState } from '../model/instrument-state.ts';
import type { MarginAccountState } from '../model/margin-account.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import {
  hasStopPrice,
  isUnanswered,
  type ContingencyType,
  type Order,
  type Side,
} from '../model/order.ts';
import type { Prices } from '../model/prices.ts';
import type { Micros } from '../platform/time.ts';
import type { TradingState } from './state.ts';

/** Known market data. */
export interface RiskMarket {
  readonly prices: Pick<Prices, 'reference' | 'touch'>;
  /** True while the book has a gap. */
  readonly stale: boolean;
  /** Time of receipt of its last data. */
  readonly receivedAt: Micros;
  /** Known lots of others at better prices than `ticks` for a taker; none if absent. */
  lotsBefore?(taker: Side, ticks: number): number;
}

/** Margin accounts of an account, or of a strategy, with their mark prices. */
export interface MarginView {
  /** As last reported, without closed ones. */
  readonly accounts: readonly MarginAccountState[];
  /** The account for trades of an instrument in a mode. */
  find(instrument: Instrument, mode: MarginMode): MarginAccountState | undefined;
  /** The price that positions in a symbol are checked by; `undefined` while unknown. */
  markPrice(symbol: string): Decimal | undefined;
  /** An instrument that is not traded here, but a cross account may have a position in. */
  instrument?(symbol: string): Instrument | undefined;
}

/** State that the limits of a strategy, or of an account, are checked against. */
export interface RiskView {
  readonly now: Micros;
  /** The strictest state of strategy, account and bot. */
  readonly state: TradingState;
  /** All instruments of the account. */
  readonly instruments: readonly Instrument[];
  instrument(symbol: string): Instrument;
  /** `undefined` before its first data. */
  market(symbol: string): RiskMarket | undefined;
  /** Orders of the checked strategy, or of all on the account. */
  readonly orders: readonly Order[];
  /** Orders of all strategies on the account. */
  readonly accountOrders: readonly Order[];
  /** Holding of a currency, available and reserved together. */
  holding(currency: string): Decimal;
  /** Order requests sent in the last second, without cancels (`RateWindow`). */
  readonly requestsInSecond: number;
  /** Absent if nothing is traded on margin. */
  readonly margin?: MarginView | undefined;
}

/** True for an order that waits for its stop price, as far as known, so it is in no book. */
export const waitsForTrigger = (order: Order): boolean => {
  const { status, type, venueOrder } = order;
  if (status === 'suspended') return true;
  if (!isUnanswered(order) || !hasStopPrice(type)) return false;
  return venueOrder === undefined || venueOrder.status === 'suspended';
};

/** True for an order that waits for the first order of its list to fill, as far as known. */
export const waitsForList = (order: Order): boolean => {
  const { inactive, venueOrder, listIndex = 0, contingencyType } = order;
  if (inactive === true) return true;
  return (
    isUnanswered(order) && venueOrder === undefined && listIndex > 0 && triggers(contingencyType)
  );
};

/** True for the lists whose later orders wait for the first. */
const triggers = (type: ContingencyType | undefined): boolean =>
  type === 'oneTriggerOther' || type === 'oneTriggerOneCancelOther';

/** The market of an instrument for the limits; `undefined` before any data. */
export function riskMarket(
  state: InstrumentState,
  receivedAt: Micros | undefined,
): RiskMarket | undefined {
  if (receivedAt === undefined) return undefined;
  const { best, prices } = state;
  // Without a book and quotes `best` is always stale; then only the last trade is known.
  const hadBest = !Number.isNaN(best.bidTicks) || !Number.isNaN(best.askTicks);
  return {
    prices,
    stale: best.stale && hadBest,
    receivedAt,
    lotsBefore: (taker, ticks) => {
      const isBetter = (price: number): boolean =>
        taker === 'buy' ? price < ticks : price > ticks;
      // A trade or a candle does not show the size at its price.
      if (!hadBest) return isBetter(prices.valuation / 2) ? Number.POSITIVE_INFINITY : 0;
      return lotsAtBetterPrices(state, taker, isBetter);
    },
  };
}

/** Visible lots of a market at better prices: its best, and the book beyond it. */
function lotsAtBetterPrices(
  { best, depth }: InstrumentState,
  taker: Side,
  isBetter: (ticks: number) => boolean,
): number {
  const buys = taker === 'buy';
  const [bestTicks, bestLots] = buys
    ? [best.askTicks, best.askLots]
    : [best.bidTicks, best.bidLots];
  const isKnown = !best.stale && bestLots > 0;
  let sum: number = isKnown && isBetter(bestTicks) ? bestLots : 0;
  if (depth.stale) return sum;
  const levels = buys ? depth.asks : depth.bids;
  for (let rank = 0; isBetter(levels.ticksAt(rank)); rank += 1) {
    const ticks = levels.ticksAt(rank);
    const isBeyond = !isKnown || (buys ? ticks > bestTicks : ticks < bestTicks);
    if (isBeyond) sum += levels.lotsAt(rank);
  }
  return sum;
}
