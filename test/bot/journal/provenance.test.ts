import {
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { confirm } from '../../../src/bot/journal/confirmation.ts';
import { Journal } from '../../../src/bot/journal/journal.ts';
import type { JournalOptions } from '../../../src/bot/journal/options.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { BTC, folder, forgetStateFile, intent, place, START, reported, venueOrder } from './kit.ts';

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';

/** Opens a journal for a moment; gives what was told of it. */
function start(path: string, options: Partial<JournalOptions> = {}): readonly string[] {
  const notices: string[] = [];
  const journal = Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(9),
    notice: (sentence) => notices.push(sentence),
    ...options,
  });
  journal.close();
  return notices;
}

function rejection(path: string): string {
  try {
    start(path);
  } catch (error) {
    if (error instanceof MillraceError && error.code === 'journal-unconfirmed')
      return error.message;
    throw error;
  }
  return 'none';
}

/** A journal that a bot has left in good order, with an order that is open. */
function left(path = join(folder(), 'main.sqlite')): string {
  const journal = Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(7),
  });
  journal.learn([BTC]);
  journal.intend([intent(place(A))]);
  journal.received(reported('status', venueOrder(A)), START);
  journal.close();
  return path;
}

/** A journal that stays open, and the clock that it lives by. */
function running(): {
  readonly path: string;
  readonly journal: Journal;
  readonly failures: readonly unknown[];
  readonly pass: (seconds: number) => void;
} {
  const path = join(folder(), 'main.sqlite');
  const scheduler = new VirtualScheduler(START);
  const failures: unknown[] = [];
  const journal = Journal.open(path, {
    account: 'main',
    scheduler,
    random: new Random(7),
    failed: (error) => failures.push(error),
  });
  journal.learn([BTC]);
  const pass = (seconds: number): void =>
    scheduler.advanceTo(micros(scheduler.now() + seconds * US_PER_SECOND));
  return { path, journal, failures, pass };
}

const removed = (path: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
};

/** What waits is confirmed, and the next start goes on and tells of it once. */
function confirmedOnce(path: string, why: RegExp): void {
  expect(confirm(path, process.pid, START).join('\n')).toMatch(why);
  expect(start(path).join('\n')).toMatch(/It was confirmed\.$/);
  expect(start(path)).toEqual([]);
  expect(confirm(path, process.pid, START)).toEqual([]);
}

test('a journal that is gone is missed, and none is made in its place before a person confirms that', () => {
  const path = left();
  removed(path);
  expect(rejection(path)).toMatch(
    /main\.sqlite is gone or empty, .* identity [a-z0-9]{4} and \d+ events/,
  );
  expect(rejection(path)).toContain(`millrace journal ${path} --accept`);
  expect(existsSync(path)).toBe(false);
  confirmedOnce(path, /is gone or empty/);
});

test('a journal that was emptied is missed', () => {
  const path = left();
  writeFileSync(path, '');
  expect(rejection(path)).toMatch(/is gone or empty/);
  expect(rejection(path)).toMatch(/is gone or empty/);
  confirmedOnce(path, /is gone or empty/);
});

test('an older copy that is put back is known by how far the journal had come', () => {
  const path = left();
  const old = join(folder(), 'old.sqlite');
  copyFileSync(path, old);
  const journal = Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(7),
  });
  journal.intend([intent(place(B))]);
  journal.close();
  copyFileSync(old, path);
  expect(rejection(path)).toMatch(/ends with event \d+, and it had \d+: it is an older copy/);
  confirmedOnce(path, /older copy/);
});

test('how far it has come is kept while it runs too, for a process that is killed', () => {
  const at = running();
  const old = join(folder(), 'main.sqlite');
  const copy = (from: string, to: string): void => {
    for (const end of ['.sqlite', '.sqlite-wal']) {
      rmSync(to.replace('.sqlite', end), { force: true });
      if (existsSync(from.replace('.sqlite', end))) {
        copyFileSync(from.replace('.sqlite', end), to.replace('.sqlite', end));
      }
    }
  };
  copy(at.path, old);
  at.journal.intend([intent(place(A))]);
  at.pass(11);
  const killed = join(folder(), 'main.state');
  copyFileSync(at.path.replace('.sqlite', '.state'), killed);
  at.journal.close();
  copyFileSync(killed, at.path.replace('.sqlite', '.state'));
  copy(old, at.path);
  expect(rejection(at.path)).toMatch(/older copy/);
});

