import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { US_PER_HOUR, type Micros } from '../../platform/time.ts';
import { lotsOf } from '../tokens.ts';
import type { Counter, Price } from './counter.ts';
import type { Identity } from './identity.ts';
import type { Quote, SwapWish } from './quote.ts';

/** How long a quote that has expired is still known as one that has. */
const KEPT_US = US_PER_HOUR;
/** Quotes that are kept; beyond that the oldest are forgotten. */
const KEPT_MAX = 100_000;

/** The quotes that were made lately, and which have served. */
export class Quotes {
  readonly #counter: Counter;
  readonly #identity: Identity;
  readonly #now: () => Micros;
  /** Oldest first. */
  readonly #quotes = new Map<string, Quote>();
  readonly #used = new Set<string>();

  constructor(counter: Counter, identity: Identity, now: () => Micros) {
    this.#counter = counter;
    this.#identity = identity;
    this.#now = now;
  }

  /** Makes a quote for a partner. */
  make(partner: string, wish: SwapWish): Quote | Refusal {
    const price = this.#counter.price(wish);
    if (isRefusal(price)) return price;
    this.#forget();
    const quote = quoteOf(price, this.#identity.next.id, partner, wish);
    this.#identity.take();
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** A quote that is made for one intent and that nobody can find. */
  own(partner: string, id: string, wish: SwapWish): Quote | Refusal {
    const price = this.#counter.price(wish);
    return isRefusal(price) ? price : quoteOf(price, id, partner, wish);
  }

  /** A quote of that partner that can serve now; with a wish, one that says the same. */
  find(partner: string, id: string, wish?: SwapWish): Quote | Refusal {
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
    return wish === undefined ? quote : (this.#mismatch(quote, wish) ?? quote);
  }

  /** Lets a quote serve no other intent. */
  use(id: string): void {
    if (this.#quotes.has(id)) this.#used.add(id);
  }

  #mismatch(quote: Quote, wish: SwapWish): Refusal | undefined {
    const from = this.#counter.token(wish.from);
    if (isRefusal(from)) return from;
    const to = this.#counter.token(wish.to);
    if (isRefusal(to)) return to;
    const differs = Object.entries({
      from: from.id === quote.from.id,
      to: to.id === quote.to.id,
      amount: lotsOf(wish.amount, from.decimals) === quote.fromLots,
      slippage: wish.slippageBps === quote.slippageBps,
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

const quoteOf = (price: Price, id: string, partner: string, { retailUser }: SwapWish): Quote => ({
  ...price,
  id,
  partner,
  ...(retailUser === undefined ? {} : { retailUser }),
});
