import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { MIGRATIONS } from '../../../src/bot/journal/migrations.ts';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { Random } from '../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { keptJournal } from './kept/kept.ts';
import { fill, folder, intent, place, START, trade } from './kit.ts';

const id = (n: number): string => `ema-abcd-${String(n).padStart(7, '0')}`;

const open = (path: string): Journal =>
  Journal.open(path, { account: 'main', scheduler: new VirtualScheduler(START), random: new Random(5) }); // prettier-ignore

test('a journal of before margin accounts opens as it was, checksums and all, and goes on', () => {
  const path = join(folder(), 'main.sqlite');
  keptJournal(path);
  const journal = open(path);
  expect(journal.order(id(1))).toMatchObject({ status: 'partiallyFilled', margin: undefined });
  expect(journal.order(id(2))).toMatchObject({ status: 'new', postOnly: true });
  expect(journal.order(id(3))?.takeRate?.toFixed()).toBe('0.002');
  expect(journal.order(id(4))).toMatchObject({ status: 'unknown' });
  expect(journal.fillsOf(id(1))).toMatchObject([{ id: 1, lots: 4 }]);
  journal.received(trade(fill(id(1), 7, 2), 6), START);
  journal.intend([intent(place(id(5), { margin: { mode: 'isolated', reduceOnly: true } }))]);
  journal.intendMargin('ema', { kind: 'setMargin', symbol: 'BTCUSDT', mode: 'cross', balance: decimal('5') }); // prettier-ignore
  journal.close();
  const reader = JournalReader.open(path);
  expect(reader.check()).toBeGreaterThan(0);
  reader.close();
  const again = open(path);
  expect(again.order(id(5))).toMatchObject({ margin: { mode: 'isolated', reduceOnly: true } });
  expect(again.fillsOf(id(1)).map((one) => one.id)).toEqual([1, 7]);
  expect(again.margin.all()).toHaveLength(2);
  again.close();
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length }); // prettier-ignore
  database.close();
});

test('a journal of before orders had fee rates opens, its orders as they were, checksums and all', () => {
  const path = join(folder(), 'main.sqlite');
  keptJournal(path, 4);
  const database = new DatabaseSync(path);
  // No such order was written by that release.
  database.exec(`DELETE FROM orders WHERE client_order_id = '${id(3)}'`);
  database.exec("DELETE FROM facts WHERE name = 'census'");
  database.close();
  const journal = open(path);
  expect(journal.order(id(1))?.status).toBe('partiallyFilled');
  expect(journal.order(id(1))?.takeRate).toBeUndefined();
  const RATES = { takeRate: decimal('0.002'), makeRate: decimal('0.00000015') };
  journal.intend([intent(place(id(6), RATES))]);
  journal.flush();
  expect(journal.order(id(6))).toMatchObject(RATES);
  journal.close();
  const spoiled = new DatabaseSync(path);
  spoiled.exec(`UPDATE orders SET lots = 11 WHERE client_order_id = '${id(2)}'`);
  spoiled.close();
  expect(() => open(path)).toThrow(/does not match its checksum/);
});
