import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { RebalancingJournal } from '../../../src/bot/rebalancing/journal.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros, US_PER_DAY } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import {
  journalContract,
  plain,
  recordsOf,
  samplePlan,
} from '../../swaps/execution/journal-contract.ts';
import { START } from '../../swaps/execution/rig.ts';
import { folder } from '../rig.ts';

const open = (path: string, at = START): RebalancingJournal => {
  const scheduler = new VirtualScheduler(at);
  const journal = RebalancingJournal.open(path, { scheduler, holder: 'test' });
  onTestFinished(() => journal.close());
  return journal;
};

const rejection = (work: () => unknown): MillraceError => {
  try {
    work();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

journalContract('a journal in a file', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  let journal = open(path);
  const reopen = (): RebalancingJournal => {
    journal.close();
    journal = open(path);
    return journal;
  };
  return { journal, reopen };
});

test('a journal is held by one process, and by the next when that is gone', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  const first = open(path);
  const error = rejection(() => open(path));
  expect(error.code).toBe('journal-locked');
  expect(error.message).toContain(`Rebalancing by ${path} is under way by process ${process.pid} (bot test`); // prettier-ignore
  first.close();
  expect(open(path).underWay()).toEqual([]);
});

test('a journal that is damaged, of another program or of a newer release is refused', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  writeFileSync(path, 'This is a letter and no database, however long it may be.'.repeat(100));
  expect(rejection(() => open(path)).code).toBe('journal-invalid');

  const foreign = join(folder(), 'rebalancing.sqlite');
  const other = new DatabaseSync(foreign);
  other.exec('CREATE TABLE notes (text TEXT); PRAGMA application_id = 7');
  other.close();
  expect(rejection(() => open(foreign)).message).toContain('a database of another program');

  const newer = join(folder(), 'rebalancing.sqlite');
  open(newer).close();
  const database = new DatabaseSync(newer);
  database.exec('PRAGMA user_version = 99');
  database.close();
  expect(rejection(() => open(newer)).message).toContain(
    'is of version 99 and this release knows 3',
  );
});

test('a row that no release has written is told of, and nothing is made of it', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  const journal = open(path);
  const plan = samplePlan('p');
  journal.begin(plan, recordsOf(plan));
  journal.close();
  const database = new DatabaseSync(path);
  database.exec("UPDATE moves SET send = 'a lot'");
  database.close();
  expect(rejection(() => open(path).underWay()).code).toBe('journal-invalid');
});

test('what cannot be written is not there, and the journal says why', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  const journal = open(path);
  const plan = samplePlan('p');
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const error = rejection(() => journal.begin(plan, recordsOf(plan)));
  expect(error.code).toBe('journal-unwritable');
  expect(error.message).toContain('another program holds it');
  other.exec('ROLLBACK');
  other.close();
  expect(journal.underWay()).toEqual([]);
  journal.begin(plan, recordsOf(plan));
  expect(journal.underWay()).toHaveLength(1);
});

test('a plan that could not be read again is not begun', () => {
  const journal = open(join(folder(), 'rebalancing.sqlite'));
  const plan = { ...samplePlan('p'), maximumCost: decimal('1e-40').div(7) };
  const error = rejection(() => journal.begin(plan, recordsOf(plan)));
  expect(error.code).toBe('request-invalid');
  expect(journal.underWay()).toEqual([]);
});

test('a plan that an earlier release wrote is read under the names of now', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  const journal = open(path);
  const plan = { ...samplePlan('p'), prices: new Map([['place', decimal('1')]]) };
  journal.begin(plan, recordsOf(plan));
  const plans = journal.underWay();
  journal.close();
  const database = new DatabaseSync(path);
  const body = String(database.prepare('SELECT body FROM plans').get()?.['body']);
  const old = body
    .replace('"transfers":', '"moves":')
    .replaceAll('"transfer":', '"move":')
    .replaceAll('"route":', '"carrier":')
    .replaceAll('"location":', '"place":');
  expect(old).not.toBe(body);
  database.prepare('UPDATE plans SET body = ?').run(old);
  const fee = {
    of: 'payment',
    coin: { asset: 'ETH', place: 'ethereum' },
    expected: '1',
    most: '2',
  };
  const text = JSON.stringify({ ...fee, isIncluded: false });
  database.prepare('UPDATE moves SET network_fee = ? WHERE position = 0').run(text);
  database.close();
  const read = open(path).underWay();
  expect(plain(read.map((one) => ({ ...one, transfers: [] })))).toEqual(
    plain(plans.map((one) => ({ ...one, transfers: [] }))),
  );
  const [first, second] = read[0]?.transfers ?? [];
  expect(first?.record.networkFee?.coin).toEqual({ asset: 'ETH', location: 'ethereum' });
  expect(second).toEqual(plans[0]?.transfers[1]);
});

test('what happened stands in order, amounts as decimal text', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  const journal = open(path);
  const plan = samplePlan('p');
  const [record] = recordsOf(plan);
  if (record === undefined) throw new Error('there is a transfer');
  journal.begin(plan, recordsOf(plan));
  const step = { name: 'approve', data: { intent: 'i' }, pays: true };
  journal.write({ record: { ...record, paying: true }, step }, START);
  journal.write(
    { record: { ...record, state: 'fulfilled', arrived: decimal('0.1') } },
    micros(START + 1),
  );
  journal.supersede('p', 'There are new targets.', micros(START + 2));
  journal.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT kind, move, body FROM events ORDER BY sequence').all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { kind: 'begun', move: null, body: '{}' },
    { kind: 'approve', move: 'p/1', body: '{"intent":"i"}' },
    { kind: 'fulfilled', move: 'p/1', body: '{"arrived":"0.1","data":{"quote":"q"}}' },
    { kind: 'superseded', move: null, body: '{"why":"There are new targets."}' },
  ]);
  database.close();
  expect(readFileSync(path).includes('100.000000000000000001')).toBe(true);
});

test('a rebalance is let go 90 days after its end, and none that is under way', () => {
  const path = join(folder(), 'rebalancing.sqlite');
  const journal = open(path);
  journal.begin(samplePlan('p'), recordsOf(samplePlan('p')));
  journal.end(START);
  journal.begin(samplePlan('q'), recordsOf(samplePlan('q')));
  journal.close();
  const plansAt = (days: number): readonly unknown[] => {
    open(path, micros(START + days * US_PER_DAY)).close();
    const database = new DatabaseSync(path, { readOnly: true });
    const ids = database.prepare('SELECT id FROM plans ORDER BY id').all().map(({ id }) => id); // prettier-ignore
    database.close();
    return ids;
  };
  expect(plansAt(89)).toEqual(['p', 'q']);
  expect(plansAt(91)).toEqual(['q']);
});
