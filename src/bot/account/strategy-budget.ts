import { raisedRates } from '../../rules/own-rates.ts';
import { Amount } from '../../model/amount.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import { payingCurrency, reserveOf, stopReserveTicks } from '../../rules/funds.ts';

/** Reserves of a strategy's open orders, by currency. */
export type Reserves = ReadonlyMap<string, Decimal>;

/** Reserve of an open order: the venue's funds rule for its remaining quantity. */
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
 * The money of one strategy: its budget, and the changes by its own fills since the journal began.
 * Transfers and trades of others do not affect it.
 */
export class StrategyBudget {
  /** The part of the account that the strategy may use; all of it if absent. */
  readonly amounts: ReadonlyMap<string, Decimal> | undefined;
  readonly #changes = new Map<string, Decimal>();

  constructor(amounts: ReadonlyMap<string, Decimal> | undefined) {
    this.amounts = amounts;
  }

  /** Restores the changes by fills of previous runs. */
  restore(currency: string, change: Decimal): void {
    this.#changes.set(currency, change);
  }

  /** Counts a fill in: what was bought and sold, and the fee. */
  fill(instrument: Instrument, fill: Fill): void {
    // Funds traded on margin stay in the margin account until it returns them.
    if (fill.margin !== undefined) return;
    const { baseCurrency, quoteCurrency } = instrument;
    const size = instrument.size(fill.lots);
    const value = instrument.value(fill.ticks, fill.lots);
    const buys = fill.side === 'buy';
    this.#add(baseCurrency, buys ? size : size.negated());
    this.#add(quoteCurrency, buys ? value.negated() : value);
    this.#add(fill.feeCurrency, fill.fee.toDecimal().negated());
  }

  /** Change of a currency by fills since the journal began. */
  change(currency: string): Decimal {
    return this.#changes.get(currency) ?? ZERO;
  }

  /** Budget and changes together. */
  total(currency: string): Decimal {
    return (this.amounts?.get(currency) ?? ZERO).plus(this.change(currency));
  }

  /** The currencies of the budget, and those received by fills. */
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

/** Reserves of the open orders together, by currency. */
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
