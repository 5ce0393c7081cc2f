import type { Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { RejectReport } from '../../model/report.ts';
import { payingCurrency } from '../../rules/funds.ts';
import type { Markets } from '../market/markets.ts';
import type { OrderChange } from './order-store.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** Most orders that a rejection lists. */
const NAMED_MAX = 3;

type Instruments = Pick<Markets, 'get'>;

/** A rejection, and its cause. */
interface Reserving {
  readonly report: RejectReport;
  readonly changes: readonly OrderChange[];
}

/**
 * A rejection for lack of funds, by the venue or before sending, with the own orders that reserve
 * the same currency, which the venue does not list.
 */
export function withReserving(
  report: RejectReport,
  changes: readonly OrderChange[],
  orders: StrategyOrders,
  markets: Instruments,
): Reserving {
  const rejected = orders.find(report.clientOrderId);
  const { code } = report.rejection;
  const isWant = code === 'funds-insufficient' || code === 'budget-exceeded';
  if (!isWant || rejected === undefined) return { report, changes };
  const sentences = lackedOf(report, rejected, orders, markets)
    .map((currency) => reservedBy(currency, rejected, orders, markets))
    .filter((sentence) => sentence !== '');
  if (sentences.length === 0) return { report, changes };
  const rejection = {
    ...report.rejection,
    message: [report.rejection.message, ...sentences].join(' '),
  };
  const explained = changes.map((change) => {
    const { clientOrderId, status } = change.order;
    if (status !== 'rejected') return change;
    const order = orders.explain(clientOrderId, rejection, report.at);
    return order === undefined ? change : { ...change, order };
  });
  return { report: { ...report, rejection }, changes: explained };
}

/** Currencies that a rejected request may have lacked. */
function lackedOf(
  { rejection, request }: RejectReport,
  rejected: Order,
  orders: StrategyOrders,
  markets: Instruments,
): readonly string[] {
  // In a list whose orders do not wait for the first, any may lack funds.
  const isAny = request === 'placeList' && !rejected.contingencyType?.startsWith('oneTrigger');
  const terms = isAny ? (orders.listOf(rejected)?.orders ?? [rejected]) : [rejected];
  const currencies = [...new Set(terms.map((order) => payer(order, markets)))];
  const lacked = currencies.filter((currency) => rejection.message.includes(` ${currency} `));
  return lacked.length === 0 ? currencies : lacked;
}

/** Same as `withReserving` for an exit that the venue canceled when it was to become active. */
export function withHolders(
  rejection: Rejection,
  ended: Order,
  orders: StrategyOrders,
  markets: Instruments,
): Rejection {
  if (!ended.endedInactive) return rejection;
  const currency = payer(ended, markets);
  const sentence = reservedBy(currency, ended, orders, markets);
  return sentence === ''
    ? rejection
    : { ...rejection, message: `${rejection.message} ${sentence}` };
}

/**
 * Lists the own orders, besides one and its list, that reserve a currency; empty if there are none.
 */
function reservedBy(
  currency: string,
  beside: Order,
  orders: StrategyOrders,
  markets: Instruments,
): string {
  const holders = orders
    .open()
    .filter((order) => reserves(order, beside, orders) && payer(order, markets) === currency);
  if (holders.length === 0) return '';
  const listed = holders
    .slice(0, NAMED_MAX)
    .map(
      ({ clientOrderId: id, type, side, lots, filledLots }) =>
        `${id} (${type} ${side} of ${lots - filledLots} lots)`,
    );
  const others = holders.length - listed.length;
  const more = others === 0 ? '' : ` and ${others} more`;
  return `${currency} is reserved by ${listed.join(', ')}${more}.`;
}

/** True for an order that reserves now or will, apart from another and its list. */
function reserves(order: Order, beside: Order, orders: StrategyOrders): boolean {
  const { clientOrderId, orderListId, venueOrder, inactive, listIndex } = order;
  if (clientOrderId === beside.clientOrderId || clientOrderId === beside.replaces) return false;
  if (orderListId !== undefined && orderListId === beside.orderListId) return false;
  if (venueOrder !== undefined) return inactive !== true;
  return (listIndex ?? 0) === 0 && orders.isBefore(order, beside);
}

const payer = ({ symbol, side }: Order, markets: Instruments): string =>
  payingCurrency(markets.get(symbol).instrument, side);
