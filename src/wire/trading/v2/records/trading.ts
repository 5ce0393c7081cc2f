import { z } from 'zod';
import { ACCOUNT_REPORT_REASONS, ACCOUNT_REPORT_TYPES } from '../../account-report.ts';
import { ORDER_TYPES, TIMES_IN_FORCE } from '../../../../model/order.ts';
import { choice, flag, id, numeric, optional, record, text, time } from '../../fields.ts';

export const SIDES = ['sell', 'buy'] as const;
const STATUSES = ['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired'] as const;

export const balance = record('BalanceV2', {
  currency: text,
  available: numeric,
  reserved: numeric,
});

/** Fee rates of a symbol as fractions. */
export const fee = record('FeeV2', { takeLiquidityRate: numeric, provideLiquidityRate: numeric });

const tradeOfOrder = record('OrderTradeV2', {
  id,
  quantity: numeric,
  price: numeric,
  /** Negative for a rebate. */
  fee: numeric,
  timestamp: time,
});

/** Some servers write the id as text. */
const orderMembers = {
  id,
  clientOrderId: text,
  symbol: text,
  side: choice(SIDES),
  status: choice(STATUSES),
  type: choice(ORDER_TYPES),
  timeInForce: choice(TIMES_IN_FORCE),
  quantity: numeric,
  price: optional(numeric),
  avgPrice: optional(numeric),
  cumQuantity: numeric,
  postOnly: optional(flag),
  stopPrice: optional(numeric),
  expireTime: optional(time),
  createdAt: time,
  updatedAt: time,
} as const;

const marginMembers = { reduceOnly: optional(flag), positionId: optional(id) } as const;

export const order = record('OrderV2', {
  ...orderMembers,
  ...marginMembers,
  tradesReport: optional(z.array(tradeOfOrder)),
});

export const trade = record('TradeV2', {
  id,
  orderId: id,
  clientOrderId: text,
  symbol: text,
  side: choice(SIDES),
  quantity: numeric,
  price: numeric,
  /** Negative for a rebate. */
  fee: numeric,
  timestamp: time,
  liquidation: optional(flag),
});

export const REPORT_TYPES = [
  'status',
  'new',
  'canceled',
  'expired',
  'suspended',
  'trade',
  'replaced',
] as const;

/** An event of an order, and its state after it. */
export const report = record('ReportV2', {
  ...orderMembers,
  ...marginMembers,
  reportType: choice(REPORT_TYPES),
  originalRequestClientOrderId: optional(text),
  tradeId: optional(id),
  tradeQuantity: optional(numeric),
  tradePrice: optional(numeric),
  /** Negative for a rebate. */
  tradeFee: optional(numeric),
  tradePositionId: optional(id),
});

export const position = record('PositionV2', {
  id,
  symbol: text,
  /** Negative for a short. */
  quantity: numeric,
  pnl: optional(numeric),
  priceEntry: optional(numeric),
  priceMarginCall: optional(numeric),
  priceLiquidation: optional(numeric),
  createdAt: optional(time),
  updatedAt: optional(time),
});

const accountMembers = {
  symbol: text,
  leverage: numeric,
  marginBalance: numeric,
  marginBalanceOrders: numeric,
  marginBalanceRequired: numeric,
  createdAt: time,
  updatedAt: time,
  position: optional(position),
} as const;

export const marginAccount = record('MarginAccountV2', accountMembers);

export const marginAccountReport = record('MarginAccountReportV2', {
  ...accountMembers,
  reportType: choice(ACCOUNT_REPORT_TYPES),
  reportReason: choice(ACCOUNT_REPORT_REASONS),
});
