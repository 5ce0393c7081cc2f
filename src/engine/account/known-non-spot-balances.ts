import { ZERO } from '../../model/decimal.ts';
import type { NonSpotBalance, NonSpotBalanceReport } from '../../model/non-spot-balance.ts';

/** Balances of an account type, as far as received. */
export class KnownNonSpotBalances {
  readonly #balances = new Map<string, NonSpotBalance>();
  #isKnown = false;

  /** True once all of them were received. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Balances that are or were not zero. */
  get all(): readonly NonSpotBalance[] {
    return [...this.#balances.values()];
  }

  /** Balance of a currency; `undefined` before all were received. */
  balance(currency: string): NonSpotBalance | undefined {
    return this.#isKnown ? (this.#balances.get(currency) ?? nothingOf(currency)) : undefined;
  }

  /** Applies a report; returns the currencies that changed. */
  take({ isWhole, balances }: NonSpotBalanceReport): readonly string[] {
    const reported = new Map(balances.map((one) => [one.currency, one]));
    const gone = isWhole ? this.all.filter(({ currency }) => !reported.has(currency)) : [];
    for (const { currency } of gone) reported.set(currency, nothingOf(currency));
    const changed = [...reported.values()].filter(
      (one) => !isSame(one, this.#balances.get(one.currency) ?? nothingOf(one.currency)),
    );
    for (const one of changed) this.#balances.set(one.currency, Object.freeze(one));
    this.#isKnown ||= isWhole;
    return changed.map(({ currency }) => currency);
  }
}

const nothingOf = (currency: string): NonSpotBalance =>
  Object.freeze({ currency, available: ZERO, reserved: ZERO, reservedMargin: ZERO });

const isSame = (one: NonSpotBalance, other: NonSpotBalance): boolean =>
  one.available.equals(other.available) &&
  one.reserved.equals(other.reserved) &&
  one.reservedMargin.equals(other.reservedMargin);
