import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import type { RejectReport } from '../../model/report.ts';
import { payingCurrency } from '../../rules/funds.ts';
import type { Orders } from './orders.ts';
import type { OwnOrder } from './own-order.ts';

/** Orders that a refusal names at most. */
const NAMED_MAX = 3;

/**
 * A refusal for want of means with the own orders that reserve of the same currency: a venue says what
 * is missing, and not who has it.
 */
export function withReserving(report: RejectReport, orders: Orders): RejectReport {
  const { refusal, clientOrderId } = report;
  const refused = orders.find(clientOrderId);
  if (refusal.code !== 'funds-insufficient' || refused === undefined) return report;
  const currency = paidBy(refused);
  const holders = [...orders.open()].filter((order) => reserves(order, refused, currency));
  if (holders.length === 0) return report;
  const named = holders
    .slice(0, NAMED_MAX)
    .map(
      ({ clientOrderId: id, type, side, lots, executedLots }) =>
        `${id} (${type} ${side} of ${lots - executedLots} lots)`,
    );
  const others = holders.length - named.length;
  const more = others === 0 ? '' : ` and ${others} more`;
  const message = `${refusal.message} ${currency} is reserved by ${named.join(', ')}${more}.`;
  return { ...report, refusal: { ...refusal, message } };
}

/** True for an order that stands and needs of a currency, apart from the refused one and its list. */
const reserves = (order: OwnOrder, refused: OwnOrder, currency: string): boolean =>
  order !== refused &&
  order.venueOrder !== undefined &&
  !order.isInactive &&
  paidBy(order) === currency &&
  (order.membership === undefined ||
    order.membership.orderListId !== refused.membership?.orderListId);

const paidBy = ({ instrument, side }: { instrument: Instrument; side: Side }): string =>
  payingCurrency(instrument, side);
