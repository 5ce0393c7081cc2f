import { isRejection, type Rejection } from '../../model/rejections.ts';
import { US_PER_HOUR, type Micros } from '../../platform/time.ts';
import { lotsOf } from '../tokens.ts';
import type { Counter, Price } from './counter.ts';
import type { IntentIds } from './identity.ts';
import type { Quote, SwapRequest } from './quote.ts';

/** How long an expired quote is still known as expired. */
const KEPT_US = US_PER_HOUR;
/** Most kept quotes; the oldest are dropped. */
const KEPT_MAX = 100_000;

/** Recent quotes, and which have been used. */
export class Quotes {
  readonly #counter: Counter;
  readonly #identity: IntentIds;
  readonly #now: () => Micros;
  /** Oldest first. */
  readonly #quotes = new Map<string, Quote>();
  readonly #used = new Set<string>();

  constructor(counter: Counter, identity: IntentIds, now: () => Micros) {
    this.#counter = counter;
    this.#identity = identity;
    this.#now = now;
  }

  /** Makes a quote for a partner. */
  make(partner: string, managedOrder: SwapRequest): Quote | Rejection {
    const price = this.#counter.price(managedOrder);
    if (isRejection(price)) return price;
    this.#forget();
    const quote = quoteOf(price, this.#identity.next.id, partner, managedOrder);
    this.#identity.take();
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** A quote made for one intent that nobody can look up. */
  own(partner: string, id: string, managedOrder: SwapRequest): Quote | Rejection {
    const price = this.#counter.price(managedOrder);
    return isRejection(price) ? price : quoteOf(price, id, partner, managedOrder);
  }

  /** A usable quote of that partner; with a request, one that matches it. */
  find(partner: string, id: string, managedOrder?: SwapRequest): Quote | Rejection {
    const quote = this.#quotes.get(id);
    const field = 'quote';
    if (quote?.partner !== partner) {
      return { code: 'quote-unknown', field, message: `There is no quote ${id}.` };
    }
    if (this.#used.has(id)) {
      const message = `The quote ${id} has served an intent already.`;
      return { code: 'quote-used', field, message };
    }
    if (this.#now() > quote.expiresAt) {
      const message = `The quote ${id} has expired; ask for a new one.`;
      return { code: 'quote-expired', field, message };
    }
    return managedOrder === undefined ? quote : (this.#mismatch(quote, managedOrder) ?? quote);
  }

  /** Marks a quote as used. */
  use(id: string): void {
    if (this.#quotes.has(id)) this.#used.add(id);
  }

  #mismatch(quote: Quote, managedOrder: SwapRequest): Rejection | undefined {
    const from = this.#counter.token(managedOrder.from);
    if (isRejection(from)) return from;
    const to = this.#counter.token(managedOrder.to);
    if (isRejection(to)) return to;
    const differs = Object.entries({
      from: from.id === quote.from.id,
      to: to.id === quote.to.id,
      amount: lotsOf(managedOrder.amount, from.decimals) === quote.fromLots,
      slippage: managedOrder.slippageBps === quote.slippageBps,
    }).find(([, isSame]) => !isSame)?.[0];
    if (differs === undefined) return undefined;
    const message = `The quote ${quote.id} says something else about ${differs}.`;
    return { code: 'quote-mismatch', field: differs, message };
  }

  #forget(): void {
    for (const { id, expiresAt } of this.#quotes.values()) {
      const isPast = this.#now() > expiresAt + KEPT_US;
      if (!isPast && this.#quotes.size < KEPT_MAX) return;
      this.#quotes.delete(id);
      this.#used.delete(id);
    }
  }
}

const quoteOf = (
  price: Price,
  id: string,
  partner: string,
  { retailUser }: SwapRequest,
): Quote => ({
  ...price,
  id,
  partner,
  ...(retailUser === undefined ? {} : { retailUser }),
});
