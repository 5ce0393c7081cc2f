import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';

/** What is held of one currency. */
interface Holding {
  /** As the venue last reported. */
  available: Decimal;
  reserved: Decimal;
  /** The same with the fills seen since. */
  foreseenAvailable: Decimal;
  foreseenTotal: Decimal;
}

/**
 * Holdings by currency. The venue's balances are the truth; a fill, whose balances come just after
 * it, is counted at once, so that who sees a fill sees the position with it.
 */
export class Holdings {
  readonly #holdings = new Map<string, Holding>();

  /** Takes the venue's word. */
  report({ currency, available, reserved }: BalanceReport): void {
    this.#holdings.set(currency, {
      available,
      reserved,
      foreseenAvailable: available,
      foreseenTotal: available.plus(reserved),
    });
  }

  /**
   * Counts a fill in until the venue's balances come. What was sold or paid by a resting order was
   * held for it, what a taker paid was available.
   */
  fill(instrument: Instrument, fill: Fill): void {
    const { baseCurrency, quoteCurrency } = instrument;
    const size = instrument.size(fill.lots);
    const value = instrument.value(fill.ticks, fill.lots);
    const buys = fill.side === 'buy';
    this.#receive(buys ? baseCurrency : quoteCurrency, buys ? size : value);
    this.#pay(buys ? quoteCurrency : baseCurrency, buys ? value : size, fill.taker);
    this.#pay(fill.feeCurrency, fill.fee, true);
  }

  balance(currency: string): Balance | undefined {
    const holding = this.#holdings.get(currency);
    if (holding === undefined) return undefined;
    return Object.freeze({ currency, available: holding.available, reserved: holding.reserved });
  }

  /** Available and reserved, fills counted in. */
  total(currency: string): Decimal {
    return this.#holdings.get(currency)?.foreseenTotal ?? ZERO;
  }

  /** What new orders may use, fills counted in. */
  available(currency: string): Decimal {
    return this.#holdings.get(currency)?.foreseenAvailable ?? ZERO;
  }

  currencies(): Iterable<string> {
    return this.#holdings.keys();
  }

  #receive(currency: string, amount: Decimal): void {
    const holding = this.#of(currency);
    holding.foreseenTotal = holding.foreseenTotal.plus(amount);
    holding.foreseenAvailable = holding.foreseenAvailable.plus(amount);
  }

  #pay(currency: string, amount: Decimal, wasAvailable: boolean): void {
    const holding = this.#of(currency);
    holding.foreseenTotal = holding.foreseenTotal.minus(amount);
    if (wasAvailable) {
      holding.foreseenAvailable = Decimal.max(ZERO, holding.foreseenAvailable.minus(amount));
    }
  }

  #of(currency: string): Holding {
    const known = this.#holdings.get(currency);
    if (known !== undefined) return known;
    const empty: Holding = {
      available: ZERO,
      reserved: ZERO,
      foreseenAvailable: ZERO,
      foreseenTotal: ZERO,
    };
    this.#holdings.set(currency, empty);
    return empty;
  }
}
