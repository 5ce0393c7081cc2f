import type { Exchange } from '../../../../exchange/exchange.ts';
import type { MarginAccountView } from '../../../../exchange/margin/views.ts';
import type { MarginReport } from '../../../../exchange/positions/report.ts';
import { ZERO } from '../../../../model/decimal.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import { atScale } from '../../../../wire/trading/printing.ts';
import type * as records from '../../../../wire/trading/v3/records/margin.ts';
import { accountAfter } from '../../margin/account-after.ts';
import type { ClearingRecord } from '../../margin/clearing-record.ts';
import {
  openPosition,
  pastPosition,
  type ClosedPositionRecord,
  type PositionRecord,
} from '../../margin/position-record.ts';
import { isTradedOn } from '../../orders/symbols.ts';
import { leverageText } from '../leverage.ts';

type Account = Writable<typeof records.marginAccount>;
type AccountReport = Writable<typeof records.marginAccountReport>;
type Position = Writable<typeof records.position>;
type Clearing = Writable<typeof records.clearing>;
type Config = Writable<typeof records.marginConfig>;
type ClosedPosition = Writable<typeof records.closedPosition>;

const MODE_NAMES = { isolated: 'Isolated', cross: 'Cross' } as const satisfies Record<
  MarginMode,
  string
>;

/** A margin account as version 3 shows it. */
export const accountView = (exchange: Exchange, account: MarginAccountView): Account =>
  accountMembers(
    account,
    account.positions.map((position) => openPosition(exchange, account, position)),
  );

/** The account in the first report after a subscription. */
export const accountStatusView = (
  exchange: Exchange,
  account: MarginAccountView,
): AccountReport => ({
  ...accountView(exchange, account),
  report_type: 'status',
  report_reason: 'status',
});

/**
 * An event of a margin account, with the account after the request; a position that the request ended is
 * among the positions with a quantity of zero.
 */
export function accountReportView(exchange: Exchange, report: MarginReport): AccountReport {
  const { account, isOpen } = accountAfter(exchange, report);
  const { position } = report;
  const open = account.positions.map((one) => openPosition(exchange, account, one));
  const isGone = position !== undefined && open.every(({ id }) => id !== position.id);
  const past = isGone ? [pastPosition(exchange, account, { ...position, quantity: ZERO })] : [];
  return {
    ...accountMembers(account, isOpen ? [...open, ...past] : []),
    report_type: report.type,
    report_reason: report.reason,
  };
}

function accountMembers(account: MarginAccountView, positions: readonly PositionRecord[]): Account {
  const { symbol, currency, leverage, mode } = account;
  return {
    symbol,
    currency: symbol === undefined ? currency : undefined,
    type: mode,
    leverage: leverage === undefined ? undefined : leverageText(leverage),
    created_at: account.createdAt as Micros,
    updated_at: account.updatedAt as Micros,
    currencies: [
      {
        code: currency,
        margin_balance: account.marginBalance,
        reserved_orders: account.reservedOrders,
        reserved_positions: account.reservedPositions,
      },
    ],
    positions: positions.length === 0 ? null : positions.map(positionView),
  };
}

/** A position as version 3 shows it, open or closed. */
export function positionView(position: PositionRecord): Position {
  const { tickSize, quantityIncrement, symbol } = position.instrument;
  return {
    id: position.id,
    symbol,
    margin_mode: MODE_NAMES[position.mode],
    leverage: leverageText(position.leverage),
    quantity: atScale(position.quantity, quantityIncrement),
    price_entry: atScale(position.priceEntry, tickSize),
    price_margin_call: atScale(position.priceMarginCall, tickSize),
    price_liquidation: atScale(position.priceLiquidation, tickSize),
    pnl: position.pnl,
    fee_cumulative: position.feeCumulative,
    created_at: position.createdAt,
    updated_at: position.updatedAt,
  };
}

/** A payment of a margin account without an order of its holder. */
export const clearingView = (clearing: ClearingRecord): Clearing => ({
  id: clearing.id,
  symbol: clearing.instrument.symbol,
  position_id: clearing.positionId,
  kind: clearing.kind,
  quantity: atScale(clearing.quantity, clearing.instrument.quantityIncrement),
  price: atScale(clearing.price, clearing.instrument.tickSize),
  rate: clearing.rate,
  amount: clearing.amount,
  currency: clearing.currency,
  timestamp: clearing.at,
});

/** On what terms the symbols of a market are traded, isolated and cross. */
export const configView = (
  { instruments, margin }: Exchange,
  market: 'margin' | 'futures',
): Config => ({
  config: instruments.flatMap((instrument, index) =>
    isTradedOn(market, instrument)
      ? Object.values(instrument.margin).map((rules) => ({
          symbol: instrument.symbol,
          margin_call_leverage_mul: leverageText(rules.marginCallMul),
          liquidation_leverage_mul: leverageText(rules.liquidationMul),
          max_initial_leverage: leverageText(rules.maxInitialLeverage),
          margin_mode: MODE_NAMES[rules.mode],
          force_close_fee: rules.forceCloseFee,
          enabled: rules.enabled && margin.opens(index),
          active: rules.active,
          ...(rules.riskLimit === undefined
            ? {}
            : {
                limit_base: rules.riskLimit.base,
                limit_power: rules.riskLimit.power,
                unlimited_threshold: rules.riskLimit.threshold,
              }),
        }))
      : [],
  ),
});

/** A closed position in the history. */
export const closedPositionView = (position: ClosedPositionRecord): ClosedPosition => ({
  ...positionView(position),
  price_close: atScale(position.priceClose, position.instrument.tickSize),
  quantity_max: atScale(position.quantityMax, position.instrument.quantityIncrement),
  liquidated: position.liquidated,
});
