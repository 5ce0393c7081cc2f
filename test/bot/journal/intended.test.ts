import fc from 'fast-check';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import type { Intent } from '../../../src/bot/journal/records.ts';
import type { Lots } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_MS } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { runs, seed } from '../../kit/size.ts';
import {
  desk,
  fill,
  folder,
  intent,
  ordersOf,
  place,
  START,
  trade,
  forgetStateFile,
} from './kit.ts';
import { LedgerOfIntents } from './ledger-of-intents.ts';

const idOf = (number: number): string => `ema-abcd-${String(number).padStart(7, '0')}`;
const A = idOf(1);

const count = (path: string, sql: string): number => {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS n FROM ${sql}`).get();
  database.close();
  return Number(row?.['n']);
};

const copied = (from: string, to: string): string => {
  for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
  return to;
};

const open = (path: string): Journal => {
  forgetStateFile(path);
  return Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(5),
  });
};

/** The ids that a journal has after it was opened, each proved to be there once in every table. */
function idsIn(path: string): readonly string[] {
  const journal = open(path);
  const ids = ordersOf(journal, 'ema').map(({ clientOrderId }) => clientOrderId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(journal.previousLife('ema', 'ema-abcd').lastOrderNumber).toBe(ids.length);
  journal.close();
  expect(count(path, 'orders')).toBe(ids.length);
  expect(count(path, 'intended')).toBe(0);
  return ids;
}

/** Three calls of two, one and three orders, reports and a flush after each but the last. */
function traded(journal: Journal, scheduler: VirtualScheduler, done: (ids: number) => void): void {
  journal.intend([intent(place(idOf(1))), intent(place(idOf(2)))]);
  done(2);
  journal.received(trade(fill(idOf(1), 1, 4), 4), START);
  scheduler.advanceTo(micros(START + 50 * US_PER_MS));
  const replace = { kind: 'replace', clientOrderId: idOf(2), newClientOrderId: idOf(3) } as const;
  journal.intend([intent({ ...replace, symbol: 'BTCUSDT', lots: 20 as Lots })]);
  done(3);
  journal.setState('ema', 'reducing', 'a test', START);
  const orders = [4, 5, 6].map((number) => place(idOf(number)));
  const list = {
    kind: 'placeList',
    orderListId: idOf(4),
    contingencyType: 'oneCancelOther',
    orders,
  } as const;
  journal.intend([intent(list), intent({ kind: 'cancel', clientOrderId: idOf(1), symbol: 'BTCUSDT' })]); // prettier-ignore
  done(6);
}

test('what was intended is in a table of its own until the flush, and in no other', () => {
  const { journal, path, scheduler } = desk();
  journal.intend([intent(place(A))]);
  expect([count(path, 'intended'), count(path, 'orders'), count(path, 'events')]).toEqual([1, 0, 0]); // prettier-ignore
  scheduler.advanceTo(micros(START + 50 * US_PER_MS));
  expect([count(path, 'intended'), count(path, 'orders'), count(path, 'events')]).toEqual([0, 1, 1]); // prettier-ignore
});

test('a reader sees it at once: orders, their story and their terms', () => {
  const { journal, path, scheduler } = desk();
  const reader = JournalReader.open(path);
  onTestFinished(() => reader.close());
  traded(journal, scheduler, () => undefined);
  const names = (): readonly string[] =>
    Array.from(reader.orders(START), ({ order }) => order.clientOrderId);
  const seen = names();
  const log = reader.log(idOf(5));
  expect(seen).toEqual([1, 2, 3, 4, 5, 6].map(idOf));
  expect(log).toMatchObject([{ kind: 'intended', clientOrderId: idOf(4), strategy: 'ema' }]);
  expect(reader.log(idOf(6))).toEqual(log);
  expect(reader.instrumentOf(idOf(6))?.symbol).toBe('BTCUSDT');
  expect(reader.order(idOf(3))).toMatchObject({ replaces: idOf(2), status: 'pending' });
  journal.flush();
  expect(names()).toEqual(seen);
  expect(reader.log(idOf(5))).toEqual(log);
});

test('an order whose numbers are none is refused, and those with it; a taken id too, wherever it is', () => {
  const { journal, scheduler } = desk();
  const invalid = expect.objectContaining({ code: 'request-invalid' }) as unknown;
  for (const change of [{ lots: 1.5 as Lots }, { lots: Number.NaN as Lots }]) {
    const both = [intent(place(A)), intent(place(idOf(2), change))];
    expect(() => journal.intend(both)).toThrow(invalid);
  }
  journal.intend([intent(place(A))]);
  expect(() => journal.intend([intent(place(A))])).toThrow(invalid);
  journal.received(trade(fill(A, 1, 10), 10), START);
  scheduler.advanceTo(micros(START + 50 * US_PER_MS));
  // It has ended and is in the file only.
  expect(() => journal.intend([intent(place(A))])).toThrow(invalid);
  expect(() => journal.intend([intent(place(idOf(2))), intent(place(A))])).toThrow(invalid);
  expect(() => journal.intend([intent(place(idOf(3))), intent(place(idOf(3)))])).toThrow(invalid);
  expect(ordersOf(journal, 'ema')).toMatchObject([{ clientOrderId: A }]);
});

test('intents that cannot be read keep a journal from being opened', () => {
  const path = join(folder(), 'main.sqlite');
  open(path).close();
  const database = new DatabaseSync(path);
  database.exec("INSERT INTO intended (body) VALUES ('[{')");
  database.close();
  expect(() => open(path)).toThrow(expect.objectContaining({ code: 'journal-invalid' }));
});

test('whichever statement is the last one, whole calls are there, those that returned among them', () => {
  const { journal, scheduler, path } = desk();
  const base = folder();
  const copies: { readonly copy: string; readonly returned: number }[] = [];
  let returned = 0;
  const take = (): void => {
    const copy = copied(path, join(base, `${copies.length}.sqlite`));
    copies.push({ copy, returned });
  };
  const { run } = StatementSync.prototype;
  const { exec } = DatabaseSync.prototype;
  const runs = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...values
  ) {
    const result = run.apply(this, values);
    take();
    return result;
  });
  const execs = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    exec.call(this, sql);
    take();
  });
  onTestFinished(() => {
    runs.mockRestore();
    execs.mockRestore();
  });
  take();
  traded(journal, scheduler, (ids) => {
    returned = ids;
    take();
  });
  // The flush, and what waits for the disk a second later.
  scheduler.advanceTo(micros(START + 1_100 * US_PER_MS));
  runs.mockRestore();
  execs.mockRestore();
  expect(copies.length).toBeGreaterThan(30);
  const seen = new Set<number>();
  for (const { copy, returned: atLeast } of copies) {
    const ids = idsIn(copy);
    seen.add(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(atLeast);
    expect([0, 2, 3, 6]).toContain(ids.length);
    expect([...ids].sort()).toEqual([1, 2, 3, 4, 5, 6].slice(0, ids.length).map(idOf));
    const reported = new Map([[0, 0], [2, 2], [3, 3], [6, 5]]).get(ids.length); // prettier-ignore
    expect(count(copy, "events WHERE kind = 'intended'")).toBe(reported);
  }
  expect([...seen]).toEqual([0, 2, 3, 6]);
});

test('wherever the log breaks off, as at a power cut, what is left are the first of the calls', () => {
  const { journal, scheduler, path } = desk();
  const ends: number[] = [];
  traded(journal, scheduler, () => ends.push(statSync(`${path}-wal`).size));
  const log = readFileSync(`${path}-wal`);
  const base = folder();
  const counts = [2, 3, 6];
  for (let i = 0; i <= 40; i += 1) {
    const size = Math.floor((log.length * i) / 40);
    const copy = join(base, `${i}.sqlite`);
    copyFileSync(path, copy);
    writeFileSync(`${copy}-wal`, log.subarray(0, size));
    if (size < (ends[0] ?? 0)) continue;
    const whole = ends.filter((end) => end <= size).length;
    expect(idsIn(copy)).toHaveLength(counts[whole - 1] ?? 0);
  }
  expect(idsIn(copied(path, join(base, 'all.sqlite')))).toHaveLength(6);
});

test('intents and states wait for the disk, and reports follow with them or a second later', () => {
  let level = '';
  const waits: string[] = [];
  const { run } = StatementSync.prototype;
  const { exec } = DatabaseSync.prototype;
  const execs = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    exec.call(this, sql);
    level = /synchronous = (\w+)/.exec(sql)?.[1] ?? level;
  });
  const runs = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...values
  ) {
    const what = /^(INSERT INTO intended|COMMIT|UPDATE facts)/.exec(this.sourceSQL)?.[1];
    if (what !== undefined) waits.push(`${what} ${level}`);
    return run.apply(this, values);
  });
  onTestFinished(() => {
    runs.mockRestore();
    execs.mockRestore();
  });
  const { journal, scheduler } = desk();
  const after = (ms: number): readonly string[] => {
    scheduler.advanceTo(micros(scheduler.now() + ms * US_PER_MS));
    return waits.splice(0);
  };
  // Whose journal it is must be on the disk before the state file knows it; new terms need not.
  expect(after(0)).toEqual(['COMMIT FULL', 'COMMIT NORMAL']);
  journal.intend([intent(place(A))]);
  expect(after(0)).toEqual(['INSERT INTO intended FULL']);
  expect(after(50)).toEqual(['COMMIT NORMAL']);
  journal.setState('ema', 'reducing', 'a test', START);
  expect(after(1_000)).toEqual(['COMMIT FULL']);
  journal.received(trade(fill(A, 1, 4), 4), START);
  expect(after(50)).toEqual(['COMMIT NORMAL']);
  expect(after(1_000)).toEqual(['UPDATE facts FULL']);
  expect(after(2_000)).toEqual([]);
});

type Step =
  | { readonly kind: 'intend'; readonly orders: number; readonly taken: boolean }
  | { readonly kind: 'fill' | 'replace'; readonly pick: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'state' | 'kill' };

const pick = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('intend' as const), orders: fc.integer({ min: 1, max: 3 }), taken: fc.nat(5).map((one) => one === 0) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('fill' as const, 'replace' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 30, 60, 1_100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('state' as const, 'kill' as const) }) },
); // prettier-ignore

test('in any order of intents, fills, time and kills it has what a plain list has', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const ledger = new LedgerOfIntents(folder());
      for (const one of steps) {
        if (one.kind === 'intend') ledger.intend(one.orders, one.taken);
        else if (one.kind === 'fill') ledger.fill(one.pick);
        else if (one.kind === 'replace') ledger.replace(one.pick);
        else if (one.kind === 'pass') ledger.pass(one.ms);
        else if (one.kind === 'state') ledger.setState();
        else ledger.kill();
        ledger.check();
      }
      ledger.kill();
      ledger.check();
      ledger.close();
    }),
    { seed: seed(11), numRuns: runs(60) },
  );
});

test('requests come back as they were given', () => {
  const { journal, path } = desk();
  const given: readonly Intent[] = [intent(place(A, { postOnly: true, expireAt: START }))];
  journal.intend(given);
  const copy = copied(path, join(folder(), 'copy.sqlite'));
  open(copy).close();
  const reader = JournalReader.open(copy);
  onTestFinished(() => reader.close());
  expect(reader.log(A)).toMatchObject([{ kind: 'intended', at: START, body: given[0]?.request }]);
});
