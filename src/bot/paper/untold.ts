import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { BalanceReport } from '../../model/report.ts';

/** What the account has of every currency. */
type Totals = ReadonlyMap<string, Decimal>;

/**
 * What moves of inventory have changed of a paper account and no balance has told yet. A move is
 * written down when it happens, the balance after it when it is heard: a bot that was killed in
 * between begins with the balance that was heard and what is untold.
 */
export class Untold {
  readonly #keep: (untold: Totals) => void;
  readonly #untold: Map<string, Decimal>;
  /** What all moves of this life have changed, by currency. */
  readonly #moved = new Map<string, Decimal>();
  /** How much of that is in a balance that was reported. */
  readonly #included = new WeakMap<BalanceReport, Decimal>();
  /** Balances that a move reports while it happens: they have in them what it changes. */
  #during: BalanceReport[] | undefined;

  /** `keep` is told whenever it has changed; it must be written together with what caused that. */
  constructor(former: Totals, keep: (untold: Totals) => void) {
    this.#untold = new Map(former);
    this.#keep = keep;
  }

  /** Has something moved, which changes what `totals` gives. */
  moved<T>(totals: () => Totals, work: () => T): T {
    const before = totals();
    const during: BalanceReport[] = [];
    this.#during = during;
    try {
      return work();
    } finally {
      this.#during = undefined;
      for (const [currency, now] of totals()) {
        const change = now.minus(before.get(currency) ?? ZERO);
        if (change.isZero()) continue;
        add(this.#moved, currency, change);
        add(this.#untold, currency, change);
      }

      for (const report of during) this.#include(report);
      this.#keep(this.#untold);
    }
  }

  /** A balance is reported at the exchange; it is heard later. */
  reported(report: BalanceReport): void {
    if (this.#during === undefined) this.#include(report);
    else this.#during.push(report);
  }

  /** A balance was heard. One that was never reported is that of this moment. */
  told(report: BalanceReport): void {
    const { currency } = report;
    const moved = this.#moved.get(currency) ?? ZERO;
    const left = moved.minus(this.#included.get(report) ?? moved);
    if (left.equals(this.#untold.get(currency) ?? ZERO)) return;
    this.#untold.set(currency, left);
    this.#keep(this.#untold);
  }

  #include(report: BalanceReport): void {
    this.#included.set(report, this.#moved.get(report.currency) ?? ZERO);
  }
}

const add = (amounts: Map<string, Decimal>, currency: string, amount: Decimal): void =>
  void amounts.set(currency, (amounts.get(currency) ?? ZERO).plus(amount));
