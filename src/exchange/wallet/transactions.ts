import type { Micros } from '../../platform/time.ts';
import { listed, type TransactionQuery, type View } from './query.ts';
import type {
  Progress,
  Transaction,
  TransactionDraft,
  TransactionListener,
} from './transaction.ts';

/** Transactions of an account by creation, by change of status and by any change. */
interface History {
  readonly created: number[];
  readonly updated: Trail;
  readonly active: Trail;
}

/** All transactions of all wallets. None is ever removed. */
export class Transactions {
  readonly #listener: TransactionListener;
  /** By id, which is the index. */
  readonly #records: Transaction[] = [];
  readonly #byTxId = new Map<string, number>();
  readonly #histories = new Map<number, History>();
  #index = 0;
  #operations = 0;

  constructor(listener: TransactionListener) {
    this.#listener = listener;
  }

  /** An id for an operation of several transactions. */
  operation(): string {
    this.#operations += 1;
    return serial('operation', this.#operations);
  }

  /** Adds a transaction and reports it. */
  begin(draft: TransactionDraft, at: Micros): Transaction {
    const id = this.#records.length;
    this.#index += 1;
    const transaction: Transaction = {
      ...draft,
      id: id + 1,
      txId: serial('transaction', id + 1),
      operationId: draft.operationId ?? this.operation(),
      index: this.#index,
      createdAt: at,
      updatedAt: at,
      lastActivityAt: at,
    };
    this.#records.push(transaction);
    this.#byTxId.set(transaction.txId, id + 1);
    const history = this.#history(draft.account);
    history.created.push(transaction.id);
    history.updated.note(transaction.id, at);
    history.active.note(transaction.id, at);
    this.#listener.transaction?.(transaction);
    return transaction;
  }

  /** Changes a transaction and reports it. */
  change(id: number, progress: Partial<Progress>, at: Micros): Transaction {
    const old = this.get(id);
    const moved = progress.status !== undefined && progress.status !== old.status;
    this.#index += 1;
    const transaction: Transaction = {
      ...old,
      ...progress,
      index: this.#index,
      updatedAt: moved ? at : old.updatedAt,
      lastActivityAt: at,
    };
    this.#records[id - 1] = transaction;
    const history = this.#history(old.account);
    if (moved) history.updated.note(id, at);
    history.active.note(id, at);
    this.#listener.transaction?.(transaction);
    return transaction;
  }

  /** The transaction of a known id. */
  get(id: number): Transaction {
    return this.#records[id - 1];
  }

  /** The transaction of that id, of one account if given; `undefined` if there is none. */
  find(txId: string, account?: number): Transaction | undefined {
    const id = this.#byTxId.get(txId);
    if (id === undefined) return undefined;
    const transaction = this.get(id);
    return account === undefined || transaction.account === account ? transaction : undefined;
  }

  /** Transactions of an account that match a valid query. */
  list(account: number, query: TransactionQuery): Transaction[] {
    return listed(this.#view(account), query);
  }

  /** Transactions of an account, newest first. */
  *newestFirst(account: number): Generator<Transaction> {
    const { created } = this.#history(account);
    for (let index = created.length - 1; index >= 0; index -= 1) yield this.get(created[index]);
  }

  #view(account: number): View {
    const { created, updated, active } = this.#history(account);
    return {
      created: {
        length: created.length,
        id: (index) => created[index],
        time: (index) => this.get(created[index]).createdAt,
      },
      updated,
      active,
      get: (id) => this.get(id),
    };
  }

  #history(account: number): History {
    const known = this.#histories.get(account);
    if (known !== undefined) return known;
    const history: History = { created: [], updated: new Trail(), active: new Trail() };
    this.#histories.set(account, history);
    return history;
  }
}

const DIGITS = 12;

/** Kinds of ids, by their first digits. */
export type SerialKind = 'transaction' | 'operation';

const PREFIXES: Readonly<Record<SerialKind, string>> = {
  transaction: '00000001',
  operation: '00000002',
};

/** An id in the form of a UUID, made from a counter, so that the same run gives the same ids. */
export const serial = (kind: SerialKind, count: number): string =>
  `${PREFIXES[kind]}-0000-4000-8000-${count.toString(16).padStart(DIGITS, '0')}`;

/** Length from which a list is compacted when every second entry is out of date. */
const STALE_MAX = 64;

/**
 * Transactions in the order of their latest change, each once. A change appends an entry and leaves
 * the old one, which is skipped and compacted now and then, so that the cost of a change does not
 * depend on their number.
 */
export class Trail {
  #ids: number[] = [];
  #times: number[] = [];
  readonly #indices = new Map<number, number>();

  /** Number of entries, with those out of date. */
  get length(): number {
    return this.#ids.length;
  }

  /** The transaction of an entry, `undefined` if the entry is out of date. */
  id(index: number): number | undefined {
    const id = this.#ids[index];
    return this.#indices.get(id) === index ? id : undefined;
  }

  /** Time of the change of an entry; it never falls from one entry to the next. */
  time(index: number): number {
    return this.#times[index];
  }

  /** Records a change. */
  note(id: number, time: number): void {
    this.#indices.set(id, this.#ids.length);
    this.#ids.push(id);
    this.#times.push(time);
    const stale = this.#ids.length - this.#indices.size;
    if (stale > STALE_MAX && stale > this.#indices.size) this.#clear();
  }

  #clear(): void {
    const ids = this.#ids;
    const times = this.#times;
    this.#ids = [];
    this.#times = [];
    ids.forEach((id, index) => {
      if (this.#indices.get(id) !== index) return;
      this.#indices.set(id, this.#ids.length);
      this.#ids.push(id);
      this.#times.push(times[index]);
    });
  }
}
