import { entryAfter, type Entry } from '../../engine/account/position-keeper.ts';
import type { Decimal } from '../../model/decimal.ts';
import { ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Fill } from '../../model/report.ts';
import { amountOf, readRow, whole, insertRow } from './checked-rows.ts';
import type { JournalFile } from './file.ts';
import type { JournaledHolding } from './records.ts';

interface HoldingRow {
  readonly strategy: string;
  readonly currency: string;
  readonly change: string;
}

interface EntryRow extends Entry {
  readonly strategy: string;
  readonly symbol: string;
}

/**
 * Exact changes of the spot account's currencies by a fill, its fee included. Changes by a margin fill are
 * in its margin account.
 */
export function changesOf(instrument: Instrument, fill: Fill): ReadonlyMap<string, Decimal> {
  if (fill.margin !== undefined) return NO_CHANGES;
  const { baseCurrency, quoteCurrency } = instrument;
  const size = instrument.size(fill.lots);
  const value = instrument.value(fill.ticks, fill.lots);
  const buys = fill.side === 'buy';
  const changes = new Map([
    [baseCurrency, buys ? size : size.negated()],
    [quoteCurrency, buys ? value.negated() : value],
  ]);
  const { feeCurrency, fee } = fill;
  changes.set(feeCurrency, (changes.get(feeCurrency) ?? ZERO).minus(fee.toDecimal()));
  return changes;
}

/**
 * Changes by the fills of each strategy, by currency, and the mean price of its purchases, by symbol;
 * updated with every fill, so that old fills can be deleted.
 */
export class StoredHoldings {
  readonly #file: JournalFile;
  readonly #changes = new Map<string, Map<string, Decimal>>();
  readonly #entries = new Map<string, Map<string, Entry>>();
  /** Changes that are not in the file yet. */
  readonly #unwritten = { holdings: new Set<string>(), entries: new Set<string>() };

  constructor(file: JournalFile) {
    this.#file = file;
    for (const row of file.all`SELECT * FROM holdings`) {
      readRow(file, 'holdings', row, () => {
        const { strategy, currency, change } = row as unknown as HoldingRow;
        inner(this.#changes, strategy).set(currency, amountOf('change', change));
      });
    }
    for (const row of file.all`SELECT * FROM entries`) {
      readRow(file, 'entries', row, () => {
        const { strategy, symbol, lots, ticks } = row as unknown as EntryRow;
        if (!(ticks >= 0)) throw new RangeError(`ticks is ${ticks}`);
        inner(this.#entries, strategy).set(symbol, { lots: whole('lots', lots, 0), ticks });
      });
    }
  }

  fill(strategy: string, instrument: Instrument, fill: Fill): void {
    if (fill.margin !== undefined) return;
    const changes = inner(this.#changes, strategy);
    for (const [currency, change] of changesOf(instrument, fill)) {
      changes.set(currency, (changes.get(currency) ?? ZERO).plus(change));
    }
    const entries = inner(this.#entries, strategy);
    entries.set(fill.symbol, entryAfter(entries.get(fill.symbol) ?? NOTHING, fill));
    this.#unwritten.holdings.add(strategy);
    this.#unwritten.entries.add(strategy);
  }

  /** Adds funds that a strategy moved to a margin account; negative if it got them back. */
  transfer(strategy: string, currency: string, amount: Decimal): void {
    if (amount.isZero()) return;
    const changes = inner(this.#changes, strategy);
    changes.set(currency, (changes.get(currency) ?? ZERO).minus(amount));
    this.#unwritten.holdings.add(strategy);
  }

  /** Counts the lots and ticks of a symbol on a new grid. */
  regrid(from: Instrument, to: Instrument): void {
    const lots = from.quantityIncrement.div(to.quantityIncrement).toNumber();
    const ticks = from.tickSize.div(to.tickSize).toNumber();
    for (const [strategy, entries] of this.#entries) {
      const entry = entries.get(from.symbol);
      if (entry === undefined) continue;
      // Whole lots, rounded down: the rest is held at an unknown price.
      entries.set(from.symbol, { lots: Math.floor(entry.lots * lots), ticks: entry.ticks * ticks });
      this.#unwritten.entries.add(strategy);
    }
  }

  /** How many rows the two tables have. */
  get sizes(): readonly number[] {
    const sizeOf = (outer: ReadonlyMap<string, ReadonlyMap<string, unknown>>): number =>
      [...outer.values()].reduce((sum, { size }) => sum + size, 0);
    return [sizeOf(this.#changes), sizeOf(this.#entries)];
  }

  of(strategy: string): readonly JournaledHolding[] {
    const changes = this.#changes.get(strategy) ?? new Map<string, Decimal>();
    return Array.from(changes, ([currency, change]) => ({ strategy, currency, change }));
  }

  all(): readonly JournaledHolding[] {
    return [...this.#changes.keys()].flatMap((strategy) => this.of(strategy));
  }

  /** Symbols of which a strategy has bought lots. */
  get symbols(): ReadonlySet<string> {
    const all = [...this.#entries.values()].flatMap((entries) => [...entries]);
    return new Set(all.filter(([, { lots }]) => lots > 0).map(([symbol]) => symbol));
  }

  entries(strategy: string): ReadonlyMap<string, Entry> {
    const entries = this.#entries.get(strategy) ?? new Map<string, Entry>();
    return new Map([...entries].filter(([, { lots }]) => lots > 0));
  }

  /** Writes what has changed; within a transaction. */
  write(): void {
    const { holdings, entries } = this.#unwritten;
    for (const strategy of holdings) {
      for (const [currency, change] of inner(this.#changes, strategy)) {
        const kept = [strategy, currency, change.toFixed()];
        insertRow(this.#file, 'holdings', kept, [], 'INSERT OR REPLACE');
      }
    }
    for (const strategy of entries) {
      for (const [symbol, { lots, ticks }] of inner(this.#entries, strategy)) {
        const kept = [strategy, symbol, lots, Number.isNaN(ticks) ? 0 : ticks];
        insertRow(this.#file, 'entries', kept, [], 'INSERT OR REPLACE');
      }
    }
  }

  written(): void {
    this.#unwritten.holdings.clear();
    this.#unwritten.entries.clear();
  }
}

const NO_CHANGES: ReadonlyMap<string, Decimal> = new Map();
const NOTHING: Entry = { lots: 0, ticks: Number.NaN };

function inner<T>(outer: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = outer.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, T>();
  outer.set(key, made);
  return made;
}
