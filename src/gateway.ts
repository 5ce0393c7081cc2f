/**
 * What `millrace/gateway` exports: the port between a bot and a venue, for modules that lead to a venue of
 * their own. docs/gateways.md has an example and what a gateway has to keep to.
 */
export type { Gateway, GatewayFactory, GatewayOptions } from './gateways/own/gateway.ts';
export type { ModuleOptions } from './gateways/own/module.ts';

// The account.
export type {
  AccountListener,
  EndedPosition,
  ConnectionState,
  MarginSnapshot,
  PositionCarry,
  AccountSnapshot,
  VenueAccount,
  VenueMargin,
} from './gateways/venue-account.ts';
export { rejectReport } from './gateways/checked.ts';
export type {
  CancelRequest,
  MarginRequest,
  OrderRequest,
  PlaceListRequest,
  PlaceRequest,
  ReplaceRequest,
} from './model/order-request.ts';
export type {
  ContingencyType,
  NewOrder,
  OrderStatus,
  OrderTerms,
  OrderType,
  OwnRates,
  Side,
  TimeInForce,
  VenueOrder,
} from './model/order.ts';
export type {
  BalanceReport,
  UnknownOutcomeReport,
  Fill,
  OrderReport,
  RejectReport,
  Report,
} from './model/report.ts';
export type { Rejection, RejectionCode } from './model/rejections.ts';
export type {
  ForcedTrade,
  MarginAccountReport,
  MarginAccountState,
  MarginCarry,
  MarginReason,
  MarginRejectReport,
  MarginReport,
  PositionEnd,
  VenuePosition,
} from './model/margin-account.ts';
export type { MarginMode, MarginTerms, OrderMargin } from './model/margin-terms.ts';
export type {
  NonSpotAccountType,
  NonSpotBalance,
  NonSpotBalanceSource,
  NonSpotBalanceListener,
  NonSpotBalanceReport,
} from './model/non-spot-balance.ts';
export type { MarginGateway } from './engine/account/margin-gateway.ts';
export type { Balance, Log } from './strategy/context.ts';

// The market.
export type { MarketListener, MarketSource, Wanted } from './gateways/market-source.ts';
export type { FeedContents } from './engine/market/feed-contents.ts';
export { EventRows } from './gateways/rows.ts';
export {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from './model/events.ts';
export type { Period, PeriodName } from './model/period.ts';

// Instruments and exact numbers.
export { Instrument, micros, type Random } from './gateways/checked.ts';
export type { InstrumentTerms } from './model/instrument.ts';
export { Amount } from './model/amount.ts';
export { Decimal, parseDecimal } from './model/decimal.ts';
export { lots, ticks, type Lots, type Rounding, type Ticks } from './model/units.ts';

// Time and errors.
export type { Cancel, Scheduler } from './platform/scheduler.ts';
export type { Micros } from './platform/time.ts';
export { MillraceError, type ErrorCode, type ErrorDetails } from './model/errors.ts';
