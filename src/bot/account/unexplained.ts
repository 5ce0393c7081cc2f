import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import { StrategyBudget } from './strategy-budget.ts';

/**
 * Holds what balances say against what fills say, since the connection or what was settled last: a balance may
 * be a little behind its fill, so a difference says something only where it lasts.
 */
export class Unexplained {
  #filled = new StrategyBudget(undefined);
  readonly #totals = new Map<string, Decimal>();
  /** What the account has beyond what fills made, as it was settled. */
  readonly #settled = new Map<string, Decimal>();

  fill(instrument: Instrument, fill: Fill): void {
    this.#filled.fill(instrument, fill);
  }

  /** Money went to margin accounts, or came back where the amount is negative. */
  moved(currency: string, amount: Decimal): void {
    this.#filled.restore(currency, this.#filled.change(currency).minus(amount));
  }

  balance({ currency, available, reserved }: Omit<BalanceReport, 'kind' | 'at'>): void {
    this.#totals.set(currency, available.plus(reserved).toDecimal());
    if (!this.#settled.has(currency)) this.settle(currency);
  }

  /** The currencies whose balance is not what fills made of it. */
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

  /** The balance is true, whatever it is made of: somebody moved money. */
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
