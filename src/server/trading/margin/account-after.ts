import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarginAccountView } from '../../../exchange/margin/views.ts';
import type { MarginReport } from '../../../exchange/positions/report.ts';
import { ZERO } from '../../../model/decimal.ts';

/** The account of a report in its present state; a closed one is empty. */
export function accountAfter(
  exchange: Exchange,
  report: MarginReport,
): { readonly account: MarginAccountView; readonly isOpen: boolean } {
  const { mode, isContract, symbol, currency } = report;
  // A cross account is found by any symbol that it can trade.
  const known =
    symbol ??
    exchange.instruments.find(
      (one) => one.isContract === isContract && one.quoteCurrency === currency,
    )?.symbol;
  const account =
    known === undefined ? undefined : exchange.margin.account(report.trader, known, mode);
  if (account !== undefined) return { account, isOpen: true };
  const { leverage, marginBalance, isCalled, createdAt, at } = report;
  const nothing = { reservedOrders: ZERO, reservedPositions: ZERO, positions: [] };
  const members = { mode, isContract, symbol, currency, leverage, marginBalance, isCalled };
  return { account: { ...members, ...nothing, createdAt, updatedAt: at }, isOpen: false };
}
