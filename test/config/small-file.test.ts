import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readToken } from '../../src/bot/control/client.ts';
import { readSmallFile } from '../../src/config/small-file.ts';
import { temporaryFolder } from '../kit/recordings.ts';

describe('a small file', () => {
  test('is read as text, through a link too where others may have laid it', () => {
    const path = join(temporaryFolder(), 'secret');
    writeFileSync(path, 'geheim ü\n');
    expect(readSmallFile(path).text).toBe('geheim ü\n');
    symlinkSync(path, `${path}.link`);
    expect(readSmallFile(`${path}.link`).text).toBe('geheim ü\n');
    expect(() => readSmallFile(`${path}.link`, { isOwn: true })).toThrow('it is a symbolic link');
  });

  test('may have as many bytes as are said and no more', () => {
    const path = join(temporaryFolder(), 'long');
    writeFileSync(path, 'x'.repeat(9_000));
    expect(readSmallFile(path, { bytesMax: 9_000 }).text).toHaveLength(9_000);
    expect(() => readSmallFile(path, { bytesMax: 8_999 })).toThrow('more than 8999 bytes');
    writeFileSync(path, '');
    expect(readSmallFile(path).text).toBe('');
  });

  test('that is not there is reported with the error of the system', () => {
    expect(() => readSmallFile(join(temporaryFolder(), 'none'))).toThrow('ENOENT');
  });
});

describe.skipIf(process.platform === 'win32')('what has no end is not read', () => {
  test('such as a device', () => {
    expect(() => readSmallFile('/dev/zero')).toThrow('it is not a regular file');
    expect(() => readToken('/dev/zero')).toThrow('it is not a regular file');
  });

  test('such as a named pipe that nobody writes to', () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => readSmallFile(pipe)).toThrow('it is not a regular file');
  });
});
