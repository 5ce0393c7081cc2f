import type { InstrumentMarket } from '../engine/market/instrument-market.ts';
import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import { hasStopPrice, type ContingencyType, type OrderType, type Side } from '../model/order.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import type { OwnRates } from '../rules/own-rates.ts';
import type { TrackedOrder } from '../strategy/context.ts';
import type { TradingState } from './state.ts';

/** An order that can still execute, as far as is known: open, sent and not answered, or unknown. */
export interface RiskOrder extends OwnRates {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly lots: Lots;
  readonly executedLots: Lots;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
  readonly postOnly: boolean;
  /** It waits for its stop price, so it does not stand in the book. */
  readonly suspended: boolean;
  /** It waits for the first order of its list to fill. */
  readonly inactive: boolean;
  readonly list?: RiskList | undefined;
  /** The order in whose stead it is to stand; while both are open only one of them can execute. */
  readonly replaces?: string | undefined;
}

/** Which list an order belongs to; index 0 is the first order. */
export interface RiskList {
  readonly id: string;
  readonly contingencyType: ContingencyType;
  readonly index: number;
}

/** What is known of a market. A price that is not known is NaN. */
export interface RiskMarket {
  readonly bidTicks: number;
  readonly askTicks: number;
  readonly lastTicks: number;
  /** True while the book has a gap. */
  readonly stale: boolean;
  /** When anything was heard of it last. */
  readonly heardAt: Micros;
  /**
   * Lots that are known to be had at better prices than `ticks` by who takes as `taker`; none where
   * absent.
   */
  lotsBefore?(taker: Side, ticks: number): number;
}

/** What the limits of a strategy, or of an account, are compared with. */
export interface RiskView {
  readonly now: Micros;
  /** What may be done: the strictest of strategy, account and bot. */
  readonly state: TradingState;
  /** All instruments of the account. */
  readonly instruments: readonly Instrument[];
  instrument(symbol: string): Instrument;
  /** `undefined` where nothing was heard of it yet. */
  market(symbol: string): RiskMarket | undefined;
  /** Orders of the one whose limits are looked at: of the strategy, or of all on the account. */
  readonly orders: readonly RiskOrder[];
  /** Orders of all strategies on the account. */
  readonly accountOrders: readonly RiskOrder[];
  /** What it holds of a currency, available and reserved together. */
  holding(currency: string): Decimal;
  /** Order requests sent in the second that ends now, cancels not counted (`RateWindow`). */
  readonly requestsInSecond: number;
}

/** An order of the engine as the limits see it; `replaces` is known to whoever kept its request. */
export function riskOrder(order: TrackedOrder, postOnly: boolean, replaces?: string): RiskOrder {
  const { status, listIndex, orderListId, contingencyType } = order;
  const unanswered = status === 'pending' || status === 'unknown';
  const heard = order.venueOrder?.status;
  return {
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    lots: order.lots,
    executedLots: order.executedLots,
    ticks: order.ticks,
    stopTicks: order.stopTicks,
    takeRate: order.takeRate,
    makeRate: order.makeRate,
    postOnly,
    suspended:
      status === 'suspended' ||
      (unanswered && hasStopPrice(order.type) && (heard === undefined || heard === 'suspended')),
    inactive:
      order.inactive === true ||
      (unanswered && heard === undefined && (listIndex ?? 0) > 0 && triggers(contingencyType)),
    list:
      orderListId === undefined || contingencyType === undefined
        ? undefined
        : { id: orderListId, contingencyType, index: listIndex ?? 0 },
    replaces,
  };
}

/** True for the lists whose later orders wait for the first. */
export const triggers = (type: ContingencyType | undefined): boolean =>
  type === 'oneTriggerOther' || type === 'oneTriggerOneCancelOther';

/** A market of the engine as the limits see it; `undefined` before anything was heard. */
export function riskMarket(
  market: Pick<InstrumentMarket, 'best' | 'depth' | 'lastTicks' | 'priceTicks'>,
  heardAt: Micros | undefined,
): RiskMarket | undefined {
  if (heardAt === undefined) return undefined;
  const { best } = market;
  // Candles alone have no trade; their close is the last price then.
  const lastTicks = Number.isNaN(market.lastTicks) ? market.priceTicks : market.lastTicks;
  const { bidTicks, askTicks } = best;
  // Without a book and quotes `best` is stale for ever; then the last trade is all there is.
  const hadBest = !Number.isNaN(bidTicks) || !Number.isNaN(askTicks);
  return {
    ...{ bidTicks, askTicks, lastTicks, stale: best.stale && hadBest, heardAt },
    lotsBefore: (taker, ticks) => {
      const isBetter = (price: number): boolean =>
        taker === 'buy' ? price < ticks : price > ticks;
      // A trade or a candle does not tell how much there was at its price.
      if (!hadBest) return isBetter(lastTicks) ? Number.POSITIVE_INFINITY : 0;
      return shownBefore(market, taker, isBetter);
    },
  };
}

/** Lots that a market shows at better prices: its best, and the book beyond it. */
function shownBefore(
  { best, depth }: Pick<InstrumentMarket, 'best' | 'depth'>,
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
  for (let rank = 0; rank < levels.length && isBetter(levels.ticksAt(rank)); rank += 1) {
    const ticks = levels.ticksAt(rank);
    const isBeyond = !isKnown || (buys ? ticks > bestTicks : ticks < bestTicks);
    if (isBeyond) sum += levels.lotsAt(rank);
  }
  return sum;
}
