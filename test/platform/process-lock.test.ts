import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProcessLock } from '../../src/platform/process-lock.ts';
import { temporaryFolder } from '../kit/recordings.ts';

const nothing = (): void => undefined;

test('a lock is taken once, and again when it is released', () => {
  const path = join(temporaryFolder(), 'deep', 'lock');
  const lock = ProcessLock.take(path, nothing);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(ProcessLock.take(path, nothing)).toBeUndefined();
  lock?.release();
  const next = ProcessLock.take(path, nothing);
  expect(next).toBeDefined();
  next?.release();
});

test('who does not get a lock does not write down that it has it', () => {
  const path = join(temporaryFolder(), 'lock');
  const holders: string[] = [];
  const lock = ProcessLock.take(path, () => holders.push('first'));
  ProcessLock.take(path, () => holders.push('second'));
  expect(holders).toEqual(['first']);
  lock?.release();
});

test('a lock is free where what comes with it fails', () => {
  const path = join(temporaryFolder(), 'lock');
  expect(() =>
    ProcessLock.take(path, () => {
      throw new Error('no room');
    }),
  ).toThrow('no room');
  const lock = ProcessLock.take(path, nothing);
  expect(lock).toBeDefined();
  lock?.release();
});
