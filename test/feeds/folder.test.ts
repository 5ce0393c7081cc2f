import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../src/feeds/folder.ts';
import { temporaryFolder } from '../kit/recordings.ts';

test('folders are made from the outside in, and those that are there are left out', () => {
  const folder = temporaryFolder();
  const [outer, inner] = [join(folder, 'a'), join(folder, 'a', 'b')];
  expect(makeFolders(inner)).toEqual([outer, inner]);
  expect(makeFolders(inner)).toEqual([]);
});

test('a folder that cannot be made is an error, where a file or a link of nothing stands too', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'));
  expect(() => makeFolders(join(folder, 'file', 'a'))).toThrow('ENOTDIR');
  expect(() => makeFolders(join(folder, 'link'))).toThrow('EEXIST');
});

test.skipIf(!existsSync('/proc'))('a parent that takes no folders ends it at once', () => {
  expect(() => makeFolders('/proc/nope/a')).toThrow('ENOENT');
});
