import type { Order } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { RejectReport } from '../../model/report.ts';
import { payingCurrency } from '../../rules/funds.ts';
import type { Markets } from '../market/markets.ts';
import type { OrderStore } from './order-store.ts';

/** Orders that a refusal names at most. */
const NAMED_MAX = 3;

type Instruments = Pick<Markets, 'get'>;

/**
 * A rejection for want of means, by the venue or before sending, with the own orders that reserve of the
 * same currency: it says what is missing, and not who has it.
 */
export function withReserving(
  report: RejectReport,
  orders: OrderStore,
  markets: Instruments,
): RejectReport {
  const { refusal, clientOrderId, request } = report;
  const refused = orders.find(clientOrderId);
  const isWant = refusal.code === 'funds-insufficient' || refusal.code === 'budget-exceeded';
  if (!isWant || refused === undefined) return report;
  // Of a list whose orders do not wait for the first, any may be the one that lacks means.
  const isAny = request === 'placeList' && !refused.contingencyType?.startsWith('oneTrigger');
  const asked = isAny ? (orders.listOf(refused)?.orders ?? [refused]) : [refused];
  const currencies = [...new Set(asked.map((order) => payer(order, markets)))];
  const lacked = currencies.filter((currency) => refusal.message.includes(` ${currency} `));
  const sentences = (lacked.length === 0 ? currencies : lacked).map((currency) =>
    reservedBy(currency, refused, orders, markets),
  );
  const message = [refusal.message, ...sentences].filter((sentence) => sentence !== '').join(' ');
  return { ...report, refusal: { ...refusal, message } };
}

/** The same of why an exit ended that the venue canceled when it was to become active. */
export function withHolders(
  refusal: Refusal,
  ended: Order,
  orders: OrderStore,
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
  orders: OrderStore,
  markets: Instruments,
): string {
  const open = orders.open();
  const besideAt = open.findIndex(({ clientOrderId }) => clientOrderId === beside.clientOrderId);
  const holders = open.filter(
    (order, at) => reserves(order, beside, at < besideAt) && payer(order, markets) === currency,
  );
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
const reserves = (order: Order, beside: Order, isBefore: boolean): boolean =>
  order.clientOrderId !== beside.clientOrderId &&
  order.clientOrderId !== beside.replaces &&
  (order.venueOrder === undefined ? isBefore && (order.listIndex ?? 0) === 0 : !order.inactive) &&
  (order.orderListId === undefined || order.orderListId !== beside.orderListId);

const payer = ({ symbol, side }: Order, markets: Instruments): string =>
  payingCurrency(markets.get(symbol).instrument, side);