test('the journal of another is known, and so is a journal whose state file is gone', () => {
  const [path, other] = [left(), left()];
  const journal = Journal.open(join(folder(), 'main.sqlite'), {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(99),
  });
  journal.close();
  copyFileSync(other, path);
  // Both were made by the same chance and have one identity; their state files do not.
  rmSync(path.replace('.sqlite', '.state'));
  expect(rejection(path)).toMatch(/has a state file .*main\.state, which is gone/);
  confirmedOnce(path, /which is gone/);
  const foreign = join(folder(), 'main.sqlite');
  start(foreign, { random: new Random(99) });
  copyFileSync(foreign, path);
  expect(rejection(path)).toMatch(/belongs to another one/);
  confirmedOnce(path, /belongs to another one/);
});

test('a copied folder waits for a person, a folder that was moved does not', () => {
  const path = left();
  const copy = join(folder(), 'copy');
  cpSync(dirname(path), copy, { recursive: true });
  const copied = join(copy, 'main.sqlite');
  expect(rejection(copied)).toMatch(/is a copy of a file that was .*main\.state: its original .* is there too/); // prettier-ignore
  // The original goes on.
  expect(start(path)).toEqual([]);
  confirmedOnce(copied, /is a copy/);
  const moved = join(folder(), 'moved');
  renameSync(dirname(path), moved);
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  expect(start(join(moved, 'main.sqlite'))).toMatchObject([/The data folder was moved/]);
  expect(start(join(moved, 'main.sqlite'))).toEqual([]);
  const restored = join(folder(), 'restored');
  cpSync(moved, restored, { recursive: true });
  rmSync(moved, { recursive: true });
  expect(rejection(join(restored, 'main.sqlite'))).toMatch(/is a copy of a file that was .*: a bot at its original would/); // prettier-ignore
});

test('a journal of a release before there were state files gets one', () => {
  const path = left();
  forgetStateFile(path);
  rmSync(path.replace('.sqlite', '.state'));
  expect(start(path)).toEqual([]);
  expect(readdirSync(dirname(path))).toContain('main.state');
  removed(path);
  expect(rejection(path)).toMatch(/is gone or empty/);
});

test.each([
  ['moved', (path: string) => renameSync(path, `${path}.away`), 'was moved or removed while'],
  ['removed', (path: string) => rmSync(path), 'was moved or removed while'],
  ['emptied', (path: string) => truncateSync(path), 'was emptied while'],
])(
  'a journal that is %s under its bot is reported, and nothing more is written',
  (_, happens, what) => {
    const { path, journal, failures, pass } = running();
    happens(path);
    pass(2);
    expect(failures[0]).toMatchObject({
      code: 'journal-unwritable',
      message: expect.stringContaining(what) as string,
    });
    expect(() => journal.intend([intent(place(A))])).toThrow(what);
    expect(journal.openOrders()).toEqual([]);
    expect(() => journal.close()).toThrow(what);
  },
);

test('a journal that is moved back goes on', () => {
  const { path, journal, pass } = running();
  renameSync(path, `${path}.away`);
  pass(2);
  expect(() => journal.intend([intent(place(A))])).toThrow();
  renameSync(`${path}.away`, path);
  pass(2);
  journal.intend([intent(place(A))]);
  journal.close();
  expect(start(path)).toEqual([]);
});

test('a journal that was emptied is not written again, whatever is put into its file', () => {
  const { path, journal, pass } = running();
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  truncateSync(path);
  pass(2);
  writeFileSync(path, readFileSync(copy));
  pass(2);
  expect(() => journal.intend([intent(place(A))])).toThrow(/was emptied .* start it again/);
  expect(() => journal.close()).toThrow(/was emptied/);
});
