import { raisedRates } from '../../rules/own-rates.ts';
import { Amount } from '../../model/amount.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import { payingCurrency, reserveOf, stopReserveTicks } from '../../rules/funds.ts';

/** What is held for the open orders of a strategy, by currency. */
export type Reserves = ReadonlyMap<string, Decimal>;

/** What an open order holds: the funds rule of the venue on what has not executed. */
export function heldFor(order: Order, instrument: Instrument, marketTicks: number): Decimal {
  const { side, lots, filledLots, ticks, stopTicks } = order;
  const rates = raisedRates(instrument, order);
  const rest = Math.max(0, lots - filledLots);
  if (rest === 0) return ZERO;
  const price = ticks ?? (stopTicks === undefined ? marketTicks : stopReserveTicks(stopTicks));
  if (side === 'buy' && Number.isNaN(price)) return ZERO;
  return reserveOf(instrument, side, price, rest, rates);
}

/**
 * The money of one strategy: its budget, and what its own fills have changed of it since the
 * journal began. Transfers and the trades of others do not touch it.
 */
export class StrategyBudget {
  /** The part of the account that the strategy may use; all of it where absent. */
  readonly amounts: ReadonlyMap<string, Decimal> | undefined;
  readonly #changes = new Map<string, Decimal>();

  constructor(amounts: ReadonlyMap<string, Decimal> | undefined) {
    this.amounts = amounts;
  }

  /** Takes up what the fills of previous runs have changed. */
  restore(currency: string, change: Decimal): void {
    this.#changes.set(currency, change);
  }

  /** Counts a fill in: what was bought and sold, and the fee. */
  fill(instrument: Instrument, fill: Fill): void {
    // What trades on margin stays in its margin account, until that gives it back.
    if (fill.margin !== undefined) return;
    const { baseCurrency, quoteCurrency } = instrument;
    const size = instrument.size(fill.lots);
    const value = instrument.value(fill.ticks, fill.lots);
    const buys = fill.side === 'buy';
    this.#add(baseCurrency, buys ? size : size.negated());
    this.#add(quoteCurrency, buys ? value.negated() : value);
    this.#add(fill.feeCurrency, fill.fee.toDecimal().negated());
  }

  /** What fills have changed of a currency since the journal began. */
  change(currency: string): Decimal {
    return this.#changes.get(currency) ?? ZERO;
  }

  /** Budget and changes together. */
  total(currency: string): Decimal {
    return (this.amounts?.get(currency) ?? ZERO).plus(this.change(currency));
  }

  /** The currencies of the budget, and those that fills brought. */
  get currencies(): ReadonlySet<string> {
    return new Set([...(this.amounts?.keys() ?? []), ...this.#changes.keys()]);
  }

  /** The balance of a currency as reported to the strategy. */
  balance(currency: string, held: Reserves, at: Micros): BalanceReport {
    const total = Decimal.max(ZERO, this.total(currency));
    const reserved = Decimal.min(total, held.get(currency) ?? ZERO);
    const available = Amount.of(total.minus(reserved));
    return { kind: 'balance', at, currency, available, reserved: Amount.of(reserved) };
  }

  #add(currency: string, amount: Decimal): void {
    this.#changes.set(currency, this.change(currency).plus(amount));
  }
}

/** What the open orders hold together, by currency. */
export function reservesOf(
  orders: Iterable<Order>,
  instrumentOf: (symbol: string) => Instrument,
  marketTicks: (symbol: string) => number,
): Reserves {
  const held = new Map<string, Decimal>();
  for (const order of orders) {
    if (order.margin !== undefined) continue;
    const instrument = instrumentOf(order.symbol);
    const currency = payingCurrency(instrument, order.side);
    const amount = heldFor(order, instrument, marketTicks(order.symbol));
    held.set(currency, (held.get(currency) ?? ZERO).plus(amount));
  }
  return held;
}
