import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import { StrategyBudget } from './strategy-budget.ts';

/**
 * Compares balances with fills since the connection or the last settlement. A balance may lag a little
 * behind its fill, so only a lasting difference counts.
 */
export class Unexplained {
  #filled = new StrategyBudget(undefined);
  readonly #totals = new Map<string, Decimal>();
  /** Accepted difference between balance and fills, by currency. */
  readonly #settled = new Map<string, Decimal>();

  fill(instrument: Instrument, fill: Fill): void {
    this.#filled.fill(instrument, fill);
  }

  /** Money went to margin accounts, or came back if the amount is negative. */
  moved(currency: string, amount: Decimal): void {
    this.#filled.restore(currency, this.#filled.change(currency).minus(amount));
  }

  balance({ currency, available, reserved }: Omit<BalanceReport, 'kind' | 'at'>): void {
    this.#totals.set(currency, available.plus(reserved).toDecimal());
    if (!this.#settled.has(currency)) this.settle(currency);
  }

  /** The currencies whose balance does not match the fills. */
  get currencies(): readonly string[] {
    return [...this.#settled]
      .filter(([currency, settled]) => !this.#beyond(currency).equals(settled))
      .map(([currency]) => currency);
  }

  /** True if a balance was received and matches the fills. */
  agrees(currency: string): boolean {
    const settled = this.#settled.get(currency);
    return settled !== undefined && this.#beyond(currency).equals(settled);
  }

  /** Accepts the balance, whatever it is made of: somebody moved money. */
  settle(currency: string): void {
    this.#settled.set(currency, this.#beyond(currency));
  }

  /** Starts again with the next balances. */
  clear(): void {
    this.#filled = new StrategyBudget(undefined);
    this.#totals.clear();
    this.#settled.clear();
  }

  #beyond(currency: string): Decimal {
    return (this.#totals.get(currency) ?? ZERO).minus(this.#filled.change(currency));
  }
}
