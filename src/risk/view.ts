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

/** What is known of a market. */
export interface RiskMarket {
  readonly prices: Pick<Prices, 'reference' | 'touch'>;
  /** True while the book has a gap. */
  readonly stale: boolean;
  /** When data of it was last received. */
  readonly receivedAt: Micros;
  /**
   * Lots that are known to be had at better prices than `ticks` by who takes as `taker`; none where
   * absent.
   */
  lotsBefore?(taker: Side, ticks: number): number;
}

/** The margin accounts of an account, or of a strategy, with what judges them. */
export interface MarginView {
  /** As last reported, closed ones left out. */
  readonly accounts: readonly MarginAccountState[];
  /** The one that bears what is traded of an instrument on a margin. */
  find(instrument: Instrument, mode: MarginMode): MarginAccountState | undefined;
  /** The price that positions in a symbol are judged by; `undefined` while it is unknown. */
  markPrice(symbol: string): Decimal | undefined;
  /** An instrument of which a cross account may have a position though nobody here trades it. */
  instrument?(symbol: string): Instrument | undefined;
}

/** What the limits of a strategy, or of an account, are compared with. */
export interface RiskView {
  readonly now: Micros;
  /** What may be done: the strictest of strategy, account and bot. */
  readonly state: TradingState;
  /** All instruments of the account. */
  readonly instruments: readonly Instrument[];
  instrument(symbol: string): Instrument;
  /** `undefined` before any data of it. */
  market(symbol: string): RiskMarket | undefined;
  /** Orders of the one whose limits are looked at: of the strategy, or of all on the account. */
  readonly orders: readonly Order[];
  /** Orders of all strategies on the account. */
  readonly accountOrders: readonly Order[];
  /** What it holds of a currency, available and reserved together. */
  holding(currency: string): Decimal;
  /** Order requests sent in the second that ends now, cancels not counted (`RateWindow`). */
  readonly requestsInSecond: number;
  /** Absent where nothing is traded on margin. */
  readonly margin?: MarginView | undefined;
}

/** True for an order that waits for its stop price, as far as is known, so it is in no book. */
export const waitsForTrigger = (order: Order): boolean => {
  const { status, type, venueOrder } = order;
  if (status === 'suspended') return true;
  if (!isUnanswered(order) || !hasStopPrice(type)) return false;
  return venueOrder === undefined || venueOrder.status === 'suspended';
};

/** True for an order that waits for the first order of its list to fill, as far as is known. */
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

/** The market of an instrument as the limits see it; `undefined` before any data. */
export function riskMarket(
  state: InstrumentState,
  receivedAt: Micros | undefined,
): RiskMarket | undefined {
  if (receivedAt === undefined) return undefined;
  const { best, prices } = state;
  // Without a book and quotes `best` is stale for ever; then the last trade is all there is.
  const hadBest = !Number.isNaN(best.bidTicks) || !Number.isNaN(best.askTicks);
  return {
    prices,
    stale: best.stale && hadBest,
    receivedAt,
    lotsBefore: (taker, ticks) => {
      const isBetter = (price: number): boolean =>
        taker === 'buy' ? price < ticks : price > ticks;
      // A trade or a candle does not say how much there was at its price.
      if (!hadBest) return isBetter(prices.valuation / 2) ? Number.POSITIVE_INFINITY : 0;
      return shownBefore(state, taker, isBetter);
    },
  };
}

/** Lots that a market shows at better prices: its best, and the book beyond it. */
function shownBefore(
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
