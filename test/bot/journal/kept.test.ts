import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { desk, intent, ordersOf, place, START, reported, venueOrder } from './kit.ts';

const id = (n: number): string => `ema-abcd-${String(n).padStart(7, '0')}`;

/** Orders that were canceled at once. */
function ended(at: ReturnType<typeof desk>, from: number, to: number): void {
  const { journal, scheduler } = at;
  const ids = Array.from({ length: to - from + 1 }, (_, i) => id(from + i));
  journal.intend(ids.map((one) => intent(place(one), { at: scheduler.now() })));
  for (const one of ids) {
    const order = venueOrder(one, { status: 'canceled', updatedAt: scheduler.now() });
    journal.received(reported('canceled', order), scheduler.now());
  }
  journal.flush();
}

/** Makes rows of ended orders such that nobody can read them. */
function spoil(path: string, last: number): void {
  const database = new DatabaseSync(path);
  database.prepare("UPDATE orders SET venue_order = '{' WHERE client_order_id <= ?").run(id(last));
  database.close();
}

test('a start reads what is open alone, however much is kept', () => {
  const at = desk();
  at.journal.intend([intent(place(id(1)))]);
  ended(at, 2, 60);
  spoil(at.path, 60);
  const database = new DatabaseSync(at.path);
  database.prepare('UPDATE orders SET venue_order = NULL WHERE client_order_id = ?').run(id(1));
  database.close();
  const next = at.restart();
  expect(next.openOrders().map(({ clientOrderId }) => clientOrderId)).toEqual([id(1)]);
  expect(next.previousLife('ema', 'ema-abcd')).toMatchObject({ lastOrderNumber: 60 });
  // What is asked for by name is read, and is not sound.
  expect(() => next.order(id(50))).toThrow();
});

test('what ended is shown in pages, each order once, though more ends meanwhile', () => {
  const at = desk();
  ended(at, 1, 1_100);
  at.journal.intend([intent(place(id(1_101)))]);
  const reader = JournalReader.open(at.path);
  const seen: string[] = [];
  for (const { order } of reader.orders(START)) {
    seen.push(order.clientOrderId);
    if (seen.length !== 700) continue;
    at.scheduler.advanceTo(micros(START + US_PER_SECOND));
    ended(at, 1_102, 1_110);
  }
  reader.close();
  expect(seen).toEqual(Array.from({ length: 1_101 }, (_, i) => id(1 + i)));
});

test('letting go keeps up with a bot that ends 50 orders a second', () => {
  const spanUs = 60 * US_PER_SECOND;
  const at = desk({ retentionUs: spanUs });
  for (let second = 0; second < 200; second += 1) {
    ended(at, second * 50 + 1, second * 50 + 50);
    at.scheduler.advanceTo(micros(at.scheduler.now() + US_PER_SECOND));
  }
  const database = new DatabaseSync(at.path, { readOnly: true });
  const count = (table: string): unknown =>
    database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
  // A minute of them is kept, and at most another one waits for the next look.
  expect(count('orders')).toBeLessThanOrEqual(6_050);
  expect(count('events')).toBeLessThanOrEqual(12_100);
  database.close();
  expect(at.journal.order(id(10_000))).toBeDefined();
});

test('what the comparison after a long outage may name is kept, however old it is', () => {
  const at = desk({ retentionUs: 60 * US_PER_SECOND });
  ended(at, 1, 10);
  at.journal.reconciled({ at: START });
  at.scheduler.advanceTo(micros(START + 3 * 3_600 * US_PER_SECOND));
  expect(ordersOf(at.journal, 'ema')).toHaveLength(10);
  at.journal.reconciled({ at: at.scheduler.now() });
  at.scheduler.advanceTo(micros(START + 4 * 3_600 * US_PER_SECOND));
  expect(ordersOf(at.journal, 'ema')).toHaveLength(0);
});
