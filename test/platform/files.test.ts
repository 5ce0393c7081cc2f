import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWhole } from '../../src/platform/files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-files-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

test('text and bytes are written as they are, and nothing else stays in the folder', () => {
  writeWhole(join(folder, 'a.txt'), 'häuser\n');
  writeWhole(join(folder, 'b.bin'), Uint8Array.of(0, 255, 10));
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('häuser\n');
  expect([...readFileSync(join(folder, 'b.bin'))]).toEqual([0, 255, 10]);
  expect(readdirSync(folder).sort()).toEqual(['a.txt', 'b.bin']);
});

test('a file of many megabytes is written to its last byte', () => {
  const bytes = new Uint8Array(20_000_003).map((_, i) => i % 251);
  writeWhole(join(folder, 'big.bin'), bytes);
  expect(Buffer.compare(readFileSync(join(folder, 'big.bin')), bytes)).toBe(0);
});

test('an earlier file is replaced', () => {
  writeWhole(join(folder, 'a.txt'), 'a long first text');
  writeWhole(join(folder, 'a.txt'), 'second');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('second');
});

test('a write that fails leaves what was there, and no part of the new', () => {
  const path = join(folder, 'taken');
  mkdirSync(path);
  writeFileSync(join(path, 'inside'), 'kept');
  expect(() => {
    writeWhole(path, 'new');
  }).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  expect(readdirSync(folder)).toEqual(['taken']);
  expect(readFileSync(join(path, 'inside'), 'utf8')).toBe('kept');
});

test('a folder that is not there is an error of the file system', () => {
  expect(() => {
    writeWhole(join(folder, 'nowhere', 'a.txt'), 'a');
  }).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
