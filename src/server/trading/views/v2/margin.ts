import type { Exchange } from '../../../../exchange/exchange.ts';
import type { MarginAccountView } from '../../../../exchange/margin/views.ts';
import type { MarginReport } from '../../../../exchange/positions/report.ts';
import { ZERO } from '../../../../model/decimal.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import { inVersion2 } from '../../../../wire/trading/v2/names.ts';
import type * as records from '../../../../wire/trading/v2/records/trading.ts';
import { accountAfter } from '../../margin/account-after.ts';
import { openPosition, pastPosition, type PositionRecord } from '../../margin/position-record.ts';
import { leverageText } from '../leverage.ts';
import * as v3 from '../v3/margin.ts';

type Account = Writable<typeof records.marginAccount>;
type AccountReport = Writable<typeof records.marginAccountReport>;
type Position = Writable<typeof records.position>;

/** Version 2 only has isolated accounts of spot symbols. */
export const isShown = (account: Pick<MarginAccountView, 'mode' | 'isContract'>): boolean =>
  account.mode === 'isolated' && !account.isContract;

/** A margin account as version 2 shows it. */
export function accountView(exchange: Exchange, account: MarginAccountView): Account {
  const [position] = account.positions;
  return accountMembers(
    account,
    position === undefined ? undefined : openPosition(exchange, account, position),
  );
}

/** The account in the first report after a subscription. */
export const accountStatusView = (
  exchange: Exchange,
  account: MarginAccountView,
): AccountReport => ({
  ...accountView(exchange, account),
  reportType: 'status',
  reportReason: 'status',
});

/**
 * An event of a margin account, with the account after the request; a position that the request ended has a
 * quantity of zero.
 */
export function accountReportView(exchange: Exchange, report: MarginReport): AccountReport {
  const { account } = accountAfter(exchange, report);
  const [open] = account.positions;
  const ended = report.position;
  const position =
    open !== undefined
      ? openPosition(exchange, account, open)
      : ended === undefined
        ? undefined
        : pastPosition(exchange, account, { ...ended, quantity: ZERO });
  return {
    ...accountMembers(account, position),
    reportType: report.type,
    reportReason: report.reason,
  };
}

const accountMembers = (
  account: MarginAccountView,
  position: PositionRecord | undefined,
): Account => ({
  symbol: account.symbol ?? account.currency,
  leverage: leverageText(account.leverage ?? ZERO),
  marginBalance: account.marginBalance,
  marginBalanceOrders: account.reservedOrders,
  marginBalanceRequired: account.reservedPositions,
  createdAt: account.createdAt as Micros,
  updatedAt: account.updatedAt as Micros,
  position: position === undefined ? undefined : positionView(position),
});

/** A position as version 2 shows it. */
export const positionView = (position: PositionRecord): Position =>
  inVersion2(v3.positionView(position));
