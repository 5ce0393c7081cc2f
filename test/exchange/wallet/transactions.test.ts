import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TransactionQuery } from '../../../src/exchange/wallet/query.ts';
import type { Transaction, TransactionDraft } from '../../../src/exchange/wallet/transaction.ts';
import { Transactions } from '../../../src/exchange/wallet/transactions.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

const DRAFT: TransactionDraft = {
  account: 4,
  type: 'WITHDRAW',
  subtype: 'BLOCKCHAIN',
  direction: 'out',
  currency: 'BTC',
  amount: decimal('1'),
  status: 'CREATED',
};

const SILENT = {};

describe('a transaction', () => {
  test('has ids made of counts, in the form of UUIDs', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '1' });
    const [{ id, txId, operationId }] = given(branch.wallet.transactions(account));
    expect({ id, txId, operationId }).toEqual({
      id: 1,
      txId: '00000001-0000-4000-8000-000000000001',
      operationId: '00000002-0000-4000-8000-000000000001',
    });
  });

  test('stays unchanged for those who received it, and reports when it changed', () => {
    const reported: Transaction[] = [];
    const log = new Transactions({ ...SILENT, transaction: (each) => reported.push(each) });
    const { id } = log.begin(DRAFT, micros(1));
    log.begin(DRAFT, micros(2));
    log.change(id, { hash: 'h' }, micros(3));
    log.change(id, { status: 'PENDING' }, micros(4));
    log.change(id, { status: 'PENDING', confirmations: 1 }, micros(5));
    const times = reported.map((each) =>
      [each.id, each.index, each.status, each.createdAt, each.updatedAt, each.lastActivityAt].join(
        ' ',
      ),
    );
    expect(times).toEqual([
      '1 1 CREATED 1 1 1',
      '2 2 CREATED 2 2 2',
      '1 3 CREATED 1 1 3',
      '1 4 PENDING 1 4 4',
      '1 5 PENDING 1 4 5',
    ]);
  });

  test('needs nobody who listens', () => {
    const log = new Transactions(SILENT);
    const { id, txId } = log.begin(DRAFT, micros(1));
    log.change(id, { status: 'FAILED' }, micros(1));
    expect(log.find(txId)?.status).toBe('FAILED');
    expect(log.find(txId, 5)).toBeUndefined();
  });

  test('of another account, or of none, is unknown', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '1' });
    const [{ txId }] = given(branch.wallet.transactions(account));
    expect(codeOf(branch.wallet.transaction(branch.account(), txId))).toBe('transaction-unknown');
    expect(codeOf(branch.wallet.transaction(account, 'x'))).toBe('transaction-unknown');
  });
});

describe('a listing', () => {
  test('has the newest hundred first, where nothing else is asked for', () => {
    const log = new Transactions(SILENT);
    for (let i = 0; i < 150; i += 1) log.begin(DRAFT, micros(i));
    const ids = log.list(4, {}).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, i) => 150 - i));
    expect(log.list(5, {})).toEqual([]);
  });

  test('by network leaves out what goes by none', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '100' });
    const onChain = branch.withdrawn(account, '5', 'USDT', { network: 'TRX' });
    const listed = given(branch.wallet.transactions(account, { networks: ['TRX', 'ETH'] }));
    expect(listed.map(({ txId }) => txId)).toEqual([onChain]);
    expect(given(branch.wallet.transactions(account, { networks: ['ETH'] }))).toEqual([]);
  });

  test.each([
    [{ limit: 1_000, offset: 100_000 }, undefined],
    [{ limit: 0 }, undefined],
    [{ limit: 1_001 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ limit: 0.5 }, 'limit'],
    [{ offset: 100_001 }, 'offset'],
    [{ offset: -1 }, 'offset'],
  ])('by page %j has its bounds', (page, field) => {
    const branch = new WalletHarness();
    const outcome = branch.wallet.transactions(branch.account(), page);
    if (field === undefined) expect(outcome).toEqual([]);
    else expect(outcome).toMatchObject({ code: 'page-invalid', field });
  });

  test('of 100,000 transactions takes milliseconds, whatever it asks for', () => {
    const log = new Transactions(SILENT);
    for (let i = 0; i < 100_000; i += 1) {
      const { id } = log.begin({ ...DRAFT, currency: i % 1_000 === 0 ? 'XRP' : 'BTC' }, micros(i));
      if (i % 3 === 0) log.change(id, { status: 'PENDING' }, micros(i));
    }
    const queries: TransactionQuery[] = [
      {},
      { offset: 99_000, limit: 1_000 },
      { currencies: ['XRP'], limit: 1_000 },
      { orderBy: 'updatedAt', sort: 'ASC', offset: 99_000 },
      { from: 50_000, till: 50_010 },
      { statuses: ['SUCCESS'] },
    ];
    const began = process.cpuUsage();
    const found = queries.map((query) => log.list(4, query).length);
    const { user } = process.cpuUsage(began);
    expect(found).toEqual([100, 1_000, 100, 100, 11, 0]);
    // Some 15 ms on the machine where it was written; a listing that sorts takes more for one query.
    expect(user / 1_000).toBeLessThan(500);
  });
});

