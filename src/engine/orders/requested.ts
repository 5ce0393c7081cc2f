import type { Instrument } from '../../model/instrument.ts';
import type { OrderTerms } from '../../model/order.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import { clientOrderIdRefusal } from '../../rules/client-order-id.ts';
import { orderTerms, type OrderDraft } from '../../rules/order-draft.ts';
import { ownRates, ownRatesRefusal } from '../../rules/own-rates.ts';
import type { ListOrder } from '../../strategy/commands.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** The terms of an order that a strategy asks for now, after the rules of its own fields. */
export function termsAt(
  instrument: Instrument,
  order: ListOrder,
  now: Micros,
): OrderTerms | Refusal {
  const expiry = expiryOf(order, now);
  if (isRefusal(expiry)) return expiry;
  const terms = orderTerms(instrument, { ...order, ...expiry }, 'strict', now);
  if (isRefusal(terms)) return terms;
  return ownRatesRefusal(order) ?? { ...terms, ...ownRates(order) };
}

/** The reason why a client order id cannot be given to a new order. */
export function idRefusal(orders: StrategyOrders, clientOrderId: string): Refusal | undefined {
  const form = clientOrderIdRefusal(clientOrderId);
  if (form !== undefined || !orders.isTaken(clientOrderId)) return form;
  const whose = orders.find(clientOrderId) === undefined ? 'account' : 'strategy';
  return {
    code: 'client-order-id-taken',
    field: 'clientOrderId',
    message: `An order "${clientOrderId}" of this ${whose} is active or was until lately; put the time into the id, as in \`entry-\${clock.now()}\`, or leave clientOrderId out.`,
  };
}

export const unknownSymbol = (symbol: string): Refusal => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `The venue has no symbol "${symbol}".`,
});

type Lifespan = Pick<OrderDraft, 'timeInForce' | 'expireAt'> & { readonly within?: number };

/** A span becomes the time at which it is over. */
function expiryOf(
  { timeInForce, expireAt, within }: Lifespan,
  now: Micros,
): Pick<OrderDraft, 'timeInForce' | 'expireAt'> | Refusal {
  if (within === undefined) return {};
  const code = 'expire-time-invalid';
  const field = 'within';
  const spanUs = Math.round(within * US_PER_MS);
  if (!Number.isSafeInteger(now + spanUs) || spanUs < 1) {
    const message = `within is ${within} and must be a positive number of milliseconds, such as hours(4).`;
    return { code, field, message, limit: '0' };
  }
  if (expireAt !== undefined || (timeInForce ?? 'GTD') !== 'GTD') {
    const given = expireAt === undefined ? `timeInForce ${String(timeInForce)}` : 'expireAt';
    return { code, field, message: `within is given beside ${given}; give one of them.` };
  }
  return { timeInForce: 'GTD', expireAt: micros(now + spanUs) };
}
