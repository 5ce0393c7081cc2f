import type { Order } from '../../model/order.ts';
import type { Journal } from '../journal/journal.ts';
import type { PaperAccount } from './account.ts';

/** Restores a paper account from its journal; a new one begins as configured. */
export function continuePaper(account: PaperAccount, journal: Journal): void {
  const received = journal.balances();
  if (received.size === 0) return;
  const totals = [...received].map(
    ([currency, { available, reserved }]) => [currency, available.plus(reserved)] as const,
  );
  account.restore({
    balances: new Map(totals),
    orders: journal.openOrders().map((order) =>
      asSent(order, {
        margin: journal.margin,
        instrument: (symbol) => journal.instrument(symbol),
      }),
    ),
    margin: journal.margin.all().flatMap(({ state }) => (state === undefined ? [] : [state])),
    receivedAt: journal.lastReceivedAt,
  });
}

/** An order as the exchange had it: on a shared margin account it was sent without the reduce-only flag. */
function asSent(
  order: Order,
  { margin, instrument }: Pick<Journal, 'margin' | 'instrument'>,
): Order {
  const { venueOrder, symbol } = order;
  const mode = order.margin?.mode;
  const traded = mode === undefined ? undefined : instrument(symbol);
  if (venueOrder === undefined || mode === undefined || traded === undefined) return order;
  if (margin.bearing(traded, mode)?.parts === undefined) return order;
  return { ...order, venueOrder: { ...venueOrder, margin: { mode } } };
}
