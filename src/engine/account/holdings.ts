import { NOTHING, type Amount } from '../../model/amount.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';

/** Holding of one currency. */
interface Holding {
  /** As the venue last reported it. */
  available: Amount;
  reserved: Amount;
  /** The same with the fills received since; the newest are still in `fills`. */
  expectedAvailable: Amount;
  expectedTotal: Amount | undefined;
  readonly fills: Received[];
  /** Number of entries in `fills`, which is reused. */
  count: number;
}

interface Received {
  readonly instrument: Instrument;
  readonly fill: Fill;
}

/** Most pending fills, as a venue may report no balances. */
const FILLS_MAX = 64;

/**
 * Holdings by currency. The venue's balances decide. A fill, whose balances come just after it,
 * counts at once, so that a strategy sees it together with its position. As the balances nearly
 * always come before the next read, a fill is only applied on demand.
 */
export class Holdings {
  readonly #holdings = new Map<string, Holding>();

  /** Applies the venue's balances. */
  report({ currency, available, reserved }: BalanceReport): void {
    const holding = this.#of(currency);
    holding.available = available;
    holding.reserved = reserved;
    holding.expectedAvailable = available;
    holding.expectedTotal = undefined;
    holding.count = 0;
  }

  /**
   * Counts a fill until the venue's balances come. A resting order paid from reserved funds, a
   * taker from available ones.
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

  /** Available and reserved, with fills. */
  total(currency: string): Amount {
    const holding = this.#holdings.get(currency);
    if (holding === undefined) return NOTHING;
    settle(currency, holding);
    return totalOf(holding);
  }

  /** Available for new orders, with fills. */
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

/** Applies the fills since the last balances of a currency. */
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
