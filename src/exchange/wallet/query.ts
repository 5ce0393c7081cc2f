import type { Rejection } from '../../model/rejections.ts';
import type {
  Transaction,
  TransactionStatus,
  TransactionSubtype,
  TransactionType,
} from './transaction.ts';

export const LIMIT_MAX = 1_000;
export const OFFSET_MAX = 100_000;
const LIMIT = 100;

/** A page of a listing. */
export interface Page {
  /** Number of rows; 0 to 1,000, 100 if absent. */
  readonly limit?: number;
  /** Rows to skip; 0 to 100,000, none if absent. */
  readonly offset?: number;
}

/** A filter of transactions; absent members do not filter. */
export interface TransactionQuery extends Page {
  readonly txIds?: readonly string[];
  readonly types?: readonly TransactionType[];
  readonly subtypes?: readonly TransactionSubtype[];
  readonly statuses?: readonly TransactionStatus[];
  readonly currencies?: readonly string[];
  /** Networks of the transactions; excludes those without a network. */
  readonly networks?: readonly string[];
  /** Bounds of the id, both inclusive. */
  readonly idFrom?: number;
  readonly idTill?: number;
  /** Bounds of the time of the order (by id: of creation), both inclusive. */
  readonly from?: number;
  readonly till?: number;
  /** Bounds of the index, both inclusive. */
  readonly indexFrom?: number;
  readonly indexTill?: number;
  /** `createdAt` if absent; `index` is the order of the latest change. */
  readonly orderBy?: 'createdAt' | 'updatedAt' | 'lastActivityAt' | 'id' | 'index';
  /** `DESC` if absent. */
  readonly sort?: 'ASC' | 'DESC';
  /** Keeps the transactions of an operation together; the page counts operations. */
  readonly grouped?: boolean;
}

/** Transactions in one order: entries whose time never falls, some of them out of date. */
export interface Sequence {
  readonly length: number;
  id(index: number): number | undefined;
  time(index: number): number;
}

/** Transactions of an account in every order. */
export interface View {
  /** By rising id, none out of date. */
  readonly created: Sequence;
  readonly updated: Sequence;
  readonly active: Sequence;
  get(id: number): Transaction;
}

/** Rejects a page outside its bounds. */
export function pageRejection({ limit = LIMIT, offset = 0 }: Page): Rejection | undefined {
  if (!within(limit, LIMIT_MAX)) return pageInvalid('limit', limit, LIMIT_MAX);
  return within(offset, OFFSET_MAX) ? undefined : pageInvalid('offset', offset, OFFSET_MAX);
}

/** The items of a page. */
export const paged = <T>(rows: readonly T[], { limit = LIMIT, offset = 0 }: Page): T[] =>
  rows.slice(offset, offset + limit);

/**
 * Transactions that match a query. Walks from one end of the time range to the other and no
 * further.
 */
export function listed(view: View, query: TransactionQuery): Transaction[] {
  const { limit = LIMIT, offset = 0, grouped = false } = query;
  const matches = filter(query);
  const isThere = (each: Transaction): boolean => matches(each) && inTime(each, query);
  const found: Transaction[] = [];
  const operations = new Set<string>();
  let passed = 0;
  let taken = 0;
  for (const transaction of candidates(view, query)) {
    if (taken === limit) break;
    if (!matches(transaction)) continue;
    if (grouped) {
      if (operations.has(transaction.operationId)) continue;
      operations.add(transaction.operationId);
    }
    passed += 1;
    if (passed <= offset) continue;
    taken += 1;
    if (!grouped) found.push(transaction);
    else found.push(...operation(view, transaction).filter(isThere));
  }
  return found;
}

/** All transactions of an operation; they were begun one after the other. */
function operation(view: View, { id, operationId }: Transaction): Transaction[] {
  const members: Transaction[] = [];
  const { created } = view;
  let index = lowest(created, (at) => idAt(created, at) >= id);
  const member = (at: number): Transaction | undefined => {
    const number = at >= 0 && at < created.length ? created.id(at) : undefined;
    const transaction = number === undefined ? undefined : view.get(number);
    return transaction?.operationId === operationId ? transaction : undefined;
  };
  while (member(index - 1) !== undefined) index -= 1;
  for (let each = member(index); each !== undefined; each = member(index)) {
    members.push(each);
    index += 1;
  }
  return members;
}