/** The same by copying, filtering and sorting everything; `moved` has the index of the last new status. */
function naive(
  all: readonly Transaction[],
  moved: ReadonlyMap<number, number>,
  query: TransactionQuery,
): number[] {
  const { orderBy = 'createdAt', sort = 'DESC', limit = 100, offset = 0, grouped } = query;
  const timeOf = (each: Transaction): number => {
    if (orderBy === 'updatedAt') return each.updatedAt;
    return orderBy === 'lastActivityAt' || orderBy === 'index'
      ? each.lastActivityAt
      : each.createdAt;
  };
  // Of two at one time the one whose change was told first comes first.
  const rankOf = (each: Transaction): number => {
    if (orderBy === 'updatedAt') return moved.get(each.id) ?? 0;
    return orderBy === 'createdAt' || orderBy === 'id' ? each.id : each.index;
  };
  const between = (value: number, low = -Infinity, high = Infinity): boolean =>
    value >= low && value <= high;
  const among = <T>(value: T, values?: readonly T[]): boolean => values?.includes(value) ?? true;
  const rows = all.filter(
    (each) =>
      among(each.txId, query.txIds) &&
      among(each.type, query.types) &&
      among(each.subtype, query.subtypes) &&
      among(each.status, query.statuses) &&
      among(each.currency, query.currencies) &&
      among(each.network, query.networks) &&
      between(each.id, query.idFrom, query.idTill) &&
      between(each.index, query.indexFrom, query.indexTill) &&
      between(timeOf(each), query.from, query.till),
  );
  rows.sort((a, b) => timeOf(a) - timeOf(b) || rankOf(a) - rankOf(b));
  if (sort === 'DESC') rows.reverse();
  if (grouped !== true) return rows.slice(offset, offset + limit).map(({ id }) => id);
  const operations = [...new Set(rows.map((each) => each.operationId))];
  return operations.slice(offset, offset + limit).flatMap((operation) =>
    rows
      .filter((each) => each.operationId === operation)
      .map(({ id }) => id)
      .sort((a, b) => a - b),
  );
}

const id = fc.integer({ min: 1, max: 40 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant('begin'),
    parts: fc.integer({ min: 1, max: 3 }),
    type: fc.constantFrom('DEPOSIT', 'WITHDRAW', 'SWAP'),
    subtype: fc.constantFrom('BLOCKCHAIN', 'OFFCHAIN'),
    currency: fc.constantFrom('BTC', 'XRP'),
    network: fc.constantFrom('BTC', 'TRX'),
    us: fc.nat({ max: 2 }),
  }),
  fc.record({
    kind: fc.constant('change'),
    id,
    status: fc.constantFrom(undefined, 'PENDING', 'SUCCESS'),
    us: fc.nat({ max: 2 }),
  }),
);
const some = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values));
const query = fc.record(
  {
    txIds: fc
      .uniqueArray(id)
      .map((ids) =>
        ids.map((each) => `00000001-0000-4000-8000-${each.toString(16).padStart(12, '0')}`),
      ),
    types: some('DEPOSIT' as const, 'WITHDRAW' as const, 'TRANSFER' as const),
    subtypes: some('BLOCKCHAIN' as const, 'OFFCHAIN' as const),
    statuses: some('CREATED' as const, 'PENDING' as const, 'SUCCESS' as const),
    currencies: some('BTC', 'XRP'),
    networks: some('BTC', 'TRX'),
    idFrom: id,
    idTill: id,
    from: fc.nat({ max: 60 }),
    till: fc.nat({ max: 60 }),
    indexFrom: fc.nat({ max: 60 }),
    indexTill: fc.nat({ max: 60 }),
    orderBy: fc.constantFrom(
      ...(['createdAt', 'updatedAt', 'lastActivityAt', 'id', 'index'] as const),
    ),
    sort: fc.constantFrom('ASC' as const, 'DESC' as const),
    limit: fc.nat({ max: 30 }),
    offset: fc.nat({ max: 10 }),
    grouped: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('a listing is what a filter and a sort of everything gives', () => {
  let listed = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      // Few of the filters at a time, or nothing is ever found.
      fc.array(
        query.map((each) => Object.fromEntries(Object.entries(each).slice(-5))),
        {
          minLength: 5,
          maxLength: 20,
        },
      ),
      (steps, queries) => {
        const log = new Transactions(SILENT);
        let at = 0;
        let count = 0;
        const moved = new Map<number, number>();
        for (const each of steps) {
          at += each.us;
          if (each.kind === 'begin') {
            const operationId = log.operation();
            const { type, subtype, currency, network } =
              each as never as Required<TransactionDraft>;
            for (let part = 0; part < each.parts; part += 1) {
              const draft = { ...DRAFT, type, subtype, currency, network, operationId };
              const { id: made, index } = log.begin(draft, micros(at));
              moved.set(made, index);
              count += 1;
            }
          } else if (each.id <= count) {
            const { status } = each as never as Pick<Transaction, 'status'>;
            const before = log.get(each.id).status;
            const change = status === undefined ? {} : { status };
            const { index, status: after } = log.change(each.id, change, micros(at));
            if (after !== before) moved.set(each.id, index);
          }
        }
        const all = Array.from({ length: count }, (_, index) => log.get(index + 1));
        for (const each of queries as TransactionQuery[]) {
          const ids = log.list(4, each).map((found) => found.id);
          expect(ids).toEqual(naive(all, moved, each));
          listed += ids.length;
        }
      },
    ),
    { numRuns: 200, seed: 5 },
  );
  expect(listed).toBeGreaterThan(5_000);
});

test('changes that nobody will read again are cleared away, and the order stays', () => {
  const log = new Transactions(SILENT);
  for (let i = 0; i < 10; i += 1) log.begin(DRAFT, micros(i));
  for (let i = 0; i < 1_000; i += 1) {
    log.change((i % 9) + 1, { status: i % 2 === 0 ? 'PENDING' : 'CREATED' }, micros(10 + i));
  }
  const ids = log.list(4, { orderBy: 'lastActivityAt' }).map(({ id }) => id);
  expect(ids).toEqual([1, 9, 8, 7, 6, 5, 4, 3, 2, 10]);
  expect(log.list(4, { orderBy: 'updatedAt' }).map(({ id }) => id)).toEqual(ids);
});
