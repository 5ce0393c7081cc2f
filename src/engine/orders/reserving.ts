import type { Order } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { RejectReport } from '../../model/report.ts';
import { payingCurrency } from '../../rules/funds.ts';
import type { Markets } from '../market/markets.ts';
import type { OrderChange } from './order-store.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** Orders that a refusal names at most. */
const NAMED_MAX = 3;

type Instruments = Pick<Markets, 'get'>;

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
  markets: Instruments,
): Reserving {
  const refused = orders.find(report.clientOrderId);
  const { code } = report.refusal;
  const isWant = code === 'funds-insufficient' || code === 'budget-exceeded';
  if (!isWant || refused === undefined) return { report, changes };
  const sentences = lackedOf(report, refused, orders, markets)
    .map((currency) => reservedBy(currency, refused, orders, markets))
    .filter((sentence) => sentence !== '');
  if (sentences.length === 0) return { report, changes };
  const refusal = { ...report.refusal, message: [report.refusal.message, ...sentences].join(' ') };
  const explained = changes.map((change) => {
    const { clientOrderId, status } = change.order;
    if (status !== 'rejected') return change;
    const order = orders.explain(clientOrderId, refusal, report.at);
    return order === undefined ? change : { ...change, order };
  });
  return { report: { ...report, refusal }, changes: explained };
}

/** The currencies that a refused request may have lacked. */
function lackedOf(
  { refusal, request }: RejectReport,
  refused: Order,
  orders: StrategyOrders,
  markets: Instruments,
): readonly string[] {
  // Of a list whose orders do not wait for the first, any may be the one that lacks means.
  const isAny = request === 'placeList' && !refused.contingencyType?.startsWith('oneTrigger');
  const asked = isAny ? (orders.listOf(refused)?.orders ?? [refused]) : [refused];
  const currencies = [...new Set(asked.map((order) => payer(order, markets)))];
  const lacked = currencies.filter((currency) => refusal.message.includes(` ${currency} `));
  return lacked.length === 0 ? currencies : lacked;
}

/** The same of why an exit ended that the venue canceled when it was to become active. */
export function withHolders(
  refusal: Refusal,
  ended: Order,
  orders: StrategyOrders,
  markets: Instruments,
): Refusal {
  if (!ended.endedInactive) return refusal;
  const currency = payer(ended, markets);
  const sentence = reservedBy(currency, ended, orders, markets);
  return sentence === '' ? refusal : { ...refusal, message: `${refusal.message} ${sentence}` };
}

/** Says which own orders beside one and its list reserve of a currency; nothing where there are none. */
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
  const named = holders
    .slice(0, NAMED_MAX)
    .map(
      ({ clientOrderId: id, type, side, lots, executedLots }) =>
        `${id} (${type} ${side} of ${lots - executedLots} lots)`,
    );
  const others = holders.length - named.length;
  const more = others === 0 ? '' : ` and ${others} more`;
  return `${currency} is reserved by ${named.join(', ')}${more}.`;
}

/** True for an order that reserves, or was asked for before and will, apart from another and its list. */
function reserves(order: Order, beside: Order, orders: StrategyOrders): boolean {
  const { clientOrderId, orderListId, venueOrder, inactive, listIndex } = order;
  if (clientOrderId === beside.clientOrderId || clientOrderId === beside.replaces) return false;
  if (orderListId !== undefined && orderListId === beside.orderListId) return false;
  if (venueOrder !== undefined) return inactive !== true;
  return (listIndex ?? 0) === 0 && orders.isBefore(order, beside);
}

const payer = ({ symbol, side }: Order, markets: Instruments): string =>
  payingCurrency(markets.get(symbol).instrument, side);