/** True within the query's bounds of the time that it orders by. */
function inTime(transaction: Transaction, query: TransactionQuery): boolean {
  const { from = -Infinity, till = Infinity, orderBy } = query;
  let time = transaction.createdAt;
  if (orderBy === 'updatedAt') time = transaction.updatedAt;
  else if (orderBy === 'lastActivityAt' || orderBy === 'index') time = transaction.lastActivityAt;
  return time >= from && time <= till;
}

/** Transactions in the range of a query, in its order. */
function* candidates(view: View, query: TransactionQuery): Generator<Transaction> {
  const { orderBy = 'createdAt', sort = 'DESC' } = query;
  const sequence = sequenceOf(view, orderBy);
  const [start, end] = range(sequence, query, orderBy);
  const step = sort === 'ASC' ? 1 : -1;
  for (let index = step === 1 ? start : end - 1; index >= start && index < end; index += step) {
    const id = sequence.id(index);
    if (id !== undefined) yield view.get(id);
  }
}

function sequenceOf(view: View, orderBy: TransactionQuery['orderBy']): Sequence {
  if (orderBy === 'updatedAt') return view.updated;
  return orderBy === 'lastActivityAt' || orderBy === 'index' ? view.active : view.created;
}

/** First index and the index after the last, by the bounds of the order's key. */
function range(
  sequence: Sequence,
  query: TransactionQuery,
  orderBy: TransactionQuery['orderBy'],
): readonly [number, number] {
  const { from = -Infinity, till = Infinity } = query;
  let start = lowest(sequence, (index) => sequence.time(index) >= from);
  let end = lowest(sequence, (index) => sequence.time(index) > till);
  if (orderBy === 'createdAt' || orderBy === 'id') {
    const { idFrom = -Infinity, idTill = Infinity } = query;
    start = Math.max(
      start,
      lowest(sequence, (index) => idAt(sequence, index) >= idFrom),
    );
    end = Math.min(
      end,
      lowest(sequence, (index) => idAt(sequence, index) > idTill),
    );
  }
  return [start, end];
}

/** The id of an entry that is not out of date. */
const idAt = (sequence: Sequence, index: number): number => sequence.id(index) ?? 0;

/** The first index from which on `holds` is true; the length if there is none. */
function lowest(sequence: Sequence, holds: (index: number) => boolean): number {
  let low = 0;
  let high = sequence.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Predicate of all filters but the time. */
function filter(query: TransactionQuery): (transaction: Transaction) => boolean {
  const txIds = setOf(query.txIds);
  const types = setOf(query.types);
  const subtypes = setOf(query.subtypes);
  const statuses = setOf(query.statuses);
  const currencies = setOf(query.currencies);
  const networks = setOf(query.networks);
  const { idFrom = -Infinity, idTill = Infinity } = query;
  const { indexFrom = -Infinity, indexTill = Infinity } = query;
  return ({ id, txId, index, type, subtype, status, currency, network }) =>
    id >= idFrom &&
    id <= idTill &&
    index >= indexFrom &&
    index <= indexTill &&
    (txIds?.has(txId) ?? true) &&
    (types?.has(type) ?? true) &&
    (subtypes?.has(subtype) ?? true) &&
    (statuses?.has(status) ?? true) &&
    (currencies?.has(currency) ?? true) &&
    (networks === undefined || (network !== undefined && networks.has(network)));
}

const setOf = <T>(values: readonly T[] | undefined): ReadonlySet<T> | undefined =>
  values === undefined ? undefined : new Set(values);

const within = (value: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value <= max;

const pageInvalid = (field: 'limit' | 'offset', value: number, max: number): Rejection => ({
  code: 'page-invalid',
  field,
  message: `The ${field} is ${value} and must be a whole number from 0 to ${max}.`,
  limit: String(max),
});
