import type { PlaceListRequest, PlaceRequest } from '../../src/model/order-request.ts';
import type { NewOrder } from '../../src/model/order.ts';
import { Prices } from '../../src/model/prices.ts';
import { decimal, ZERO, type Decimal } from '../../src/model/decimal.ts';
import type { Instrument } from '../../src/model/instrument.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import type { RiskMarket, RiskView } from '../../src/risk/view.ts';
import { pendingOrder } from '../../src/model/order-reducer.ts';
import type { ListMembership, Order } from '../../src/model/order.ts';
import type { RiskSettings } from '../../src/risk/settings.ts';
import { instrumentOf } from '../kit/instruments.ts';

/** Ticks of 1 USDT and lots of 0.1, so that a sum can be done in the head; fees of 1 %. */
export const BTC = instrumentOf({
  tickSize: '1',
  quantityIncrement: '0.1',
  takeRate: '0.01',
  makeRate: '0.01',
});
export const ETH = instrumentOf({
  symbol: 'ETHUSDT',
  baseCurrency: 'ETH',
  tickSize: '1',
  quantityIncrement: '0.1',
});
export const ETHBTC = instrumentOf({
  symbol: 'ETHBTC',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  tickSize: '0.1',
  quantityIncrement: '0.1',
});

export const NOW = micros(Date.UTC(2026, 0, 5, 10) * 1_000);

export type Amounts = Readonly<Record<string, string>>;

export const amounts = (texts: Amounts = {}): ReadonlyMap<string, Decimal> =>
  new Map(Object.entries(texts).map(([key, text]) => [key, decimal(text)]));

interface LimitTexts {
  readonly maxQuantity?: Amounts;
  readonly maxNotional?: Amounts;
  readonly priceCollar?: string;
  readonly maxPosition?: Amounts;
  readonly maxShort?: Amounts;
  readonly maxExposure?: Amounts;
  readonly maxNetExposure?: Amounts;
  readonly maxLeverage?: string;
  readonly maxMarginUse?: string;
  readonly minLiquidationDistance?: string;
  readonly maxDailyLoss?: Amounts;
  readonly maxDrawdown?: string;
}

/** Limits of which only those named limit anything. */
export function limitsOf(
  texts: LimitTexts & Partial<Omit<RiskSettings, keyof LimitTexts>> = {},
): RiskSettings {
  const { maxQuantity, maxNotional, maxPosition, maxExposure, maxDailyLoss, ...rest } = texts;
  const { priceCollar, maxDrawdown, maxShort, maxNetExposure, ...more } = rest;
  const { maxLeverage, maxMarginUse, minLiquidationDistance, ...others } = more;
  const numbers = { priceCollar, maxDrawdown, maxLeverage, maxMarginUse, minLiquidationDistance };
  return {
    preventOwnCross: false,
    onBreach: 'halted',
    ...others,
    maxQuantity: amounts(maxQuantity),
    maxNotional: amounts(maxNotional),
    maxPosition: amounts(maxPosition),
    maxExposure: amounts(maxExposure),
    maxDailyLoss: amounts(maxDailyLoss),
    ...(maxShort === undefined ? {} : { maxShort: amounts(maxShort) }),
    ...(maxNetExposure === undefined ? {} : { maxNetExposure: amounts(maxNetExposure) }),
    ...Object.fromEntries(
      Object.entries(numbers).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, decimal(text)]],
      ),
    ),
  };
}

export interface ViewTexts extends Partial<Omit<RiskView, 'instrument' | 'market' | 'holding'>> {
  readonly markets?: Readonly<Record<string, RiskMarket>>;
  readonly holdings?: Amounts;
}

export const marketOf = (
  bidTicks: number,
  askTicks: number,
  lastTicks = Number.NaN,
): RiskMarket => {
  const best = { bidTicks: bidTicks as Ticks, askTicks: askTicks as Ticks, stale: false };
  const prices = new Prices(best);
  if (!Number.isNaN(lastTicks)) prices.trade(lastTicks);
  return { prices, stale: false, receivedAt: NOW };
};

/** A running account with a market of BTC at 99 to 101, of ETH at 9 to 11, and nothing else. */
export function viewOf(texts: ViewTexts = {}): RiskView {
  const { markets, holdings = {}, orders = [], ...rest } = texts;
  const instruments: readonly Instrument[] = texts.instruments ?? [BTC, ETH, ETHBTC];
  const known = markets ?? { BTCUSDT: marketOf(99, 101), ETHUSDT: marketOf(9, 11) };
  const held = amounts(holdings);
  return {
    now: NOW,
    state: 'running',
    accountOrders: orders,
    requestsInSecond: 0,
    ...rest,
    instruments,
    orders,
    instrument: (symbol) => {
      const found = instruments.find((one) => one.symbol === symbol);
      if (found === undefined) throw new Error(`no ${symbol}`);
      return found;
    },
    market: (symbol) => known[symbol],
    holding: (currency) => held.get(currency) ?? ZERO,
  };
}

type Terms = Partial<Omit<NewOrder, 'lots' | 'ticks' | 'stopTicks'>> & {
  readonly lots?: number;
  readonly ticks?: number;
  readonly stopTicks?: number;
};

let numbers = 0;

/** A limit buy of 1 BTC at 100 unless it says otherwise; a type without a price has none. */
export function wanted({ lots = 10, ticks, stopTicks, ...terms }: Terms = {}): NewOrder {
  numbers += 1;
  const type = terms.type ?? 'limit';
  const priced = type === 'limit' || type.endsWith('Limit');
  return {
    clientOrderId: `order-${numbers}`,
    symbol: 'BTCUSDT',
    side: 'buy',
    type,
    timeInForce: 'GTC',
    postOnly: false,
    ...terms,
    lots: lots as Lots,
    ...(priced ? { ticks: (ticks ?? 100) as Ticks } : {}),
    ...(stopTicks === undefined ? {} : { stopTicks: stopTicks as Ticks }),
  };
}

export const place = (terms: Terms = {}): PlaceRequest => ({ kind: 'place', ...wanted(terms) });

export function placeList(
  contingencyType: PlaceListRequest['contingencyType'],
  ...orders: Terms[]
): PlaceListRequest {
  const all = orders.map((terms) => wanted(terms));
  return { kind: 'placeList', orderListId: all[0].clientOrderId, contingencyType, orders: all };
}

/** An order that is open already, or is to replace one that is. */
export function open(
  terms: Terms &
    ListMembership & {
      readonly suspended?: boolean;
      readonly inactive?: boolean;
      readonly replaces?: string;
      readonly filledLots?: number;
    } = {},
): Order {
  const { suspended = false, inactive = false, replaces, filledLots = 0, ...rest } = terms;
  const requester = { strategy: 'test', managed: false, requestedAt: NOW };
  const order = pendingOrder(wanted(rest), requester, terms, replaces);
  const status = suspended ? 'suspended' : 'new';
  return {
    ...order,
    status: replaces === undefined ? status : 'pending',
    filledLots: filledLots as Lots,
    inactive: inactive ? true : undefined,
  };
}
