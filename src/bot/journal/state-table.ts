import type { ManagedState } from '../../model/managed-state.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { TRADING_STATES } from '../../risk/state.ts';
import { amountOf, whole } from './checked-rows.ts';
import type { JournalFile, Row } from './file.ts';
import type { DayStart, JournaledBalance, JournaledState } from './records.ts';
import { JournalRows, type Form } from './rows.ts';
import { readStored } from './stored-json.ts';

interface ScopedDay extends DayStart {
  readonly scope: string;
  readonly currency: string;
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

interface Counter {
  readonly prefix: string;
  readonly last: number;
}

const text = (row: Row, column: string): string => String(row[column]);
const time = (row: Row, column: string): Micros => micros(whole(column, row[column], 0));

const BALANCES: Form<JournaledBalance> = {
  table: 'balances',
  key: ({ currency }) => currency,
  read: (row) => ({
    currency: text(row, 'currency'),
    available: amountOf('available', row['available']),
    reserved: amountOf('reserved', row['reserved']),
    at: time(row, 'at'),
  }),
  columns: ({ currency, available, reserved, at }) => [
    currency,
    available.toFixed(),
    reserved.toFixed(),
    at,
  ],
};

const STATES: Form<JournaledState> = {
  table: 'states',
  key: ({ scope }) => scope,
  read: (row) => ({
    scope: text(row, 'scope'),
    // A state unknown to this release counts as the strictest.
    state: TRADING_STATES.find((state) => state === row['state']) ?? 'killed',
    why: text(row, 'why'),
    at: time(row, 'at'),
  }),
  columns: ({ scope, state, why, at }) => [scope, state, why, at],
};

const DAYS: Form<ScopedDay> = {
  table: 'day_starts',
  key: ({ scope, currency }) => `${scope} ${currency}`,
  read: (row) => ({
    scope: text(row, 'scope'),
    currency: text(row, 'currency'),
    midnight: time(row, 'midnight'),
    equity: amountOf('equity', row['equity']),
    highest: amountOf('highest', row['highest']),
  }),
  columns: ({ scope, currency, midnight, equity, highest }) => [
    scope,
    currency,
    midnight,
    equity.toFixed(),
    highest.toFixed(),
  ],
};

const COUNTERS: Form<Counter> = {
  table: 'counters',
  key: ({ prefix }) => prefix,
  read: (row) => ({ prefix: text(row, 'prefix'), last: whole('last', row['last'], 0) }),
  columns: ({ prefix, last }) => [prefix, last],
};

const FACTS: Form<Fact> = {
  table: 'facts',
  key: ({ name }) => name,
  read: (row) => ({ name: text(row, 'name'), value: text(row, 'value') }),
  columns: ({ name, value }) => [name, value],
  keyColumn: 'name',
};

/** Prefix of a strategy's managed order facts; no strategy name has a space. */
const managedOf = (strategy: string): string => `managed ${strategy} `;

/** Present state besides orders: balances, trading states, day starts, counters, facts. */
export class StateTable {
  readonly balances: JournalRows<JournaledBalance>;
  readonly states: JournalRows<JournaledState>;
  readonly days: JournalRows<ScopedDay>;
  readonly #counters: JournalRows<Counter>;
  readonly #facts: JournalRows<Fact>;

  constructor(file: JournalFile) {
    this.balances = new JournalRows(file, BALANCES);
    this.states = new JournalRows(file, STATES);
    this.days = new JournalRows(file, DAYS);
    this.#counters = new JournalRows(file, COUNTERS);
    this.#facts = new JournalRows(file, FACTS);
  }

  fact(name: string): string | undefined {
    return this.#facts.get(name)?.value;
  }

  setFact(name: string, value: string): void {
    this.#facts.set({ name, value });
  }

  /** Stores the state of a managed order that a restart needs, or deletes it. */
  setManaged(strategy: string, id: string, state: ManagedState | undefined): void {
    const name = `${managedOf(strategy)}${id}`;
    if (state === undefined) this.#facts.delete(name);
    else this.setFact(name, JSON.stringify(state));
  }

  /** The stored managed orders of a strategy. */
  managed(strategy: string): readonly ManagedState[] {
    const own = managedOf(strategy);
    return this.#facts
      .values()
      .filter(({ name }) => name.startsWith(own))
      .map(({ value }) => readStored(value) as ManagedState);
  }

  /** A time that was written down as a fact. */
  time(name: string): Micros | undefined {
    const value = this.fact(name);
    return value === undefined ? undefined : micros(Number(value));
  }

  /** The last number used in client order ids of a prefix; 0 if there were none. */
  lastNumber(prefix: string): number {
    return this.#counters.get(prefix)?.last ?? 0;
  }

  /** Stores the number of a client order id that is a prefix and a counter. */
  count(clientOrderId: string): void {
    const match = /^(.+)-(\d{7,15})$/.exec(clientOrderId);
    if (match === null) return;
    const [, prefix = '', digits = ''] = match;
    const last = Number(digits);
    if (last > this.lastNumber(prefix)) this.#counters.set({ prefix, last });
  }

  /** The starts of a day of a scope, by currency. */
  daysOf(scope: string): ReadonlyMap<string, DayStart> {
    const days = this.days.values().filter((day) => day.scope === scope);
    return new Map(
      days.map(({ currency, midnight, equity, highest }) => [
        currency,
        { midnight, equity, highest },
      ]),
    );
  }

  /** How many rows each of these tables has. */
  get sizes(): readonly number[] {
    return [this.balances, this.states, this.days, this.#counters].map(({ size }) => size);
  }

  write(): void {
    for (const rows of this.#tables) rows.write();
  }

  written(): void {
    for (const rows of this.#tables) rows.written();
  }

  get #tables(): readonly Pick<JournalRows<never>, 'write' | 'written'>[] {
    const { balances, states, days } = this;
    return [balances, states, days, this.#counters, this.#facts];
  }
}
