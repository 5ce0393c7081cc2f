import { NOTHING, type Amount } from '../../model/amount.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';

/** What a fill changes of a currency; what is paid may have been held for the order that filled. */
interface Change {
  readonly amount: Amount;
  readonly kind: 'received' | 'paid' | 'paidReserved';
}

/** What is held of one currency. */
interface Holding {
  /** As the venue last reported. */
  available: Amount;
  reserved: Amount;
  /** The same with the fills received since, those of `changes` to be counted in. */
  expectedAvailable: Amount;
  expectedTotal: Amount | undefined;
  readonly changes: Change[];
}

/** Changes that may wait; a venue that reports no balances must not make the list grow. */
const CHANGES_MAX = 64;

/**
 * Holdings by currency. The venue's balances are the truth; a fill, whose balances come just after
 * it, counts at once, so that who sees a fill sees the position with it. Nearly always the balances
 * come before anybody asks, so that a fill is only reckoned when somebody does.
 */
export class Holdings {
  readonly #holdings = new Map<string, Holding>();

  /** Takes the venue's balances. */
  report({ currency, available, reserved }: BalanceReport): void {
    const holding = this.#of(currency);
    holding.available = available;
    holding.reserved = reserved;
    holding.expectedAvailable = available;
    holding.expectedTotal = undefined;
    if (holding.changes.length > 0) holding.changes.length = 0;
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
    const paid = fill.taker ? 'paid' : 'paidReserved';
    this.#change(buys ? baseCurrency : quoteCurrency, buys ? size : value, 'received');
    this.#change(buys ? quoteCurrency : baseCurrency, buys ? value : size, paid);
    this.#change(fill.feeCurrency, fill.fee, 'paid');
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
    const holding = this.#holdings.get(currency);
    if (holding === undefined) return NOTHING;
    settle(holding);
    return totalOf(holding);
  }

  /** What new orders may use, fills counted in. */
  available(currency: string): Amount {
    const holding = this.#holdings.get(currency);
    if (holding === undefined) return NOTHING;
    settle(holding);
    return holding.expectedAvailable;
  }

  currencies(): Iterable<string> {
    return this.#holdings.keys();
  }

  #change(currency: string, amount: Amount, kind: Change['kind']): void {
    if (amount.isZero) return;
    const holding = this.#of(currency);
    holding.changes.push({ amount, kind });
    if (holding.changes.length >= CHANGES_MAX) settle(holding);
  }

  #of(currency: string): Holding {
    const known = this.#holdings.get(currency);
    if (known !== undefined) return known;
    const empty: Holding = {
      available: NOTHING,
      reserved: NOTHING,
      expectedAvailable: NOTHING,
      expectedTotal: undefined,
      changes: [],
    };
    this.#holdings.set(currency, empty);
    return empty;
  }
}

function totalOf(holding: Holding): Amount {
  const { available, reserved } = holding;
  return (holding.expectedTotal ??= reserved.isZero ? available : available.plus(reserved));
}

/** Counts in what fills have changed since the last balances. */
function settle(holding: Holding): void {
  for (const { amount, kind } of holding.changes) {
    const total = totalOf(holding);
    if (kind === 'received') {
      holding.expectedTotal = total.plus(amount);
      holding.expectedAvailable = holding.expectedAvailable.plus(amount);
      continue;
    }
    holding.expectedTotal = total.minus(amount);
    if (kind === 'paidReserved') continue;
    const left = holding.expectedAvailable.minus(amount);
    holding.expectedAvailable = left.sign < 0 ? NOTHING : left;
  }
  holding.changes.length = 0;
}
