import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { rateIdInvalid, type Denial } from './denials.ts';
import type { OrderIds } from './identity.ts';
import type { Price } from './rates.ts';

/** A price that a client can use once until it expires. */
export interface FixedRate {
  readonly id: string;
  readonly client: string;
  readonly price: Price;
  /** A whole second. */
  readonly expiresAt: Micros;
}

/** Rates that were handed out and can still be used. */
export class FixedRates {
  readonly #identity: OrderIds;
  readonly #lifeUs: number;
  readonly #rates = new Map<string, FixedRate>();

  constructor(identity: OrderIds, lifeUs: number) {
    this.#identity = identity;
    this.#lifeUs = lifeUs;
  }

  issue(client: string, price: Price, now: Micros): FixedRate {
    this.#forget(now);
    const seconds = Math.ceil((now + this.#lifeUs) / US_PER_SECOND);
    const expiresAt = micros(seconds * US_PER_SECOND);
    const rate = { id: this.#identity.takeRate(), client, price, expiresAt };
    this.#rates.set(rate.id, rate);
    return rate;
  }

  /** A rate of a client between two currencies that has neither expired nor served. */
  find(client: string, id: string, [from, to]: readonly [string, string], now: Micros) {
    const rate = this.#rates.get(id);
    const isGood =
      rate?.client === client &&
      rate.price.from.ticker === from &&
      rate.price.to.ticker === to &&
      now < rate.expiresAt;
    return (isGood ? rate : rateIdInvalid()) satisfies FixedRate | Denial;
  }

  /** It is used once. */
  use(id: string): void {
    this.#rates.delete(id);
  }

  /** All that can still be used. */
  all(): readonly FixedRate[] {
    return [...this.#rates.values()];
  }

  /** Drops expired ones; all live equally long, so the oldest go first. */
  #forget(now: Micros): void {
    for (const [id, { expiresAt }] of this.#rates) {
      if (expiresAt > now) return;
      this.#rates.delete(id);
    }
  }
}
