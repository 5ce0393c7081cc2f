import { NOTHING, type Amount } from '../../model/amount.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';

/** What is held of one currency. */
interface Holding {
  /** As the venue last reported. */
  available: Amount;
  reserved: Amount;
  /** The same with the fills received since. */
  expectedAvailable: Amount;
  expectedTotal: Amount;
}

/**
 * Holdings by currency. The venue's balances are the truth; a fill, whose balances come just after
 * it, is counted at once, so that who sees a fill sees the position with it.
 */
export class Holdings {
  readonly #holdings = new Map<string, Holding>();

  /** Takes the venue's balances; gives true when the total is another than expected. */
  report({ currency, available, reserved }: BalanceReport): boolean {
    const total = reserved.isZero ? available : available.plus(reserved);
    const known = this.#holdings.get(currency);
    if (known === undefined) {
      const expected = { expectedAvailable: available, expectedTotal: total };
      this.#holdings.set(currency, { available, reserved, ...expected });
      return true;
    }
    const isOther = !known.expectedTotal.equals(total);
    known.available = available;
    known.reserved = reserved;
    known.expectedAvailable = available;
    known.expectedTotal = total;
    return isOther;
  }

  /**
   * Counts a fill in until the venue's balances come. What was sold or paid by a resting order was
   * held for it, what a taker paid was available.
   */
  fill(instrument: Instrument, fill: Fill): void {
    const { baseCurrency, quoteCurrency } = instrument;
    const size = instrument.sizeAmount(fill.lots);
    const value = instrument.valueAmount(fill.ticks, fill.lots);
    const buys = fill.side === 'buy';
    this.#receive(buys ? baseCurrency : quoteCurrency, buys ? size : value);
    this.#pay(buys ? quoteCurrency : baseCurrency, buys ? value : size, fill.taker);
    this.#pay(fill.feeCurrency, fill.fee, true);
  }

  balance(currency: string): Balance | undefined {
    const holding = this.#holdings.get(currency);
    if (holding === undefined) return undefined;
    const { available, reserved } = holding;
    return Object.freeze({
      currency,
      available: available.toDecimal(),
      reserved: reserved.toDecimal(),
    });
  }

  /** Available and reserved, fills counted in. */
  total(currency: string): Amount {
    return this.#holdings.get(currency)?.expectedTotal ?? NOTHING;
  }

  /** What new orders may use, fills counted in. */
  available(currency: string): Amount {
    return this.#holdings.get(currency)?.expectedAvailable ?? NOTHING;
  }

  currencies(): Iterable<string> {
    return this.#holdings.keys();
  }

  #receive(currency: string, amount: Amount): void {
    const holding = this.#of(currency);
    holding.expectedTotal = holding.expectedTotal.plus(amount);
    holding.expectedAvailable = holding.expectedAvailable.plus(amount);
  }

  #pay(currency: string, amount: Amount, wasAvailable: boolean): void {
    if (amount.isZero) return;
    const holding = this.#of(currency);
    holding.expectedTotal = holding.expectedTotal.minus(amount);
    if (!wasAvailable) return;
    const left = holding.expectedAvailable.minus(amount);
    holding.expectedAvailable = left.sign < 0 ? NOTHING : left;
  }

  #of(currency: string): Holding {
    const known = this.#holdings.get(currency);
    if (known !== undefined) return known;
    const empty: Holding = {
      available: NOTHING,
      reserved: NOTHING,
      expectedAvailable: NOTHING,
      expectedTotal: NOTHING,
    };
    this.#holdings.set(currency, empty);
    return empty;
  }
}
