/** What strategy authors import, and nothing else. */

export { defineStrategy } from './strategy/define.ts';
export { defineCallbackStrategy } from './strategy/callbacks.ts';
export type { CallbackDefinition, Callbacks, Handler, QuickOrder } from './strategy/callbacks.ts';
export type { Strategy, StrategyDefinition } from './strategy/define.ts';
export type {
  Account,
  Balance,
  Book,
  Context,
  Level,
  Log,
  Market,
  Position,
  BestBidOffer,
  Trade,
} from './strategy/context.ts';
export type { AccountType, NonSpotAccountType, NonSpotBalance } from './model/non-spot-balance.ts';
export type { DerivativePrice, FundingRate, OpenInterest } from './strategy/derivatives.ts';

// Commands: managed orders, plain orders, and lists of them.
export { flat, quote, target } from './strategy/managed-orders.ts';
export type { QuoteOf } from './strategy/managed-orders.ts';
export { dca, grid, iceberg, twap, vwap } from './strategy/algo-orders.ts';
export type { DcaOf, GridOf, IcebergOf, TwapOf, VwapOf } from './strategy/algo-orders.ts';
export { cancel, cancelAll, place, replace } from './strategy/orders.ts';
export type {
  CloseOrder,
  OnMargin,
  LimitOrder,
  MarginOrder,
  MarketOrder,
  OrderInput,
  ReplaceChange,
  StopLimitOrder,
  StopMarketOrder,
} from './strategy/orders.ts';
export { aon, oco, oto, otoco, placeList } from './strategy/lists.ts';
export type { AllOrNoneOrder, Leg, OrderOfList } from './strategy/lists.ts';
export { bracket } from './strategy/bracket.ts';
export type { BracketEntry, BracketOf, StopLoss, TakeProfit } from './strategy/bracket.ts';
export type {
  AlgoCommand,
  Cancel,
  CancelAll,
  CloseStop,
  Command,
  Dca,
  Grid,
  Iceberg,
  ListOrder,
  OrderOptions,
  Place,
  PlaceClose,
  PlaceLimit,
  PlaceList,
  PlaceMarket,
  PlaceStopLimit,
  PlaceStopMarket,
  ProfileVolume,
  Quote,
  QuoteSide,
  Replace,
  Replenish,
  Roundings,
  SetMargin,
  Target,
  Trail,
  Twap,
  Vwap,
} from './strategy/commands.ts';

// Margin and futures: where a command trades, and the accounts behind it.
export { cross, isolated, MARKETS, on } from './strategy/where.ts';
export type { MarginSymbol, MarketName, Where } from './strategy/where.ts';
export { setLeverage, setMargin } from './strategy/margin.ts';
export type { MarginSetting, ReplenishOf } from './strategy/margin.ts';
export type {
  MarginAccount,
  MarginEvent,
  MarginPosition,
  MarginState,
} from './strategy/positions.ts';

// Inventory over chains and accounts.
export { rebalance } from './strategy/portfolio.ts';
export type {
  InventoryTransfer,
  Portfolio,
  PortfolioReport,
  Rebalance,
  RebalanceLimits,
  RebalanceAmount,
  RebalanceTarget,
  RebalanceWeight,
} from './strategy/portfolio.ts';
export type { Holding, TransferState } from './model/portfolio.ts';

// Exact numbers.
export { amount, price, quantity, rate } from './strategy/numbers.ts';
export type { DecimalInput, PriceOf, QuantityOf, StopOf } from './strategy/numbers.ts';
export { lots, ticks } from './model/units.ts';
export type { Lots, Rounding, Ticks } from './model/units.ts';
export type { Amount } from './model/amount.ts';
export type { Decimal } from './model/decimal.ts';

// How much to trade.
export { sizeByRisk, sizeByVolatility } from './strategy/sizing.ts';
export type { RiskSize, Size, SizeLimits, VolatilitySize } from './strategy/sizing.ts';

// Indicators.
export { derive, lastValues, values } from './strategy/derive.ts';
export type { Derived, EventOf, Indicators } from './strategy/derive.ts';
export { bars } from './strategy/bars.ts';
export type { BarOperator, BarOptions, TradeBar } from './strategy/bars.ts';
export { align } from './strategy/align.ts';
export type { Aligned, AlignOptions, CandleStreams } from './strategy/align.ts';
export { above, crosses, crossesAbove, crossesBelow } from './strategy/cross.ts';
export type { Cross } from './strategy/cross.ts';
export type { Indicator, Source } from './strategy/indicator.ts';
export { atr, bollinger, ema, macd, rsi } from './strategy/indicators/positional.ts';
export type { BollingerValue, MacdValue } from './strategy/indicators/positional.ts';
export { highest, lowest } from './strategy/indicators/extreme.ts';
export { sma } from './strategy/indicators/sma.ts';
export { rolling } from './strategy/rolling.ts';
export type { Rolling, RollingNumber, RollingQuantile, RollingValues } from './strategy/rolling.ts';
export { barsSince, highestSince, lowestSince } from './strategy/since.ts';
export type { Condition } from './strategy/since.ts';
export { ta } from './strategy/ta.ts';
export type { BarTicks, Trend } from './strategy/indicators/row.ts';

// Time, in milliseconds as RxJS counts it, and points in time in microseconds.
export { days, hours, minutes, seconds } from './strategy/durations.ts';
export type { Micros } from './platform/time.ts';

// The nouns that events and reports are made of.
export type { AlgoFills, AlgoKind, AlgoOrder } from './model/algo-order.ts';
export type { BarRule, Candle } from './model/candle.ts';
export type { Instrument, InstrumentTerms } from './model/instrument.ts';
export type {
  MarginMode,
  MarginRules,
  MarginTerms,
  OrderMargin,
  RiskLimit,
} from './model/margin-terms.ts';
export type {
  ContingencyType,
  ListMembership,
  NewOrder,
  Order,
  OrderList,
  OrderState,
  OrderStatus,
  OrderTerms,
  OrderType,
  OwnRates,
  Side,
  TimeInForce,
  TrailedPrice,
  VenueOrder,
} from './model/order.ts';
export { PERIODS } from './model/period.ts';
export type { CandlePeriod, CandlePeriodName, Period, PeriodName } from './model/period.ts';
export type { Fill } from './model/report.ts';
export type { Rejection, RejectionCode } from './model/rejections.ts';

export { z } from 'zod';
