import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { RejectReport } from '../../model/report.ts';
import { payingCurrency } from '../../rules/funds.ts';
import type { OrderChange } from './order-store.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** Orders that a refusal names at most. */
const NAMED_MAX = 3;

/** A rejection, and what it changed. */
interface Reserving {
  readonly report: RejectReport;
  readonly changes: readonly OrderChange[];
}

/**
 * A rejection for want of means, by the venue or before sending, with the own orders that reserve of the
 * same currency: it says what is missing, and not who has it.
 */
export function withReserving(
  report: RejectReport,
  changes: readonly OrderChange[],
  orders: StrategyOrders,
  instrumentOf: (symbol: string) => Instrument,
): Reserving {
  const { refusal, clientOrderId } = report;
  const refused = orders.find(clientOrderId);
  const isWant = refusal.code === 'funds-insufficient' || refusal.code === 'budget-exceeded';
  if (!isWant || refused === undefined) return { report, changes };
  const paidBy = ({ symbol, side }: Order): string => payingCurrency(instrumentOf(symbol), side);
  const currency = paidBy(refused);
  const holders = [...orders.open()].filter(
    (order) => reserves(order, refused) && paidBy(order) === currency,
  );
  if (holders.length === 0) return { report, changes };
  const named = holders
    .slice(0, NAMED_MAX)
    .map(
      ({ clientOrderId: id, type, side, lots, executedLots }) =>
        `${id} (${type} ${side} of ${lots - executedLots} lots)`,
    );
  const others = holders.length - named.length;
  const more = others === 0 ? '' : ` and ${others} more`;
  const message = `${refusal.message} ${currency} is reserved by ${named.join(', ')}${more}.`;
  return {
    report: { ...report, refusal: { ...refusal, message } },
    changes: changes.map((change) => {
      const { clientOrderId: id, status } = change.order;
      const said = status === 'rejected' ? orders.explain(id, { ...refusal, message }, report.at) : undefined; // prettier-ignore
      return said === undefined ? change : { ...change, order: said };
    }),
  };
}

/** True for an order that reserves funds at the venue, apart from the refused one and its list. */
const reserves = (order: Order, refused: Order): boolean =>
  order.clientOrderId !== refused.clientOrderId &&
  order.venueOrder !== undefined &&
  order.inactive !== true &&
  (order.orderListId === undefined || order.orderListId !== refused.orderListId);
