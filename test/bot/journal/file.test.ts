import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { MIGRATIONS } from '../../../src/bot/journal/migrations.ts';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { Random } from '../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { desk, folder, intent, place, START } from './kit.ts';

const open = (path: string, account = 'main'): Journal =>
  Journal.open(path, { account, scheduler: new VirtualScheduler(START), random: new Random(9) });

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** A journal as a release of that version left it, with an order in it. */
function journalOfVersion(path: string, version: number): void {
  const database = new DatabaseSync(path);
  for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
  database.exec(`
    PRAGMA application_id = 1298754668;
    PRAGMA user_version = ${version};
    INSERT INTO facts (name, value) VALUES ('account', 'main'), ('identity', 'wxyz');
    INSERT INTO holdings (strategy, currency, change) VALUES ('ema', 'BTC', '0.00000000000000000000000000000000000001');
  `);
  const { terms } = desk().journal.concerning({ at: START, orders: [], ended: [], fills: [], balances: [] }).instruments.get('BTCUSDT') ?? {}; // prettier-ignore
  database
    .prepare('INSERT INTO instruments (id, symbol, terms) VALUES (1, ?, ?)')
    .run('BTCUSDT', JSON.stringify(terms));
  database.exec(`
    INSERT INTO orders (client_order_id, strategy, instrument, side, type, time_in_force, wished,
      intended_at, status, lots, ticks, executed_lots, seen_lots)
      VALUES ('ema-wxyz-0000003', 'ema', 1, 'buy', 'limit', 'GTC', 0, ${START}, 'new', 10, 1000, 0, 0);
  `);
  database.close();
}

describe('the file of a journal', () => {
  test.each(MIGRATIONS.map((_, i) => i + 1))(
    'of version %i is brought to the present form, whole',
    (version) => {
      const path = join(folder(), 'main.sqlite');
      journalOfVersion(path, version);
      const journal = open(path);
      expect(journal.identity).toBe('wxyz');
      expect(journal.openOrders()).toMatchObject([
        { clientOrderId: 'ema-wxyz-0000003', status: 'new', lots: 10, ticks: 1_000 },
      ]);
      expect(journal.holdings('ema')[0].change.toFixed()).toBe(
        '0.00000000000000000000000000000000000001',
      );
      // What only the present form has can be written.
      journal.setDayStart('bot', 'USDT', {
        midnight: START,
        equity: decimal('7'),
        highest: decimal('8'),
      });
      journal.close();
      const database = new DatabaseSync(path, { readOnly: true });
      expect(database.prepare('PRAGMA user_version').get()).toEqual({
        user_version: MIGRATIONS.length,
      });
      database.close();
      const again = open(path);
      expect(again.dayStart('bot').get('USDT')?.highest.toFixed()).toBe('8');
      again.close();
    },
  );

  test('of a newer release is refused and left as it was', () => {
    const path = join(folder(), 'main.sqlite');
    open(path).close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    database.close();
    const before = readFileSync(path);
    expect(thrown(() => open(path))).toMatchObject({
      code: 'journal-invalid',
      message: expect.stringContaining(`is of version ${MIGRATIONS.length + 1}`) as string,
    });
    expect(readFileSync(path)).toEqual(before);
  });

  test('of another program is refused', () => {
    const path = join(folder(), 'main.sqlite');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE mine (a)');
    database.close();
    expect(thrown(() => open(path))).toMatchObject({
      code: 'journal-invalid',
      message: expect.stringContaining('a database of another program') as string,
    });
  });

  test('that is no database is refused, and one that is damaged', () => {
    const path = join(folder(), 'main.sqlite');
    writeFileSync(
      path,
      'no database at all, but long enough to be read as the head of one'.repeat(40),
    );
    expect(thrown(() => open(path))).toMatchObject({ code: 'journal-invalid' });
    const other = join(folder(), 'main.sqlite');
    const journal = open(other);
    journal.close();
    const bytes = readFileSync(other);
    // Pages that every start reads: those of the facts, the instruments and the orders.
    bytes.fill(0xff, 4_096, 4_096 * 5);
    writeFileSync(other, bytes);
    expect(statSync(other).size).toBeGreaterThan(4_096 * 5);
    expect(thrown(() => open(other))).toMatchObject({
      code: 'journal-invalid',
      message: expect.stringContaining('is damaged') as string,
    });
  });

  test('of another account is rejected, and the lock released', () => {
    const path = join(folder(), 'main.sqlite');
    open(path).close();
    expect(thrown(() => open(path, 'other'))).toMatchObject({
      code: 'journal-invalid',
      message: expect.stringContaining('is of account "main" and not of "other"') as string,
    });
    open(path).close();
  });

  test('in a folder that cannot be made is reported', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(thrown(() => open(join(file, 'main.sqlite')))).toMatchObject({
      code: 'journal-unwritable',
    });
  });

  test('has an identity of its own, which stays', () => {
    const { journal, restart } = desk();
    const { identity } = journal;
    expect(identity).toMatch(/^[a-z0-9]{4}$/);
    expect(restart().identity).toBe(identity);
    expect(desk({ random: new Random(8) }).journal.identity).not.toBe(identity);
    expect(journal.strategyOf(`${journal.prefixOf('ema')}-0000001`)).toBe('ema');
    expect(journal.strategyOf('ema-zzzz-0000001')).toBeUndefined();
  });

  test('that another program holds is not waited for: nothing is half written', () => {
    const { journal, path } = desk();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    expect(thrown(() => journal.intend([intent(place('ema-abcd-0000001'))]))).toMatchObject({
      code: 'journal-unwritable',
      message: expect.stringContaining('another program holds it') as string,
    });
    expect(journal.openOrders()).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    journal.intend([intent(place('ema-abcd-0000001'))]);
    expect(journal.openOrders()).toHaveLength(1);
  });

  test('is read while it is written, and a reader changes nothing', () => {
    const { journal, path } = desk();
    journal.intend([intent(place('ema-abcd-0000001'))]);
    const reader = JournalReader.open(path);
    expect([...reader.orders(START)]).toMatchObject([
      { order: { clientOrderId: 'ema-abcd-0000001' } },
    ]);
    journal.intend([intent(place('ema-abcd-0000002'))]);
    expect([...reader.orders(START)]).toHaveLength(2);
    reader.close();
    expect(thrown(() => JournalReader.open(`${path}.none`))).toMatchObject({
      code: 'file-missing',
    });
  });
});
