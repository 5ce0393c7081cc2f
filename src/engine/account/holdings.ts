import { NOTHING, type Amount } from '../../model/amount.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';

/** What is held of one currency. */
interface Holding {
  /** As the venue last reported. */
  available: Amount;
  reserved: Amount;
  /** The same with the fills received since, of which the newest are to be counted in. */
  expectedAvailable: Amount;
  expectedTotal: Amount | undefined;
  readonly fills: Received[];
  /** How many of `fills` there are: the list is used again. */
  count: number;
}

interface Received {
  readonly instrument: Instrument;
  readonly fill: Fill;
}

/** Fills that may wait; a venue that reports no balances must not make the list grow. */
const FILLS_MAX = 64;

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
    holding.count = 0;
  }

  /**
   * Counts a fill in until the venue's balances come. What was sold or paid by a resting order was
   * held for it, what a taker paid was available.
   */
  fill(instrument: Instrument, fill: Fill): void {
    const { baseCurrency, quoteCurrency } = instrument;
    const { feeCurrency } = fill;
    const received = { instrument, fill };
    this.#keep(baseCurrency, received);
    this.#keep(quoteCurrency, received);
    if (feeCurrency !== baseCurrency && feeCurrency !== quoteCurrency) {
      this.#keep(feeCurrency, received);
    }
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
    settle(currency, holding);
    return totalOf(holding);
  }

  /** What new orders may use, fills counted in. */
  available(currency: string): Amount {
    const holding = this.#holdings.get(currency);
    if (holding === undefined) return NOTHING;
    settle(currency, holding);
    return holding.expectedAvailable;
  }

  currencies(): Iterable<string> {
    return this.#holdings.keys();
  }

  #keep(currency: string, received: Received): void {
    const holding = this.#of(currency);
    holding.fills[holding.count] = received;
    holding.count += 1;
    if (holding.count >= FILLS_MAX) settle(currency, holding);
  }

  #of(currency: string): Holding {
    const known = this.#holdings.get(currency);
    if (known !== undefined) return known;
    const empty: Holding = {
      available: NOTHING,
      reserved: NOTHING,
      expectedAvailable: NOTHING,
      expectedTotal: undefined,
      fills: [],
      count: 0,
    };
    this.#holdings.set(currency, empty);
    return empty;
  }
}

function totalOf(holding: Holding): Amount {
  const { available, reserved } = holding;
  return (holding.expectedTotal ??= reserved.isZero ? available : available.plus(reserved));
}

/** Counts in what fills have changed of a currency since its last balances. */
function settle(currency: string, holding: Holding): void {
  for (let index = 0; index < holding.count; index += 1) {
    const { instrument, fill } = holding.fills[index];
    const { baseCurrency, quoteCurrency } = instrument;
    const buys = fill.side === 'buy';
    if (currency === (buys ? baseCurrency : quoteCurrency)) {
      receive(holding, buys ? sizeOf(instrument, fill) : valueOf(instrument, fill));
    }
    if (currency === (buys ? quoteCurrency : baseCurrency)) {
      pay(holding, buys ? valueOf(instrument, fill) : sizeOf(instrument, fill), fill.taker);
    }
    if (currency === fill.feeCurrency) pay(holding, fill.fee, true);
  }
  holding.count = 0;
}

const sizeOf = (instrument: Instrument, { lots }: Fill): Amount => instrument.sizeAmount(lots);

const valueOf = (instrument: Instrument, { ticks, lots }: Fill): Amount =>
  instrument.valueAmount(ticks, lots);

function receive(holding: Holding, amount: Amount): void {
  holding.expectedTotal = totalOf(holding).plus(amount);
  holding.expectedAvailable = holding.expectedAvailable.plus(amount);
}

function pay(holding: Holding, amount: Amount, wasAvailable: boolean): void {
  if (amount.isZero) return;
  holding.expectedTotal = totalOf(holding).minus(amount);
  if (!wasAvailable) return;
  const left = holding.expectedAvailable.minus(amount);
  holding.expectedAvailable = left.sign < 0 ? NOTHING : left;
}
