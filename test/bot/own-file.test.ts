import { chmodSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeAccountLock } from '../../src/bot/journal/lock.ts';
import { writeOwnFile } from '../../src/platform/own-file.ts';
import { micros } from '../../src/platform/time.ts';
import { temporaryFolder } from '../kit/recordings.ts';
import { desk } from './journal/kit.ts';

const rights = (path: string): number => statSync(path).mode & 0o777;

describe.skipIf(process.platform === 'win32')('files of a bot are of its user alone', () => {
  test('the journal, what SQLite keeps beside it, and the folder', () => {
    const folder = join(temporaryFolder(), 'data', 'deep');
    desk({}, join(folder, 'main.sqlite'));
    const names = readdirSync(folder);
    expect(names).toContain('main.sqlite-wal');
    for (const name of names) expect([name, rights(join(folder, name))]).toEqual([name, 0o600]);
    expect([rights(folder), rights(dirname(folder))]).toEqual([0o700, 0o700]);
  });

  test('a journal that others could read until now', () => {
    const first = desk();
    first.restart();
    for (const name of ['', '-wal', '-shm']) chmodSync(`${first.path}${name}`, 0o644);
    first.restart();
    for (const name of ['', '-wal', '-shm']) expect(rights(`${first.path}${name}`)).toBe(0o600);
  });

  test('the lock and its holder; a second one in the same process leaves the first its lock', () => {
    const base = join(temporaryFolder(), 'main');
    const holder = { pid: process.pid, name: 'b', startedAt: micros(1) };
    const lock = takeAccountLock(base, holder);
    expect([rights(`${base}.lock`), rights(`${base}.holder`)]).toEqual([0o600, 0o600]);
    expect(() => takeAccountLock(base, holder)).toThrow('is traded on');
    expect(() => takeAccountLock(base, holder)).toThrow('is traded on');
    lock.release();
    takeAccountLock(base, holder).release();
  });
});

describe.skipIf(process.platform === 'win32')('nothing is written by way of a link', () => {
  test.each(['sqlite', 'lock'])('that has the name of the %s of a journal', (ending) => {
    const folder = temporaryFolder();
    const victim = join(folder, 'victim');
    symlinkSync(victim, join(folder, `main.${ending}`));
    expect(() => desk({}, join(folder, 'main.sqlite'))).toThrow('it is a symbolic link');
    expect(readdirSync(folder)).not.toContain('victim');
  });

  test('that leads to a file which is there', () => {
    const folder = temporaryFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'as before', { mode: 0o644 });
    symlinkSync(victim, join(folder, 'main.lock'));
    const holder = { pid: process.pid, name: 'b', startedAt: micros(1) };
    expect(() => takeAccountLock(join(folder, 'main'), holder)).toThrow('it is a symbolic link');
    expect([readFileSync(victim, 'utf8'), rights(victim)]).toEqual(['as before', 0o644]);
  });
});

describe('a file that is rewritten', () => {
  test('takes the place of a link and leaves what it points to', () => {
    const folder = temporaryFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'as before');
    symlinkSync(victim, join(folder, 'own'));
    writeOwnFile(join(folder, 'own'), 'mine');
    expect(readFileSync(victim, 'utf8')).toBe('as before');
    expect(lstatSync(join(folder, 'own')).isFile()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['own', 'victim']);
  });

  test('leaves nothing behind where it cannot be written', () => {
    const folder = temporaryFolder();
    expect(() => {
      writeOwnFile(join(folder, 'none', 'own'), 'mine');
    }).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});
