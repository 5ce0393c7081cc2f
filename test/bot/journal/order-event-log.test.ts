import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import type { Lots } from '../../../src/model/units.ts';
import { keptJournal } from './kept/kept.ts';
import { desk, fill, folder, intent, place, START, reported, trade, venueOrder } from './kit.ts';

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';

/** A journal with an order that another one replaced and that was filled, across a restart. */
function replaced(): string {
  const { journal, restart, path } = desk();
  journal.intend([intent(place(A, { margin: { mode: 'cross' } }))]);
  const margin = { margin: { mode: 'cross' as const } };
  journal.received(reported('new', venueOrder(A, margin)), START);
  const next = restart();
  next.intend([
    intent({ kind: 'replace', clientOrderId: A, newClientOrderId: B, symbol: 'BTCUSDT', lots: 20 as Lots, margin: 'cross' }, { managed: true }), // prettier-ignore
  ]);
  const after = { ...margin, id: 2, lots: 20 as Lots, originalClientOrderId: A };
  next.received(reported('replaced', venueOrder(B, after)), START);
  next.received(trade(fill(B, 1, 4, { margin: 'cross' }), 4, after), START);
  next.flush();
  return path;
}

const checked = (path: string): number => {
  const reader = JournalReader.open(path);
  try {
    return reader.check();
  } finally {
    reader.close();
  }
};

test('the story of an order comes to its row, with those that it depends on', () => {
  const path = replaced();
  const reader = JournalReader.open(path);
  const orders = reader.replay(B);
  expect([...orders.keys()].sort()).toEqual([A, B]);
  expect(orders.get(A)).toMatchObject({ status: 'canceled', replacedBy: B });
  expect(orders.get(B)).toMatchObject({ status: 'partiallyFilled', managed: true, fillIds: [1], margin: { mode: 'cross' } }); // prettier-ignore
  reader.close();
  expect(checked(path)).toBeGreaterThan(0);
});

test.each([
  ['status', "UPDATE orders SET status = 'filled', checksum = NULL WHERE client_order_id = ?"],
  ['filledLots', 'UPDATE orders SET executed_lots = 5, checksum = NULL WHERE client_order_id = ?'],
  ['margin', "UPDATE orders SET margin = 'isolated', checksum = NULL WHERE client_order_id = ?"],
  ['replacedBy', "DELETE FROM events WHERE kind = 'received' AND client_order_id = ?"],
])('a row whose %s is not what its story comes to is damage', (name, sql) => {
  const path = replaced();
  const database = new DatabaseSync(path);
  database.prepare(sql).run(B);
  database.close();
  expect(() => checked(path)).toThrow(
    expect.objectContaining({
      code: 'journal-invalid',
      message: expect.stringContaining(`its ${name} is`) as string,
    }),
  );
});

test('an order whose first events an older release stored, or that were deleted, is not damage', () => {
  const path = join(folder(), 'main.sqlite');
  keptJournal(path);
  const { journal } = desk({}, path);
  journal.flush();
  const reader = JournalReader.open(path);
  expect(reader.replay(A).size).toBe(0);
  reader.close();
  const other = replaced();
  const database = new DatabaseSync(other);
  database.exec("DELETE FROM events WHERE kind = 'intended'");
  database.close();
  expect(checked(other)).toBeGreaterThan(0);
});

test('a report of an unknown outcome is read under the name that an older release stored', () => {
  const { journal, path } = desk();
  journal.intend([intent(place(A))]);
  journal.received(
    { kind: 'outcome-unknown', at: START, request: 'place', clientOrderId: A, symbol: 'BTCUSDT' },
    START,
  );
  journal.flush();
  const database = new DatabaseSync(path);
  const { changes } = database
    .prepare(
      "UPDATE events SET body = replace(body, 'outcome-unknown', 'doubt'), checksum = NULL WHERE kind = 'received'",
    ) // prettier-ignore
    .run();
  database.close();
  expect(changes).toBe(1);
  const reader = JournalReader.open(path);
  expect(reader.replay(A).get(A)).toMatchObject({ status: 'unknown' });
  reader.close();
});
