import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { runs, seed } from '../../kit/size.ts';
import {
  BTC,
  fill,
  folder,
  intent,
  ordersOf,
  place,
  START,
  reported,
  trade,
  venueOrder,
} from './kit.ts';

const id = (n: number): string => `ema-abcd-${String(n).padStart(7, '0')}`;

/** A journal with something in every table, closed. */
function full(): string {
  const path = join(folder(), 'main.sqlite');
  const journal = opened(path);
  journal.learn([BTC]);
  for (let n = 1; n <= 12; n += 1) {
    journal.intend([intent(place(id(n)))]);
    journal.sent([id(n)]);
    journal.received(reported('status', venueOrder(id(n))), START);
    journal.received(trade(fill(id(n), n, 4), 4), START);
    if (n % 3 === 0) journal.received(reported('canceled', venueOrder(id(n), { status: 'canceled', filledLots: 4 as Lots })), START); // prettier-ignore
  }
  journal.intend([intent({ kind: 'replace', clientOrderId: id(1), newClientOrderId: id(13), symbol: 'BTCUSDT', lots: 20 as Lots, ticks: 900 as Ticks })]); // prettier-ignore
  const balance = { available: Amount.count(5), reserved: Amount.count(1) };
  journal.received({ kind: 'balance', at: START, currency: 'USDT', ...balance }, START);
  journal.setState('bot', 'halted', 'an operator said so', START);
  journal.setDayStart('bot', 'USDT', { midnight: START, equity: decimal('7'), highest: decimal('8') }); // prettier-ignore
  journal.close();
  return path;
}

const opened = (path: string): Journal =>
  Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(9),
  });

/** All that a bot takes from its journal when it starts, or what it is refused with. */
function taken(path: string): unknown {
  let journal: Journal | undefined;
  try {
    journal = opened(path);
    const byId = (one: { clientOrderId: string }, other: { clientOrderId: string }): number =>
      one.clientOrderId < other.clientOrderId ? -1 : 1;
    const open = journal.openOrders().toSorted(byId);
    ordersOf(journal, 'ema');
    return {
      open,
      fills: open.map(({ clientOrderId }) => journal?.fillsOf(clientOrderId)),
      holdings: journal.holdings(),
      states: journal.states(),
      days: journal.dayStart('bot'),
      balances: journal.balances(),
      previous: journal.previousLife('ema', 'ema-abcd').lastOrderNumber,
      identity: journal.identity,
      instruments: journal.concerning({ at: START, orders: [], ended: [], fills: [], balances: [] }).instruments, // prettier-ignore
    };
  } catch (error) {
    return error instanceof MillraceError ? error.code : error;
  } finally {
    journal?.close();
  }
}

const REJECTIONS: ReadonlySet<unknown> = new Set([
  'journal-invalid',
  'journal-unwritable',
  'journal-unconfirmed',
]);

test('a flipped bit is refused, or changes nothing that a bot takes from its journal', () => {
  const whole = full();
  const bytes = readFileSync(whole);
  const state = readFileSync(whole.replace('.sqlite', '.state'));
  const before = taken(whole);
  const used = [...bytes.keys()].filter((at) => bytes[at] !== 0);
  const random = new Random(seed(11));
  for (let run = 0; run < runs(500); run += 1) {
    const at = used[random.integer(0, used.length - 1)] ?? 0;
    const bit = random.integer(0, 7);
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
    writeFileSync(whole, flipped);
    writeFileSync(whole.replace('.sqlite', '.state'), state);
    const found = taken(whole);
    if (REJECTIONS.has(found)) continue;
    expect(found, `byte ${at}, bit ${bit}`).toEqual(before);
  }
});

test.each([
  ['orders', 'lots = -10', id(1)],
  ['orders', "strategy = 'eme'", id(1)],
  ['holdings', "change = 'NaN'", 'ema'],
  ['balances', "available = 'NaN'", 'USDT'],
  ['entries', 'lots = -1', 'ema'],
  ['counters', 'last = -1', 'ema-abcd'],
  ['states', "state = 'running'", 'bot'],
  ['instruments', "terms = replace(terms, '0.00001', '0.0001')", '1'],
])('what is not what was written is named by table and row: %s, %s', (table, change, row) => {
  const path = full();
  const database = new DatabaseSync(path);
  database.exec(`UPDATE ${table} SET ${change}`);
  database.close();
  expect(() => opened(path)).toThrow(
    expect.objectContaining({
      code: 'journal-invalid',
      message: expect.stringContaining(`the row "${row}" of the table ${table} does not match`) as string, // prettier-ignore
    }),
  );
});

test.each([
  ['orders', 'lots = -10', 'lots is -10'],
  ['holdings', "change = 'NaN'", 'change is NaN'],
  ['balances', "reserved = 'Infinity'", 'reserved is Infinity'],
  ['instruments', "terms = '{'", 'JSON'],
])('a row of an older release is read with care: %s, %s', (table, change, why) => {
  const path = full();
  const database = new DatabaseSync(path);
  database.exec(`UPDATE ${table} SET ${change}, checksum = NULL`);
  database.close();
  expect(() => opened(path)).toThrow(new RegExp(`of the table ${table}: .*${why}`));
});
