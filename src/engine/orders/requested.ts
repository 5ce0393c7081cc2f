import type { Instrument } from '../../model/instrument.ts';
import type { OrderTerms } from '../../model/order.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import { clientOrderIdRefusal } from '../../rules/client-order-id.ts';
import { orderTerms, type OrderDraft } from '../../rules/order-draft.ts';
import { ownRates } from '../../rules/own-rates.ts';
import type { ListOrder } from '../../strategy/commands.ts';
import type { OrderStore } from './order-store.ts';

/** The terms of an order that a strategy asks for now; each of its fields has passed alone. */
export function termsAt(
  instrument: Instrument,
  order: ListOrder,
  now: Micros,
): OrderTerms | Refusal {
  const expiry = expiryOf(order, now);
  if (isRefusal(expiry)) return expiry;
  const terms = orderTerms(instrument, { ...order, ...expiry }, 'strict', now);
  if (isRefusal(terms)) return terms;
  return { ...terms, ...ownRates(order) };
}

/** The reason why a client order id cannot be given to a new order. */
export function idRefusal(orders: OrderStore, clientOrderId: string): Refusal | undefined {
  const form = clientOrderIdRefusal(clientOrderId);
  if (form !== undefined || orders.find(clientOrderId) === undefined) return form;
  return {
    code: 'client-order-id-taken',
    field: 'clientOrderId',
    message: `An order "${clientOrderId}" of this strategy is active or was until lately; put the time into the id, as in \`entry-\${clock.now()}\`, or leave clientOrderId out.`,
  };
}

export const unknownSymbol = (symbol: string): Refusal => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `The venue has no symbol "${symbol}".`,
});

type Lifespan = Pick<OrderDraft, 'timeInForce'> & { readonly within?: number };

/** A span becomes the time at which it is over. */
function expiryOf(
  { timeInForce, within }: Lifespan,
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
  if ((timeInForce ?? 'GTD') !== 'GTD') {
    const message = `within is given beside timeInForce ${String(timeInForce)}; give one of them.`;
    return { code, field, message };
  }
  return { timeInForce: 'GTD', expireAt: micros(now + spanUs) };
}
